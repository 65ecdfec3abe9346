"""Where the values of cells along dims stand, and how formulas refer to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.excel.expressions import BlockRef, HeaderRef, NameRef, print_expr
from calcgraph.excel.frames import size_of
from calcgraph.excel.grid import CLOSE, OPEN, letters, quoted, ref

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.core.value import Failure, Scalar
    from calcgraph.excel.expressions import Expr, Ref
    from calcgraph.excel.frames import Frame
    from calcgraph.model import Model, Op

    Entry: TypeAlias = Scalar | Failure

NOWHERE = -1
"""Stands for the block of a formula that is in none."""


@dataclass(slots=True)
class Block:
    """The values of one cell along dims: a row, a column, or a rectangle.

    ``helps`` is the cell that a helper was made for. ``opening`` computes what stands before the
    first label. ``text`` and ``opening_text`` are formulas, the same for all of its cells;
    ``values`` and ``opening_values`` what they give. ``derive`` makes the values of a helper from
    those of ``op``, ``run`` of them at a time; ``is_position`` says that they count labels.
    ``needs`` are the heads that formulas refer to beside the labels themselves; ``heads`` say where
    each stands once it is placed.
    """

    number: int
    dims: tuple[str, ...]
    frame: Frame
    height: int
    width: int
    op: Op | None = None
    may_be_na: bool = False
    derive: Callable[[Sequence[Entry]], Sequence[Entry]] | None = None
    run: int = 1
    is_position: bool = False
    label: str = ""
    helps: int = NOWHERE
    opening: Op | None = None
    text: str = ""
    opening_text: str = ""
    values: Sequence[Entry] = ()
    opening_values: Sequence[Entry] = ()
    needs: dict[tuple[str, str], None] = field(default_factory=dict)
    heads: dict[tuple[str, str], int] = field(default_factory=dict)
    page: str = ""
    row: int = 0
    column: int = 0

    @property
    def has_opening(self) -> bool:
        """Whether something stands before the first label."""
        return self.opening is not None or bool(self.opening_text)

    def put(self, page: str, row: int, column: int) -> None:
        """Say where the first value stands."""
        self.page, self.row, self.column = page, row, column

    def place(self) -> str:
        """Give the range of all values: ``'Cash'!$J$6:$U$6``."""
        last = f"${letters(self.column + self.width - 1)}${self.row + self.height - 1}"
        return f"{quoted(self.page)}!${letters(self.column)}${self.row}:{last}"


def make_block(model: Model, number: int, dims: Sequence[str], frame: Frame) -> Block:
    """Make a block that is not placed yet."""
    width = model.dim(frame.column).size if frame.column else 1
    return Block(number, tuple(dims), frame, size_of(model, frame.rows), width)


def in_order(model: Model, block: Block) -> Sequence[Entry]:
    """Give all values of a block row by row, as they lie on its page."""
    lying = (*block.frame.rows, block.frame.column) if block.frame.column else block.frame.rows
    if lying == block.dims:
        return block.values
    step, steps = 1, {}
    for dim in reversed(block.dims):
        steps[dim] = step
        step *= model.dim(dim).size
    places = [0]
    for dim in lying:
        along = range(0, model.dim(dim).size * steps[dim], steps[dim])
        places = [place + more for place in places for more in along]
    return [block.values[place] for place in places]


def flat(model: Model, block: Block, row: int, column: int) -> int:
    """Find a value's place among all, where the last dim is the fastest."""
    at: dict[str, int] = {block.frame.column: column}
    for dim in reversed(block.frame.rows):
        row, at[dim] = divmod(row, model.dim(dim).size)
    found = 0
    for dim in block.dims:
        found = found * model.dim(dim).size + at[dim]
    return found


def spread(model: Model, block: Block, position: int) -> tuple[int, int]:
    """Find the row and column within a block of the value at a place among all."""
    at: dict[str, int] = {}
    for dim in reversed(block.dims):
        position, at[dim] = divmod(position, model.dim(dim).size)
    row = 0
    for dim in block.frame.rows:
        row = row * model.dim(dim).size + at[dim]
    return row, at.get(block.frame.column, 0)


def marked(expr: Expr) -> str:
    """Print an expression with a mark for each reference, to be resolved by `settle`."""
    return print_expr(expr, _mark)


def _mark(reference: Ref) -> str:
    match reference:
        case NameRef(name):
            return ref(name)
        case BlockRef(here, there, rows, columns):
            return cell_mark(here, there, rows, columns)
        case HeaderRef(here, dim, what, at):
            return head_mark(here, dim, what, at)


def cell_mark(here: int, there: int, row: str, column: str) -> str:
    """Refer to a cell or range of a block from a cell of another, or the same.

    ``=`` is where the current cell is, ``=-1`` before that, ``#3`` the one at 3 from 0, ``*`` all,
    ``<`` all and what is before the first.
    """
    return f"{OPEN}#{here};{there};{row};{column}{CLOSE}"


def head_mark(here: int, dim: str, what: str, at: str = "=") -> str:
    """Refer to a head of the current block: the key, index, end or length of the label."""
    return f"{OPEN}@{here};{dim};{what};{at}{CLOSE}"
