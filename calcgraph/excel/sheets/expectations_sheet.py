"""Published or budgeted figures beside the model's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import Series
from calcgraph.excel.layout.blocks import NOWHERE, block_reference, spread
from calcgraph.excel.sheets.builder import (
    cached,
    key_width,
    note_cell,
    place_text,
    shape_of,
    source_key,
    unit_text,
)
from calcgraph.excel.xlsx.pages import XlsxCell, ref
from calcgraph.model import BASE

if TYPE_CHECKING:
    from calcgraph.analysis.results import FigureResult
    from calcgraph.core.values import Value
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Page

WIDTHS = (38, 17, 14, 17, 12, 11, 16, 10, 44, 36, 15)
KINDS = "lrulrrrccnnn"
HEADS = (
    "Figure", "Model", "Unit", "Key", "Published", "Difference", "Within", "Result", "Figure is",
    "Why it is wrong", "Source", "YAML",
)  # fmt: skip


def add_figures(builder: Builder) -> None:
    """Write published figures beside the model's; known wrong ones fail where they agree."""
    figures = builder.request.figures
    if not figures:
        return
    purpose = "Published or budgeted figures beside the model's own."
    widths = (*WIDTHS[:3], key_width(builder), *WIDTHS[3:])
    page = builder.page("Expectations", "Expectations", purpose, widths)
    builder.heads(page, HEADS, KINDS)
    first = page.row
    for figure in figures:
        _figure_row(builder, page, figure)
    builder.places["cg.figure_results"] = (
        f"{page.at(first, 8, sheet=True)}:{page.at(page.row - 1, 8)}"
    )
    page.words.append(f"H{first}:H{page.row - 1}")


def _figure_row(builder: Builder, page: Page, result: FigureResult) -> None:
    row, cell, figure = page.row, result.cell, result.figure
    decl = figure.decl
    actual = _actual(result)
    shape = shape_of(builder.request.model, actual, cell.type)
    label, key = label_of(builder.request.model, cell), cell.name
    if figure.row is not None:
        label, key = f"{label}, {figure.at}", f"{key}[{figure.at}]"
    name = _reference(builder, result)
    guarded = f'IF({name}="","",{name})' if cell.may_be_na else name
    page.put(row, 1, XlsxCell(label))
    page.put(row, 2, XlsxCell(cached(actual), guarded, "link", shape))
    page.put(row, 3, XlsxCell(unit_text(cell.type) or None, style="unit"))
    page.put(row, 4, XlsxCell(key, style="key"))
    page.put(row, 5, XlsxCell(figure.expected, style="constant", format=shape))
    _difference(page, row, result)
    _figure_result(builder, page, row, result)
    page.put(row, 9, XlsxCell("wrong" if result.known_wrong else "right", style="status"))
    page.put(row, 10, XlsxCell(decl.why or None, style="note"))
    title = source_key(decl.source) if decl.source else ""
    page.put(row, 11, note_cell(title, decl.source.url if decl.source else ""))
    page.put(row, 12, XlsxCell(place_text(figure.place), style="place"))
    builder.grow(page, (label, 1, 10), (decl.why, 10, 9), (title, 11, 9))
    page.row += 1


def _actual(result: FigureResult) -> Value:
    """Return the value that a figure refers to: for a series, one entry."""
    if isinstance(result.actual, Series) and result.figure.row is not None:
        return result.actual.data[result.figure.row]
    return result.actual


def _reference(builder: Builder, result: FigureResult) -> str:
    """Refer to the cell that a figure is about, or to the entry of a series."""
    number, row = result.cell.number, result.figure.row
    if row is None:
        return ref(builder.spelling.cells[number])
    down, across = spread(builder.request.model, builder.spelling.blocks[number], row)
    return block_reference(NOWHERE, number, f"#{down}", f"#{across}")


def _difference(page: Page, row: int, result: FigureResult) -> None:
    figure, actual = result.figure, _actual(result)
    if isinstance(actual, float) and isinstance(figure.expected, float):
        formula, shape = f"B{row}-E{row}", "#,##0.0000_);-#,##0.0000_)"
        value = actual - figure.expected
        if figure.expected:
            formula, shape = f"B{row}/E{row}-1", "+0.00%;-0.00%;0%"
            value = actual / figure.expected - 1
        page.put(row, 6, XlsxCell(value, formula, "calc", shape))
        size = abs(figure.expected)
        share = figure.tolerance / size if size else figure.tolerance
        page.put(row, 7, XlsxCell(share, style="constant", format="0.00%" if size else "0.0000"))
    else:
        page.put(row, 6, XlsxCell(style="calc"))
        page.put(row, 7, XlsxCell(style="constant"))


def _figure_result(builder: Builder, page: Page, row: int, result: FigureResult) -> None:
    if result.ok is None and builder.request.scenario == BASE:
        page.put(row, 8, XlsxCell("inputs set", '"inputs set"', "status"))
        return
    agrees, differs = ("DIFFERS", "KNOWN") if result.known_wrong else ("OK", "DIFFERS")
    is_number = isinstance(result.figure.expected, float)
    test = f"ABS(F{row})<=G{row}" if is_number else f"EXACT(B{row},E{row})"
    judged = f'IF(ISERROR(B{row}),"DIFFERS",IF({test},"{agrees}","{differs}"))'
    moved = f'IF({ref("cg.inputs_changed")}>0,"inputs changed",{judged})'
    text = f'IF({ref("cg.scenario")}<>"{BASE}","other scenario",{moved})'
    if builder.request.scenario != BASE:
        word = "other scenario"
    elif result.ok:
        word = "KNOWN" if result.known_wrong else "OK"
    else:
        word = "DIFFERS"
    page.put(row, 8, XlsxCell(word, text, "status"))
