"""Large blocks held beside the engine's values: these stand in a block, one formula compares them.

Where very many values would have to be stored, only what they add up to is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.core.value import Failure
from calcgraph.excel.blocks import flat
from calcgraph.excel.builder import HEAD, cached, is_number
from calcgraph.excel.grid import XlsxCell, ref

if TYPE_CHECKING:
    from calcgraph.excel.blocks import Block
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Page
    from calcgraph.model import Cell

MOST = 500
"""Values of a block that have a line each."""
MOST_STORED = 50_000
FIRST_COLUMN = 14


def stored_cells(builder: Builder) -> set[int]:
    """Choose the large cells whose values are stored one by one: the smaller first."""
    cells, blocks = builder.request.model.cells, builder.spelling.blocks
    large = [
        block
        for number, block in blocks.items()
        if number < len(cells) and cells[number].kind == "calc" and is_large(block)
    ]
    found: set[int] = set()
    room = MOST_STORED
    for block in sorted(large, key=lambda block: len(block.values)):
        room -= len(block.values)
        if room >= 0 and not any(isinstance(value, Failure) for value in block.values):
            found.add(block.number)
    return found


def is_large(block: Block) -> bool:
    """Whether a block has too many values for a line each."""
    return block.height * block.width > MOST


def store(builder: Builder, page: Page, numbers: set[int]) -> dict[int, str]:
    """Write the engine's values of blocks, columns beside each other; give where each stands."""
    model, column, row = builder.request.model, FIRST_COLUMN, HEAD + 1
    blocks = [builder.spelling.blocks[number] for number in sorted(numbers)]
    found: dict[int, str] = {}
    downs = [block for block in blocks if block.width == 1]
    for block in [*downs, *(block for block in blocks if block.width > 1)]:
        if block.width > 1 and column > FIRST_COLUMN:
            column, row = FIRST_COLUMN, HEAD + 1 + max(down.height for down in downs)
        last = page.at(row + block.height - 1, column + block.width - 1)
        found[block.number] = f"{page.at(row, column)}:{last}"
        for at in range(block.height * block.width):
            down, across = divmod(at, block.width)
            value = cached(block.values[flat(model, block, down, across)])
            if value != "":
                page.put(row + down, column + across, XlsxCell(value, style="place"))
        column, row = (column + 1, row) if block.width == 1 else (column, row + block.height)
    return found


def differing(builder: Builder, cell: Cell, stored: str, facts: tuple[str, str]) -> str:
    """Count the values that differ from those stored: by comparing, which no text disturbs.

    ``facts`` are the tolerance, relative to the value, and what is allowed besides.
    """
    now, (tolerance, noise) = ref(builder.spelling.cells[cell.number]), facts
    if not is_number(cell.type):
        is_truth = cell.type.kind is Kind.TRUTH
        unlike = f"--({now}<>{stored})" if is_truth else f"1-EXACT({now},{stored})"
        return f"SUMPRODUCT({unlike})"
    allowed = f"{tolerance}*ABS({stored}){noise}"
    outside = f"({now}<{stored}-({allowed}))+({now}>{stored}+{allowed})"
    if not cell.may_be_na:
        return f"SUMPRODUCT({outside})"
    gaps = f'SUMPRODUCT(--(({now}="")<>({stored}="")))'
    return f'{gaps}+SUMPRODUCT(({now}<>"")*({outside}))'
