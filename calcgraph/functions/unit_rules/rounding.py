"""Rounding to digits or to a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.functions.spec import Clash, Operand, Signature, UnitRule
from calcgraph.functions.unit_rules.likeness import numbers_only, pure, same_or_clash

if TYPE_CHECKING:
    from collections.abc import Sequence


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
