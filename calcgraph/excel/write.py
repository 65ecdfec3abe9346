"""Pages to the bytes of a workbook: openpyxl writes, one pass over the parts makes them exact."""

from __future__ import annotations

import io
import os
import re
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OPENPYXL_LXML", "False")  # the bytes must not hang on what else is installed

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink

from calcgraph.excel.grid import CLOSE, OPEN, letters
from calcgraph.excel.style import LOOKS, TEXT

if TYPE_CHECKING:
    from openpyxl.cell import Cell as ExcelCell
    from openpyxl.worksheet.worksheet import Worksheet

    from calcgraph.excel.grid import Page, Rule, Spot
    from calcgraph.excel.style import Look

_REFERENCE = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
_CODED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
WORDS = (
    (("ERROR", "DIFFERS", "OUT OF RANGE", "NOT ", "#"), "FFFFFF", "B3261E"),
    (("WARNING", "STALE"), "6B4300", "FFE9BF"),
    (("CHANGED",), "003C78", "DCEBFA"),
    (("KNOWN", "inputs changed", "other scenario"), "5A6675", "ECEFF3"),
)
LONGEST_URL = 2_079


class Settled:
    """Turns references within formulas into names, or into addresses for houses that ban names."""

    def __init__(self, places: dict[str, str], *, as_names: bool) -> None:
        """Know every place."""
        self.places = places
        self.as_names = as_names

    def text(self, formula: str) -> str:
        """Settle a formula."""
        return _REFERENCE.sub(self._one, formula)

    def _one(self, hit: re.Match[str]) -> str:
        name = hit.group(1)
        assert name in self.places, f"{name} has a place"
        return name if self.as_names else self.places[name]


def write_pages(pages: list[Page], names: dict[str, str], settled: Settled, title: str) -> bytes:
    """Write a workbook without cached values; ``names`` go to their places."""
    workbook = Workbook()
    workbook.remove(workbook.active)  # type: ignore[arg-type]
    _add_styles(workbook)
    for page in pages:
        _write_page(workbook.create_sheet(page.name), page, settled, title)
    for name, place in names.items():
        workbook.defined_names[name] = DefinedName(name, attr_text=place)
    workbook.calculation.fullCalcOnLoad = True
    buffer = io.BytesIO()
    workbook.save(buffer)
    return buffer.getvalue()


def _add_styles(workbook: Workbook) -> None:
    normal = workbook._named_styles["Normal"]  # type: ignore[attr-defined]  # noqa: SLF001
    normal.font = Font(name="Arial", size=10, color=TEXT)
    workbook._fonts[0] = normal.font  # type: ignore[attr-defined]  # noqa: SLF001
    for name, look in LOOKS.items():
        style = NamedStyle(name=f"cg {name}")
        style.font = Font(name=look.font, size=look.size, bold=look.bold, color=look.color)
        if look.fill:
            style.fill = PatternFill("solid", start_color=look.fill, end_color=look.fill)
        style.border = _border(look)
        style.alignment = Alignment(
            vertical=look.vertical, horizontal=look.align or None, wrap_text=look.wrap
        )
        workbook.add_named_style(style)


def _border(look: Look) -> Border:
    if look.box:
        side = Side(style="thin", color=look.box)
        return Border(left=side, right=side, top=side, bottom=side)
    if look.below:
        return Border(bottom=Side(style="thin", color=look.below))
    return Border()


def _write_page(sheet: Worksheet, page: Page, settled: Settled, title: str) -> None:
    sheet.sheet_view.showGridLines = False
    sheet.freeze_panes = page.freeze
    for at, width in enumerate(page.widths, 1):
        sheet.column_dimensions[letters(at)].width = width
    for (row, column), spot in sorted(page.spots.items()):
        _write_spot(sheet.cell(row, column), spot, settled)  # type: ignore[arg-type]
    last = max((row for row, _ in page.spots), default=1)
    for row in range(1, last + 1):
        sheet.row_dimensions[row].height = page.heights.get(row, 16)
    for rule in page.rules:
        sheet.add_data_validation(_validation(rule, settled))
    for place in [*page.words, "B3"]:
        _color_words(sheet, place)
    _print(sheet, page, title)


def _write_spot(cell: ExcelCell, spot: Spot, settled: Settled) -> None:
    if spot.formula:
        cell.value = f"={settled.text(spot.formula)}"
    elif isinstance(spot.value, str):
        text = _CODED.sub(r"_x005F_x\1_", spot.value)
        cell.value = text
        cell.data_type = "s"
    else:
        cell.value = spot.value
    cell.style = f"cg {spot.style}"
    if spot.format:
        cell.number_format = spot.format
    if isinstance(spot.value, str) and not spot.formula and spot.value.startswith(_FORMULA_STARTS):
        cell.quotePrefix = True
    if spot.link:
        _link(cell, spot.link)


def _link(cell: ExcelCell, target: str) -> None:
    """Link to the web by http only, else to a place of the workbook."""
    if target.startswith(("http://", "https://")):
        if len(target) <= LONGEST_URL and " " not in target:
            cell.hyperlink = target
            style = cell.style
            cell.style = style
        return
    if ":" in target or "\\" in target:
        return
    sheet, _, place = target.partition("!")
    location = "'" + sheet.replace("'", "''") + f"'!{place or 'A1'}"
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=location, display=None)


def _validation(rule: Rule, settled: Settled) -> DataValidation:
    found = DataValidation(
        type=rule.kind,
        operator="between" if rule.kind == "decimal" else None,
        formula1=settled.text(rule.first),
        formula2=settled.text(rule.second) if rule.second else None,
        allow_blank=True,
        showErrorMessage=True,
        showInputMessage=bool(rule.prompt),
    )
    found.error = "This value is outside of what the model allows; see the bounds in this row."
    found.errorTitle = "Not allowed"
    if rule.prompt:
        found.prompt = rule.prompt[:250]
    found.add(rule.cells)
    return found


def _color_words(sheet: Worksheet, place: str) -> None:
    """Colour what a word says; the word itself is always there."""
    first = place.split(":", maxsplit=1)[0]
    for words, ink, fill in WORDS:
        tests = ",".join(f'ISNUMBER(SEARCH("{word}",{first}))' for word in words)
        rule = FormulaRule(  # type: ignore[no-untyped-call]
            formula=[f"OR({tests})"],
            font=Font(color=ink, bold=True),
            fill=PatternFill("solid", start_color=fill, end_color=fill, bgColor=fill),
        )
        sheet.conditional_formatting.add(place, rule)


def _print(sheet: Worksheet, page: Page, title: str) -> None:
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 9
    properties: Any = sheet.sheet_properties
    properties.pageSetUpPr.fitToPage = True
    sheet.page_setup.fitToWidth = 1
    rows = max((row for row, _ in page.spots), default=1)
    sheet.page_setup.fitToHeight = 1 if rows <= 60 else 0  # noqa: PLR2004 - one page where it stays readable
    margins: Any = sheet.page_margins
    margins.left = margins.right = 0.4
    margins.top, margins.bottom = 0.6, 0.6
    margins.header = margins.footer = 0.3
    header: Any = sheet.oddHeader
    footer: Any = sheet.oddFooter
    header.right.text = title.replace("&", "&&")[:200]
    footer.left.text = "&F · &A"
    footer.right.text = "&P of &N"
    if page.name != "Summary":
        sheet.print_title_rows = "1:4"
