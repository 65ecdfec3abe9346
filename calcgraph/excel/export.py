"""Exports a request as the bytes of a workbook; refuses what Excel would not take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.excel.formulas.translator import FormulaTranslator
from calcgraph.excel.layout.blocks import TooLong, fill_blocks
from calcgraph.excel.layout.cell_addresses import INTERNAL, ResolvedAddresses
from calcgraph.excel.limits import find_breaches, not_taken, too_large, too_long
from calcgraph.excel.sheets.base_sheet import add_base
from calcgraph.excel.sheets.builder import Builder
from calcgraph.excel.sheets.calculation_sheets import add_calcs
from calcgraph.excel.sheets.chart_sheets import add_charts
from calcgraph.excel.sheets.checks_sheet import add_checks
from calcgraph.excel.sheets.expectations_sheet import add_figures
from calcgraph.excel.sheets.inputs_sheet import add_inputs
from calcgraph.excel.sheets.reference_sheets import add_map, add_sources, add_units
from calcgraph.excel.sheets.scenarios_sheet import add_scenarios, touched
from calcgraph.excel.sheets.sections import translate_sections
from calcgraph.excel.sheets.series_sheet import add_series
from calcgraph.excel.sheets.summary_sheet import add_summary
from calcgraph.excel.sheets.table_sheets import add_dims, add_tables
from calcgraph.excel.xlsx.styles import Stamp
from calcgraph.excel.xlsx.writer import finish, write_pages

if TYPE_CHECKING:
    from calcgraph.core.diagnostics import Diagnostic
    from calcgraph.excel.limits import Breach
    from calcgraph.excel.sheets.builder import Request
    from calcgraph.excel.xlsx.pages import Page

ORDER = ("Summary", "Charts", "Inputs", "Tables", "Dims", "Series", "Scenarios")
LAST = ("Checks", "Expectations", "Units", "Sources", "Map", "_Base")


class ExportError(Exception):
    """Excel would reject the workbook; ``diagnostics`` say why and where."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        """Store the diagnostics."""
        first = diagnostics[0]
        super().__init__(f"{first.label.span.place}: {first.message}")
        self.diagnostics = diagnostics


def workbook_bytes(request: Request, *, as_names: bool = True) -> bytes:
    """Return the bytes of a workbook; raise ``ExportError`` where it breaks a rule of Excel.

    Formulas refer to cells by name with ``as_names``, else by address.
    """
    builder = build_pages(request)
    addresses = ResolvedAddresses(builder.places, builder.spelling.blocks, as_names=as_names)
    names = {n: p for n, p in builder.places.items() if not n.startswith(INTERNAL)}
    stamp = Stamp(request.title, f"{request.file} · {request.fingerprint[:12]}")
    if breaches := list(find_breaches(builder.pages, addresses)):
        raise ExportError(_refusals(builder, breaches))
    shell, rows = write_pages(builder.pages, dict(sorted(names.items())), addresses, stamp)
    return finish(shell, builder.pages, rows, request.exported)


def build_pages(request: Request) -> Builder:
    """Fill all pages; references in their formulas are not resolved yet."""
    overridden = frozenset(touched(request))
    translator = FormulaTranslator(
        request.model, frozenset(cell for cell, _ in overridden), overridden
    )
    try:
        translator.name_all()
        sections = translate_sections(translator)
    except TooLong as error:
        raise ExportError([too_long(request.model, error.number, error.line)]) from error
    if findings := too_large(translator):
        raise ExportError(findings)
    fill_blocks(request.now, list(translator.blocks.values()))
    builder = Builder(request, translator)
    add_inputs(builder)
    add_series(builder)
    add_scenarios(builder)
    add_calcs(builder, sections)
    add_figures(builder)
    add_tables(builder)
    add_dims(builder)
    add_sources(builder)
    add_base(builder)
    add_checks(builder)
    add_units(builder)
    add_map(builder)
    plots = add_charts(builder)
    builder.pages = _ordered(builder.pages)
    add_summary(builder, _count(builder.pages), plots)
    return builder


def _ordered(pages: list[Page]) -> list[Page]:
    """Order the pages for reading: summary and inputs, results, explanations."""
    first = [page for name in ORDER for page in pages if page.name == name]
    last = [page for name in LAST for page in pages if page.name == name]
    return [*first, *(page for page in pages if page not in first and page not in last), *last]


def _count(pages: list[Page]) -> tuple[int, int]:
    formulas = [cell.formula for page in pages for cell in page.cells.values() if cell.formula]
    return len(formulas), len(set(formulas))


def _refusals(builder: Builder, breaches: list[Breach]) -> list[Diagnostic]:
    """Report each cell of the model once, and breaches elsewhere only if there are no others."""
    found: dict[object, Diagnostic] = {}
    rest: list[Diagnostic] = []
    for breach in breaches:
        number = _cell_at(builder, breach.page, *breach.cell) if breach.cell else None
        refusal = not_taken(builder.request.model, number, breach)
        if number is None:
            rest.append(refusal)
        else:
            found.setdefault((refusal.label.span.start, breach.code.id, breach.words), refusal)
    return list(found.values()) or rest


def _cell_at(builder: Builder, page: str, row: int, column: int) -> int | None:
    """Find the cell of the model at an address, or the one whose helper is there."""
    for block in builder.spelling.blocks.values():
        is_inside = block.column - 1 <= column < block.column + block.width
        if block.page == page and is_inside and block.row - 1 <= row < block.row + block.height:
            return block.number if block.number < len(builder.request.model.cells) else block.helps
    return {where: number for number, where in builder.page_of.items()}.get((page, row))
