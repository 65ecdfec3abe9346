"""One page a heading: every calculated cell as a live formula beside what the YAML says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.analysis.explain import formula_text
from calcgraph.excel.builder import cached, key_width, unit_text
from calcgraph.excel.described import shape_of
from calcgraph.excel.grid import XlsxCell
from calcgraph.excel.pages_blocks import add_columns
from calcgraph.excel.pages_rows import add_rows, row_widths
from calcgraph.excel.places import note_text, place_text, yaml_path
from calcgraph.excel.sections import OF_CHECKS
from calcgraph.excel.style import TEXT_FORMAT, text_width
from calcgraph.sheet.declarations import CalcDecl

if TYPE_CHECKING:
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Page
    from calcgraph.excel.sections import Section
    from calcgraph.model import Cell

WIDTHS = (40, 17, 15, 60, 40, 15)
NARROWER = (52, 30, 15)
KINDS = "lrullnn"
HEADS = ("Result", "Value", "Unit", "Key", "How it is calculated, as written", "Note", "YAML")
FEW = 6
CALC_PURPOSE = "Every result, its formula, and where it is written."


def add_calcs(builder: Builder, sections: list[Section]) -> None:
    """Write headings as pages; a short one joins the page before it; blocks have their own."""
    for sharing in _pages(sections):
        title = sharing[0].title
        name = builder.sheet_names.take(title)
        blocks = [block for section in sharing for block in section.across]
        behind = NARROWER if blocks else WIDTHS[3:]
        widths = (*WIDTHS[:3], key_width(builder, blocks), *behind)
        page = builder.page(name, title, CALC_PURPOSE, (*widths, *row_widths(builder, blocks)))
        builder.heads(page, HEADS, KINDS)
        for section in sharing:
            builder.section(page, section.title, len(HEADS))
            for cell in section.cells:
                _row(builder, page, cell)
            add_rows(builder, page, section.across, blocks)
    for section in sections:
        add_columns(builder, section)


def _pages(sections: list[Section]) -> list[list[Section]]:
    """Put headings onto pages: a new one where there is enough to fill it."""
    pages: list[list[Section]] = []
    for section in sections:
        rows = len(section.cells) + len(section.across)
        is_apart = not pages or rows >= FEW or section.title == OF_CHECKS
        if rows and is_apart:
            pages.append([section])
        elif rows:
            pages[-1].append(section)
    return pages


def _row(builder: Builder, page: Page, cell: Cell) -> None:
    request, row = builder.request, page.row
    node = request.model.graph.nodes[cell.number]
    decl = node.decl
    assert isinstance(decl, CalcDecl), "calculated cells are declared as such"
    value = request.now.values[cell.number]
    unit = unit_text(cell.type)
    name = builder.spelling.cells.get(cell.number, "")
    formula = builder.spelling.texts[cell.number]
    shape = shape_of(request.model, value, cell.type)
    style = "calc text" if shape == TEXT_FORMAT else "calc"
    written = formula_text(node).split(" -> ")[0]
    label = label_of(request.model, cell)
    page.put(row, 1, XlsxCell(label))
    page.put(row, 2, XlsxCell(cached(value), formula, style, shape))
    page.put(row, 3, XlsxCell(unit or None, style="unit"))
    page.put(row, 4, XlsxCell(cell.name, style="key"))
    page.put(row, 5, XlsxCell(written, style="formula"))
    note = note_text(decl)
    page.put(row, 6, XlsxCell(note or None, style="note"))
    page.put(row, 7, XlsxCell(place_text(decl.key.span), style="place"))
    builder.name(page, name, row, 2)
    builder.list(
        name, "calc", (unit, yaml_path(request.model, cell), written, place_text(decl.key.span))
    )
    builder.page_of[cell.number] = (page.name, row)
    builder.grow(page, (label, 1, 10), (written, 5, 9), (note, 6, 9))
    if isinstance(value, str) and text_width(value, 10) > WIDTHS[1]:
        page.put(row, 2, XlsxCell(value, formula, "note", shape))
        builder.grow(page, (label, 1, 10), (written, 5, 9), (note, 6, 9), (value, 2, 9))
    page.row += 1
