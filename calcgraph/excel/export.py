"""A request to the bytes of a workbook, linted before anybody sees them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from calcgraph.excel.builder import Builder
from calcgraph.excel.filled import fill_blocks
from calcgraph.excel.frames import TooLong
from calcgraph.excel.grid import column_of
from calcgraph.excel.limits import not_taken, too_large, too_long
from calcgraph.excel.lint import lint
from calcgraph.excel.pages_base import add_base
from calcgraph.excel.pages_calc import add_calcs
from calcgraph.excel.pages_charts import add_charts
from calcgraph.excel.pages_checks import add_checks
from calcgraph.excel.pages_dims import add_dims
from calcgraph.excel.pages_facts import add_map, add_sources, add_units
from calcgraph.excel.pages_figures import add_figures
from calcgraph.excel.pages_inputs import add_inputs
from calcgraph.excel.pages_scenarios import add_scenarios, touched
from calcgraph.excel.pages_series import add_series
from calcgraph.excel.pages_summary import add_summary
from calcgraph.excel.pages_tables import add_tables
from calcgraph.excel.paper import Stamp
from calcgraph.excel.parts import finish, read_parts
from calcgraph.excel.sections import spelled_sections
from calcgraph.excel.settle import INTERNAL, Settled
from calcgraph.excel.spelling import Spelling
from calcgraph.excel.write import write_pages

if TYPE_CHECKING:
    from calcgraph.core.diagnostic import Diagnostic
    from calcgraph.excel.grid import Page
    from calcgraph.excel.request import Request

_PLACE = re.compile(r"xl/worksheets/sheet([0-9]+)\.xml: (?:([A-Z]+[0-9]+): )?(.*)", re.DOTALL)
ORDER = ("Summary", "Charts", "Inputs", "Tables", "Dims", "Series", "Scenarios")
LAST = ("Checks", "Expectations", "Units", "Sources", "Map", "_Base")


class ExportError(Exception):
    """A workbook that Excel would not take; ``diagnostics`` say why, each with its place."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        """Hold the findings."""
        first = diagnostics[0]
        super().__init__(f"{first.label.span.place}: {first.message}")
        self.diagnostics = diagnostics


def workbook_bytes(request: Request, *, as_names: bool = True) -> bytes:
    """Write a workbook; raises ``ExportError`` where it would break a rule of Excel.

    ``as_names`` refers to cells by name; else by address, for houses that ban names.
    """
    builder = build_pages(request)
    settled = Settled(builder.places, builder.spelling.blocks, as_names=as_names)
    names = {n: p for n, p in builder.places.items() if not n.startswith(INTERNAL)}
    stamp = Stamp(request.title, f"{request.file} · {request.fingerprint[:12]}")
    shell, rows = write_pages(builder.pages, dict(sorted(names.items())), settled, stamp)
    found = finish(shell, builder.pages, rows, request.exported)
    findings = lint(read_parts(found))
    if findings:
        raise ExportError(_said(builder, findings))
    return found


def build_pages(request: Request) -> Builder:
    """Lay out all pages: what stands in each cell, with references not settled yet."""
    spots = frozenset(touched(request))
    spelling = Spelling(request.model, frozenset(cell for cell, _ in spots), spots)
    try:
        spelling.name_all()
        sections = spelled_sections(spelling)
    except TooLong as error:
        raise ExportError([too_long(request.model, error.number, error.line)]) from error
    if findings := too_large(spelling):
        raise ExportError(findings)
    fill_blocks(request.now, list(spelling.blocks.values()))
    builder = Builder(request, spelling)
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
    """Put the pages in the order people read them: what is set, what comes out, what explains."""
    first = [page for name in ORDER for page in pages if page.name == name]
    last = [page for name in LAST for page in pages if page.name == name]
    return [*first, *(page for page in pages if page not in first and page not in last), *last]


def _count(pages: list[Page]) -> tuple[int, int]:
    formulas = [spot.formula for page in pages for spot in page.spots.values() if spot.formula]
    return len(formulas), len(set(formulas))


def _said(builder: Builder, findings: list[str]) -> list[Diagnostic]:
    """Say what is wrong with cells of the model, once each; of the rest only if that is all."""
    found: dict[object, Diagnostic] = {}
    rest: list[Diagnostic] = []
    for finding in findings:
        number, where, words = _placed(builder, finding)
        said = not_taken(builder.request.model, number, where, words)
        if number is None:
            rest.append(said)
        else:
            found.setdefault((said.label.span.start, said.code.id, words), said)
    return list(found.values()) or rest


def _placed(builder: Builder, finding: str) -> tuple[int | None, str, str]:
    """Give the cell of the model, and the page instead of the part of the file."""
    hit = _PLACE.fullmatch(finding)
    if hit is None:
        return None, "the workbook", finding
    page, address, words = builder.pages[int(hit[1]) - 1].name, hit[2], hit[3]
    number = _cell_at(builder, page, address) if address else None
    return number, f"{page}!{address}" if address else page, words


def _cell_at(builder: Builder, page: str, address: str) -> int | None:
    """Find the cell of the model that stands at an address, or that a block there helps."""
    letters = address.rstrip("0123456789")
    row, column = int(address.removeprefix(letters)), column_of(letters)
    for block in builder.spelling.blocks.values():
        is_inside = block.column - 1 <= column < block.column + block.width
        if block.page == page and is_inside and block.row - 1 <= row < block.row + block.height:
            return block.number if block.number < len(builder.request.model.cells) else block.helps
    return {where: number for number, where in builder.page_of.items()}.get((page, row))
