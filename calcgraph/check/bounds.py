"""Bounds of inputs: test a value, and describe the allowed values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.check.values import NOT_A_NUMBER, read_as
from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.functions.scalar import less

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from calcgraph.core.dim import Dim
    from calcgraph.core.type import Type
    from calcgraph.core.value import Scalar as ScalarValue
    from calcgraph.model import Bounds
    from calcgraph.sheet.yaml_tree import Scalar
    from calcgraph.units import UnitBook

OUT_OF_BOUNDS = Code(
    "CG504",
    "value is out of its bounds",
    "`min` and `max` say which values of an input make sense; a value outside is refused, in the "
    "sheet and after --set.",
)


def bare_percentage(node: Scalar, value: ScalarValue, type_: Type) -> Diagnostic | None:
    """Report a bare 40 where 40%, a hundredth of it, was probably meant."""
    text = node.text.text.strip()
    if not type_.unit.percent or not type_.unit.is_pure or not isinstance(value, float):
        return None
    if abs(value) <= 1 or "%" in text:
        return None
    message = f"`{text}` without `%` would be {value * 100:,.15g}%"
    hint = f"write `{text}%`, or `{value * 100:.15g}%` if that is meant"
    return Diagnostic(NOT_A_NUMBER, message, Label(node.span), hint)


def read_entry(
    node: Scalar, type_: Type, book: UnitBook, keys: Collection[str]
) -> ScalarValue | Diagnostic:
    """Read an entry of a table."""
    value = read_as(node, type_, book, keys)
    if isinstance(value, Diagnostic):
        return value
    return bare_percentage(node, value, type_) or value


def bound_violation(value: ScalarValue, type_: Type, bounds: Bounds) -> str:
    """Describe which bound a value violates; empty if none."""
    if value is None:
        return ""
    if bounds.choices and value not in bounds.choices:
        return "not one of its choices"
    if not isinstance(value, float):
        return ""
    if bounds.least is not None and less(value, bounds.least):
        return f"below its min of {_shown(bounds.least, type_)}"
    if bounds.most is not None and less(bounds.most, value):
        return f"above its max of {_shown(bounds.most, type_)}"
    return ""


def allowed_text(type_: Type, bounds: Bounds, dims: Mapping[str, Dim]) -> str:
    """Describe the values that an input allows; keys of a dim as their labels."""
    if type_.table in dims and bounds.choices:
        labels = dims[type_.table].labels
        if dims[type_.table].kind in {"time", "count"}:
            return f"choose one from {labels[0]} to {labels[-1]}"
        return f"choose one of {', '.join(labels[:12])}"
    if bounds.choices:
        shown = [_shown(c, type_) if isinstance(c, float) else str(c) for c in bounds.choices[:12]]
        return f"choose one of {', '.join(shown)}"
    least = "" if bounds.least is None else _shown(bounds.least, type_)
    most = "" if bounds.most is None else _shown(bounds.most, type_)
    if least and most:
        return f"give a value from {least} to {most}"
    return f"give {least} or more" if least else f"give {most} or less"


def _shown(value: float, type_: Type) -> str:
    if type_.unit.percent:
        return f"{value * 100:.15g}%"
    return f"{value:.15g}" if type_.unit.is_pure else f"{value:.15g} {type_.unit}"
