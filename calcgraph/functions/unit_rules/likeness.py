"""Unit rules for arguments of one dimension, and messages where they differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.dimension import Unit, unit_of
from calcgraph.core.type import ANY, NUMBER, Kind, Type
from calcgraph.functions.spec import Clash, Operand, Signature

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
