"""Read expected values in the units of their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.check.values import WRONG_KIND, read_any, read_as
from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.numbers import read_number
from calcgraph.core.type import Kind
from calcgraph.model import Cell, Figure

if TYPE_CHECKING:
    from calcgraph.core.type import Type
    from calcgraph.sheet.declarations import Expectation
    from calcgraph.sheet.yaml_tree import Scalar
    from calcgraph.units import UnitBook

BAD_TOLERANCE = Code(
    "CG507",
    "tolerance cannot be read",
    "`within` is a share such as 2%, or a quantity of the cell's dimension; it is not negative.",
)
EXACTLY = 1e-9


def read_figure(cell: Cell, decl: Expectation, book: UnitBook) -> Figure | Diagnostic:
    """Read an expected value; the tolerance defaults to a relative 1e-9."""
    expected = read_as(decl.value, cell.type, book)
    if isinstance(expected, Diagnostic):
        return expected
    if expected is None and not cell.may_be_na:
        message = f"`{cell.name}` always has a value"
        hint = "write the figure, or leave the expectation out"
        return Diagnostic(WRONG_KIND, message, Label(decl.value.span), hint)
    tolerance = _tolerance(cell.type, decl, expected, book)
    if isinstance(tolerance, Diagnostic):
        return tolerance
    shown = decl.value.text.text.strip()
    return Figure(cell.number, expected, tolerance, decl, shown, decl.value.span)


def _tolerance(
    type_: Type, decl: Expectation, expected: object, book: UnitBook
) -> float | Diagnostic:
    size = abs(expected) if isinstance(expected, float) else 0.0
    within = decl.within
    if within is None:
        return EXACTLY * size
    if type_.kind is not Kind.NUMBER:
        message = f"`within` needs a number, this is {type_}"
        return Diagnostic(BAD_TOLERANCE, message, Label(within.span), "leave `within` out")
    text = within.text.text.strip()
    share = read_number(text) if text.endswith("%") else None
    if share is not None:
        return share * size if share >= 0 else _negative(within)
    read = read_any(within, book)
    if not isinstance(read, Diagnostic) and read.type.unit.is_pure and not type_.unit.is_pure:
        if read.value == 0:
            return 0.0
        hint = f"write a share such as 1%, or a quantity in {type_.unit}"
        return Diagnostic(BAD_TOLERANCE, "`within` is a bare number", Label(within.span), hint)
    absolute = read_as(within, type_, book)
    if isinstance(absolute, Diagnostic):
        return absolute
    assert isinstance(absolute, float), "a number was read"
    return absolute if absolute >= 0 else _negative(within)


def _negative(node: Scalar) -> Diagnostic:
    hint = f"write {node.text.text.strip().lstrip('-')}"
    return Diagnostic(BAD_TOLERANCE, "a tolerance is not negative", Label(node.span), hint)
