"""Unit rules of conditions, texts and rounding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.units import PURE
from calcgraph.core.values import ANY, DATE, NUMBER, TEXT, TRUTH, Kind, Type
from calcgraph.functions.kernels.scalar import make_date
from calcgraph.functions.spec import Clash, Operand, Signature, UnitRule
from calcgraph.functions.unit_rules.arithmetic import numbers_only, pure, same_or_clash

if TYPE_CHECKING:
    from collections.abc import Sequence


def compared(mark: str) -> UnitRule:
    """Make the rule of ``==`` or ``!=``: two values of one kind. The result is a truth."""

    def rule(operands: Sequence[Operand]) -> Signature | Clash:
        found = comparable(operands)
        if isinstance(found, Clash) or found.args[0].kind not in {Kind.TEXT, Kind.TRUTH}:
            return found
        return replace(found, row=f"{mark} text")

    return rule


def comparable(operands: Sequence[Operand]) -> Signature | Clash:
    """Two values of one kind, numbers of one dimension."""
    kinds = [operand.type.kind for operand in operands]
    if kinds[1] is Kind.ANY:
        return Signature((operands[0].type, operands[0].type), TRUTH)
    if kinds[0] is Kind.ANY:
        return Signature((operands[1].type, operands[1].type), TRUTH)
    if kinds[0] is not kinds[1]:
        message = f"cannot compare {operands[0].type} with {operands[1].type}"
        return Clash(1, message, _compare_hint(operands))
    if kinds[0] is Kind.NUMBER:
        found = same_or_clash(operands, "compare")
        return found if isinstance(found, Clash) else Signature(found.args, TRUTH)
    return Signature(tuple(operand.type for operand in operands), TRUTH)


def ordered(operands: Sequence[Operand]) -> Signature | Clash:
    """Two numbers or two dates, which have an order."""
    for index, operand in enumerate(operands):
        if operand.type.kind in {Kind.TEXT, Kind.TRUTH}:
            return Clash(index, f"{operand.type} has no order", "compare with `==` or `!=`")
    return comparable(operands)


def _compare_hint(operands: Sequence[Operand]) -> str:
    kinds = {operand.type.kind for operand in operands}
    if kinds == {Kind.DATE, Kind.TEXT}:
        return "write the date as `date(2026, 1, 31)`"
    if kinds == {Kind.TEXT, Kind.NUMBER}:
        return "a text needs double quotes, a number does not"
    if Kind.TRUTH in kinds:
        return "true or false is compared with `true`, `false` or another condition"
    return "compare a date with `date(2026, 1, 31)`, or a part of it, as in `year(day)`"


def truths(operands: Sequence[Operand]) -> Signature | Clash:
    """Truths, and a truth comes out."""
    for index, operand in enumerate(operands):
        if operand.type.kind not in {Kind.TRUTH, Kind.ANY}:
            hint = "write a comparison, such as `x > 0`"
            return Clash(index, f"true or false is needed here, this is {operand.type}", hint)
    return Signature((TRUTH,) * len(operands), TRUTH)


def is_blank(operands: Sequence[Operand]) -> Signature | Clash:
    """Anything; a truth comes out."""
    return Signature((operands[0].type,), TRUTH)


def na(_: Sequence[Operand]) -> Signature | Clash:
    """No arguments; what comes out fits everywhere."""
    return Signature((), ANY)


def alike(operands: Sequence[Operand]) -> Signature | Clash:
    """Values of one kind, numbers of one dimension; the first gives the unit."""
    kinds = [o.type.kind for o in operands if o.type.kind is not Kind.ANY]
    if not kinds:
        return Signature(tuple(o.type for o in operands), ANY)
    for index, operand in enumerate(operands):
        if operand.type.kind not in {kinds[0], Kind.ANY}:
            first = next(o.type for o in operands if o.type.kind is not Kind.ANY)
            message = f"the results are of two kinds: {first} and {operand.type}"
            return Clash(index, message, "give values of one kind, or `na()` for none")
    if kinds[0] is Kind.NUMBER:
        return same_or_clash(operands, "choose between")
    tables = {o.type.table for o in operands if o.type.kind is not Kind.ANY}
    table = tables.pop() if len(tables) == 1 else ""
    kind = Type(kinds[0], PURE, table)
    return Signature((kind,) * len(operands), kind)


def branches(operands: Sequence[Operand]) -> Signature | Clash:
    """``if(condition, yes, no)`` and ``ifs(condition, value, …, otherwise)``."""
    if len(operands) % 2 == 0:
        last = len(operands) - 1
        return Clash(
            last, "a value for all other cases is missing", "add one at the end, or `na()`"
        )
    conditions = list(range(0, len(operands) - 1, 2))
    for index in conditions:
        clash = truths([operands[index]])
        if isinstance(clash, Clash):
            return replace(clash, index=index)
    return _mixed(operands, conditions, TRUTH)


def switched(operands: Sequence[Operand]) -> Signature | Clash:
    """``switch(x, key, value, …, otherwise)``: keys are of the kind of ``x``, values alike."""
    keys = list(range(1, len(operands) - 1, 2))
    for index in keys:
        found = comparable([operands[0], operands[index]])
        if isinstance(found, Clash):
            return replace(found, index=index)
    if len(operands) % 2:
        operands = [*operands, Operand(ANY)]
    return _mixed(operands, [0, *keys], operands[0].type)


def _mixed(operands: Sequence[Operand], fixed: list[int], kind: Type) -> Signature | Clash:
    values = [index for index in range(len(operands)) if index not in fixed]
    found = alike([operands[index] for index in values])
    if isinstance(found, Clash):
        return replace(found, index=values[found.index])
    args = [kind] * len(operands)
    for index, wanted in zip(values, found.args, strict=True):
        args[index] = wanted
    return Signature(tuple(args), found.result)


def joined(operands: Sequence[Operand]) -> Signature | Clash:
    """``join(separator, text, …)``."""
    for index, operand in enumerate(operands):
        if operand.type.kind not in {Kind.TEXT, Kind.ANY}:
            hint = f'write "{{{operand.text}}}"'
            return Clash(index, f"a text is needed here, this is {operand.type}", hint)
    return Signature(tuple(o.type for o in operands), TEXT)


def of_date(operands: Sequence[Operand]) -> Signature | Clash:
    """A day in, a pure number out."""
    if operands[0].type.kind not in {Kind.DATE, Kind.ANY}:
        hint = "write a cell that holds a date, or `date(2026, 1, 31)`"
        return Clash(0, f"a date is needed here, this is {operands[0].type}", hint)
    return Signature((DATE,), NUMBER)


def to_date(operands: Sequence[Operand]) -> Signature | Clash:
    """Year, month and day in, a day out; one written out must be a day of the calendar."""
    found = pure(operands)
    if isinstance(found, Clash):
        return found
    parts = [operand.constant for operand in operands]
    if not all(isinstance(part, float) for part in parts):
        return Signature(found.args, DATE, "date of numbers")
    numbers = [part for part in parts if isinstance(part, float)]
    try:
        make_date(*numbers)
    except (ValueError, OverflowError) as error:
        shown = ", ".join(operand.text for operand in operands)
        hint = "write year, month and day, as in `date(2026, 1, 31)`"
        return Clash(2, f"there is no day {shown}: {error}", hint)
    return Signature(found.args, DATE)


def to_text(operands: Sequence[Operand]) -> Signature | Clash:
    """A value of any kind in, a text out."""
    return Signature(tuple(o.type for o in operands), TEXT)


def rounded(operands: Sequence[Operand], row: str) -> Signature | Clash:
    """``round(x, digits)`` for a pure number, ``round(x, step)`` for a quantity."""
    clash = numbers_only(operands)
    if clash:
        return clash
    unit = operands[0].type.unit
    if not unit.dimension.powers:
        return pure(operands)
    if len(operands) == 1:
        hint = f"write `{row}({operands[0].text}, 1 [{unit}])`"
        return Clash(0, f"a quantity in {unit} is rounded to a step", hint)
    if operands[1].bare:
        digits = operands[1].constant
        step = f"{10.0**-digits:g}" if isinstance(digits, float) and abs(digits) <= 15 else "1"  # noqa: PLR2004 - digits of a double
        hint = f"write `{step} [{unit}]` for a step"
        return Clash(1, f"a quantity in {unit} is rounded to a step, not to digits", hint)
    found = same_or_clash(operands, "round")
    return (
        found if isinstance(found, Clash) else Signature(found.args, found.result, f"{row} to step")
    )


def rounding(row: str) -> UnitRule:
    """Make the rule of a rounding function; quantities go to its variant with a step."""
    return lambda operands: rounded(operands, row)


def stepped(operands: Sequence[Operand]) -> Signature | Clash:
    """``ceil(x, step)``; for a pure number the step may be left out and is 1."""
    if len(operands) == 1 and not operands[0].type.unit.is_pure:
        unit = operands[0].type.unit
        return Clash(
            0, f"say to which step of {unit}", f"write `1 [{unit}]` as the second argument"
        )
    found = same_or_clash(operands, "round")
    if isinstance(found, Clash) or operands[0].type.kind is Kind.ANY:
        return found
    return found
