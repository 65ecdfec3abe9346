"""What operators make of units: sums, products, powers and roots."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.core.dimension import Atom, Product, Unit, exact_root, unit_of
from calcgraph.core.type import ANY, DATE, NUMBER, Kind, Type
from calcgraph.functions.spec import Clash, Operand, Signature, UnitRule
from calcgraph.functions.unit_rules.likeness import describe, numbers_only, same, same_or_clash

if TYPE_CHECKING:
    from collections.abc import Sequence

DAY = Unit(((Atom("day", Product((("s", Fraction(1)),)), Fraction(86400)), Fraction(1)),))
DURATION = Type(Kind.NUMBER, DAY)


def added(operands: Sequence[Operand]) -> Signature | Clash:
    """Numbers of one dimension; a day and a duration give a day."""
    first, second = operands
    if first.type.kind is Kind.DATE and second.type.kind is Kind.NUMBER:
        return _moved(second, 1, (DATE, DURATION), "+ day")
    if first.type.kind is Kind.NUMBER and second.type.kind is Kind.DATE:
        return _moved(first, 0, (DURATION, DATE), "+ day")
    if Kind.TEXT in {first.type.kind, second.type.kind}:
        index = 0 if first.type.kind is Kind.TEXT else 1
        return Clash(index, "cannot add a text", 'join texts with "{a}{b}" or join("", a, b)')
    return same(operands)


def subtracted(operands: Sequence[Operand]) -> Signature | Clash:
    """Numbers of one dimension; two days give a duration, a day less a duration a day."""
    first, second = operands
    if first.type.kind is Kind.DATE and second.type.kind is Kind.DATE:
        return Signature((DATE, DATE), DURATION)
    if first.type.kind is Kind.DATE and second.type.kind is Kind.NUMBER:
        return _moved(second, 1, (DATE, DURATION), "- day")
    return same_or_clash(operands, "subtract")


def _moved(step: Operand, index: int, args: tuple[Type, Type], row: str) -> Signature | Clash:
    if step.type.unit.dimension != DAY.dimension:
        message = f"a day moves by a duration, this is {describe(step.type.unit)}"
        hint = f"write `{step.text} [day]`" if step.bare else "give a duration, as in `1 [day]`"
        return Clash(index, message, hint)
    return Signature(args, DATE, row)


def multiplied(operands: Sequence[Operand]) -> Signature | Clash:
    """Any numbers; units alike in dimension become the first of them and cancel."""
    return _combined(operands, 1)


def divided(operands: Sequence[Operand]) -> Signature | Clash:
    """Any numbers; units alike in dimension become the first of them and cancel."""
    return _combined(operands, -1)


def _never_applicable(operands: Sequence[Operand]) -> Signature | None:
    """What is computed with ``na()`` is not applicable either, and fits any unit."""
    kinds = tuple(operand.type for operand in operands)
    return Signature(kinds, ANY) if any(kind.kind is Kind.ANY for kind in kinds) else None


def _combined(operands: Sequence[Operand], sign: int) -> Signature | Clash:
    found = numbers_only(operands) or _never_applicable(operands)
    if found:
        return found
    left, right = operands[0].type.unit, operands[1].type.unit
    wanted_left, wanted_right, result = _product(left, right, sign)
    args = (Type(Kind.NUMBER, wanted_left), Type(Kind.NUMBER, wanted_right))
    return Signature(args, Type(Kind.NUMBER, result))


@lru_cache(maxsize=4096)
def _product(left: Unit, right: Unit, sign: int) -> tuple[Unit, Unit, Unit]:
    """Return the units to convert both operands to, and the unit of the result."""
    leaders: dict[Product, Atom] = {}
    first = _follow(left, leaders)
    second = _follow(right, leaders)
    pairs = [*first.atoms, *((atom, power * sign) for atom, power in second.atoms)]
    return first, second, unit_of(pairs)


def _follow(unit: Unit, leaders: dict[Product, Atom]) -> Unit:
    """Replace each atom by the first atom of its dimension."""
    pairs = [(leaders.setdefault(atom.dimension, atom), power) for atom, power in unit.atoms]
    changed = any(new is not old for (new, _), (old, _) in zip(pairs, unit.atoms, strict=True))
    return unit_of(pairs, percent=unit.percent) if changed else unit


def raised(operands: Sequence[Operand]) -> Signature | Clash:
    """A power: any of a pure number, a constant one of a quantity."""
    base, exponent = operands
    refused = numbers_only(operands) or _never_applicable(operands)
    if refused:
        return refused
    if exponent.type.unit.dimension.powers:
        unit = exponent.type.unit
        hint = f"divide it by `1 [{unit}]`"
        return Clash(1, f"an exponent is a pure number, this is {unit}", hint)
    if not base.type.unit.dimension.powers:
        return Signature((NUMBER, NUMBER), NUMBER)
    if not isinstance(exponent.constant, float):
        message = f"the exponent of a quantity in {base.type.unit} must be a constant"
        return Clash(1, message, "divide by the unit first, or write the number")
    power = Fraction(exponent.constant).limit_denominator(12)
    if float(power) != exponent.constant:
        message = f"{exponent.text} is no exponent for a quantity in {base.type.unit}"
        return Clash(1, message, "write a whole number, a half, a third …, or divide by the unit")
    found = _power(base.type.unit, power)
    return found if isinstance(found, Clash) else replace(found, args=(*found.args, NUMBER))


def root(degree: int) -> UnitRule:
    """The ``degree``-th root of a number and of its unit."""

    def rule(operands: Sequence[Operand]) -> Signature | Clash:
        found = numbers_only(operands) or _never_applicable(operands)
        return found or _power(operands[0].type.unit, Fraction(1, degree))

    return rule


def _power(unit: Unit, power: Fraction) -> Signature | Clash:
    """Raise a unit; where a root of its size is not exact, the base units are wanted instead."""
    wanted: list[tuple[Atom, Fraction]] = []
    for atom, own in unit.atoms:
        total = own * power
        if total.denominator == 1 or exact_root(atom.scale**total.numerator, total.denominator):
            wanted.append((atom, own))
        else:
            wanted.extend((_base(name), part * own) for name, part in atom.dimension.powers)
    arg = unit_of(wanted) if wanted != list(unit.atoms) else unit
    result = unit_of((atom, own * power) for atom, own in arg.atoms)
    if any(abs(own) > 12 for _, own in result.atoms):  # noqa: PLR2004 - as in unit texts
        hint = "divide by the unit first, and raise the pure number"
        return Clash(1, "unit exponent out of range (-12..12)", hint)
    return Signature((Type(Kind.NUMBER, arg),), Type(Kind.NUMBER, result))


def _base(dimension: str) -> Atom:
    """A dimension is named after its base unit."""
    return Atom(dimension, Product(((dimension, Fraction(1)),)), Fraction(1))
