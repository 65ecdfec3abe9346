"""Aggregations and lookups of series."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.dimension import PURE
from calcgraph.core.type import DATE, NUMBER, TRUTH, Kind, Type
from calcgraph.functions.spec import Clash, Operand, Signature
from calcgraph.functions.unit_rules.choices import ordered, truths
from calcgraph.functions.unit_rules.likeness import numbers_only, pure, same_or_clash

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
