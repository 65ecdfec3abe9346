"""What the workbook says of the entries of a series: how many are sound, changed, missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.excel.builder import is_number
from calcgraph.excel.given import is_filled
from calcgraph.excel.grid import XlsxCell, letters, ref
from calcgraph.excel.literals import literal, number_text

if TYPE_CHECKING:
    from calcgraph.excel.blocks import Block
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Page
    from calcgraph.model import Cell

SOUND = "OK"


def changes_name(number: int, row: int | None = None) -> str:
    """Name what says of each entry, or of those of a row, whether it differs from the export."""
    return f"cg.changes.{number}" + ("" if row is None else f".{row}")


def status_cell(builder: Builder, cell: Cell, values: str, row: int | None = None) -> XlsxCell:
    """Say of a row or column of entries what is wrong with them, else how many were changed."""
    text = f'"{SOUND}"'
    changed = f"SUM({ref(changes_name(cell.number, row))})"
    found = [*faults(builder, cell, values), (changed, "CHANGED")]
    for count, word in reversed(found):
        text = f'IF({count}>0,{count}&" {word}",{text})'
    return XlsxCell(SOUND, text, "status")


def faults(builder: Builder, cell: Cell, values: str) -> list[tuple[str, str]]:
    """List what counts entries that are not sound, and the word for it."""
    there = f"COUNTA({values})"
    found: list[tuple[str, str]] = []
    known = _known(builder, cell, values)
    if is_number(cell.type):
        found.append((f"({there}-COUNT({values}))", "NOT A NUMBER"))
        outside = _outside(cell, values)
        found += [(outside, "OUT OF RANGE")] if outside else []
    elif cell.type.kind is Kind.TRUTH:
        trues = f"COUNTIF({values},TRUE)-COUNTIF({values},FALSE)"
        found.append((f"({there}-{trues})", "NOT TRUE OR FALSE"))
    elif known:
        found.append((f"({there}-{known})", "NOT A CHOICE"))
    if not is_filled(cell.fill) and not cell.may_be_na:
        found.append((f"(ROWS({values})*COLUMNS({values})-{there})", "MISSING"))
    return found


def _outside(cell: Cell, values: str) -> str:
    """Count the entries below and above the bounds."""
    least, most = cell.bounds.least, cell.bounds.most
    parts = [f'COUNTIF({values},"<"&{number_text(least)})'] if least is not None else []
    parts += [f'COUNTIF({values},">"&{number_text(most)})'] if most is not None else []
    return parts[0] if len(parts) == 1 else f"({'+'.join(parts)})" if parts else ""


def _known(builder: Builder, cell: Cell, values: str) -> str:
    """Count the entries that are one of the choices, or a key of the table."""
    if cell.type.table in builder.spelling.keys:
        keys = ref(builder.spelling.keys[cell.type.table])
        return f"SUMPRODUCT(--ISNUMBER(MATCH({values},{keys},0)))"
    choices = [literal(str(choice)) for choice in cell.bounds.choices]
    return "-".join(f"SUMPRODUCT(--EXACT({values},{choice}))" for choice in choices)


def mark_entries(page: Page, cell: Cell, block: Block) -> None:
    """Colour the entries that differ from the export; the status says how many there are."""
    first = f"{letters(block.column)}{block.row}"
    last = f"{letters(block.column + block.width - 1)}{block.row + block.height - 1}"
    place = f"ROW()-{block.row}"
    if block.width > 1:
        place = f"({place})*{block.width}+COLUMN()-{block.column}"
    test = f"INDEX({ref(changes_name(cell.number))},{place}+1)=1"
    page.marks.append((f"{first}:{last}", test))
