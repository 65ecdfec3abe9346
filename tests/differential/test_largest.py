"""The largest workbook of ours, computed by LibreOffice without its cache, and after changes.

Opening it is most of the time, so it is opened once; all that is computed on pages of the model is
compared, with what the engine gives for the same inputs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from calcgraph.book import Book
from calcgraph.book.workbook_export import request_of
from calcgraph.excel.export import LAST, ORDER, build_pages
from calcgraph.excel.sheets.builder import ERRORS, HEAD
from calcgraph.excel.xlsx.pages import letters
from differential.exports import Export, export
from differential.office import Office
from differential.test_sheets import typed
from differential.values import Values, Wrong, differences, told

LARGEST = Path(__file__).parents[2] / "sheets" / "llama70b.yaml"
CHANGES: dict[str, dict[str, str]] = {
    "as it is": {},
    "on fewer GPUs": {"gpus": "512"},
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Export:
    return export(LARGEST, tmp_path_factory.mktemp("largest"))


@pytest.fixture(scope="module")
def computed(exported: Export, office: Office) -> dict[str, Values]:
    sets = [
        {"!".join(exported.place(*where)): value for where, value in typed(after, settings)}
        for settings in CHANGES.values()
        for after in [exported.book.set_texts(settings.items())]
    ]
    return dict(zip(CHANGES, office.recalculate_each(exported.stripped, sets), strict=True))


def test_each_result_is_a_formula_that_shows_the_engines(exported: Export) -> None:
    written, expected = exported.written, exported.calculated(exported.book)

    assert len(written.formulas) > 200_000
    assert written.uncached == frozenset()
    assert expected.keys() <= written.formulas.keys()
    assert {place: written.cached[place] for place in expected} == {
        place: "" if value is None else value for place, value in expected.items()
    }


def test_libreoffice_agrees(exported: Export, computed: dict[str, Values]) -> None:
    found = differences(exported.written.cached, computed["as it is"])

    assert not found, told(found, exported.written.formulas)


@pytest.mark.parametrize("name", [name for name in CHANGES if CHANGES[name]])
def test_inputs_changed_in_the_workbook(
    name: str, exported: Export, computed: dict[str, Values]
) -> None:
    after = exported.book.set_texts(CHANGES[name].items())
    expected = laid_out(after)
    moved = [place for place, value in expected.items() if exported.written.cached[place] != value]

    found = differences(expected, computed[name])

    assert len(moved) > 10_000, "many rows of the planner hang on these inputs"
    assert not found, told(found, exported.written.formulas)
    failing = sum(c.fails for c in after.checks) + sum(f.fails for f in after.expectations)
    assert computed[name][exported.written.names["cg.errors"]] == failing


def laid_out(book: Book) -> Values:
    """Give what every formula on the pages of the model should show, as the engine has it."""
    found: Values = {}
    for page in build_pages(request_of(book)).pages:
        if page.name in {*ORDER, *LAST}:
            continue
        for (row, column), spot in page.cells.items():
            if spot.formula and row > HEAD:
                is_error = spot.value in ERRORS.values()
                value = Wrong(str(spot.value)) if is_error else spot.value
                found[page.name, f"{letters(column)}{row}"] = value
    return found
