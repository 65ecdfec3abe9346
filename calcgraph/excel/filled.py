"""What blocks hold: the engine's values of cells, and of helpers that only a workbook needs."""

from __future__ import annotations

from operator import mul
from typing import TYPE_CHECKING

from calcgraph.core.value import Failure, Series
from calcgraph.evaluate import compute_part
from calcgraph.model import Const, Load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.value import Scalar
    from calcgraph.evaluate import Evaluation
    from calcgraph.excel.blocks import Block, Entry
    from calcgraph.model import Op


def fill_blocks(evaluation: Evaluation, blocks: Sequence[Block]) -> None:
    """Give every block its values, and what stands before the first label."""
    cells = evaluation.plan.model.cells
    for block in blocks:
        if block.number < len(cells):
            block.values = entries(evaluation.values[block.number], _count(block))
        elif block.op is not None:
            block.values = _derived(block, evaluation)
        if block.opening is not None:
            block.opening_values = _openings(block, evaluation)
        elif block.opening_text:
            block.opening_values = [""] * (_count(block) // _length(block))


def entries(value: object, count: int) -> Sequence[Entry]:
    """Give all values of a cell: where it failed as a whole, that many times."""
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
    """Compute what stands before the first label, for each combination of the other dims."""
    assert block.opening is not None, "it was asked for"
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
