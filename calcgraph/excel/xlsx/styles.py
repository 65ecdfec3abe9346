"""Fonts, fills, number formats and print set-up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from calcgraph.core.values import Kind
from calcgraph.excel.xlsx.pages import letters

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

    from calcgraph.core.values import Type, Value
    from calcgraph.excel.xlsx.pages import Page


INK, TEXT, SLATE, FAINT = "1B2A41", "222B38", "5A6675", "7B8794"
RULE, LINE, HEAD = "C5CDD8", "E4E8ED", "F2F5F9"
BLUE, YELLOW, YELLOW_BOX = "0000FF", "FFF9DC", "E3D08C"
WHAT_IF, WHAT_IF_BOX, LINK_GREEN, NAVY = "F4F8FE", "9DB7DD", "00663A", "000080"


class Look:
    """One named style: font, fill, box and alignment, in plain words."""

    def __init__(  # noqa: PLR0913 - a style is a list of facts
        self,
        *,
        size: float = 10,
        color: str = TEXT,
        bold: bool = False,
        font: str = "Arial",
        fill: str = "",
        box: str = "",
        above: str = "",
        below: str = "",
        align: str = "",
        indent: int = 0,
        shape: str = "",
        wrap: bool = False,
        middle: bool = False,
    ) -> None:
        """Take the facts."""
        self.size, self.color, self.bold, self.font = size, color, bold, font
        self.fill, self.box, self.above, self.below = fill, box, above, below
        self.align, self.indent, self.shape, self.wrap = align, indent, shape, wrap
        self.vertical = "top" if wrap and not middle else "center"


PAD_LEFT, PAD_RIGHT = "General;General;General;_(@", "General;General;General;@_)"


def _header(align: str = "", *, indent: int = 0, shape: str = "") -> Look:
    return Look(
        size=9, color=INK, bold=True, fill=HEAD, below=INK, wrap=True, middle=True,
        align=align, indent=indent, shape=shape,
    )  # fmt: skip


LOOKS = {
    "text": Look(below=LINE, wrap=True, middle=True),
    "plain": Look(),
    "title": Look(size=16, color=INK, bold=True),
    "headline": Look(size=22, color=INK, bold=True),
    "long headline": Look(size=14, color=INK, bold=True),
    "purpose": Look(size=9, color=SLATE),
    "header": _header(),
    "header unit": _header(shape=PAD_LEFT),
    "header note": _header("left", indent=1),
    "header center": _header("center"),
    "header right": _header("right", shape=PAD_RIGHT),
    "section": Look(color=INK, bold=True, below=RULE),
    "input": Look(color=BLUE, fill=YELLOW, box=YELLOW_BOX, align="right"),
    "what-if": Look(color=BLUE, fill=WHAT_IF, box=WHAT_IF_BOX),
    "selector": Look(
        size=12, color=BLUE, bold=True, fill=WHAT_IF, box=WHAT_IF_BOX, align="left", indent=1
    ),
    "calc": Look(color="000000", below=LINE, align="right"),
    "calc text": Look(color="000000", below=LINE, align="right", wrap=False),
    "link": Look(color=LINK_GREEN, below=LINE, align="right"),
    "constant": Look(color=SLATE, below=LINE, align="right"),
    "unit": Look(size=9, color=SLATE, below=LINE, shape=PAD_LEFT),
    "unit right": Look(size=9, color=SLATE, below=LINE, align="right", shape=PAD_RIGHT),
    "key": Look(size=9, color=TEXT, font="Consolas", below=LINE),
    "formula": Look(size=9, color=SLATE, font="Consolas", below=LINE, wrap=True, middle=True),
    "place": Look(size=8, color=FAINT, font="Consolas", below=LINE, align="left", indent=1),
    "note": Look(size=9, color=SLATE, below=LINE, align="left", indent=1, wrap=True, middle=True),
    "linked note": Look(
        size=9, color=NAVY, below=LINE, align="left", indent=1, wrap=True, middle=True
    ),
    "status": Look(size=9, color="00603A", below=LINE, align="center"),
    "pill": Look(size=9, color="00603A", bold=True, align="center"),
    "go": Look(size=9, color=NAVY),
    "lesson": Look(size=9, color=SLATE),
    "caption": Look(size=9, color=SLATE),
    "kpi label": Look(size=9, color=SLATE, above=INK),
    "master": Look(size=14, color="00603A", bold=True, align="left", indent=1),
    "kpi": Look(size=18, color=INK, bold=True, align="left"),
    "kpi text": Look(size=10, color=INK, bold=True, align="left", wrap=True),
    "kpi note": Look(size=9, color=SLATE),
}

WHOLE, DATE, PERIOD = "#,##0_)", "yyyy-mm-dd_)", "yyyy-mm_)"
TRUTH = '"TRUE";"TRUE";"FALSE"'
TEXT_FORMAT = PAD_RIGHT
SMALL, THOUSAND, LARGE = 1e-4, 1e3, 1e15


def number_format(value: Value, type_: Type) -> str:
    """Choose the format of a cell that may come to hold another value: about four digits.

    Never one that rounds away what a change of an input does.
    """
    if type_.kind is not Kind.NUMBER:
        return _OTHERS.get(type_.kind, TEXT_FORMAT)
    number = value if isinstance(value, float) else 1.0
    if type_.unit.percent:
        return "0.0%_)" if abs(number) >= 0.01 or number == 0 else "0.000%_)"  # noqa: PLR2004
    if number == round(number) and abs(number) < THOUSAND:
        return "General_)"
    return _short(number, 2) or plain_format(number)


def input_format(value: Value, type_: Type) -> str:
    """Choose the format of an input: the decimals that were written, and room for more."""
    if type_.kind is not Kind.NUMBER or not isinstance(value, float):
        return number_format(value, type_)
    if type_.unit.percent:
        return "0.0####%_)"
    if value == round(value) or not SMALL <= abs(value) < LARGE:
        return number_format(value, type_)
    written = len(f"{Decimal(repr(value)):f}".partition(".")[2])
    return f"#,##0.{'0' * min(written, 8)}{'#' * 4}_)"


def constant_format(value: Value, type_: Type) -> str:
    """Choose the format of a number that stays: no decimals where there are none."""
    if type_.kind is not Kind.NUMBER or not isinstance(value, float):
        return number_format(value, type_)
    if type_.unit.percent:
        shown = abs(value * 100)
        is_whole = math.isclose(shown, round(shown), rel_tol=1e-12)
        return "0%_)" if is_whole else input_format(value, type_)
    return _short(value, 0) or input_format(value, type_)


_OTHERS = {Kind.DATE: DATE, Kind.TRUTH: TRUTH}


def plain_format(number: float) -> str:
    """Show a number with about four digits."""
    size = abs(number)
    if size >= LARGE or 0 < size < SMALL:
        return "0.000E+00_)"
    if number == round(number) or size >= THOUSAND:
        return WHOLE
    decimals = max(3 - math.floor(math.log10(size)), 1)
    return f"#,##0.{'0' * min(decimals, 8)}_)"


def _short(number: float, least: int) -> str:
    """Show a round number in trillions or billions; empty where it is none."""
    for letter, scale, commas in (("T", 1e12, ",,,,"), ("B", 1e9, ",,,")):
        mantissa = abs(number) / scale
        if 1 <= mantissa < 1e6 and mantissa == round(mantissa, 3):  # noqa: PLR2004 - six digits
            decimals = max(next(n for n in range(4) if mantissa == round(mantissa, n)), least)
            return f'#,##0{"." + "0" * decimals if decimals else ""}{commas}" {letter}"_)'
    return ""


KPI_SCALES = (("B", 1e9, ",,,"), ("M", 1e6, ",,"))


def kpi_format(value: Value, type_: Type) -> str:
    """Show a headline number with its unit behind it."""
    base = number_format(value, type_).removesuffix("_)")
    if type_.kind is not Kind.NUMBER or type_.unit.percent or type_.unit.is_pure:
        return base
    unit = str(type_.unit).replace('"', "")
    for letter, scale, commas in KPI_SCALES:
        if isinstance(value, float) and scale <= abs(value) < scale * 1e5:
            return f'#,##0.00{commas}" {letter} {unit}"'
    return f'{base}" {unit}"'


A_DAY = "2026-01-31"


def number_width(number: float, shape: str) -> float:
    """Estimate the width of a number as a format of ours shows it."""
    first = shape.partition(";")[0]
    if first.startswith("yyyy"):
        return text_width(A_DAY if "dd" in first else A_DAY[:7], 10)
    digits = first.partition('"')[0].removesuffix("_)")
    scaled = abs(number) / 10 ** (3 * (len(digits) - len(digits.rstrip(","))))
    scaled *= 100 if "%" in digits else 1
    if "E" in digits:
        return text_width("-1.234E-05", 10)
    if digits.startswith("General"):
        return text_width(f"-{number:,.10g}", 10)
    behind = digits.partition(".")[2]
    shown = f"-{scaled:,.{behind.count('0') + behind.count('#')}f}"
    for _ in range(behind.count("#")):
        shown = shown.removesuffix("0")
    return text_width(shown + first.partition('"')[2] + "%" * ("%" in digits), 10)


_WIDE = "mwMW@%"
_NARROW = "iljtfr.,:;'|()[]! "


@lru_cache(maxsize=16_384)
def text_width(text: str, size: float) -> float:
    """Estimate a text's width in column units of 10 point Arial."""
    units = sum(1.5 if char in _WIDE else 0.5 if char in _NARROW else 1.0 for char in text)
    return units * size / 10 * 1.02


def wrapped_height(text: str, width: float, size: float, *, mono: bool = False) -> float:
    """Return the height a wrapped text needs in a column: whole words go to the next line."""
    lines, width = 0, width - 2.2
    for paragraph in text.split("\n"):
        used = 0.0
        lines += 1
        for word in paragraph.split(" "):
            length = len(word) * size / 10 * 1.12 if mono else text_width(word, size)
            space = 0.6 if used else 0.0
            if used + space + length > width and used:
                lines += 1
                used = length
            else:
                used += space + length
            while used > width:
                lines += 1
                used -= width
    return 16.0 if lines == 1 else 5 + 12.0 * lines


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
    """What every printed page says about the workbook: its title and its source."""

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
    """Start a printed page after each of these rows, so that no picture is cut."""
    from openpyxl.worksheet.pagebreak import Break

    for row in page.breaks:
        breaks: Any = sheet.row_breaks
        breaks.append(Break(id=row))


def _plain(text: str) -> str:
    """Return a text without codes; Excel takes 255 characters for all three parts."""
    return text[:LONGEST].replace("&", "&&")
