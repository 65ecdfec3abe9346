"""Unit rules of aggregations and of scans along a dimension."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.units import PURE
from calcgraph.core.values import DATE, NUMBER, TRUTH, Kind, Type
from calcgraph.functions.spec import Clash, Operand, Signature
from calcgraph.functions.unit_rules.arithmetic import (
    DURATION,
    numbers_only,
    pure,
    same_or_clash,
    same_unit,
)
from calcgraph.functions.unit_rules.conditions import alike, joined, ordered, truths

if TYPE_CHECKING:
    from collections.abc import Sequence


def series_kept(operands: Sequence[Operand]) -> Signature | Clash:
    """An aggregation of a series of numbers, which keeps its unit."""
    clash = numbers_only(operands[:1])
    return clash or _aggregated(operands, operands[0].type)


def extreme(operands: Sequence[Operand]) -> Signature | Clash:
    """``min`` and ``max``: of several values, label by label, or of a series."""
    if len(operands) == 1:
        if operands[0].type.kind is Kind.DATE:
            return Signature((operands[0].type,), DATE)
        return series_kept(operands)
    if all(operand.type.kind is Kind.DATE for operand in operands):
        return Signature((DATE,) * len(operands), DATE)
    return same_or_clash(operands, "compare")


def _aggregated(operands: Sequence[Operand], result: Type) -> Signature | Clash:
    if not operands[0].type.dims:
        hint = "name a column of a table, as in `table.column`; single values are joined by `+`"
        return Clash(0, "an aggregation needs a series, this is a single value", hint)
    return Signature(tuple(o.type for o in operands), replace(result, dims=()))


def series_any(operands: Sequence[Operand]) -> Signature | Clash:
    """An aggregation of a series of anything that gives one of its values."""
    return _aggregated(operands, operands[0].type)


def series_count(operands: Sequence[Operand]) -> Signature | Clash:
    """Counting: a pure number comes out; texts and truths are counted in their own ways."""
    found = _aggregated(operands, NUMBER)
    kind = operands[0].type.kind
    if isinstance(found, Clash) or kind not in {Kind.TEXT, Kind.TRUTH}:
        return found
    return replace(found, row=f"count {kind.value}")


def series_pure(operands: Sequence[Operand]) -> Signature | Clash:
    """A product of a series of pure numbers; otherwise the unit would depend on their count."""
    found = pure([replace(operands[0], type=replace(operands[0].type, dims=()))])
    return found if isinstance(found, Clash) else _aggregated(operands, NUMBER)


def series_truth(operands: Sequence[Operand]) -> Signature | Clash:
    """``any`` and ``all`` of a series of truths."""
    if operands[0].type.kind is not Kind.TRUTH:
        return truths(operands[:1])
    return _aggregated(operands, TRUTH)


def series_key(operands: Sequence[Operand]) -> Signature | Clash:
    """``argmin`` and ``argmax``: the key of a series of numbers or days."""
    is_date = operands[0].type.kind is Kind.DATE
    found = key_of_series(operands) if is_date else series_kept(operands)
    return found if isinstance(found, Clash) else key_of_series(operands)


def key_of_series(operands: Sequence[Operand]) -> Signature | Clash:
    """A key of the dim of a series; the type checker knows the kind of its keys."""
    dims = operands[0].type.dims or ("",)
    return _aggregated(operands, Type(Kind.TEXT, PURE, dims[0]))


def threshold(operands: Sequence[Operand]) -> Signature | Clash:
    """``lookup(x, thresholds, values)``: thresholds like ``x``, a value comes out."""
    x, steps, values = operands
    for index in (1, 2):
        if not operands[index].type.dims:
            hint = "name a column of a table, as in `table.column`"
            return Clash(index, "a series is needed here, this is a single value", hint)
    if not set(steps.type.dims) & set(values.type.dims):
        hint = f"take the values from `{steps.type.dims[0]}` as well"
        return Clash(2, "thresholds and values must be columns of one table", hint)
    found = ordered([x, replace(steps, type=replace(steps.type, dims=()))])
    if isinstance(found, Clash):
        return found
    wanted = replace(steps.type, dims=())
    return Signature((wanted, steps.type, values.type), replace(values.type, dims=()))


RATE = "a rate is a share of each period, as in `0.5%`"


def windowed(operands: Sequence[Operand]) -> Signature | Clash:
    """``rolling_sum(x, n)``: numbers of any unit, and how many; the result has their unit."""
    found = same_unit(operands[:1])
    if isinstance(found, Clash):
        return found
    count = _not_pure(operands, 1)
    return count or Signature((*found.args, NUMBER), found.result)


def neighbour(operands: Sequence[Operand]) -> Signature | Clash:
    """``prev(x, initial)``: values of one kind."""
    return alike(operands)


def lagged(operands: Sequence[Operand]) -> Signature | Clash:
    """``lag(x, n, outside)``: values of one kind, and how many labels."""
    count = _not_pure(operands, 1)
    found = alike([operands[0], operands[2]])
    if count:
        return count
    if isinstance(found, Clash):
        return replace(found, index=2 * found.index)
    return Signature((found.args[0], NUMBER, found.args[1]), found.result)


def ranked(operands: Sequence[Operand]) -> Signature | Clash:
    """``rank(x, tie, …)``: numbers or days, and ties of any kinds; a pure number comes out."""
    found = ordered([operands[0], operands[0]])
    if isinstance(found, Clash):
        hint = "rank a number or a date, and give this as a tie"
        return replace(found, index=0, hint=hint)
    return Signature(tuple(operand.type for operand in operands), NUMBER)


def roll_forward(operands: Sequence[Operand]) -> Signature | Clash:
    """``stock(opening, inflow, outflow)``: numbers of one dimension."""
    return same_or_clash(operands, "add")


def discounted(operands: Sequence[Operand]) -> Signature | Clash:
    """``npv(rate, flow)``: a pure rate and a series of numbers, whose unit the worth has."""
    clash = _not_pure(operands, 0, RATE)
    found = series_kept(operands[1:])
    if clash:
        return clash
    if isinstance(found, Clash):
        return replace(found, index=1)
    return Signature((NUMBER, *found.args), found.result)


def irr(operands: Sequence[Operand]) -> Signature | Clash:
    """``irr(flow)``: a series of numbers in, a pure rate out."""
    found = series_kept(operands)
    return found if isinstance(found, Clash) else replace(found, result=NUMBER)


def payment(operands: Sequence[Operand]) -> Signature | Clash:
    """``pmt(rate, periods, present, future?, type?)``: amounts of one dimension, the rest pure."""
    for index, hint in ((0, RATE), (1, ""), (4, "")):
        clash = _not_pure(operands, index, hint)
        if clash:
            return clash
    found = same_or_clash(operands[2:4], "add")
    if isinstance(found, Clash):
        return replace(found, index=2 + found.index)
    due = (NUMBER,) * len(operands[4:])
    return Signature((NUMBER, NUMBER, *found.args, *due), found.result)


def first_key(operands: Sequence[Operand]) -> Signature | Clash:
    """``first_where(condition)``: a series of truths in, the key of one out."""
    found = truths(operands)
    return found if isinstance(found, Clash) else key_of_series(operands)


def joined_series(operands: Sequence[Operand]) -> Signature | Clash:
    """``join(separator, x, dim)``: a series of texts in, a text out."""
    found = joined(operands)
    if isinstance(found, Clash) or operands[1].type.dims:
        return found
    hint = "name a series of texts, or put single texts together with `{a}{b}`"
    return Clash(1, "a series is needed here, this is a single value", hint)


def position(operands: Sequence[Operand]) -> Signature | Clash:
    """``index(dim)``: a pure number."""
    return Signature(tuple(operand.type for operand in operands), NUMBER)


def length(operands: Sequence[Operand]) -> Signature | Clash:
    """``duration(dim)``: a time in days."""
    return Signature(tuple(operand.type for operand in operands), DURATION)


def inside(operands: Sequence[Operand]) -> Signature | Clash:
    """``within(dim, dim)``: a truth."""
    return Signature(tuple(operand.type for operand in operands), TRUTH)


def _not_pure(operands: Sequence[Operand], index: int, hint: str = "") -> Clash | None:
    """Clash if an argument is given and is not a pure number."""
    found = pure(operands[index : index + 1])
    if isinstance(found, Signature):
        return None
    return replace(found, index=index, hint=hint or found.hint)
