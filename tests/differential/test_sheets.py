"""Every sheet's workbook holds what the engine says, with no cache and after changes too."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from calcgraph.book import Book
from calcgraph.cli import main
from calcgraph.core.values import Kind
from calcgraph.model import Cell
from differential.exports import SCENARIO, Export, expected, export
from differential.office import Office
from differential.values import Value, Values, differences, told
from differential.workbooks import poison, read_written

CLONE = Path(__file__).parents[2]
SHEETS = [
    CLONE / "docs/examples/estimate.yaml",
    *sorted(CLONE.glob("tests/golden/one_page/*.yaml")),
]
"""Sheets of tests with dims are tried in ``test_dims``."""
TRIALS, LARGE = 4, 50_000
Opinion = Callable[[Path], Values]


@pytest.fixture(scope="module", params=SHEETS, ids=lambda path: f"{path.parent.name}/{path.name}")
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Export:
    return export(request.param, tmp_path_factory.mktemp("export"))


def test_each_calculated_cell_is_a_formula(exported: Export) -> None:
    plain = [
        cell.name
        for cell in exported.book.cells()
        if cell.kind == "calc"
        and not cell.type.dims
        and exported.place(cell.name) not in exported.written.formulas
    ]

    assert plain == []


def test_each_input_is_typed_in_exactly(exported: Export) -> None:
    inputs = exported.inputs(exported.book)

    written = {place: exported.written.values.get(place) for place in inputs}

    assert written == inputs
    assert not inputs.keys() & exported.written.formulas.keys()


def test_each_formula_has_a_cached_value_and_it_is_the_engines(exported: Export) -> None:
    expected_values = exported.calculated(exported.book)

    cached = {place: exported.written.values[place] for place in expected_values}

    assert exported.written.uncached == set()
    assert [(place, value) for place, value in cached.items() if value != ""] == [
        (place, value) for place, value in expected_values.items() if value is not None
    ]
    assert [
        type(cached[place]) for place, value in expected_values.items() if value is not None
    ] == [type(value) for value in expected_values.values() if value is not None]


def test_libreoffice_agrees(exported: Export, office: Office) -> None:
    recalculated = office.recalculate(exported.stripped)

    found = differences(exported.written.cached, recalculated.values)

    assert not found, told(found, exported.written.formulas)


@pytest.mark.parametrize("name", ["formulon", "ironcalc"])
def test_another_engine_agrees(name: str, exported: Export, request: pytest.FixtureRequest) -> None:
    along = any(cell.kind == "calc" and cell.type.dims for cell in exported.book.cells())
    if name == "ironcalc" and along:
        return  # it knows no ranges between two INDEX, and no LOOKUP of an array
    evaluate: Opinion = request.getfixturevalue(name)

    found = differences(exported.written.cached, evaluate(exported.stripped))

    assert not found, told(found, exported.written.formulas)


def test_a_poisoned_value_is_found(exported: Export, office: Office, tmp_path: Path) -> None:
    """The canary: were the comparison blind, or the cache believed, nothing would be found."""
    name = next(cell.name for cell in exported.book.cells() if cell.kind == "calc")
    place = exported.place(name)
    true = exported.written.values[place]
    assert isinstance(true, float)
    path = poison(exported.path, tmp_path / "poisoned.xlsx", place, true * (1 + 1e-9))

    found = differences(read_written(path).cached, office.recalculate(path).values)

    assert list(found) == [place]


@pytest.mark.parametrize("trial", range(TRIALS))
def test_inputs_changed_in_the_workbook(trial: int, exported: Export, office: Office) -> None:
    if trial and len(exported.written.formulas) > LARGE:
        return  # each takes most of a minute
    follow(exported, office, change_inputs(exported.book, trial), "")


def test_scenarios_chosen_in_the_workbook(exported: Export, office: Office) -> None:
    for trial, scenario in enumerate(exported.book.model.scenarios):
        settings = change_inputs(exported.book, 100 + trial) if trial % 2 else {}
        follow(exported, office, settings, scenario)


def test_exporting_twice_gives_the_same_bytes(exported: Export, tmp_path: Path) -> None:
    again = tmp_path / exported.path.name

    main(["export", exported.book.name, "-o", str(again)])

    assert again.read_bytes() == exported.path.read_bytes()


def test_inputs_survive_libreoffice(exported: Export, office: Office, tmp_path: Path) -> None:
    """It writes 15 digits, and these are all that people typed."""
    saved = read_written(office.save_as(exported.path, tmp_path / "saved.xlsx"))

    inputs = exported.inputs(exported.book)

    assert saved.names == exported.written.names
    assert not differences(inputs, saved.values)


def follow(exported: Export, office: Office, settings: dict[str, str], scenario: str) -> None:
    """Change inputs in the engine and in LibreOffice: all calculated cells must agree."""
    after = exported.book.set_texts(settings.items())
    changes = {"!".join(exported.place(*where)): value for where, value in typed(after, settings)}
    if scenario:
        after = after.scenario(scenario)
        changes[SCENARIO] = scenario

    values = office.recalculate(exported.stripped, changes).values

    found = differences(exported.calculated(after), values)
    assert not found, f"{settings} {scenario}: {told(found, exported.written.formulas)}"
    failing = sum(c.fails for c in after.checks) + sum(f.fails for f in after.expectations)
    assert values[exported.written.names["cg.errors"]] == failing


def typed(book: Book, settings: dict[str, str]) -> list[tuple[tuple[str, int], Value]]:
    """Give what stands in the engine's inputs after settings: name and row, and the value."""
    found: list[tuple[tuple[str, int], Value]] = []
    for address in settings:
        name, _, key = address.replace("].", "].").partition("[")
        if not key:
            found.append(((name, 0), expected(book, book.cell(name).number)))
            continue
        label, _, column = key.partition("].")
        cell = book.cell(f"{name}.{column}")
        row = book.model.table(name).positions[label]
        found.append(((cell.name, row), book.evaluation.values[cell.number].data[row]))
    return found


