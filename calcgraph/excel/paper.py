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
    last = max((row for row, _ in page.spots), default=1)
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
    """Print what is written about each row first, then twelve labels a page beside its name."""
    from openpyxl.worksheet.pagebreak import Break

    properties: Any = sheet.sheet_properties
    properties.pageSetUpPr.fitToPage = False
    sheet.page_setup.fitToWidth = sheet.page_setup.fitToHeight = None
    sheet.page_setup.scale = SCALE
    last = max((column for _, column in page.spots), default=1)
    first = page.periods - 2
    for column in (first, *range(first + YEAR + 1, last, YEAR)):
        if column < last:
            breaks: Any = sheet.col_breaks
            breaks.append(Break(id=column))


def _break_rows(sheet: Worksheet, page: Page) -> None:
    """Begin a page of paper behind each of these rows, so that no picture is cut."""
    from openpyxl.worksheet.pagebreak import Break

    for row in page.breaks:
        breaks: Any = sheet.row_breaks
        breaks.append(Break(id=row))


def _plain(text: str) -> str:
    """Give a text that holds no codes; Excel takes 255 characters for all three parts."""
    return text[:LONGEST].replace("&", "&&")
