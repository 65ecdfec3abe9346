"""What every workbook promises: each result is a formula, its cached value the engine's."""

import io
import re
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest

from calcgraph.book import Book, open_book
from calcgraph.core.values import Failure, Kind, Series
from calcgraph.excel import excel_name
from differential.values import Wrong
from excel.conftest import ROOT, Made

ESTIMATE = ROOT / "docs" / "examples" / "estimate.yaml"
ONE_PAGE = ROOT / "tests" / "golden" / "one_page" / "llama70b.yaml"
# A sheet of each kind: those that search layouts are of 60,000 to 210,000 formulas, and a minute
# each; of the others many are alike.
KINDS = {"cost", "lr_schedule", "memory", "params", "reliability", "schedules", "step"}
SMALLER = [
    path
    for path in (ROOT / "sheets").rglob("*.yaml")
    if path.stem in KINDS or path.parent.name == "catalog"
]
SHEETS = [*sorted(SMALLER), ESTIMATE, ONE_PAGE]
SHOWN = [path.relative_to(ROOT).as_posix() for path in SHEETS]
SETS: dict[str, tuple[tuple[str, ...], list[tuple[str, str]]]] = {
    "set": ((), [("gpus", "512"), ("mfu", "35%")]),
    "entry": ((), [("hw.accelerators[h100_sxm].price", "9")]),
    "scenario": (("big",), []),
    "two scenarios": (("big", "tight"), []),
    "scenario, then set": (("tight",), [("gpus", "4096"), ("tokens", "2T token")]),
}


@pytest.fixture(scope="module", params=SHEETS, ids=SHOWN)
def made(request: pytest.FixtureRequest, estimate: Made) -> Made:
    return estimate if request.param == ESTIMATE else Made(open_book(request.param))


@pytest.fixture(scope="module")
def one_page() -> Book:
    return open_book(ONE_PAGE)


def engine_values(book: Book) -> dict[str, object]:
    """Give what the workbook must show of every calculated cell that has one value."""
    found: dict[str, object] = {}
    for cell in book.cells():
        value = book.evaluation.values[cell.number]
        if isinstance(value, Series):
            continue
        assert not isinstance(value, Failure), "the sheets we ship have no failures"
        if cell.kind == "calc":
            found[cell.name] = "" if value is None else value
    return found


def test_every_result_is_a_formula_with_the_engines_value(made: Made) -> None:
    written = made.written
    names = {name.lower(): place for name, place in written.names.items()}

    for name, value in engine_values(made.book).items():
        place = names[excel_name(name)]
        assert place in written.formulas, f"{name} is a formula"
        assert written.cached[place] == value, name


def test_every_value_of_a_series_is_a_formula(made: Made) -> None:
    """In any order: sheets of our own tests know where each value belongs."""
    names = {name.lower(): defined for name, defined in made.opened.defined_names.items()}
    for cell in made.book.cells():
        value = made.book.evaluation.values[cell.number]
        if cell.kind != "calc" or not isinstance(value, Series):
            continue
        sheet, _, area = names[excel_name(cell.name).lower()].attr_text.rpartition("!")
        lines = made.opened[sheet.strip("'").replace("''", "'")][area.replace("$", "")]
        lines = lines if isinstance(lines, tuple) else ((lines,),)
        places = [(one.parent.title, one.coordinate) for line in lines for one in line]
        assert set(places) <= made.written.formulas.keys(), cell.name
        shown = sorted(repr(held(made.written.cached[place])) for place in places)
        assert shown == sorted(repr(held(one)) for one in value.data), cell.name


def held(value: object) -> object:
    """Give what a value and what a cell of the workbook shows of it have in common."""
    if isinstance(value, Failure | Wrong):
        return "error"
    return None if value == "" else value