def change_inputs(book: Book, seed: int) -> dict[str, str]:
    """Choose a few inputs, a choice among them, and two entries of tables; change them all."""
    rng = random.Random(seed)  # noqa: S311 - tests are no secret
    inputs = [cell for cell in book.cells() if cell.kind == "input" and not cell.type.dims]
    choices = [cell for cell in inputs if cell.type.kind is Kind.TEXT]
    columns = [c for c in book.cells() if c.kind == "column" and c.type.kind is Kind.NUMBER]
    picked = [*sample(rng, inputs, 4), *sample(rng, choices, 1)]
    chosen = {cell.name: other_value(book, cell, rng) for cell in picked}
    for column in sample(rng, columns, 2):
        table = column.type.dims[0]
        keys = [cell for cell in choices if cell.type.table == table]
        used = [chosen.get(c.name, book.evaluation.values[c.number]) for c in keys]
        label = rng.choice(used or list(book.model.table(table).positions))
        entry = f"{table}[{label}].{column.name.removeprefix(f'{table}.')}"
        chosen[entry] = repr(round(rng.uniform(1, 200), 2))
    return chosen


def sample(rng: random.Random, cells: list[Cell], most: int) -> list[Cell]:
    return rng.sample(cells, min(most, len(cells)))


def other_value(book: Book, cell: Cell, rng: random.Random) -> str:
    """Give another value for an input, within its bounds, as a user would type it."""
    value, bounds = book.evaluation.values[cell.number], cell.bounds
    if bounds.choices:
        return str(rng.choice(bounds.choices))
    if isinstance(value, bool):
        return str(not value).lower()
    if not isinstance(value, float):
        value = bounds.most or 1.0 if value is None else value
    if isinstance(value, str):
        return f'"{value} changed"'
    other = float(f"{value * rng.uniform(0.5, 1.6):.3g}")
    low = bounds.least if bounds.least is not None else other
    high = bounds.most if bounds.most is not None else other
    return repr(min(max(other, low), high))
