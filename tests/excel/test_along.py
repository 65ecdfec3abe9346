"""Cells along dims: where they lie, and how formulas reach them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from calcgraph.excel.export import ExportError
from calcgraph.excel.limits import MOST_FORMULAS
from excel.conftest import Made

SHEET = """title: T
dims:
  month: {from: 2026-01, to: 2026-03}
  region: [us, eu]
  plan: {grid: {tp: [1, 2], pp: [1, 4]}}
tables:
  chips:
    columns: {price: USD}
    rows: {a: [2], b: [3], c: [null]}
inputs:
  start: 5 USD
  chip: {value: b, choices: chips}
  step: {value: 1, min: 0}
  sold[month]: {unit: 1, values: {2026-01: 1, 2026-02: 2, 2026-03: 3}}
  fx[month]: {unit: 1, fill: previous, values: {2026-01: 2}}
  gap[month]: {unit: 1, fill: blank, values: {2026-02: 4}}
  cost[region, month]: {unit: USD, fill: zero, values: {us: {2026-01: 7}}}
calc:
  Cash:
    flow[month]: = sold * start * fx -> USD
    cash[month]: = prev(cash, start) + flow -> USD
    other[month]: = prev(cash, 0 [USD]) * 2 -> USD
    ends[month]: = last(cash) - cash -> USD
    total: = sum(flow) -> USD
    most: = max(flow) -> USD
    in_march: = cash[2026-03] -> USD
    best: = argmax(flow)
    summed[month]: = cumsum(flow) -> USD
    window[month]: = rolling_sum(flow, 2) -> USD
    lagged[month]: = lag(flow, step, 0 [USD]) -> USD
    position[month]: = index(month) -> 1
    longest: = max(duration(month)) -> day
    some: = sum(gap) -> 1
    doubled[month]: = gap * 2 -> 1
  Regions:
    both[region, month]: = cost + flow -> USD
    by_region[region]: = sum(both, month) -> USD
    by_month[month]: = sum(both, region) -> USD
    share[region, month]: = both / by_month -> %
    everything: = sum(both) -> USD
    us_only: = cost["us", 2026-02] -> USD
  Plans:
    size[plan]: = plan.tp * plan.pp -> 1
    rank_of[plan]: = rank(size) -> 1
    smallest: = argmin(size)
    its_tp: = plan[smallest].tp -> 1
    dear[chips]: = chips.price * 2 -> USD
    picked: = dear[chip] -> USD
checks:
  - {name: cash stays, assert: '= cash < 25 [USD]', message: 'cash is {cash}'}
