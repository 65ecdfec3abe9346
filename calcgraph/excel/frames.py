"""How the values of a cell lie on a page: which of its dims go down, and which one across."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from calcgraph.core.dim import is_hidden
from calcgraph.model import Prev, Scan, walk_op

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calcgraph.model import Cell, Model

WIDEST = 400
"""Labels beyond this many go down: nobody reads a row of a thousand."""
LAST_ACROSS = 16_000


class TooLong(Exception):
    """A dim that has to go across, for values hang on those before them, and cannot."""

    def __init__(self, number: int, line: str) -> None:
        """Know the cell and the dim."""
        super().__init__(line)
        self.number, self.line = number, line


@dataclass(frozen=True, slots=True)
class Frame:
    """The dims whose labels go down, the first slowest, and the one whose labels go across."""

    rows: tuple[str, ...] = ()
    column: str = ""

    @property
    def line(self) -> str:
        """The dim along which a cell has one before it: across, or down where nothing is across."""
        return self.column or (self.rows[0] if len(self.rows) == 1 else "")

    @property
    def is_down(self) -> bool:
        """Whether it is a block with a column a cell."""
        return not self.column


def framed(dims: Sequence[str], column: str) -> Frame:
    """Lay ``column`` across, and the other dims down."""
    return Frame(tuple(dim for dim in dims if dim != column), column)


def frame_of(model: Model, dims: Sequence[str], line: str = "") -> Frame:
    """Choose a frame; ``line`` is a dim along which values hang on those before them."""
    if len(dims) == 1:
        return framed(dims, dims[0] if _goes_across(model, dims[0]) else "")
    if line and model.dim(line).size <= LAST_ACROSS:
        return framed(dims, line)
    across = [dim for dim in dims if _goes_across(model, dim)]
    times = [dim for dim in across if model.dim(dim).kind == "time"]
    return framed(dims, (times or across or [""])[-1])


def lined_up(model: Model, number: int, dims: Sequence[str], line: str) -> Frame:
    """Choose a frame for a cell, or for what helps it; raises ``TooLong``."""
    if line and len(dims) > 1 and model.dim(line).size > LAST_ACROSS:
        raise TooLong(number, line)
    return frame_of(model, dims, line)


def _goes_across(model: Model, name: str) -> bool:
    dim = model.dim(name)
    return not is_hidden(name) and dim.kind not in {"table", "grid"} and dim.size <= WIDEST


def lines(model: Model) -> dict[int, str]:
    """Find for each cell that needs it the dim along which it hangs on what is before it."""
    found = {cell.number: next(_lines_in(cell), "") for cell in model.cells if cell.type.dims}
    for group in model.groups:
        line = next((found[number] for number in group if found.get(number)), "")
        found.update(dict.fromkeys(group, line))
    return {number: line for number, line in found.items() if line}


def _lines_in(cell: Cell) -> Iterator[str]:
    for op in walk_op(cell.op) if cell.op is not None else ():
        if isinstance(op, Prev | Scan) and op.dim in cell.type.dims:
            yield op.dim


def size_of(model: Model, dims: Sequence[str]) -> int:
    """Count the combinations of labels."""
    return prod(model.dim(dim).size for dim in dims)
