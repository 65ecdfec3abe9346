"""Aggregations that need cells of their own on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.value import Failure
from calcgraph.excel.applied import failing_with
from calcgraph.excel.blocks import marked
from calcgraph.excel.expressions import (
    ONE,
    BlockRef,
    Constant,
    Expr,
    Operation,
    call,
    closed,
    fill,
    operation,
)
from calcgraph.excel.formula import excel_piece
from calcgraph.excel.frames import size_of
from calcgraph.excel.pieces import NOTHING, Piece, own
from calcgraph.excel.reach import EVERY, Axis
from calcgraph.functions import FUNCTIONS
from calcgraph.model import Apply, Const, Labels, Load, free_dims

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
        before = BlockRef(block.number, block.number, "=", "=-1")
        if block.frame.is_down:
            before = BlockRef(block.number, block.number, "=-1", "#0")
        one = excel_piece(series, here.within(block)).expr
        template = 'IF({0}="",{1},IF({1}="",{0},{1}&{2}&{0}))'
        block.op, block.opening_text = series, NOTHING
        block.text = marked(fill(template, one, before, singles[0].expr))
        block.label = "joined so far"
        block.derive, block.run = _joiner(here, op), here.model.dim(dim).size
    last = here.model.dim(dim).size - 1
    axes = [*(Axis("same", name) for name in here.dims), Axis("fixed", dim, place=last)]
    return Piece(here.at(block.number, axes))


def end_of(here: Here, op: Reduce, _: Sequence[Piece]) -> Piece:
    """Refer to the first or last value itself, where each is there; else look for it."""
    series, is_last = op.args[0], op.function.name == "last"
    if isinstance(series, Load) and set(op.dims) <= set(series.dims) and not any(op.may_be_na):
        model = here.model
        ends = {dim: model.dim(dim).size - 1 if is_last else 0 for dim in op.dims}
        axes = [
            Axis("fixed", dim, place=ends[dim]) if dim in ends else Axis("same", dim)
            for dim in series.dims
        ]
        lines = [here.line(series, op.dims)] if here.may_fail(series) else []
        return Piece(failing_with(lines, here.at(series.cell, axes)))
    places = _places(here, op)
    at: tuple[Expr, ...] = (call("MAX" if is_last else "MIN", places),)
    line = here.line(series, op.dims)
    if len(op.dims) > 1:  # laid out so that the last dim goes across, and is the fastest
        line = here.line_of(here.spelling.copied(here, series, op.dims), op.dims)
        width = Constant(str(here.model.dim(op.dims[-1]).size))
        row = fill("INT(({0}-1)/{1})", at[0], width)
        column = Operation("-", at[0], operation("*", row, width))
        at = (Operation("+", row, ONE), column)
    template = 'SUMPRODUCT(--({0}<>""))' if here.may_fail(series) else "COUNT({0})"
    count = fill(template, places)
    return own(fill('IF({0}=0,"",{1})', count, call("INDEX", line, *at)))


def _places(here: Here, op: Reduce) -> Expr:
    """Lay out the positions at which a value is there, in cells of their own; give their line."""
    series = op.args[0]
    order = (*(dim for dim in here.dims if dim in free_dims(series)), *op.dims)
    block = here.spelling.helper(here, order, op.dims[-1], ("places", series, order))
    if not block.text:
        within = here.within(block)
        index: Expr | None = None
        for dim in op.dims:
            size, more = Constant(str(here.model.dim(dim).size)), within.reach.index(dim)
            index = more if index is None else fill("{0}*{1}+{2}", closed(index), size, more)
        assert index is not None, "an end is that of a dim"
        one = excel_piece(series, within).expr
        block.text = marked(fill('IF({0}="","",{1}+1)', one, index))
        block.op, block.derive, block.label = series, _positions, "position, where it is there"
        block.run, block.may_be_na = size_of(here.model, op.dims), True
    axes = [EVERY if dim in op.dims else Axis("same", dim) for dim in order]
    found = here.reach.cells(block, axes)
    assert found is not None, "positions lie in a line"
    return found


def _positions(values: Sequence[Entry]) -> Sequence[Entry]:
    return [
        value if value is None or isinstance(value, Failure) else float(at)
        for at, value in enumerate(values, 1)
    ]


def npv(here: Here, op: Reduce, singles: Sequence[Piece]) -> Piece:
    """Multiply each flow by its discount factor, which stands in a cell of its own."""
    rate, flow = op.args
    growth = Apply(FUNCTIONS["+"], (Const(1.0), rate), (False, op.may_be_na[0]))
    index = Labels(op.dims[0], "index")
    power = Apply(FUNCTIONS["^"], (growth, index), (op.may_be_na[0], False))
    factor = Apply(FUNCTIONS["/"], (Const(1.0), power), (False, op.may_be_na[0]))
    factors = here.spelling.copied(here, factor, op.dims)
    factors.label = "discount factor"
    line = here.line(flow, op.dims)
    if isinstance(flow, Load):
        is_across = here.spelling.block(flow.cell).frame.column == op.dims[0]
        if is_across != (factors.frame.column == op.dims[0]):
            line = here.line_of(here.spelling.copied(here, flow, op.dims), op.dims)
    expr = call("SUMPRODUCT", line, here.line_of(factors, op.dims))
    return Piece(expr, singles[0].tests)


SEQUENCES: dict[str, Callable[[Here, Reduce, Sequence[Piece]], Piece]] = {
    "join series": join,
    "first": end_of,
    "last": end_of,
    "npv": npv,
}


def _joiner(here: Here, op: Reduce) -> Callable[[Sequence[Entry]], Sequence[Entry]]:
    """Join as the helper does; its separator is known at load, or asked for when it is not."""

    def joined(values: Sequence[Entry]) -> Sequence[Entry]:
        separator = op.args[0].value if isinstance(op.args[0], Const) else None
        assert isinstance(separator, str), f"{here.owner}: a separator is written out"
        found: list[Entry] = []
        so_far: str | Failure = ""
        for value in values:
            if isinstance(value, Failure):
                so_far = value
            elif value and not isinstance(so_far, Failure):
                so_far = f"{so_far}{separator}{value}" if so_far else str(value)
            found.append(so_far)
        return found

    return joined
