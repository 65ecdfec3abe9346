"""Rows are written without openpyxl: what is put on a page is what a reader of workbooks finds."""

import io
import math
from functools import partial

import openpyxl
import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from calcgraph.excel.layout.blocks import Orientation, block_reference, make_block
from calcgraph.excel.layout.cell_addresses import ResolvedAddresses
from calcgraph.excel.xlsx.pages import Page, XlsxCell, ref
from calcgraph.excel.xlsx.styles import Stamp
from calcgraph.excel.xlsx.writer import ERRORS, coded, finish, page_rows, write_pages
from differential.workbooks import read_written

NUMBERS = [0.1 + 0.2, 1.0, 0.0, -2.5, 1e15, 123456789012345678.0, 1e22, 1e-9, 5e-324, 1.7e308]
TEXTS = ["", "plain", " padded ", "a&b<c>", "_x0041_", "=1+1", "two\nlines", "µ·≤ 日本", "😀"]
NO_NAMES = ResolvedAddresses({}, {}, as_names=True)
XML_TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")
)


def written(page: Page) -> bytes:
    """Write a workbook of one page."""
    shell, rows = write_pages([page], {}, NO_NAMES, Stamp("T", "t.yaml"))
    return finish(shell, [page], rows, "")


def page_of(*cells: XlsxCell) -> Page:
    page = Page("P", "P", "", (10.0,))
    for row, spot in enumerate(cells, 3):
        page.put(row, 2, spot)
    return page


def values_of(raw: bytes) -> list[object]:
    values = read_written(io.BytesIO(raw)).values  # type: ignore[arg-type]
    return [value for (_, address), value in values.items() if address.startswith("B")]


def test_numbers_are_exact() -> None:
    raw = written(page_of(*map(XlsxCell, NUMBERS)))

    assert values_of(raw) == NUMBERS


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_every_number_is_exact(numbers: list[float]) -> None:
    formulas = [XlsxCell(number, "1+1") for number in numbers]

    rows = page_rows(page_of(*map(XlsxCell, numbers), *formulas), NO_NAMES, lambda _: "1")

    assert [float(item.text or "") for item in fromstring(rows).iter("v")] == numbers * 2


@pytest.mark.parametrize("formula", ["", 'T("x")'])
def test_texts_are_kept(formula: str) -> None:
    raw = written(page_of(*(XlsxCell(text, formula) for text in TEXTS)))

    page = openpyxl.load_workbook(io.BytesIO(raw), data_only=True)["P"]
    found = [page.cell(row, 2).value or "" for row in range(3, 3 + len(TEXTS))]
    assert found == [coded(text) for text in TEXTS]  # what openpyxl does not read, Excel does


@given(st.lists(XML_TEXTS))
def test_every_text_is_kept(texts: list[str]) -> None:
    results = [XlsxCell(text, "1+1") for text in texts]

    rows = fromstring(page_rows(page_of(*map(XlsxCell, texts), *results), NO_NAMES, lambda _: "1"))

    assert [item.text or "" for item in rows.iter("t")] == [coded(text) for text in texts if text]
    shown = [item.text or "" for item in rows.iter("v")]
    assert shown == [text if text in ERRORS else coded(text) for text in texts]


def test_truths_errors_and_nothing() -> None:
    cells = [
        XlsxCell(value=True),
        XlsxCell(None),
        XlsxCell("#N/A", "NA()"),
        XlsxCell(value=False, formula="1>2"),
    ]

    page = openpyxl.load_workbook(io.BytesIO(written(page_of(*cells))), data_only=True)["P"]

    cells = [page.cell(row, 2) for row in range(3, 7)]
    assert [cell.value for cell in cells] == [True, None, "#N/A", False]
    assert [cell.data_type for cell in cells] == ["b", "n", "e", "b"]


def test_a_page_says_how_far_it_goes_and_how_high_its_rows_are() -> None:
    page = page_of(XlsxCell(1.0), XlsxCell(2.0))
    page.put(9, 28, XlsxCell("far", link="P!B3"))
    page.heights[3] = 20.5

    sheet = openpyxl.load_workbook(io.BytesIO(written(page)))["P"]

    assert sheet.dimensions == "B3:AB9"
    assert [sheet.row_dimensions[row].height for row in (1, 3, 7, 9)] == [16, 20.5, 16, 16]
    assert sheet["AB9"].hyperlink.location == "'P'!B3"


def test_styles_are_those_of_the_cells() -> None:
    cells = [
        XlsxCell(1.0, style="input", format="0.00"),
        XlsxCell(2.0),
        XlsxCell("=1"),
        XlsxCell(3.0, "1+2"),
    ]

    sheet = openpyxl.load_workbook(io.BytesIO(written(page_of(*cells))))["P"]

    assert [sheet.cell(row, 2).style for row in range(3, 7)] == [
        "cg input", "cg text", "cg text", "cg text",
    ]  # fmt: skip
    assert sheet["B3"].number_format == "0.00"
    assert [sheet.cell(row, 2).quotePrefix for row in range(3, 7)] == [False, False, True, False]


def test_a_formula_is_settled_for_each_cell_it_stands_in() -> None:
    block = partial(make_block, None)  # type: ignore[arg-type] - no model is asked for its sizes
    here, there, across = (block(at, (), Orientation()) for at in range(3))
    for one, place in ((here, ("P", 10, 3)), (there, ("Far off", 20, 5)), (across, ("P", 4, 7))):
        one.height = one.width = 3
        one.put(*place)
    settled = ResolvedAddresses({"rate": "'P'!$A$1"}, {0: here, 1: there, 2: across}, as_names=True)
    text = f"{ref('rate')}*{block_reference(0, 1, '=', '#0')}%<{block_reference(0, 2, '=-1', '=')}"

    found = [settled.xml(text, row, column, "P") for row, column in ((10, 3), (12, 4))]

    assert found == ["rate*'Far off'!$E20%&lt;G3", "rate*'Far off'!$E22%&lt;H5"]
    assert settled.text(f"{ref('rate')}<2") == "rate<2"


def test_a_zero_below_zero_is_a_zero() -> None:
    assert b"-0<" not in written(page_of(XlsxCell(-0.0)))
    (found,) = values_of(written(page_of(XlsxCell(-0.0))))
    assert math.copysign(1.0, found) == 1.0  # type: ignore[arg-type]
