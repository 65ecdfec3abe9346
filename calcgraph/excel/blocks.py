"""Where the values of cells along dims stand, and how formulas refer to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import mul
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
    """List all values of a block row by row, as they lie on its page."""
    lying = (*block.frame.rows, block.frame.column) if block.frame.column else block.frame.rows
    if lying == block.dims:
        return block.values
    strides = dict(zip(block.dims, model.shape(block.dims).strides, strict=True))
    steps = [strides[dim] for dim in lying]
    return [
        block.values[sum(map(mul, coordinates, steps))]
        for coordinates in model.shape(lying).all_coordinates()
    ]


def flat(model: Model, block: Block, row: int, column: int) -> int:
    """Return the flat index of the value at a row and column of a block."""
    at = dict(zip(block.frame.rows, model.shape(block.frame.rows).unravel(row), strict=True))
    at[block.frame.column] = column
    return model.shape(block.dims).ravel(at[dim] for dim in block.dims)


def spread(model: Model, block: Block, flat_index: int) -> tuple[int, int]:
    """Return the row and column within a block of the value at a flat index."""
    at = dict(zip(block.dims, model.shape(block.dims).unravel(flat_index), strict=True))
    row = model.shape(block.frame.rows).ravel(at[dim] for dim in block.frame.rows)
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
