"""Scans and sequences as Excel formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.values import Failure, Kind
from calcgraph.excel.formulas.pieces import NOTHING, FormulaPiece, guarded, own
from calcgraph.excel.formulas.ranges import EVERY, DimSelection
from calcgraph.excel.formulas.translate import excel_piece, failing_with
from calcgraph.excel.layout.blocks import marked, size_of
from calcgraph.excel.xlsx.expressions import (
    ONE,
    BlockRef,
    Constant,
    ExcelExpr,
    Group,
    Operation,
    call,
    closed,
    fill,
    operation,
)
from calcgraph.functions import FUNCTIONS
from calcgraph.model import Apply, Const, LabelFact, Load, free_dims

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.excel.formulas.references import ReferenceContext
    from calcgraph.excel.layout.blocks import Entry
    from calcgraph.model import Op, Reduce, Scan


def cumsum(here: ReferenceContext, op: Scan) -> FormulaPiece:
    """Add to the previous cell; where values may be not applicable, sum from the first on."""
    flow = excel_piece(op.args[0], here)
    if not flow.tests:
        return FormulaPiece(Group(Operation("+", _before(here), closed(flow.expr))))
    line, position = here.line(op.args[0], (op.dim,)), here.reach.position(op.dim)
    return own(fill('IF({0}="","",SUM(INDEX({1},1):INDEX({1},{2})))', flow.expr, line, position))


def stock(here: ReferenceContext, op: Scan) -> FormulaPiece:
    """Add inflows to the previous balance and subtract outflows."""
    before: ExcelExpr = _before(here)
    balance = before
    for sign, flow in zip("+-", op.args[1:], strict=False):
        piece = excel_piece(flow, here)
        one = closed(piece.expr)
        balance = Operation(sign, balance, fill('IF({0}="",0,{0})', one) if piece.tests else one)
    may_be_na = bool(op.may_be_na and op.may_be_na[0])
    if may_be_na:
        return own(fill('IF({0}="","",{1})', before, balance))
    return FormulaPiece(Group(balance))


def rolling_sum(here: ReferenceContext, op: Scan) -> FormulaPiece:
    """Sum the last labels, from one position to another."""
    line, position = here.line(op.args[0], (op.dim,)), here.reach.position(op.dim)
    count = excel_piece(op.args[1], here)
    first = fill("MAX(1,{0}-{1}+1)", position, closed(count.expr))
    found = fill("SUM(INDEX({0},{1}):INDEX({0},{2}))", line, first, position)
    summed = FormulaPiece(_whole(op.args[1], count, found, 1), count.tests)
    return own(guarded(summed).expr) if count.tests else summed


def lag(here: ReferenceContext, op: Scan) -> FormulaPiece:
    """Look up the entry some labels before, or its default where there is none."""
    series, count, outside = op.args
    line, position = here.line(series, (op.dim,)), here.reach.position(op.dim)
    shift, other = excel_piece(count, here), guarded(excel_piece(outside, here))
    source = Operation("-", position, closed(shift.expr))
    size = Constant(str(here.model.dim(op.dim).size))
    found: ExcelExpr = call("INDEX", line, source)
    if _may_be_na(here, series):
        found = fill('IF({0}="","",{0})', found)
    found = fill("IF(OR({0}<1,{0}>{1}),{2},{3})", source, size, other.expr, found)
    piece = FormulaPiece(_whole(count, shift, found, None), shift.tests)
    is_na = _may_be_na(here, series) or _may_be_na(here, outside) or bool(shift.tests)
    return own(guarded(piece).expr) if is_na else piece


def rank(here: ReferenceContext, op: Scan) -> FormulaPiece:
    """Count smaller values, at 12 digits; ties go by the tie-breakers, then by position."""
    mine, line = _rounded(here, op.args[0], op.dim)
    assert here.block is not None, "a rank is in a block"
    which = "COLUMN" if here.block.frame.column == op.dim else "ROW"
    order: ExcelExpr = Operation("<", call(which, line), call(which, mine))
    read = [line] if here.may_fail(op.args[0]) else []
    for tie in reversed(op.args[1:]):
        if op.dim not in free_dims(tie):
            read += [excel_piece(tie, here).expr] if here.may_fail(tie) else []
            continue
        own_tie, ties = _rounded(here, tie, op.dim)
        read += [ties] if here.may_fail(tie) else []
        order = fill("({0}<{1})+({0}={1})*{2}", ties, own_tie, order)
    template = '1+COUNTIF({0},"<"&{1})+IF(COUNTIF({0},{1})=1,0,SUMPRODUCT(({0}={1})*{2}))'
    counted = failing_with(read, fill(template, line, mine, order))
    if _may_be_na(here, op.args[0]):
        return own(fill('IF({0}="","",{1})', mine, counted))
    return FormulaPiece(counted if read else Group(counted))


SCANS: dict[str, Callable[[ReferenceContext, Scan], FormulaPiece]] = {
    "cumsum": cumsum,
    "stock": stock,
    "rolling_sum": rolling_sum,
    "lag": lag,
    "rank": rank,
}


def running_start(op: Scan) -> Op | None:
    """Return the initial value of a scan whose formula continues the previous cell."""
    return {"cumsum": Const(0.0), "stock": op.args[0]}.get(op.function.name)


def _before(here: ReferenceContext) -> BlockRef:
    """Refer to the previous cell of the same block."""
    assert here.block is not None, "a running value is in a block"
    number, is_across = here.block.number, bool(here.block.frame.column)
    rows, column = ("=", "=-1") if is_across else ("=-1", "#0")
    return BlockRef(number, number, rows, column)


def _whole(op: Op, count: FormulaPiece, expr: ExcelExpr, least: int | None) -> ExcelExpr:
    """Fail where a number of labels is not whole, or too small, as the engine does."""
    if isinstance(op, Const):
        return expr
    test = fill("{0}=INT({0})", count.expr)
    if least is not None:
        test = call("AND", test, Operation(">=", count.expr, Constant(str(least))))
    return call("IF", test, expr, call("NA"))


def _may_be_na(here: ReferenceContext, op: Op) -> bool:
    return here.translator.may_be_na(op)


def _rounded(here: ReferenceContext, op: Op, dim: str) -> tuple[ExcelExpr, ExcelExpr]:
    """Return what a rank compares, and its line: inputs as they are, others rounded by a helper."""
    assert here.block is not None, "a rank is in a block"
    is_across, is_exact = here.block.frame.column == dim, False
    if isinstance(op, Load):
        cell = here.model.cells[op.cell]
        is_number = cell.type.kind is Kind.NUMBER
        is_exact = cell.kind in {"axis", "input", "column"} or not is_number
        if is_exact and (here.translator.block(op.cell).frame.column == dim) == is_across:
            return excel_piece(op, here).expr, here.line(op, (dim,))
    block = here.translator.helper_block(here, here.dims, dim, ("round", op, here.dims, dim))
    if not block.text:
        one = excel_piece(op, here.within(block)).expr
        rounded = one
        if not is_exact:
            rounded = fill("IF({0}=0,0,ROUND({0},11-INT(LOG10(ABS({0})))))", one)
        if _may_be_na(here, op):
            rounded = fill('IF({0}="","",{1})', one, rounded)
        block.op, block.text, block.derive = op, marked(rounded), _seen
        block.label = "to rank by" if is_exact else "rounded to 12 digits, to rank by"
    number = here.block.number
    mine = BlockRef(number, block.number, "=", "=" if block.frame.column else "#0")
    is_across = bool(block.frame.column)
    line = BlockRef(number, block.number, "=" if is_across else "*", "*" if is_across else "#0")
    return mine, line


def _seen(values: Sequence[Entry]) -> Sequence[Entry]:
    """Compute the values of the rounding helper."""
    from calcgraph.functions.kernels.series import seen

    return [seen(value) if isinstance(value, float) else value for value in values]


def join(here: ReferenceContext, op: Reduce, singles: Sequence[FormulaPiece]) -> FormulaPiece:
    """Join label by label: Excel 2010 has no function that joins a range."""
    (dim,), series = op.dims, op.args[1]
    order = (*here.dims, dim)
    block = here.translator.helper_block(here, order, dim, ("join", op, order))
    if not block.text:
        before = BlockRef(block.number, block.number, "=", "=-1")
        if block.frame.is_down:
            before = BlockRef(block.number, block.number, "=-1", "#0")
        one = excel_piece(series, here.within(block)).expr
        template = 'IF({0}="",{1},IF({1}="",{0},{1}&{2}&{0}))'
        block.op, block.initial_formula = series, NOTHING
        block.text = marked(fill(template, one, before, singles[0].expr))
        block.label = "joined so far"
        block.derive, block.run = _joiner(here, op), here.model.dim(dim).size
    last = here.model.dim(dim).size - 1
    axes = [
        *(DimSelection("same", name) for name in here.dims),
        DimSelection("fixed", dim, place=last),
    ]
    return FormulaPiece(here.at(block.number, axes))


def end_of(here: ReferenceContext, op: Reduce, _: Sequence[FormulaPiece]) -> FormulaPiece:
    """Refer to the first or last value directly if none may be missing; else look it up."""
    series, is_last = op.args[0], op.function.name == "last"
    if isinstance(series, Load) and set(op.dims) <= set(series.dims) and not any(op.may_be_na):
        model = here.model
        ends = {dim: model.dim(dim).size - 1 if is_last else 0 for dim in op.dims}
        axes = [
            DimSelection("fixed", dim, place=ends[dim])
            if dim in ends
            else DimSelection("same", dim)
            for dim in series.dims
        ]
        lines = [here.line(series, op.dims)] if here.may_fail(series) else []
        return FormulaPiece(failing_with(lines, here.at(series.cell, axes)))
    places = _places(here, op)
    at: tuple[ExcelExpr, ...] = (call("MAX" if is_last else "MIN", places),)
    line = here.line(series, op.dims)
    if len(op.dims) > 1:  # the last dim goes across and varies fastest
        line = here.line_of(here.translator.copied(here, series, op.dims), op.dims)
        width = Constant(str(here.model.dim(op.dims[-1]).size))
        row = fill("INT(({0}-1)/{1})", at[0], width)
        column = Operation("-", at[0], operation("*", row, width))
        at = (Operation("+", row, ONE), column)
    template = 'SUMPRODUCT(--({0}<>""))' if here.may_fail(series) else "COUNT({0})"
    count = fill(template, places)
    return own(fill('IF({0}=0,"",{1})', count, call("INDEX", line, *at)))


def _places(here: ReferenceContext, op: Reduce) -> ExcelExpr:
    """Make a helper of the positions that have a value; return its line."""
    series = op.args[0]
    order = (*(dim for dim in here.dims if dim in free_dims(series)), *op.dims)
    block = here.translator.helper_block(here, order, op.dims[-1], ("places", series, order))
    if not block.text:
        within = here.within(block)
        index: ExcelExpr | None = None
        for dim in op.dims:
            size, more = Constant(str(here.model.dim(dim).size)), within.reach.index(dim)
            index = more if index is None else fill("{0}*{1}+{2}", closed(index), size, more)
        assert index is not None, "an end is that of a dim"
        one = excel_piece(series, within).expr
        block.text = marked(fill('IF({0}="","",{1}+1)', one, index))
        block.op, block.derive, block.label = series, _positions, "position, where it is there"
        block.run, block.may_be_na = size_of(here.model, op.dims), True
    axes = [EVERY if dim in op.dims else DimSelection("same", dim) for dim in order]
    found = here.reach.cells(block, axes)
    assert found is not None, "positions are one range"
    return found


def _positions(values: Sequence[Entry]) -> Sequence[Entry]:
    return [
        value if value is None or isinstance(value, Failure) else float(at)
        for at, value in enumerate(values, 1)
    ]


def npv(here: ReferenceContext, op: Reduce, singles: Sequence[FormulaPiece]) -> FormulaPiece:
    """Multiply each flow by its discount factor, which is in a helper cell."""
    rate, flow = op.args
    growth = Apply(FUNCTIONS["+"], (Const(1.0), rate), (False, op.may_be_na[0]))
    index = LabelFact(op.dims[0], "index")
    power = Apply(FUNCTIONS["^"], (growth, index), (op.may_be_na[0], False))
    factor = Apply(FUNCTIONS["/"], (Const(1.0), power), (False, op.may_be_na[0]))
    factors = here.translator.copied(here, factor, op.dims)
    factors.label = "discount factor"
    line = here.line(flow, op.dims)
    if isinstance(flow, Load):
        is_across = here.translator.block(flow.cell).frame.column == op.dims[0]
        if is_across != (factors.frame.column == op.dims[0]):
            line = here.line_of(here.translator.copied(here, flow, op.dims), op.dims)
    expr = call("SUMPRODUCT", line, here.line_of(factors, op.dims))
    return FormulaPiece(expr, singles[0].tests)


SEQUENCES: dict[str, Callable[[ReferenceContext, Reduce, Sequence[FormulaPiece]], FormulaPiece]] = {
    "join series": join,
    "first": end_of,
    "last": end_of,
    "npv": npv,
}


def _joiner(here: ReferenceContext, op: Reduce) -> Callable[[Sequence[Entry]], Sequence[Entry]]:
    """Compute the values of the joining helper; its separator must be a constant."""

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
