"""Read the range of an uncertain input: ``triangular(32%, 40%, 48%)``, in its unit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from calcgraph.check.values import read_as
from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.nearest import did_you_mean
from calcgraph.core.type import Kind
from calcgraph.model import Uncertain
from calcgraph.sheet.yaml_tree import Scalar

if TYPE_CHECKING:
    from calcgraph.core.type import Type
    from calcgraph.units import UnitBook

BAD_RANGE = Code(
    "CG509",
    "range of an uncertain input cannot be read",
    "`uncertain` is triangular(low, likely, high), uniform(low, high) or normal(mean, deviation), "
    "with numbers in the unit of the input; low is below high, a deviation above 0.",
)
SHAPES = {
    "triangular": ("low", "likely", "high"),
    "uniform": ("low", "high"),
    "normal": ("mean", "deviation"),
}
_CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)


def read_uncertain(node: Scalar, type_: Type, book: UnitBook) -> Uncertain | Diagnostic:
    """Read a range; numbers without a unit take the input's unit."""
    if type_.kind is not Kind.NUMBER:
        return _bad(node, f"`uncertain` needs a number, this is {type_}")
    hit = _CALL.fullmatch(node.text.text)
    usage = " or ".join(f"{name}({', '.join(parts)})" for name, parts in SHAPES.items())
    if hit is None:
        return _bad(node, "this is not a range", f"write {usage}")
    shape = hit.group(1)
    if shape not in SHAPES:
        return _bad(
            node, f"there is no shape `{shape}`", did_you_mean(shape, SHAPES, f"write {usage}")
        )
    numbers = _numbers(node, hit, type_, book)
    if isinstance(numbers, Diagnostic):
        return numbers
    parts = SHAPES[shape]
    if len(numbers) != len(parts):
        message = f"`{shape}` takes {len(parts)} numbers, got {len(numbers)}"
        return _bad(node, message, f"write {shape}({', '.join(parts)})")
    if shape == "normal":
        sound = numbers[1] > 0
    else:
        sound = numbers[0] < numbers[-1] and sorted(numbers) == list(numbers)
    if not sound:
        rule = (
            "a deviation is above 0" if shape == "normal" else "the numbers go up, from low to high"
        )
        return _bad(node, f"`{node.text.text.strip()}` is not a range", rule)
    return Uncertain(shape, numbers)


def _numbers(
    node: Scalar, hit: re.Match[str], type_: Type, book: UnitBook
) -> tuple[float, ...] | Diagnostic:
    found: list[float] = []
    start = hit.start(2)
    for text in hit.group(2).split(","):
        lead = len(text) - len(text.lstrip())
        piece = node.text.part(start + lead, start + len(text.rstrip()))
        start += len(text) + 1
        value = read_as(Scalar(piece, piece.whole), type_, book)
        if isinstance(value, Diagnostic):
            return value
        if not isinstance(value, float):
            return _bad(node, "a range is made of numbers")
        found.append(value)
    return tuple(found)


def _bad(node: Scalar, message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(BAD_RANGE, message, Label(node.span), hint)
