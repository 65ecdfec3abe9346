"""Unit rules of arithmetic, and of arguments that must be alike."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.core.units import Atom, Product, Unit, exact_root, unit_of
from calcgraph.core.values import ANY, DATE, NUMBER, Kind, Type
from calcgraph.functions.spec import Clash, Operand, Signature, UnitRule

if TYPE_CHECKING:
    from collections.abc import Sequence


def describe(unit: Unit) -> str:
    """Name what a unit measures, for a message."""
    return "a pure number" if unit.is_pure else str(unit)


def not_number(index: int, operand: Operand) -> Clash:
    """Clash: a number is needed."""
    if operand.type.kind is Kind.TRUTH:
        hint = "write `if(condition, 1, 0)` to count what is true"
        return Clash(index, "this is true or false, which is not a number", hint)
    hint = "use a cell that holds a number"
    return Clash(index, f"a number is needed here, this is {operand.type}", hint)


def numbers_only(operands: Sequence[Operand]) -> Clash | None:
    """Find the first argument that is no number."""
    for index, operand in enumerate(operands):
        if operand.type.kind not in {Kind.NUMBER, Kind.ANY}:
            return not_number(index, operand)
    return None


def pure(operands: Sequence[Operand]) -> Signature | Clash:
    """All arguments are pure numbers; so is the result."""
    clash = numbers_only(operands)
    if clash:
        return clash
    for index, operand in enumerate(operands):
        if operand.type.unit.dimension.powers:
            unit = operand.type.unit
            hint = f"divide by `1 [{unit}]` first"
            return Clash(index, f"a pure number is needed here, this is {unit}", hint)
    return Signature((NUMBER,) * len(operands), NUMBER)


def same(operands: Sequence[Operand]) -> Signature | Clash:
    """All arguments measure the same thing; so does the result, in the first one's unit."""
    return same_or_clash(operands, "add")


def same_or_clash(operands: Sequence[Operand], verb: str) -> Signature | Clash:
    """All numbers of one dimension, in the first one's unit; ``verb`` is for the words if not."""
    clash = numbers_only(operands)
    if clash:
        return clash
    leader = next((o for o in operands if o.type.kind is Kind.NUMBER and not o.fits_all), None)
    if all(operand.type.kind is Kind.ANY for operand in operands):
        return Signature((ANY,) * len(operands), ANY)
    if leader is None:
        return Signature((NUMBER,) * len(operands), NUMBER)
    unit = leader.type.unit
    for index, operand in enumerate(operands):
        if operand.fits_all or operand.type.kind is Kind.ANY:
            continue
        if operand.type.unit.dimension != unit.dimension:
            return _unlike(index, leader, operand, verb)
    wanted = Type(Kind.NUMBER, unit)
    return Signature((wanted,) * len(operands), wanted)


def _unlike(index: int, first: Operand, second: Operand, verb: str) -> Clash:
    is_first = first.bare or first.percent or first.type.unit.percent
    quantity, other = (second, first) if is_first else (first, second)
    unit = quantity.type.unit
    if (other.percent or other.type.unit.percent) and not unit.is_pure:
        sign = {"add": "+", "subtract": "-"}.get(verb)
        hint = f"write `{quantity.text} * (1 {sign} {other.text})`"
        if sign is None or is_first:
            hint = f"write a share of a quantity: `{other.text} * …`"
        pair = ("a percentage", str(unit)) if is_first else (str(unit), "a percentage")
        meant = f": that much {'more' if sign == '+' else 'less'} is x * (1 {sign} {other.text})"
        return Clash(index, _pair(verb, *pair) + (meant if sign and not is_first else ""), hint)
    if other.bare and not unit.is_pure:
        pair = (other.text, _measured(unit)) if is_first else (_measured(unit), other.text)
        facts = f"`{quantity.text}` is in {unit}, `{other.text}` is a bare number"
        return Clash(index, f"{_pair(verb, *pair)}: {facts}", f"write `{other.text} [{unit}]`")
    message = _pair(verb, describe(first.type.unit), describe(second.type.unit))
    return Clash(index, message, _unlike_hint(first.type.unit, second.type.unit))


def _pair(verb: str, first: str, second: str) -> str:
    if verb == "subtract":
        return f"cannot subtract {second} from {first}"
    link = {"compare": "with", "round": "to"}.get(verb, "and")
    return f"cannot {verb} {first} {link} {second}"


def _measured(unit: Unit) -> str:
    """Name a quantity by its dimension, as byte for GB, where that is one thing but time."""
    powers = unit.dimension.powers
    return (
        powers[0][0]
        if len(powers) == 1 and powers[0][1] == 1 and powers[0][0] != "s"
        else str(unit)
    )


def _unlike_hint(first: Unit, second: Unit) -> str:
    names = {atom.name for atom, _ in (*first.atoms, *second.atoms)}
    if {"year", "month"} & names:
        return _calendar_hint(names)
    money = [_currency(first), _currency(second)]
    if money[0] and money[1] and money[0] != money[1]:
        return f"multiply by an exchange rate, a cell in {money[0]}/{money[1]}"
    ratio = unit_of((*first.atoms, *((atom, -power) for atom, power in second.atoms)))
    return f"multiply the second by something in {ratio}, if that is meant"


def _calendar_hint(names: set[str]) -> str:
    name = "year" if "year" in names else "month"
    text = {"year": "365 day", "month": "year/12"}[name]
    return f"a {name} has no fixed length unless the sheet says `conventions: {{{name}: {text}}}`"


def _currency(unit: Unit) -> str:
    for name, _ in unit.dimension.powers:
        if len(name) == 3 and name.isupper():  # noqa: PLR2004 - ISO codes
            return name
    return ""


def same_unit(operands: Sequence[Operand]) -> Signature | Clash:
    """One number; the result has its unit."""
    clash = numbers_only(operands)
    if clash:
        return clash
    return Signature((operands[0].type,), replace(operands[0].type, dims=()))


def dimensionless_result(operands: Sequence[Operand]) -> Signature | Clash:
    """One number of any unit; the result is pure."""
    clash = numbers_only(operands)
    return clash or Signature((operands[0].type,), NUMBER)


def constant(_: Sequence[Operand]) -> Signature | Clash:
    """No arguments; a pure number comes out."""
    return Signature((), NUMBER)


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
