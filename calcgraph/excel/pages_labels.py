"""Checks along dims: how many labels fail, and which is the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.core.value import Failure
from calcgraph.evaluate import compute_part
from calcgraph.excel.blocks import NOWHERE, cell_mark
from calcgraph.excel.entries import faults
from calcgraph.excel.grid import XlsxCell
from calcgraph.excel.pages_stored import is_large
from calcgraph.excel.places import place_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.analysis.results import CheckResult
    from calcgraph.excel.blocks import Block
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Page
    from calcgraph.excel.residuals import Residual


def _whole(block: Block) -> str:
    return cell_mark(NOWHERE, block.number, "*", "*")


def check_labels(builder: Builder, page: Page, check: CheckResult) -> None:
    """Count the labels at which a check does not hold; all of them stand on a page of their own."""
    row, block = page.row, builder.spelling.blocks[check.cell]
    word = "ERROR" if check.is_error else "WARNING"
    where = builder.page_of.get(check.cell)
    failing = sum(value is False or isinstance(value, Failure) for value in block.values)
    asked = sum(value is not None for value in block.values)
    values = _whole(block)
    counted = f"COUNTIF({values},FALSE)+SUMPRODUCT(--ISERROR({values}))"
    link = f"{where[0]}!A{where[1]}" if where else ""
    page.put(row, 1, XlsxCell(f"{check.name}  ›", link=link))
    page.put(row, 2, XlsxCell(float(failing), counted, "calc", "0"))
    page.put(row, 3, XlsxCell("labels fail", style="unit"))
    page.put(row, 4, XlsxCell("=", style="status"))
    page.put(row, 5, XlsxCell(0.0, style="constant", format="0"))
    page.put(row, 6, XlsxCell(style="constant"))
    page.put(row, 7, XlsxCell("error" if check.is_error else "warning", style="status"))
    is_asked = f"COUNTIF({values},TRUE)+B{row}=0"
    result = word if failing else "OK" if asked else "–"
    page.put(row, 8, XlsxCell(result, f'IF(B{row}>0,"{word}",IF({is_asked},"–","OK"))', "status"))
    _first(builder, page, check, word)
    node = builder.request.model.graph.nodes[check.cell]
    page.put(row, 10, XlsxCell(place_text(node.decl.key.span), style="place"))
    builder.grow(page, (check.name, 1, 10), (check.message, 9, 9))


def _first(builder: Builder, page: Page, check: CheckResult, word: str) -> None:
    """Say the message of the first label that fails, along one dim."""
    cells, blocks = builder.request.model.cells, builder.spelling.blocks
    block, row = blocks[check.cell], page.row
    following = check.cell + 1
    is_message = following < len(cells) and cells[following].kind == "message"
    message = blocks.get(following) if is_message else None
    if message is None or message.dims != block.dims or len(block.dims) != 1:
        page.put(row, 9, XlsxCell(style="note"))
        return
    first = next((at for at, value in enumerate(block.values) if value is False), None)
    said = message.values[first] if first is not None else ""
    found = f"INDEX({_whole(message)},MATCH(FALSE,{_whole(block)},0))"
    text = f'IF(H{row}="{word}",IFERROR({found},""),"")'
    page.put(row, 9, XlsxCell(said if isinstance(said, str) else "", text, "note"))


def failed_entries(builder: Builder) -> int:
    """Count the values of series that failed at the export, as parity's page counts them."""
    found = 0
    for cell in filter(builder.spelling.shows, builder.request.model.cells):
        if cell.kind == "calc" and cell.type.dims:
            block = builder.spelling.blocks[cell.number]
            if not is_large(block):
                found += sum(isinstance(value, Failure) for value in block.values)
    return found


def series_checks(builder: Builder) -> Iterator[tuple[str, str]]:
    """Give for each series somebody may set what counts its entries that are not sound."""
    for cell in builder.request.model.cells:
        if cell.kind != "input" or not cell.type.dims:
            continue
        spelling = builder.spelling
        block = spelling.given.get(cell.number, spelling.blocks[cell.number])
        parts = "+".join(count for count, _ in faults(builder, cell, _whole(block)))
        if parts:
            yield f"every entry of {cell.name} is there, of its kind and in bounds", parts


def residual_row(builder: Builder, page: Page, residual: Residual) -> None:
    """Show what is left at a rate that was found by trial; nothing where there is no rate."""
    model, row = builder.request.model, page.row
    cell = model.cells[residual.cell]
    left = _left(builder, residual)
    name = f"{label_of(model, cell)}: the flows come to 0 at that rate"
    page.put(row, 1, XlsxCell(name))
    page.put(row, 2, XlsxCell(left, f'IFERROR({residual.text},"")', "calc", "0E+00"))
    page.put(row, 3, XlsxCell("of the largest flow", style="unit"))
    page.put(row, 4, XlsxCell("≤", style="status"))
    page.put(row, 5, XlsxCell(residual.limit, style="constant", format="0E+00"))
    page.put(row, 6, XlsxCell(style="constant"))
    page.put(row, 7, XlsxCell("error", style="status"))
    is_fine = isinstance(left, float) and left <= residual.limit
    judged = f'IF(B{row}="","–",IF(B{row}<=E{row},"OK","ERROR"))'
    page.put(
        row, 8, XlsxCell("OK" if is_fine else "–" if left == "" else "ERROR", judged, "status")
    )
    page.put(row, 9, XlsxCell(style="note"))
    place = place_text(model.graph.nodes[residual.cell].decl.key.span)
    page.put(row, 10, XlsxCell(place, style="place"))
    builder.grow(page, (name, 1, 10))
    page.row += 1


def _left(builder: Builder, residual: Residual) -> float | str:
    """Compute what is left: the most of all rates; an empty text where there is none."""
    if residual.block is not None:
        values = list(residual.block.values)
        if any(isinstance(value, Failure) for value in values):
            return ""
        return max((value for value in values if isinstance(value, float)), default=0.0)
    value = compute_part(builder.request.now, residual.cell, residual.op)
    return value if isinstance(value, float) else ""
