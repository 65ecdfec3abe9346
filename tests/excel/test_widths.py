"""Columns are wide enough for the numbers that stand in them, as their formats show them."""

from __future__ import annotations

import re

import pytest

from calcgraph.excel.xlsx.styles import PERIOD, number_width, text_width
from excel.conftest import Made, Make

SHEET = """title: Widths
dims:
  month: {from: 2026-01, to: 2026-04}
  kind: [a, b]
  many: {count: 450}
tables:
  loans: {columns: {due: date, sum: USD}, rows: {x: [2026-12-31, 1234567890]}}
inputs:
  big[month]: {unit: USD, fill: previous, values: {2026-01: 1234567890123}}
  by[kind, month]: {unit: USD, fill: blank, values: {a: {2026-01: 5}}}
calc:
  Results:
    huge[month]: = big * 3.1 -> USD
    tall[many]: = (index(many) + 1) * 87654321 -> 1
    a_name_that_is_long[kind, month]: = by * 2 -> USD
    most: = argmax(huge)
    due: = loans["x"].due
  Others:
    first_of: = argmin(huge)
outputs: [most]
"""


@pytest.mark.parametrize(
    ("number", "shape", "shown"),
    [
        (-8029995008.0, "#,##0_)", "-8,029,995,008"),
        (12.5, '#,##0.00_);-#,##0.00_);"–"_)', "-12.50"),
        (15e12, '#,##0.00,,,," T"_)', "-15.00 T"),
        (0.4, "0.0%_)", "-40.0%"),
        (46000.0, "yyyy-mm-dd_)", "2026-01-31"),
        (46000.0, PERIOD, "2026-01"),
    ],
)
def test_a_number_is_as_wide_as_it_is_shown(number: float, shape: str, shown: str) -> None:
    assert number_width(number, shape) >= text_width(shown, 10)
    assert number_width(number, shape) <= text_width(shown, 10) + 3


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    from calcgraph.book import open_book

    path = tmp_path_factory.mktemp("widths") / "sheet.yaml"
    path.write_text(f"calcgraph: 1\n{SHEET}", encoding="utf-8")
    return Made(open_book(path))


def test_columns_hold_their_numbers(made: Made) -> None:
    narrow = []
    for page in made.opened.worksheets:
        if page.title.startswith("_"):
            continue
        for line in page.iter_rows():
            for cell in line:
                value = made.written.values.get((page.title, cell.coordinate))
                if isinstance(value, float):
                    width = page.column_dimensions[cell.column_letter].width
                    need = number_width(value, cell.number_format)
                    narrow += [(page.title, cell.coordinate, value)] if need > width else []

    assert narrow == [], narrow


def test_keys_of_rows_are_not_cut(made: Made) -> None:
    page = made.opened["Results"]
    keys = [cell.value for cell in page["D"] if cell.value and "[" in str(cell.value)]

    assert "a_name_that_is_long[a]" in keys
    assert page.column_dimensions["D"].width > max(map(len, keys)) * 0.98


def test_periods_look_like_their_labels(made: Made) -> None:
    sheet, place = made.written.names["most"]

    assert made.opened[sheet][place].number_format == PERIOD
    assert made.opened["Summary"]["B6"].number_format == "yyyy-mm"
    assert "yyyy-mm-dd_)" in {cell.number_format for cell in made.opened["Results"]["B"]}


def test_labels_stand_in_the_header_that_stays(made: Made) -> None:
    page = made.opened["Results"]

    heads = [cell.value for cell in page[4] if cell.number_format == "yyyy-mm"]
    assert len(heads) == 4
    assert int(re.sub("[A-Z]", "", page.freeze_panes)) == 5


def test_a_page_of_paper_shows_captions_and_periods(made: Made) -> None:
    page = made.opened["Series"]
    first = made.opened.defined_names["big.base"].attr_text.rpartition("!$")[2].partition("$")[0]
    column = page[f"{first}4"].column

    assert all(brk.id >= column + 3 for brk in page.col_breaks.brk)


def test_what_is_not_applicable_says_so_on_the_front_page(make: Make) -> None:
    made = make("title: T\ninputs: {x: 1}\ncalc: {y: '= if(x > 2, x, na()) -> 1'}\noutputs: [y]\n")

    assert made.opened["Summary"]["B6"].number_format.endswith(';"n/a"')
