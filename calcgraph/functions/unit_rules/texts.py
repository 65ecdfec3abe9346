"""Texts and days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import DATE, NUMBER, TEXT, Kind
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
        return Clash(0, f"a date is needed here, this is {operands[0].type}")
    return Signature((DATE,), NUMBER)


def to_date(operands: Sequence[Operand]) -> Signature | Clash:
    """Year, month and day in, a day out."""
    found = pure(operands)
    return found if isinstance(found, Clash) else Signature(found.args, DATE)


def shown(operands: Sequence[Operand]) -> Signature | Clash:
    """A value of any kind in, a text out."""
    return Signature(tuple(o.type for o in operands), TEXT)
