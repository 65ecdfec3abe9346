"""Parity: the engine's values beside the live ones, value by value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series
from calcgraph.evaluate import compute_part
from calcgraph.excel.blocks import NOWHERE, cell_mark, flat
from calcgraph.excel.builder import cached, is_number
from calcgraph.excel.described import entry_text
from calcgraph.excel.grid import XlsxCell, ref
from calcgraph.excel.literals import number_text
from calcgraph.excel.pages_stored import differing, is_large, store, stored_cells
from calcgraph.functions.aggregates import added
from calcgraph.model import Apply, Load, walk_op

if TYPE_CHECKING:
    from calcgraph.core.value import Value
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Page
    from calcgraph.model import Cell

CLOSE, ROUGH = "1E-9", "1E-6"


def add_parity(builder: Builder, page: Page) -> None:
    """Hold the engine's values beside the live ones, cell by cell."""
    first = page.row
    stored = store(builder, page, stored_cells(builder))
    for cell in filter(builder.spelling.shows, builder.request.model.cells):
        if cell.kind == "calc" and not cell.type.dims:
            _parity_row(builder, page, cell)
        elif cell.kind == "calc":
            _parity_of_series(builder, page, cell, stored.get(cell.number, ""))
    if page.row == first:
        page.put(page.row, 10, XlsxCell(0.0, style="place"))
        page.put(page.row, 11, XlsxCell(value=True, style="place"))
        page.row += 1
    builder.name(page, "cg.live_values", first, 10, page.row - 1)
    builder.name(page, "cg.parity", first, 11, page.row - 1)


def _parity_row(builder: Builder, page: Page, cell: Cell) -> None:
    """Hold the engine's value beside the live one."""
    value = builder.request.now.values[cell.number]
    name = ref(builder.spelling.cells[cell.number])
    builder.was[cell.number] = page.at(page.row, 9, sheet=True)
    page.put(page.row, 2, XlsxCell(builder.spelling.cells[cell.number], style="place"))
    _line(builder, page, cell, (cell.name, name, value, _noise(builder, cell)))


def _parity_of_series(builder: Builder, page: Page, cell: Cell, stored: str) -> None:
    """Hold each of the engine's values beside the live one; of very many, what they add up to."""
    model, block = builder.request.model, builder.spelling.blocks[cell.number]
    if stored:
        _differing(builder, page, cell, stored)
        return
    if is_large(block):
        _sums(builder, page, cell)
        return
    noise = _noise_of_series(builder, cell)
    for at in range(block.height * block.width):
        down, across = divmod(at, block.width)
        position = flat(model, block, down, across)
        key = f"{cell.name}[{entry_text(model, cell.type.dims, position)}]"
        now = cell_mark(NOWHERE, block.number, f"#{down}", f"#{across}")
        _line(builder, page, cell, (key, now, block.values[position], noise))


def _line(builder: Builder, page: Page, cell: Cell, facts: tuple[str, str, Value, str]) -> None:
    """Write the engine's value, the live one, and whether they are equal."""
    key, now, value, noise = facts
    row, shown = page.row, cached(value)
    page.put(row, 1, XlsxCell(key, style="place"))
    is_error = isinstance(shown, str) and shown.startswith("#")
    page.put(row, 9, XlsxCell(shown if shown != "" else None, style="place"))
    page.put(
        row, 10, XlsxCell(shown, now if not cell.may_be_na else f'IF({now}="","",{now})', "place")
    )
    if is_error:
        text = f"ISERROR(J{row})"
    elif is_number(cell.type) and shown != "":
        tolerance = ROUGH if cell.number in builder.spelling.rough else CLOSE
        near = f"ABS(J{row}-I{row})<={tolerance}*MAX(ABS(J{row}),ABS(I{row})){noise}"
        text = f"IF(ISNUMBER(J{row}),{near},FALSE)"
    else:
        text = f'IF(ISERROR(J{row}),FALSE,EXACT(J{row}&"",I{row}&""))'
    page.put(row, 11, XlsxCell(value=True, formula=text, style="place"))
    page.row += 1


def _differing(builder: Builder, page: Page, cell: Cell, stored: str) -> None:
    """Count in one cell the values of a large block that are not the engine's."""
    row = page.row
    tolerance = ROUGH if cell.number in builder.spelling.rough else CLOSE
    noise = _noise_of_series(builder, cell) if is_number(cell.type) else ""
    counted = differing(builder, cell, stored, (tolerance, noise))
    page.put(row, 1, XlsxCell(f"{cell.name}: values that differ", style="place"))
    page.put(row, 9, XlsxCell(0.0, style="place"))
    page.put(row, 10, XlsxCell(0.0, counted, "place"))
    page.put(
        row, 11, XlsxCell(value=True, formula=f"IF(ISERROR(J{row}),FALSE,J{row}=0)", style="place")
    )
    page.row += 1


def _sums(builder: Builder, page: Page, cell: Cell) -> None:
    """Compare what the numbers of a large block add up to, and how many there are."""
    block, name = builder.spelling.blocks[cell.number], ref(builder.spelling.cells[cell.number])
    values = block.values
    numbers = [v for v in values if isinstance(v, float) and not isinstance(v, bool)]
    failed = sum(isinstance(value, Failure) for value in values)
    facts: list[tuple[str, str, float]] = [
        ("failures", f"SUMPRODUCT(--ISERROR({name}))", float(failed)),
        ("there at all", f"COUNTA({name})", float(len(values))),
    ]
    if cell.type.kind is Kind.TRUTH:
        trues = float(sum(value is True for value in values))
        facts.append(("trues", f"COUNTIF({name},TRUE)", trues))
    elif is_number(cell.type):
        facts.append(("numbers", f"COUNT({name})", float(len(numbers))))
        facts += [] if failed else [("sum", f"SUM({name})", added(numbers))]
    for what, formula, value in facts:
        row = page.row
        page.put(row, 1, XlsxCell(f"{cell.name}: {what}", style="place"))
        page.put(row, 9, XlsxCell(value, style="place"))
        page.put(row, 10, XlsxCell(value, formula, "place"))
        near = f"ABS(J{row}-I{row})<={CLOSE}*MAX(ABS(J{row}),ABS(I{row}))"
        page.put(row, 11, XlsxCell(value=True, formula=near, style="place"))
        page.row += 1


def _noise(builder: Builder, cell: Cell) -> str:
    """Allow for a sum or difference that Excel takes for 0: 1e-15 of its largest operand."""
    op = cell.op
    is_number = isinstance(builder.request.now.values[cell.number], float)
    if not is_number or not isinstance(op, Apply) or op.function.name not in {"+", "-"}:
        return ""
    sides = [compute_part(builder.request.now, cell.number, side) for side in op.args]
    return _noise_text([side for side in sides if isinstance(side, float)])


def _noise_of_series(builder: Builder, cell: Cell) -> str:
    """Allow as much for each value of a series, by the largest number it is made of."""
    assert cell.op is not None, "a calculated cell has a tree"
    sizes: list[float] = []
    for op in walk_op(cell.op):
        if isinstance(op, Load):
            value = builder.request.now.values[op.cell]
            data = value.data if isinstance(value, Series) else [value]
            sizes += [one for one in data if isinstance(one, float)]
    return _noise_text(sizes)


def _noise_text(sizes: list[float]) -> str:
    largest = max((abs(size) for size in sizes), default=0.0)
    return f"+{number_text(float(f'{largest * 1e-15:.0e}'))}" if largest else ""
