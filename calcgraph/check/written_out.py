"""Expand functions of dims, ``index``, ``duration`` and ``within``, into facts of labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.check.codes import WRONG_ARGUMENT
from calcgraph.check.lowered import TypedExpr
from calcgraph.core.type import NUMBER, TRUTH, Kind, Type
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Operand
from calcgraph.model import Apply, Labels

if TYPE_CHECKING:
    from calcgraph.check.along import CallSite
    from calcgraph.check.names import NameChecker
    from calcgraph.model import Op
    from calcgraph.units import UnitBook


def expand_calendar_calls(names: NameChecker, book: UnitBook, call: CallSite) -> TypedExpr | None:
    """Expand ``index``, ``duration`` and ``within``, whose arguments name dims, to label facts."""
    node, row = call.node, call.row
    dims = [names.dim(arg) for arg in node.args]
    for arg, name, part in zip(node.args, dims, call.args, strict=True):
        needs_time = row.name != "index"
        is_time = bool(name) and names.graph.dims[name].kind == "time"
        if name and (is_time or not needs_time):
            continue
        what = "a time axis" if needs_time else "a dim"
        message = f"`{row.name}` takes the name of {what}, this is {part.operand.type}"
        if name:
            message = f"`{row.name}` takes a time axis, `{name}` is not one"
        names.report(WRONG_ARGUMENT, message, arg.span, f"write `{row.usage}` with {what}")
        return None
    text = node.span.text
    if row.name == "within":
        return TypedExpr(Operand(replace(TRUTH, dims=tuple(dims)), text), _within(*dims), False)  # noqa: FBT003
    what = "index" if row.name == "index" else "length"
    type_ = replace(NUMBER, dims=(dims[0],))
    if what == "length":
        unit = book.unit("day")
        type_ = Type(Kind.NUMBER, unit, dims=(dims[0],))  # type: ignore[arg-type]
    return TypedExpr(Operand(type_, text), Labels(dims[0], what), may_be_na=False)  # type: ignore[arg-type]


def _within(inner: str, outer: str) -> Op:
    """Whether one period starts within another; exact, as dates are whole numbers."""
    start = Labels(inner)
    after = Apply(FUNCTIONS[">="], (start, Labels(outer)), (False, False))
    before = Apply(FUNCTIONS["<"], (start, Labels(outer, "end")), (False, False))
    return Apply(FUNCTIONS["and"], (after, before), (False, False))
