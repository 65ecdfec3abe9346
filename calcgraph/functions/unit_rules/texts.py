"""Texts and days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import DATE, NUMBER, TEXT, Kind
from calcgraph.functions.scalar import make_date
from calcgraph.functions.spec import Clash, Operand, Signature
from calcgraph.functions.unit_rules.likeness import pure

if TYPE_CHECKING:
    from collections.abc import Sequence


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
