"""Aggregations that need cells of their own on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.excel.blocks import cell_mark
from calcgraph.excel.formula import excel_piece
from calcgraph.excel.pieces import JOINED, NOTHING, Piece, wrapped
from calcgraph.excel.reach import Axis
from calcgraph.excel.tidy import without_needless

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.excel.blocks import Entry
    from calcgraph.excel.here import Here
    from calcgraph.model import Reduce


def join(here: Here, op: Reduce, singles: Sequence[Piece]) -> Piece:
    """Go on from label to label, for Excel 2010 has no function that joins a range."""
    (dim,), series = op.dims, op.args[1]
    order = (*here.dims, dim)
    block = here.spelling.helper(here, order, dim, ("join", op, order))
    if not block.text:
        before = cell_mark(block.number, block.number, "=", "=-1")
        if block.frame.is_down:
            before = cell_mark(block.number, block.number, "=-1", "#0")
        one = excel_piece(series, here.within(block)).text
        more = f"{before}&{wrapped(singles[0], JOINED)}&{one}"
        text = f'IF({one}="",{before},IF({before}="",{one},{more}))'
        block.op, block.text, block.opening_text = series, without_needless(text), NOTHING
        block.label = "joined so far"
        block.derive = _joiner(here, op)
    last = here.model.dim(dim).size - 1
    axes = [*(Axis("same", name) for name in here.dims), Axis("fixed", dim, place=last)]
    text = here.at(block.number, axes)
    return Piece(text)


SEQUENCES: dict[str, Callable[[Here, Reduce, Sequence[Piece]], Piece]] = {"join series": join}


def _joiner(here: Here, op: Reduce) -> Callable[[Sequence[Entry]], Sequence[Entry]]:
    """Join as the helper does; its separator is known at load, or asked for when it is not."""

    def joined(values: Sequence[Entry]) -> Sequence[Entry]:
        from calcgraph.model import Const

        separator = op.args[0].value if isinstance(op.args[0], Const) else None
        assert isinstance(separator, str), f"{here.owner}: a separator is written out"
        found: list[Entry] = []
        so_far = ""
        for value in values:
            if value:
                so_far = f"{so_far}{separator}{value}" if so_far else str(value)
            found.append(so_far)
        return found

    return joined
