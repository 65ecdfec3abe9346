"""Rectangles of cells along dimensions, their orientation and fills."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from operator import mul
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.core.values import Failure, Series, is_hidden
from calcgraph.engine import compute_part
from calcgraph.excel.xlsx.expressions import BlockRef, HeaderRef, NameRef, print_expr
from calcgraph.excel.xlsx.pages import CLOSE, OPEN, letters, quoted, ref
from calcgraph.model import Const, Load, Previous, Scan, walk_op

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from calcgraph.core.values import Scalar
    from calcgraph.excel.xlsx.expressions import ExcelExpr, Ref
    from calcgraph.model import Cell, Model, Op

    Entry: TypeAlias = Scalar | Failure

    from calcgraph.engine import Evaluation


WIDEST = 400
"""Dims with more labels go down: nobody reads a row of a thousand."""
LAST_ACROSS = 16_000


class TooLong(Exception):
    """A dim is too long to go across, although its values depend on those before them."""

    def __init__(self, number: int, line: str) -> None:
        """Store the cell and the dim."""
        super().__init__(line)
        self.number, self.line = number, line


@dataclass(frozen=True, slots=True)
class Orientation:
    """The dims whose labels go down, the first slowest, and the one whose labels go across."""

    rows: tuple[str, ...] = ()
    column: str = ""

    @property
    def line(self) -> str:
        """The dim along which a cell has a previous one: across, or down if none is across."""
        return self.column or (self.rows[0] if len(self.rows) == 1 else "")

    @property
    def is_down(self) -> bool:
        """Whether each cell is one column."""
        return not self.column


def orientation_across(dims: Sequence[str], column: str) -> Orientation:
    """Lay ``column`` across, and the other dims down."""
    return Orientation(tuple(dim for dim in dims if dim != column), column)


def choose_orientation(model: Model, dims: Sequence[str], line: str = "") -> Orientation:
    """Choose an orientation; ``line`` is a dim along which values depend on previous ones."""
    if len(dims) == 1:
        return orientation_across(dims, dims[0] if _goes_across(model, dims[0]) else "")
    if line and model.dim(line).size <= LAST_ACROSS:
        return orientation_across(dims, line)
    across = [dim for dim in dims if _goes_across(model, dim)]
    times = [dim for dim in across if model.dim(dim).kind == "time"]
    return orientation_across(dims, (times or across or [""])[-1])


def orient(model: Model, number: int, dims: Sequence[str], line: str) -> Orientation:
    """Choose an orientation for a cell or its helper; raise ``TooLong``."""
    if line and len(dims) > 1 and model.dim(line).size > LAST_ACROSS:
        raise TooLong(number, line)
    return choose_orientation(model, dims, line)


def _goes_across(model: Model, name: str) -> bool:
    dim = model.dim(name)
    return not is_hidden(name) and dim.kind not in {"table", "grid"} and dim.size <= WIDEST


def lines(model: Model) -> dict[int, str]:
    """Map cells to the dim along which they depend on previous values, if there is one."""
    found = {cell.number: next(_lines_in(cell), "") for cell in model.cells if cell.type.dims}
    for group in model.groups:
        line = next((found[number] for number in group if found.get(number)), "")
        found.update(dict.fromkeys(group, line))
    return {number: line for number, line in found.items() if line}


def _lines_in(cell: Cell) -> Iterator[str]:
    for op in walk_op(cell.op) if cell.op is not None else ():
        if isinstance(op, Previous | Scan) and op.dim in cell.type.dims:
            yield op.dim


def size_of(model: Model, dims: Sequence[str]) -> int:
    """Count the combinations of labels."""
    return prod(model.dim(dim).size for dim in dims)


NOWHERE = -1
"""Number of the block of a formula that is in none."""


@dataclass(slots=True)
class Block:
    """The values of one cell along dims: a row, a column, or a rectangle.

    ``helps`` is the cell that a helper was made for. ``opening`` computes the initial value, in
    front of the first label. ``text`` and ``initial_formula`` are formulas, the same for all cells;
    ``values`` and ``initial_values`` are their results. ``derive`` makes the values of a helper
    from those of ``op``, ``run`` of them at a time; ``is_position`` if they are positions.
    ``needs`` are the headers that formulas refer to beside the labels themselves; ``heads`` are
    their rows or columns, once the block is placed.
    """

    number: int
    dims: tuple[str, ...]
    frame: Orientation
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
    initial_formula: str = ""
    values: Sequence[Entry] = ()
    initial_values: Sequence[Entry] = ()
    needs: dict[tuple[str, str], None] = field(default_factory=dict)
    heads: dict[tuple[str, str], int] = field(default_factory=dict)
    page: str = ""
    row: int = 0
    column: int = 0

    @property
    def has_initial_value(self) -> bool:
        """Whether there is an initial value in front of the first label."""
        return self.opening is not None or bool(self.initial_formula)

    def put(self, page: str, row: int, column: int) -> None:
        """Set the address of the first value."""
        self.page, self.row, self.column = page, row, column

    def place(self) -> str:
        """Return the range of all values: ``'Cash'!$J$6:$U$6``."""
        last = f"${letters(self.column + self.width - 1)}${self.row + self.height - 1}"
        return f"{quoted(self.page)}!${letters(self.column)}${self.row}:{last}"


def make_block(model: Model, number: int, dims: Sequence[str], frame: Orientation) -> Block:
    """Make a block that is not placed yet."""
    width = model.dim(frame.column).size if frame.column else 1
    return Block(number, tuple(dims), frame, size_of(model, frame.rows), width)


def in_order(model: Model, block: Block) -> Sequence[Entry]:
    """List all values of a block row by row, in the order of its page."""
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


def marked(expr: ExcelExpr) -> str:
    """Print an expression with a mark for each reference, for ``ResolvedAddresses`` to resolve."""
    return print_expr(expr, _mark)


def _mark(reference: Ref) -> str:
    match reference:
        case NameRef(name):
            return ref(name)
        case BlockRef(here, there, rows, columns):
            return block_reference(here, there, rows, columns)
        case HeaderRef(here, dim, what, at):
            return header_reference(here, dim, what, at)


def block_reference(here: int, there: int, row: str, column: str) -> str:
    """Refer to a cell or range of a block from a cell of another, or the same.

    ``=`` is the current one, ``=-1`` the one before, ``#3`` the one at index 3, ``*`` all, ``<``
    all and the initial value before them.
    """
    return f"{OPEN}#{here};{there};{row};{column}{CLOSE}"


def header_reference(here: int, dim: str, what: str, at: str = "=") -> str:
    """Refer to a header of the current block: the key, index, end or length of a label."""
    return f"{OPEN}@{here};{dim};{what};{at}{CLOSE}"


def fill_blocks(evaluation: Evaluation, blocks: Sequence[Block]) -> None:
    """Set the values and initial values of every block."""
    cells = evaluation.plan.model.cells
    for block in blocks:
        if block.number < len(cells):
            block.values = entries(evaluation.values[block.number], _count(block))
        elif block.op is not None:
            block.values = _derived(block, evaluation)
        if block.opening is not None:
            block.initial_values = _openings(block, evaluation)
        elif block.initial_formula:
            block.initial_values = [""] * (_count(block) // _length(block))


def entries(value: object, count: int) -> Sequence[Entry]:
    """Return all values of a cell; repeat the failure of one that failed as a whole."""
    if isinstance(value, Series):
        return value.data
    assert isinstance(value, Failure), "a cell along dims holds a series"
    return [value] * count


def _count(block: Block) -> int:
    return block.height * block.width


def _length(block: Block) -> int:
    """Count the labels along the line of a block."""
    return block.width if block.frame.column else block.height


def _derived(block: Block, evaluation: Evaluation) -> Sequence[Entry]:
    assert block.op is not None, "a helper has a tree"
    values = along(evaluation, block.helps, block.op, block.dims)
    if block.derive is None:
        return values
    parts = [values[at : at + block.run] for at in range(0, len(values), block.run)]
    return [value for part in parts for value in block.derive(part)]


def _openings(block: Block, evaluation: Evaluation) -> Sequence[Entry]:
    """Compute the initial value at each combination of the other dims."""
    assert block.opening is not None, "only called for a block with an opening"
    line = block.frame.line
    others = [dim for dim in block.dims if dim != line]
    if isinstance(block.opening, Const):
        return [block.opening.value] * (_count(block) // _length(block))
    shape = evaluation.plan.model.shape(others)
    return [
        _single(
            evaluation,
            block.helps,
            block.opening,
            {**dict(zip(others, at, strict=True)), line: 0},
        )
        for at in shape.all_coordinates()
    ]


def along(evaluation: Evaluation, cell: int, op: Op, dims: Sequence[str]) -> Sequence[Entry]:
    """Compute a tree at every combination of labels, the last dim fastest."""
    if isinstance(op, Load):
        return _loaded(evaluation, op, dims)
    return [
        _single(evaluation, cell, op, dict(zip(dims, at, strict=True)))
        for at in evaluation.plan.model.shape(dims).all_coordinates()
    ]


def _loaded(evaluation: Evaluation, op: Load, dims: Sequence[str]) -> Sequence[Entry]:
    """Read a cell at every combination of labels."""
    value, model = evaluation.values[op.cell], evaluation.plan.model
    data = value.data if isinstance(value, Series) else [value]
    steps = dict.fromkeys(dims, 0)
    for dim, stride in zip(op.dims, model.shape(op.dims).strides, strict=True):
        steps[dim] += stride
    return [
        data[sum(map(mul, coordinates, steps.values()))]
        for coordinates in model.shape(dims).all_coordinates()
    ]


def _single(evaluation: Evaluation, cell: int, op: Op, labels: dict[str, int]) -> Scalar | Failure:
    value = compute_part(evaluation, cell, op, labels)
    assert not isinstance(value, Series), "a tree has one value at one combination of labels"
    return value