def test_no_assumption_is_a_formula(made: Made) -> None:
    written = made.written
    inputs = [
        cell
        for cell in made.book.cells()
        if cell.kind == "column" or (cell.kind == "input" and not cell.type.dims)
    ]

    for cell in inputs:
        name = excel_name(cell.name)
        sheet, address = written.names.get(f"{cell.name}.base", written.names[name])
        column, row = re.fullmatch(r"([A-Z]+)([0-9]+)", address).groups()  # type: ignore[union-attr]
        value = made.book.evaluation.values[cell.number]
        entries = value.data if isinstance(value, Series) else [value]
        for at, entry in enumerate(entries):
            place = (sheet, f"{column}{int(row) + at}")
            assert place not in written.formulas
            assert written.values.get(place) == entry


def test_no_formula_lacks_its_value(made: Made) -> None:
    assert made.written.uncached == frozenset()
    assert len(made.written.cached) == len(made.written.formulas)


def test_every_assumption_is_guarded(made: Made) -> None:
    if "Inputs" not in made.sheets:
        return
    page = made.opened["Inputs"]
    rules = {str(r.sqref): r for r in page.data_validations.dataValidation}
    rows = {page.cell(row, 4).value: row for row in range(5, page.max_row + 1)}

    for cell in made.book.cells():
        if cell.kind != "input":
            continue
        row = rows[cell.name]
        is_free_text = cell.type.kind is Kind.TEXT and not cell.bounds.choices
        rule = rules.get(f"B{row}")
        assert (rule is None) == is_free_text, cell.name
        if rule is None:
            continue
        assert rule.showErrorMessage
        if cell.bounds.choices or cell.type.table or cell.type.kind is Kind.TRUTH:
            assert rule.type == "list"
        else:
            least, most = cell.bounds.least, cell.bounds.most
            assert (rule.type, rule.operator) == ("decimal", "between")
            assert float(rule.formula1) == (-1e300 if least is None else least)
            assert float(rule.formula2) == (1e300 if most is None else most)


def test_lists_hold_what_may_be_chosen(estimate: Made) -> None:
    page = estimate.opened["Inputs"]
    row = next(row for row in range(5, 60) if page.cell(row, 4).value == "weight_bytes")
    rule = next(r for r in page.data_validations.dataValidation if str(r.sqref) == f"B{row}")

    place = estimate.opened.defined_names[rule.formula1].attr_text
    values = [cell.value for cell in estimate.opened["_Base"][place.rpartition("!")[2]][0]]
    assert values == [1, 2, 4]


def test_nothing_that_an_auditor_minds(made: Made) -> None:
    texts = made.written.formulas.values()
    assert not [text for text in texts if re.search(r"\b(NOW|TODAY|RAND|OFFSET|INDIRECT)\(", text)]
    assert not [text for text in texts if "[" in text]
    for sheet in made.opened:
        assert not sheet.merged_cells.ranges
        assert sheet.sheet_state == "visible"
        for row in sheet.iter_rows():
            assert not [cell for cell in row if cell.data_type == "f" and not cell.value]
    assert made.opened.calculation.fullCalcOnLoad


@pytest.mark.parametrize("name", SETS)
def test_what_is_set_is_in_the_workbook(name: str, one_page: Book) -> None:
    scenarios, settings = SETS[name]
    book = one_page.after(scenarios, settings)

    made = Made(book)

    places = {key.lower(): place for key, place in made.written.names.items()}
    values = engine_values(book)
    assert values != engine_values(one_page)
    for cell, value in values.items():
        assert made.written.cached[places[excel_name(cell)]] == value, cell
    live = {c.name: book.evaluation.values[c.number] for c in book.cells() if c.kind == "input"}
    for cell, value in live.items():
        assert made.written.values[places[excel_name(cell)]] == value, cell
    selected = made.written.values[made.written.names["cg.scenario"]]
    assert selected == (scenarios[-1] if scenarios else "base")


def in_effect(made: Made, scenario: str) -> dict[str, Any]:
    """Read what the page of scenarios says is in effect under one of them."""
    page = openpyxl.load_workbook(io.BytesIO(made.raw), data_only=True)["Scenarios"]
    column = next(cell.column for cell in page[4] if cell.value == scenario)
    start = next(row for row in range(5, 60) if page.cell(row, 1).value == "In effect")
    found = {}
    for row in range(start + 1, page.max_row + 1):
        if page.cell(row, 4).value:
            found[page.cell(row, 4).value] = page.cell(row, column).value
    return found


