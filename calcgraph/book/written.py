"""What Python hands over as a value, as the text that would stand after ``--set``."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from calcgraph.core.source import Slice, Source
from calcgraph.sheet.yaml_tree import Scalar
from calcgraph.units import to_pint

if TYPE_CHECKING:
    from calcgraph.model import Model


def setting_text(model: Model, name: str, value: object) -> str:
    """Write a value as a user would; a pint quantity is put into the unit of its input.

    Raises ``pint.DimensionalityError`` for a quantity of another dimension.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "magnitude") and hasattr(value, "to"):
        return _quantity_text(model, name, value)
    return str(value)


def _quantity_text(model: Model, name: str, value: Any) -> str:  # noqa: ANN401 - a pint.Quantity
    cell = model.cell(name)
    if cell is None:
        return f"{value.magnitude!r}"
    factor, unit = to_pint(cell.type.unit)
    return repr(float(value.to(unit).magnitude) / factor)


def address_and_value(name: str, text: str) -> tuple[Scalar, Scalar]:
    """Put ``name=value`` into a source of its own, so that findings can point into it."""
    source = Source("--set", f"{name}={text}")
    address = Slice(source, name, 0)
    style = '"' if len(text) > 1 and text[0] == text[-1] == '"' else ""
    start = len(name) + 1 + len(style)
    value = Slice(source, text[1:-1] if style else text, start)
    return Scalar(address, address.whole), Scalar(value, value.whole, style)
