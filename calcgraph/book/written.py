"""Python values to values of an input, and ``NAME=VALUE`` to a source that findings point into."""

from __future__ import annotations

from datetime import date, datetime, time
from math import isfinite
from typing import TYPE_CHECKING, Any

from calcgraph.core.source import Slice, Source
from calcgraph.core.type import Kind
from calcgraph.functions.scalar import from_date
from calcgraph.sheet.yaml_tree import Scalar
from calcgraph.units import to_pint

if TYPE_CHECKING:
    from calcgraph.core.type import Type
    from calcgraph.core.value import Scalar as ScalarValue


class NotNative(Exception):
    """A Python value that is not of the kind its input takes."""


def plain_python(value: Any) -> Any:  # noqa: ANN401 - whatever Python has
    """Return numpy's numbers and truths as Python's, and a ``datetime`` at midnight as its day."""
    if hasattr(value, "magnitude"):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, datetime) and value == datetime.combine(value, time(), value.tzinfo):
        return value.date()
    return value


def native_value(value: Any, type_: Type) -> ScalarValue:  # noqa: ANN401 - whatever Python has
    """Return ``value`` as the engine stores it, a pint quantity converted to the input's unit.

    Raises ``NotNative`` for a value of another kind or dimension, and for texts.
    """
    if value is None:
        return None
    if isinstance(value, bool):
        if type_.kind is Kind.TRUTH:
            return value
    elif type_.kind in {Kind.NUMBER, Kind.ANY}:
        return _number(value, type_)
    elif type_.kind is Kind.DATE and isinstance(value, date) and not isinstance(value, datetime):
        try:
            return from_date(value)
        except ValueError:  # earlier than the first day a sheet can hold
            raise NotNative from None
    raise NotNative


def _number(value: Any, type_: Type) -> float:  # noqa: ANN401 - whatever Python has
    """Return a number, or a pint quantity, in the unit of the input."""
    factor = 1.0
    try:
        if hasattr(value, "magnitude") and hasattr(value, "to"):
            factor, unit = to_pint(type_.unit)
            value = float(value.to(unit).magnitude)
        if isinstance(value, float | int):
            number = float(value) / factor
            if isfinite(number):
                return number
    except (TypeError, OverflowError):  # pint's word for another dimension; too large an int
        pass
    raise NotNative


def text_of(value: Any) -> str:  # noqa: ANN401 - whatever Python has
    """Write a Python value as a user would after ``--set``, for findings to quote."""
    if hasattr(value, "magnitude") and hasattr(value, "units"):
        return f"{value.magnitude} {value.units}".strip()
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float | int) else str(value)


def address_and_value(name: str, text: str) -> tuple[Scalar, Scalar]:
    """Put ``name=value`` into a source of its own, so that findings can point into it."""
    source = Source("--set", f"{name}={text}")
    address = Slice(source, name, 0)
    style = '"' if len(text) > 1 and text[0] == text[-1] == '"' else ""
    start = len(name) + 1 + len(style)
    value = Slice(source, text[1:-1] if style else text, start)
    return Scalar(address, address.whole), Scalar(value, value.whole, style)
