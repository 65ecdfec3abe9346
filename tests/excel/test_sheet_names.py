"""Names of sheets: legal, of at most 31 characters, and distinct whatever the case."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcgraph.excel.layout.defined_names import LONGEST_SHEET, OWN_SHEETS, SheetNames, utf16_length

Make = Callable[[str], Any]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Cost/Power [kW]:*?", "Cost Power kW"),
        ("History", "History 2"),
        ("Summary", "Summary 2"),
        ("_base", "_base 2"),
        ("'Quoted'", "Quoted"),
        ("' 'x' '", "x"),
        (":::", "Sheet"),
        ("T" * 40, "T" * 31),
        ("T" * 30 + " x", "T" * 30),
        ("😀" * 20, "😀" * 15),
        ("It's", "It's"),
    ],
)
def test_sheet_name_is_made_legal(wanted: str, name: str) -> None:
    assert SheetNames().take(wanted) == name


@given(st.lists(st.text(st.sampled_from("Aa'ß😀 [x:/?*]\\\n"), max_size=40), max_size=12))
def test_sheet_names_are_legal_and_distinct(wanted: list[str]) -> None:
    names = SheetNames()

    taken = [names.take(text) for text in wanted]

    assert len({name.casefold() for name in (*taken, *OWN_SHEETS)}) == len(taken) + len(OWN_SHEETS)
    for name in taken:
        assert 0 < utf16_length(name) <= LONGEST_SHEET
        assert not re.search(r"[\[\]:*?/\\\n]|^'|'$|^ | $", name)


def headings(*names: str) -> str:
    """Write a sheet with a page a heading."""
    blocks = [
        f"  {name!r}:\n" + "".join(f"    v{at}_{row}: = x + {row} -> 1\n" for row in range(6))
        for at, name in enumerate(names)
    ]
    return "title: T\ninputs: {x: 1}\ncalc:\n" + "".join(blocks)


def test_headings_become_sheets(make: Make) -> None:
    long = "A heading that is as long as this one"
    made = make(headings("Cost/Power kW:*?", "History", f"{long} 1", f"{long} 2"))

    assert made.sheets[2:6] == [
        "Cost Power kW",
        "History 2",
        "A heading that is as long as th",
        "A heading that is as long as 2",
    ]
    lines = made.opened["Map"].iter_rows(min_row=5, max_col=2, values_only=True)
    places = dict(lines)
    assert places["v3_0"] == "A heading that is as long as 2!B6"
    assert made.written.names["v3_0"] == ("A heading that is as long as 2", "B6")


def test_headings_that_differ_in_case_become_two_sheets(
    make: Make, sheet: Callable[..., str]
) -> None:
    sheet(headings("Part").removeprefix("calcgraph: 1\n"), "part.yaml")

    made = make(
        headings("A Part").replace("inputs:", "imports: {a: part.yaml}\ninputs:")
        + "  Sum: {y: = a.v0_0 + a.v0_1 + a.v0_2 + a.v0_3 + a.v0_4 + a.v0_5 -> 1}\n"
    )

    assert {"a Part", "A Part 2"} <= set(made.sheets) or {"A Part", "a Part 2"} <= set(made.sheets)


def test_a_heading_may_be_called_as_a_sheet_of_ours(make: Make) -> None:
    made = make(headings(*(name.title() for name in OWN_SHEETS if name != "_Base")))

    for at, name in enumerate(name for name in OWN_SHEETS if name != "_Base"):
        assert made.formula(f"v{at}_1") == "x+1"
        assert made.written.names[f"v{at}_1"][0] == f"{name} 2"
    assert made.written.names["cg.scenario"][0] == "Summary"
    assert made.written.names["cg.errors"][0] == "Checks"
    assert made.written.names["x"][0] == "Inputs"


def test_names_that_excel_reads_otherwise_are_escaped(make: Make) -> None:
    text = "title: T\ninputs: {h100: 8, fy26: 1, tp8: 8, q1: 1, r: 0.1, c: 1, gpus: 2}\n"

    made = make(text + "calc: {y: = h100 + fy26 + tp8 + q1 + r + c + gpus -> 1}")

    assert made.formula("y") == "_h100+_fy26+_tp8+_q1+_r+_c+gpus"
    assert {"_h100", "_r", "gpus"} <= made.texts() & set(made.written.names)


def test_names_that_clash_are_counted(make: Make) -> None:
    made = make(
        "title: T\ninputs: {span: 2 day, seconds_per_day: 5, tp8: 1}\n"
        "calc: {y: = span * tp8 * seconds_per_day -> s}"
    )

    assert made.formula("y") == "span*_tp8*seconds_per_day*seconds_per_day_2"
    assert made.written.values[made.written.names["seconds_per_day"]] == 5
    assert made.written.values[made.written.names["seconds_per_day_2"]] == 86_400


def test_a_page_has_the_first_name_that_fits_and_is_free() -> None:
    names = SheetNames()
    long = "The costs of each layout"

    assert names.take_one("Cost", "Cost by plan") == "Cost"
    assert names.take_one("cost", "Cost by plan") == "Cost by plan"
    assert names.take_one("Cost by plan", "Cost") == "Cost 2"
    assert names.take_one(f"{long} by month", long) == long
    assert names.take_one(f"{long} by month", long) == f"{long} 2"
