"""Unit rules along one dim: running sums, neighbours, ranks, cash flows and labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.type import NUMBER, TRUTH
from calcgraph.functions.spec import Clash, Operand, Signature
from calcgraph.functions.unit_rules.arithmetic import DURATION
from calcgraph.functions.unit_rules.choices import alike, ordered, truths
from calcgraph.functions.unit_rules.likeness import pure, same_or_clash, same_unit
from calcgraph.functions.unit_rules.series import key_of_series, series_kept
from calcgraph.functions.unit_rules.texts import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

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
