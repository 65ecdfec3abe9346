"""Pages to a workbook: openpyxl writes styles, names and what is about a page; rows are ours."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OPENPYXL_LXML", "False")  # the bytes must not hang on what else is installed

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink

from calcgraph.excel.chart_parts import put_charts
from calcgraph.excel.grid import letters
from calcgraph.excel.paper import set_paper
from calcgraph.excel.rows import page_rows
from calcgraph.excel.style import LOOKS, TEXT
from calcgraph.excel.texts import is_web, looks_computed

if TYPE_CHECKING:
    from openpyxl.cell import Cell as ExcelCell
    from openpyxl.worksheet.worksheet import Worksheet

    from calcgraph.excel.grid import Page, Rule, XlsxCell
    from calcgraph.excel.paper import Stamp
    from calcgraph.excel.settle import Settled
    from calcgraph.excel.style import Look

WORDS = (
    (("ERROR", "DIFFERS", "OUT OF RANGE", "NOT ", "MISSING", "#"), "FFFFFF", "B3261E"),
    (("WARNING", "STALE"), "6B4300", "FFE9BF"),
    (("CHANGED",), "003C78", "DCEBFA"),
    (("KNOWN", "inputs changed", "other scenario"), "5A6675", "ECEFF3"),
)


MARKED = ("6B4300", "FFE9BF")


def write_pages(
    pages: list[Page], names: dict[str, str], settled: Settled, stamp: Stamp
) -> tuple[bytes, list[str]]:
    """Write a workbook whose pages have no rows yet, and the rows; ``names`` go to their places."""
    workbook = Workbook()
    workbook.remove(workbook.active)  # type: ignore[arg-type]
    _add_styles(workbook)
    looks = StyleIndex(workbook)
    rows: list[str] = []
    for page in pages:
        sheet = workbook.create_sheet(page.name)
        rows.append(page_rows(page, settled, looks.number))
        _write_page(sheet, page, settled)
        put_charts(sheet, page.plots)
        set_paper(sheet, page, stamp)
    for name, place in names.items():
        workbook.defined_names[name] = DefinedName(name, attr_text=place)
    workbook.calculation.fullCalcOnLoad = True
    buffer = io.BytesIO()
    workbook.save(buffer)
    return buffer.getvalue(), rows


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
            vertical=look.vertical,
            horizontal=look.align or None,
            indent=look.indent,
            wrap_text=look.wrap,
        )
        if look.shape:
            style.number_format = look.shape
        workbook.add_named_style(style)


def _border(look: Look) -> Border:
    if look.box:
        side = Side(style="thin", color=look.box)
        return Border(left=side, right=side, top=side, bottom=side)
    top, bottom = (
        Side(style="thin", color=color) if color else None for color in (look.above, look.below)
    )
    return Border(top=top, bottom=bottom)


def _write_page(sheet: Worksheet, page: Page, settled: Settled) -> None:
    sheet.sheet_view.showGridLines = False
    sheet.freeze_panes = page.freeze
    for at, width in enumerate(page.widths, 1):
        sheet.column_dimensions[letters(at)].width = width
    for (row, column), xlsx_cell in page.cells.items():
        if xlsx_cell.link or (xlsx_cell.url and is_web(xlsx_cell.url)):
            _link(sheet.cell(row, column), xlsx_cell)  # type: ignore[arg-type]  # where links are sought
    for rule in page.rules:
        sheet.add_data_validation(_validation(rule, settled))
    for place in [*page.words, "B3"]:
        _color_words(sheet, place)
    for place, test in page.marks:
        _color(sheet, place, settled.text(test), *MARKED)


class StyleIndex:
    """The styles of cells, each known by a number from its first use on."""

    def __init__(self, workbook: Workbook) -> None:
        """Know none yet; they are kept in the workbook."""
        self._known: dict[tuple[str, str, str, bool], str] = {}
        self._example: Any = workbook.create_sheet().cell(1, 1)
        workbook.remove(self._example.parent)

    def number(self, xlsx_cell: XlsxCell) -> str:
        """Give the number of the style that a cell has."""
        value = xlsx_cell.value
        is_text = isinstance(value, str) and not xlsx_cell.formula and looks_computed(value)
        key = (xlsx_cell.style, xlsx_cell.format, xlsx_cell.align, is_text)
        if key not in self._known:
            _dress(self._example, xlsx_cell, is_text=is_text)
            self._known[key] = str(self._example.style_id)
        return self._known[key]


def _dress(cell: ExcelCell, xlsx_cell: XlsxCell, *, is_text: bool) -> None:
    cell.style = f"cg {xlsx_cell.style}"
    if xlsx_cell.format:
        cell.number_format = xlsx_cell.format
    if xlsx_cell.align:
        cell.alignment = Alignment(vertical="center", horizontal=xlsx_cell.align, indent=1)
    if is_text:
        cell.quotePrefix = True


def _link(cell: ExcelCell, xlsx_cell: XlsxCell) -> None:
    """Link to a place of the workbook, a sheet or ``sheet!address``, or to one of the web."""
    if not xlsx_cell.link:
        cell.hyperlink = xlsx_cell.url
        return
    sheet, _, place = xlsx_cell.link.partition("!")
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
        _color(sheet, place, f"OR({tests})", ink, fill)


def _color(sheet: Worksheet, place: str, test: str, ink: str, fill: str) -> None:
    rule = FormulaRule(  # type: ignore[no-untyped-call]
        formula=[test],
        font=Font(color=ink, bold=True),
        fill=PatternFill("solid", start_color=fill, end_color=fill, bgColor=fill),
    )
    sheet.conditional_formatting.add(place, rule)
