"""Sheets with dims: what every workbook promises holds for rows, blocks and variants too."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from calcgraph.book import Book
from calcgraph.core.values import Kind, Series
from calcgraph.excel.existing_workbook import find_edits
from calcgraph.model import Cell
from differential.along import Along, export_along, same_value
from differential.engines import formulon_values
from differential.exports import SCENARIO
from differential.office import Office
from differential.test_sheets import other_value
from differential.values import Value, Wrong, differences, told
from differential.workbooks import read_written

HERE = Path(__file__)
SHEETS = sorted(HERE.with_name("sheets").glob("*.yaml"))
SHEETS.append(HERE.parents[1] / "golden/series/budget.yaml")
ROUGH = {"rate"}
TRIALS = 3


@pytest.fixture(scope="module", params=SHEETS, ids=lambda path: path.stem)
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Along:
    return export_along(request.param, tmp_path_factory.mktemp("export"))


def test_each_value_is_a_formula_that_shows_the_engines(exported: Along) -> None:
    expected = exported.calculated(exported.book)

    assert expected.keys() <= exported.written.formulas.keys()
    cached = exported.written.cached
    assert not differences(expected, cached), told(differences(expected, cached), {})
    exact = {p: v for p, v in expected.items() if not isinstance(v, Wrong)}
    assert {place: cached[place] for place in exact} == {
        place: same_value(value) for place, value in exact.items()
    }
    assert exported.written.uncached == frozenset()


def test_a_row_has_one_formula(exported: Along) -> None:
    """In a way that does not hang on the place: what differs is the letters of columns."""
    for cell in exported.book.cells():
        if cell.kind == "calc" and len(cell.type.dims) == 1:
            texts = [exported.written.formulas[place] for place in exported.places(cell.name)]
            lengths = {len(text) for text in texts}
            assert max(lengths) - min(lengths) <= 3 * texts[0].count("(") + 12, cell.name


def test_entries_are_typed_in_as_given(exported: Along) -> None:
    for cell in exported.book.cells():
        if cell.kind != "input" or not cell.type.dims:
            continue
        given = cell.given if cell.given is not None else cell.start
        assert isinstance(given, Series)
        places = exported.places(cell.name, typed=True)
        written = [exported.written.values.get(place) for place in places]
        assert written == list(given.data)
        assert not set(places) & exported.written.formulas.keys()


def test_libreoffice_agrees(exported: Along, office: Office) -> None:
    values = office.recalculate(exported.stripped).values

    found = differences(exported.written.cached, values)

    assert not found, told(found, exported.written.formulas)


def test_another_engine_agrees(exported: Along) -> None:
    found = differences(exported.written.cached, formulon_values(exported.stripped))

    assert not found, told(found, exported.written.formulas)


@pytest.mark.parametrize("trial", range(TRIALS))
def test_inputs_changed_in_the_workbook(trial: int, exported: Along, office: Office) -> None:
    scenarios = ["", *exported.book.model.scenarios]
    settings = changed(exported.book, random.Random(trial))  # noqa: S311 - tests are no secret
    follow(exported, office, settings, scenarios[trial % len(scenarios)])


def follow(exported: Along, office: Office, settings: dict[str, str], scenario: str) -> None:
    after = exported.book.set_texts(settings.items())
    changes: dict[str, Value] = {}
    for address in settings:
        place, position = exported.entry(address)
        name = address.partition("[")[0]
        value = after.evaluation.values[after.cell(name).number]
        changes["!".join(place)] = value.data[position] if isinstance(value, Series) else value  # type: ignore[assignment]
    if scenario:
        after = after.scenario(scenario)
        changes[SCENARIO] = scenario

    values = office.recalculate(exported.stripped, changes).values

    found = differences(exported.calculated(after), values)
    assert not found, f"{settings} {scenario}: {told(found, exported.written.formulas)}"
    if any(isinstance(value, Wrong) for value in exported.calculated(after).values()):
        return  # a cell that fails now, and did not before, is an error of the workbook's own
    failing = sum(c.fails for c in after.checks) + sum(f.fails for f in after.expectations)
    assert values[exported.written.names["cg.errors"]] == failing


def changed(book: Book, rng: random.Random) -> dict[str, str]:
    """Choose some inputs and entries of series, given ones and gaps, and change them."""
    found: dict[str, str] = {}
    for cell in book.cells():
        if cell.kind != "input" or rng.random() < 0.3:
            continue
        if not cell.type.dims:
            is_date = cell.type.kind is Kind.DATE
            found[cell.name] = (other_entry if is_date else other_value_of(book))(cell, rng)
            continue
        for _ in range(2):
            labels = [rng.choice(book.model.dim(dim).labels) for dim in cell.type.dims]
            found[f"{cell.name}[{', '.join(labels)}]"] = other_entry(cell, rng)
    return found


def other_value_of(book: Book) -> Callable[[Cell, random.Random], str]:
    return lambda cell, rng: other_value(book, cell, rng)


def other_entry(cell: Cell, rng: random.Random) -> str:
    match cell.type.kind:
        case Kind.TRUTH:
            return rng.choice(["true", "false"])
        case Kind.DATE:
            return f"2026-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}"
        case Kind.TEXT:
            return f'"text {rng.randint(1, 99)}"'
        case _:
            low = cell.bounds.least if cell.bounds.least is not None else 1.0
            return repr(round(low + rng.uniform(0, 100), 2))


def test_exporting_twice_gives_the_same_bytes(exported: Along, tmp_path: Path) -> None:
    again = export_along(Path(exported.book.name), tmp_path)

    assert again.path.read_bytes() == exported.path.read_bytes()


def test_nothing_was_edited_by_saving_again(
    exported: Along, office: Office, tmp_path: Path
) -> None:
    saved = office.save_as(exported.path, tmp_path / "saved.xlsx")

    assert find_edits(saved) == []
    assert read_written(saved).names == exported.written.names
