"""How a sheet comes out of a printer: paper, margins, what stands on every page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calcgraph.excel.grid import letters

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from calcgraph.excel.grid import Page

A4 = 9
ONE_PAGE = 60
LONGEST = 80
SCALE, YEAR = 58, 12
SMALLEST, LARGEST = 46, 74
SHEET = 138.0
"""Column widths that fit beside each other on a sheet of paper at full size."""
GREY = "BFC5CD"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every printed page says of the workbook: its title, and of what it was made."""

    title: str
    made_of: str


def set_paper(sheet: Worksheet, page: Page, stamp: Stamp) -> None:
    """Set up a page: one page wide, and one high where that stays readable."""
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = A4
    properties: Any = sheet.sheet_properties
    properties.pageSetUpPr.fitToPage = True
    sheet.page_setup.fitToWidth = 1
    last = max((row for row, _ in page.cells), default=1)
    sheet.page_setup.fitToHeight = 1 if last <= ONE_PAGE else 0
    if page.periods:
        _set_periods(sheet, page)
    _break_rows(sheet, page)
    margins: Any = sheet.page_margins
    margins.left = margins.right = 0.4
    margins.top, margins.bottom = 0.55, 0.55
    margins.header = margins.footer = 0.3
    header: Any = sheet.oddHeader
    footer: Any = sheet.oddFooter
    header.right.text = _plain(stamp.title)
    footer.left.text = "&F · &A"
    footer.center.text = _plain(stamp.made_of)
    footer.right.text = "&P of &N"
    if page.name == "Summary":
        sheet.print_options.horizontalCentered = True
    else:
        sheet.print_title_rows = "1:4"
    if page.periods:
        sheet.print_title_cols = "A:C"
    if page.last_printed:
        sheet.print_area = f"A1:{letters(page.last_printed)}{last}"
    if page.name == "_Base":
        properties.tabColor = GREY


def _set_periods(sheet: Worksheet, page: Page) -> None:
    """Print twelve labels a page beside the name of each row; the first with what is written there.

    Where that would be too small to read, what is written about the rows has a page of its own.
    """
    from openpyxl.worksheet.pagebreak import Break

    properties: Any = sheet.sheet_properties
    properties.pageSetUpPr.fitToPage = False
    sheet.page_setup.fitToWidth = sheet.page_setup.fitToHeight = None
    last = max((column for _, column in page.cells), default=1)
    before = page.periods - 1
    together = int(100 * SHEET / sum(page.widths[: before + YEAR]))
    sheet.page_setup.scale = min(together, LARGEST) if together >= SMALLEST else SCALE
    starts = list(range(before + YEAR, last, YEAR))
    if together < SMALLEST:
        many = max(_fitting(page), 1)
        starts = [before - 1, *range(before + many, last, many)]
    for column in starts:
        if column < last:
            breaks: Any = sheet.col_breaks
            breaks.append(Break(id=column))


def _fitting(page: Page) -> int:
    """Count the labels that fit beside names, values and units, twelve at most."""
    room = 100 * SHEET / SCALE - sum(page.widths[:3]) - page.widths[page.periods - 2]
    return min(YEAR, int(room / page.widths[page.periods - 1]))


def _break_rows(sheet: Worksheet, page: Page) -> None:
    """Begin a page of paper behind each of these rows, so that no picture is cut."""
    from openpyxl.worksheet.pagebreak import Break

    for row in page.breaks:
        breaks: Any = sheet.row_breaks
        breaks.append(Break(id=row))


def _plain(text: str) -> str:
    """Give a text that holds no codes; Excel takes 255 characters for all three parts."""
    return text[:LONGEST].replace("&", "&&")
