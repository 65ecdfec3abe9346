"""Keys along dims, each found once: a column of positions that every INDEX reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.dim import plain_dim
from calcgraph.core.value import Failure
from calcgraph.excel.blocks import marked
from calcgraph.excel.expressions import NameRef, fill
from calcgraph.excel.pieces import Piece, guarded
from calcgraph.excel.reach import Axis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.dim import Dim
    from calcgraph.excel.blocks import Block, Entry
    from calcgraph.excel.expressions import Expr
    from calcgraph.excel.here import Here
    from calcgraph.model import Load


def found_once(here: Here, key: Load, dim: str) -> Expr:
    """Refer to the position among the keys of ``dim`` of the current one of a cell of keys."""
    block = here.spelling.helper(here, key.dims, "", ("found", key, dim))
    if not block.text:
        _spell(here, block, key, dim)
    return here.at(block.number, [Axis("same", name) for name in key.dims])


def _spell(here: Here, block: Block, key: Load, dim: str) -> None:
    known, cell = here.model.dim(dim), here.model.cells[key.cell]
    wanted = here.within(block).load(key)
    keys = NameRef(here.spelling.list_of(dim, "key"))
    match = Piece(fill("MATCH({0},{1},0)", wanted.expr, keys), wanted.tests)
    block.text = marked(guarded(match).expr)
    block.op, block.may_be_na, block.is_position = key, cell.may_be_na, True
    block.label = f"where {cell.name} stands among {plain_dim(dim)}"

    def positions(values: Sequence[Entry]) -> Sequence[Entry]:
        return [_position(known, value, here.owner) for value in values]

    block.derive = positions


def _position(dim: Dim, value: Entry, cell: int) -> Entry:
    if value is None or isinstance(value, Failure):
        return value
    at = dim.positions.get(value)
    return Failure("key", cell, "no such key") if at is None else at + 1.0