"""
Make = Callable[[str], Made]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    from calcgraph.book import open_book

    path = tmp_path_factory.mktemp("along") / "sheet.yaml"
    path.write_text(f"calcgraph: 1\n{SHEET}", encoding="utf-8")
    return Made(open_book(path))


def row(made: Made, name: str) -> list[str]:
    """Give the formulas of a cell along dims, its opening first if it has one."""
    place = made.opened.defined_names[name].attr_text
    sheet, _, cells = place.rpartition("!")
    page = made.opened[sheet.strip("'")]
    return [cell.value for line in page[cells.replace("$", "")] for cell in line]


GOLDEN = {
    "flow": ["=Series!J7*start*Series!J9", "=Series!K7*start*Series!K9"],
    "cash": ["=H17+I16", "=I17+J16"],
    "other": ["=H18*2", "=I18*2"],
    "summed": ["=H21+I16", "=I21+J16"],
    "position": ["=I$15", "=J$15"],
    "doubled": ['=IF(Series!J10="","",Series!J10*2)', '=IF(Series!K10="","",Series!K10*2)'],
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_row_refers_to_the_same_label_of_others(made: Made, name: str) -> None:
    formulas = row(made, name)

    assert len(formulas) == 3
    shape = [re.sub(r"\d+", "1", re.sub(r"[A-Z]+(?=\$?\d)", "A", text)) for text in formulas]
    assert len(set(shape)) == 1
    wanted = [re.sub(r"(?<=[A-Z])(\$?)\d+", r"\g<1>1", text) for text in GOLDEN[name]]
    assert [re.sub(r"(?<=[A-Z])(\$?)\d+", r"\g<1>1", text) for text in formulas[:2]] == wanted


SINGLE = {
    "total": "SUM(flow)",
    "most": "MAX(flow)",
    "best": "INDEX(month.key,MATCH(MAX(flow),flow,0))",
    "some": "SUM(gap)",
    "longest": "MAX(month.length)",
    "everything": "SUM(both)",
    "picked": 'IF(INDEX(dear,cg.row.chip)="","",INDEX(dear,cg.row.chip))',
    "its_tp": "INDEX(plan.tp,cg.row.smallest)",
    "smallest": "INDEX(plan.key,MATCH(MIN(size),size,0))",
}


@pytest.mark.parametrize("name", SINGLE)
def test_a_single_cell_reads_whole_rows_by_their_names(made: Made, name: str) -> None:
    assert made.formula(name) == SINGLE[name]


def test_an_entry_with_a_known_key_is_an_address(made: Made) -> None:
    assert re.fullmatch(r"\$K\$\d+", made.formula("in_march"))
    assert re.fullmatch(r"Series!\$K\$\d+", made.formula("us_only"))


def test_the_opening_holds_what_comes_before_the_first_label(made: Made) -> None:
    place = made.opened.defined_names["cash"].attr_text.rpartition("!")[2].replace("$", "")
    first = place.partition(":")[0]
    opening = made.opened["Cash"][first].offset(column=-1)

    assert opening.value == "=start"
    assert made.written.cached["Cash", opening.coordinate] == 5


def test_a_second_initial_has_a_row_of_its_own(made: Made) -> None:
    labels = [cell.value for cell in made.opened["Cash"]["A"]]

    assert "cash, with its initial value" in labels


def test_gaps_are_filled_in_a_row_below_what_is_given(made: Made) -> None:
    given, filled = row(made, "fx.base"), row(made, "fx")

    assert given == [2, None, None]
    assert [re.sub(r"\d+", "1", text) for text in filled[:2]] == [
        '=IF(J1="",I1,J1)',
        '=IF(K1="",J1,K1)',
    ]
    first = made.opened.defined_names["fx"].attr_text.rpartition("!")[2].partition(":")[0]
    assert made.written.cached["Series", first.replace("$", "")] == 2


def test_blocks_reduce_along_either_side(made: Made) -> None:
    by_region, by_month = row(made, "by_region"), row(made, "by_month")

    assert by_region[0].startswith("=SUM(INDEX(both,")
    assert re.fullmatch(r"=SUM\(J\d+:J\d+\)", by_month[0])
    assert re.fullmatch(r"=J\d+/J\$\d+", row(made, "share")[0])


def test_a_grid_is_listed_with_its_columns(made: Made) -> None:
    page = made.opened["Dims"]
    heads = [[cell.value for cell in line[:3]] for line in page.iter_rows() if line[1].value]

    assert ["label", "tp", "pp"] in heads
    assert ["2/4", 2, 4] in heads


def test_a_check_over_a_dim_counts_the_labels_that_fail(made: Made) -> None:
    rows = {made.values("Checks").get(f"A{at}"): at for at in range(5, 40)}
    at = rows["cash stays  ›"]

    assert made.written.cached["Checks", f"B{at}"] == 2
    assert made.written.cached["Checks", f"H{at}"] == "ERROR"
    assert made.written.cached["Checks", f"I{at}"] == "cash is 35 USD"


def test_addresses_in_place_of_names(tmp_path_factory: pytest.TempPathFactory) -> None:
    from calcgraph.book import open_book

    path = tmp_path_factory.mktemp("refs") / "sheet.yaml"
    path.write_text(f"calcgraph: 1\n{SHEET}", encoding="utf-8")
    made = Made(open_book(path), as_names=False)

    assert re.fullmatch(r"SUM\('Cash'!\$I\$\d+:\$K\$\d+\)", made.formula("total"))


def test_too_many_formulas_are_refused(make: Make) -> None:
    sheet = (
        "title: T\ndims: {n: {count: 700}, m: {count: 700}}\ncalc:\n  x[n, m]: = index(n) -> 1\n"
    )

    with pytest.raises(ExportError) as refused:
        make(sheet)

    (found,) = refused.value.diagnostics
    assert f"{MOST_FORMULAS:,} are the most" in found.message
    assert "490,000 of them for `x`" in found.message


def test_entries_that_were_given_count_among_the_formulas(make: Make) -> None:
    """Each of them is compared with what it was at the export."""
    sheet = (
        "title: T\ndims: {n: {count: 700}, m: {count: 600}}\n"
        "inputs:\n  x[n, m]: {unit: 1, fill: zero, values: {0: {0: 1}}}\n"
        "calc: {y: = sum(x) -> 1}\n"
    )

    with pytest.raises(ExportError) as refused:
        make(sheet)

    assert "420,001 formulas, 420,000 of them for `x`" in refused.value.diagnostics[0].message


def test_a_key_along_a_dim_is_found_once_for_each_label(make: Callable[[str], Made]) -> None:
    made = make(
        "title: T\ndims: {month: {from: 2026-01, to: 2026-03}}\ntables:\n"
        "  chips: {columns: {p: 1, q: 1}, rows: {a: [2, 3], b: [5, null]}}\ncalc:\n"
        '  which[month]: = if(index(month) > 1, na(), if(index(month) > 0, "b", "a"))\n'
        "  both[month]: = chips[which].p + chips[which].q -> 1\n"
        "  one[month]: = chips[which].p -> 1\n"
    )

    found = {place: f for place, f in made.written.formulas.items() if "MATCH(" in f}
    assert {made.written.cached[place] for place in found} == {1.0, 2.0, ""}
    assert len(found) == 3
    others = [f for f in made.written.formulas.values() if "INDEX(chips.p," in f]
    assert len(others) == 6
    assert not [f for f in others if "MATCH(" in f]
    beside = {made.written.values.get((page, f"A{address[1:]}")) for page, address in found}
    assert beside == {"position of which in chips"}
