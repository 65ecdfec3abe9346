"""How much a workbook may hold before nobody can open it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.excel.frames import LAST_ACROSS

if TYPE_CHECKING:
    from calcgraph.excel.blocks import Block
    from calcgraph.excel.spelling import Spelling

MOST_FORMULAS, MOST_ROWS = 400_000, 1_000_000


def too_large(spelling: Spelling) -> list[str]:
    """Say which cells are too large for a workbook, or that all of them are together."""
    found = [
        f"`{_name(spelling, block)}` has {block.height:,} rows of {block.width:,}; "
        f"a workbook takes {MOST_ROWS:,} of {LAST_ACROSS:,}"
        for block in spelling.blocks.values()
        if block.height > MOST_ROWS or block.width > LAST_ACROSS
    ]
    if found:
        return found
    sizes = {n: b.height * b.width for n, b in spelling.blocks.items() if b.text}
    total = sum(sizes.values()) + len(spelling.texts)
    if total <= MOST_FORMULAS:
        return []
    largest = max(sizes, key=lambda number: sizes[number])
    name = _name(spelling, spelling.blocks[largest])
    said = (
        f"the workbook would have {total:,} formulas, {sizes[largest]:,} of them of `{name}`; "
        f"{MOST_FORMULAS:,} are the most that can be opened with patience"
    )
    return [said]


def _name(spelling: Spelling, block: Block) -> str:
    cells = spelling.model.cells
    number = block.number if block.number < len(cells) else block.helps
    owner = cells[number].owner if cells[number].kind == "helper" else number
    return cells[owner].name