@pytest.mark.parametrize("chosen", ["base", "big", "tight"])
def test_the_page_of_scenarios_says_what_each_sets(chosen: str, one_page: Book) -> None:
    made = Made(one_page if chosen == "base" else one_page.scenario(chosen))

    for name in ("base", "big", "tight"):
        book = one_page if name == "base" else one_page.scenario(name)
        for cell, value in in_effect(made, name).items():
            assert book[cell] == value, (name, cell)


def test_a_scenario_changes_its_inputs_name_to_the_live_cell(estimate: Made) -> None:
    assert estimate.written.names["gpus"][0] == "Scenarios"
    assert estimate.written.names["gpus.base"][0] == "Inputs"
    assert estimate.written.names["deadline"][0] == "Inputs"
    assert "deadline.base" not in estimate.written.names
    assert "gpus" in estimate.formula("gpu_hours")


def test_parity_and_checks_are_live(estimate: Made) -> None:
    written = estimate.written
    parity = estimate.opened.defined_names["cg.parity"].attr_text
    first, last = (int(part.rpartition("$")[2]) for part in parity.split(":"))
    assert last - first + 1 == sum(cell.kind == "calc" for cell in estimate.book.cells())
    for row in range(first, last + 1):
        assert ("_Base", f"K{row}") in written.formulas
        assert written.cached["_Base", f"K{row}"] is True
    assert written.cached[written.names["cg.errors"]] == 0
    assert written.cached[written.names["cg.inputs_changed"]] == 0
    warnings = sum(c.ok is False and not c.is_error for c in estimate.book.checks)
    assert written.cached[written.names["cg.warnings"]] == warnings > 0


def test_every_sheet_leads_back_and_says_the_state(estimate: Made) -> None:
    for sheet in estimate.opened:
        if sheet.title in {"Summary", "_Base"}:
            continue
        assert sheet["A3"].hyperlink.location == "'Summary'!A1"
        assert sheet["B3"].value == "=cg.pill"
        assert sheet["D3"].value == '="Scenario: "&cg.scenario&"  ·  "&cg.input_state'
    links = {
        cell.hyperlink.location.partition("!")[0].strip("'")
        for row in estimate.opened["Summary"].iter_rows()
        for cell in row
        if cell.hyperlink
    }
    assert links >= set(estimate.sheets) - {"Summary"}


def test_file_and_line_stand_beside_each_cell(estimate: Made) -> None:
    page = estimate.opened["Inputs"]
    lines = ESTIMATE.read_text(encoding="utf-8").splitlines()

    seen = 0
    for row in range(5, page.max_row + 1):
        key, place = page.cell(row, 4).value, page.cell(row, 13).value
        if key:
            assert lines[int(place.removeprefix("estimate:")) - 1].strip().startswith(f"{key}:")
            seen += 1
    assert seen == sum(cell.kind == "input" for cell in estimate.book.cells())


def test_a_check_says_what_is_wrong_only_where_it_does_not_hold(
    make: Callable[[str], Made],
) -> None:
    made = make(
        "title: T\ninputs: {gpus: 3 gpu}\nchecks:\n"
        "  - {name: few, assert: '= gpus < 5 [gpu]', message: '{gpus} are many'}\n"
        "  - {name: many, assert: '= gpus > 5 [gpu]', message: '{gpus} are few'}\n"
        "  - name: even\n"
        "    assert: = mod(gpus, 2 [gpu]) == 0 [gpu] or gpus > 9 [gpu]\n"
        "    message: odd\n"
    )

    rows = {name: row for row in range(5, 40) for name in [made.values("Checks").get(f"A{row}")]}
    said = [made.written.cached["Checks", f"I{rows[name]}"] for name in ("few", "many", "even")]

    assert said == ["", "3 gpu are few", "odd"]
    assert (
        made.written.formulas["Checks", f"I{rows['even']}"]
        == f'IF(H{rows["even"]}="ERROR","odd","")'
    )
