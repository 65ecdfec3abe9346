"""What is left of a rate that is found by trial: the flows' value at that rate, which must be 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.excel.blocks import NOWHERE, cell_mark
from calcgraph.excel.formula import excel_text
from calcgraph.excel.here import Here
from calcgraph.excel.rough import searched
from calcgraph.functions import FUNCTIONS
from calcgraph.model import Apply, Const, Load, Op, Reduce

if TYPE_CHECKING:
    from calcgraph.excel.blocks import Block
    from calcgraph.excel.spelling import Spelling
    from calcgraph.model import Cell

LEFT = 1e-6
"""What may be left for each flow, as a share of the largest: rates are compared as roughly."""

DIGITS = 9.0
"""What is rounding noise is no residual."""


@dataclass(frozen=True, slots=True)
class Residual:
    """What is left for the rate of a cell: in a row of its own where there are several."""

    cell: int
    op: Op
    text: str
    limit: float
    block: Block | None = None


def spell_residuals(spelling: Spelling) -> list[Residual]:
    """Spell what is left for each cell that holds what Excel finds by trial."""
    found: list[Residual] = []
    for number in spelling.model.order:
        cell = spelling.model.cells[number]
        nodes = searched(cell.op) if cell.op is not None and cell.kind != "check" else []
        found += [_residual(spelling, cell, node) for node in nodes]
    return found


def _residual(spelling: Spelling, cell: Cell, node: Reduce) -> Residual:
    rate = Load(cell.number, cell.type.dims) if cell.op is node else node
    op = _left(spelling, node, rate)
    limit = LEFT
    for dim in node.dims:
        limit *= spelling.model.dim(dim).size
    if not cell.type.dims:
        return Residual(cell.number, op, excel_text(op, Here(spelling, owner=cell.number)), limit)
    here = Here(spelling, spelling.blocks[cell.number], owner=cell.number)
    block = spelling.helper(here, cell.type.dims, "", ("residual", node, cell.number))
    block.op, block.text = op, excel_text(op, here.within(block))
    block.label = f"{label_of(spelling.model, cell)}: what is left at that rate"
    values = cell_mark(NOWHERE, block.number, "*", "*")
    return Residual(cell.number, op, f"MAX({values})", limit, block)


def _left(spelling: Spelling, node: Reduce, rate: Op) -> Op:
    """Build the value of the flows at the rate, as a share of the largest flow."""
    (flow,) = node.args
    is_na = spelling.may_be_na(rate), spelling.may_be_na(flow)
    value = Reduce(FUNCTIONS["npv"], node.dims, (rate, flow), is_na)
    most, least = (
        Reduce(FUNCTIONS[name], node.dims, (flow,), (is_na[1],)) for name in ("max", "min")
    )
    below = Apply(FUNCTIONS["neg"], (least,), (is_na[1],))
    largest = Apply(FUNCTIONS["max"], (most, below), (is_na[1], is_na[1]))
    left = Apply(FUNCTIONS["abs"], (value,), (any(is_na),))
    share = Apply(FUNCTIONS["/"], (left, largest), (any(is_na), is_na[1]))
    return Apply(FUNCTIONS["round"], (share, Const(DIGITS)), (any(is_na), False))
