"""Pages to an .xlsx file."""

from __future__ import annotations

import io
import os
import re
import zipfile
from typing import TYPE_CHECKING, Any, Protocol
from xml.sax.saxutils import escape

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink

from calcgraph.excel.xlsx.chart_xml import charted, put_charts
from calcgraph.excel.xlsx.pages import letters
from calcgraph.excel.xlsx.styles import LOOKS, TEXT, set_paper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from openpyxl.cell import Cell as ExcelCell
    from openpyxl.worksheet.worksheet import Worksheet

    from calcgraph.excel.xlsx.pages import Cached, Page, Rule, XlsxCell
    from calcgraph.excel.xlsx.styles import Look, Stamp


class FormulaPrinter(Protocol):
    """Prints a formula with its references resolved."""

    def text(self, formula: str) -> str:
        """Print a formula that belongs to no cell."""
        ...

    def xml(self, formula: str, row: int, column: int, page: str) -> str:
        """Print the formula of the cell at a row and column, escaped for XML."""
        ...


LONGEST_TEXT, LONGEST_URL = 32_767, 2_079
_CODED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_WEB = re.compile(r"https?://[^\s\x00-\x1f\\\"<>]+", re.IGNORECASE)
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def coded(text: str) -> str:
    """Write a text so that Excel, which reads ``_x0041_`` as ``A``, gives back just this text."""
    return _CODED.sub("_x005F_", text)


def looks_computed(text: str) -> bool:
    """Whether somebody who edits the cell, or saves it as CSV, would make a formula of a text."""
    return text.startswith(_STARTS)


def is_web(url: str) -> bool:
    """Whether an address may become a link: the web only, and no longer than Excel takes."""
    return len(url) <= LONGEST_URL and _WEB.fullmatch(url) is not None


HEIGHT = 16.0
ERRORS = ("#DIV/0!", "#NUM!", "#N/A", "#VALUE!")
_ROWS = re.compile("<sheetData>.*?</sheetData>|<sheetData />", re.DOTALL)
_EXTENT = re.compile('<dimension ref="[^"]*" />')


def page_rows(page: Page, settled: FormulaPrinter, style_of: Callable[[XlsxCell], str]) -> str:
    """Write all rows of a page; ``style_of`` gives the number of a style, first come first."""
    return f"<sheetData>{''.join(_rows(page, settled, style_of))}</sheetData>"


def with_rows(text: str, page: Page, rows: str) -> str:
    """Insert rows into the part of a page written without them, and state their extent."""
    start, end = _corners(page)
    text = _EXTENT.sub(f'<dimension ref="{start}:{end}" />', text, count=1)
    return _ROWS.sub(lambda _: rows, text, count=1)


def _rows(
    page: Page, settled: FormulaPrinter, style_of: Callable[[XlsxCell], str]
) -> Iterator[str]:
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
    """Return what follows the style of a cell without a formula."""
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
    """Return a cached value's type and text; a formula without one is a bug."""
    assert value is not None, "every formula has a value"
    if isinstance(value, bool):
        return ' t="b"', "1" if value else "0"
    if isinstance(value, float | int):
        return "", repr(value + 0.0).removesuffix(".0")  # 0 for a 0 below 0
    if value in ERRORS:
        return ' t="e"', value
    return ' t="str"', escape(coded(value))


def _corners(page: Page) -> tuple[str, str]:
    """Return the first and the last address of the rectangle of all cells."""
    rows = [row for row, _ in page.cells] or [1]
    columns = [column for _, column in page.cells] or [1]
    return f"{letters(min(columns))}{min(rows)}", f"{letters(max(columns))}{max(rows)}"


os.environ.setdefault("OPENPYXL_LXML", "False")  # the bytes must not depend on other packages


WORDS = (
    (("ERROR", "DIFFERS", "OUT OF RANGE", "NOT ", "MISSING", "#"), "FFFFFF", "B3261E"),
    (("WARNING", "STALE"), "6B4300", "FFE9BF"),
    (("CHANGED",), "003C78", "DCEBFA"),
    (("KNOWN", "inputs changed", "other scenario"), "5A6675", "ECEFF3"),
)


MARKED = ("6B4300", "FFE9BF")


def write_pages(
    pages: list[Page], names: dict[str, str], settled: FormulaPrinter, stamp: Stamp
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


def _write_page(sheet: Worksheet, page: Page, settled: FormulaPrinter) -> None:
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
        """Start with no styles; they are kept in the workbook."""
        self._known: dict[tuple[str, str, str, bool], str] = {}
        self._example: Any = workbook.create_sheet().cell(1, 1)
        workbook.remove(self._example.parent)

    def number(self, xlsx_cell: XlsxCell) -> str:
        """Return the number of a cell's style."""
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


def _validation(rule: Rule, settled: FormulaPrinter) -> DataValidation:
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
    """Colour status words; the word itself is always there."""
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


EPOCH = (1980, 1, 1, 0, 0, 0)
_MODIFIED = re.compile(r"<dcterms:(created|modified)([^>]*)>[^<]*</dcterms:\1>")


def finish(shell: bytes, pages: list[Page], rows: list[str], day: str) -> bytes:
    """Insert the rows of each page into its part; make the bytes depend on the pages alone.

    ``day`` is the day of the export, ``2026-11-29``, or empty.
    """
    source = zipfile.ZipFile(io.BytesIO(shell))
    target = io.BytesIO()
    sheets = {f"xl/worksheets/sheet{at}.xml": at - 1 for at, _ in enumerate(pages, 1)}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as book:
        for name in source.namelist():
            content = source.read(name)
            if name in sheets:
                at = sheets[name]
                content = with_rows(content.decode(), pages[at], rows[at]).encode()
            elif name.endswith(".rels"):
                content = _relative(content.decode(), name).encode()
            elif name == "docProps/core.xml":
                content = _core(content.decode(), day).encode()
            elif name == "docProps/app.xml":
                content = _APP.encode()
            elif name.startswith(("xl/charts/", "xl/drawings/")):
                content = charted(name, content.decode(), pages).encode()
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            book.writestr(info, content)
    return target.getvalue()


_APP = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    "<Application>calcgraph</Application></Properties>"
)


def _relative(text: str, name: str) -> str:
    """Make targets relative: openpyxl writes them from the root."""
    folder = name.partition("_rels/")[0]
    up = "../" if folder.count("/") > 1 else ""
    if folder == "":
        return text.replace('Target="/', 'Target="')
    text = text.replace(f'Target="/{folder}', 'Target="')
    return text.replace('Target="/xl/', f'Target="{up}')


def _core(text: str, day: str) -> str:
    moment = f"{day or '1980-01-01'}T00:00:00Z"
    text = text.replace(">openpyxl</dc:creator>", ">calcgraph</dc:creator>")
    return _MODIFIED.sub(lambda hit: f"<dcterms:{hit[1]}{hit[2]}>{moment}</dcterms:{hit[1]}>", text)
