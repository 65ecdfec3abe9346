"""The rows of a page as its part of the workbook holds them: constants, formulas with values.

Written here and not by openpyxl, which keeps an object a cell and walks an XML tree for each: with
200,000 formulas that is most of the time of an export.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from calcgraph.excel.grid import letters
from calcgraph.excel.texts import coded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from calcgraph.excel.grid import Cached, Page, XlsxCell
    from calcgraph.excel.settle import Settled

HEIGHT = 16.0
ERRORS = ("#DIV/0!", "#NUM!", "#N/A", "#VALUE!")
_ROWS = re.compile("<sheetData>.*?</sheetData>|<sheetData />", re.DOTALL)
_EXTENT = re.compile('<dimension ref="[^"]*" />')


def page_rows(page: Page, settled: Settled, style_of: Callable[[XlsxCell], str]) -> str:
    """Write all rows of a page; ``style_of`` gives the number of a style, first come first."""
    return f"<sheetData>{''.join(_rows(page, settled, style_of))}</sheetData>"


def with_rows(text: str, page: Page, rows: str) -> str:
    """Put rows into the part of a page that was written without them, and say how far they go."""
    start, end = _corners(page)
    text = _EXTENT.sub(f'<dimension ref="{start}:{end}" />', text, count=1)
    return _ROWS.sub(lambda _: rows, text, count=1)


def _rows(page: Page, settled: Settled, style_of: Callable[[XlsxCell], str]) -> Iterator[str]:
    name, heights = page.name, page.heights
    last = 0
    for (row, column), cell in sorted(page.cells.items()):
        while last < row:
            if last:
                yield "</row>"
            last += 1
            yield f'<row r="{last}" ht="{heights.get(last, HEIGHT):.16g}" customHeight="1">'
        start = f'<c r="{letters(column)}{row}" s="{style_of(cell)}"'
        if cell.formula:
            formula = settled.xml(cell.formula, row, column, name)
            kind, value = _value(cell.value)
            yield f"{start}{kind}><f>{formula}</f><v>{value}</v></c>"
        else:
            yield start + _constant(cell.value)
    if last:
        yield "</row>"


def _constant(value: Cached) -> str:
    """Give what follows the style of a cell that is no formula."""
    if value is None:
        return " />"
    if not isinstance(value, str):
        kind = "b" if isinstance(value, bool) else "n"
        return f' t="{kind}"><v>{_value(value)[1]}</v></c>'
    if value == "":
        return ' t="inlineStr" />'
    text = coded(value)
    is_padded = text != text.strip() != ""
    space = ' xml:space="preserve"' if is_padded else ""
    return f' t="inlineStr"><is><t{space}>{escape(text)}</t></is></c>'


def _value(value: Cached) -> tuple[str, str]:
    """Give a cached value's type and text; a formula without one is a bug."""
    assert value is not None, "every formula has a value"
    if isinstance(value, bool):
        return ' t="b"', "1" if value else "0"
    if isinstance(value, float | int):
        return "", repr(value + 0.0).removesuffix(".0")  # 0 for a 0 below 0
    if value in ERRORS:
        return ' t="e"', value
    return ' t="str"', escape(coded(value))


def _corners(page: Page) -> tuple[str, str]:
    """Give the first and the last address of the rectangle in which all cells lie."""
    rows = [row for row, _ in page.cells] or [1]
    columns = [column for _, column in page.cells] or [1]
    return f"{letters(min(columns))}{min(rows)}", f"{letters(max(columns))}{max(rows)}"
