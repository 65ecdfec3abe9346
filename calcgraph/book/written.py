"""What Python hands over as a value, as the text that would stand after ``--set``."""

from __future__ import annotations

from datetime import datetime, time
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any

from calcgraph.check.settings import Found
from calcgraph.core.dimension import PER_CENT
from calcgraph.core.source import Slice, Source
from calcgraph.sheet.yaml_tree import Scalar
from calcgraph.units import to_pint

if TYPE_CHECKING:
    from calcgraph.check.settings import Settings


def setting_text(settings: Settings, name: str, value: Any) -> str:  # noqa: ANN401 - whatever Python has
    """Write a value as a user would; a pint quantity is put into the unit of its input."""
    if hasattr(value, "magnitude") and hasattr(value, "to"):
        return _quantity_text(settings, name, value)
    if hasattr(value, "item"):
        value = value.item()  # numpy's numbers and truths
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime) and value == datetime.combine(value, time(), value.tzinfo):
        return value.date().isoformat()
    return _number_text(settings, name, value) if isinstance(value, float | int) else str(value)


def _number_text(settings: Settings, name: str, value: float) -> str:
    """Write a number: 1.5 as 150% where it is shown so, since a text's 1.5 is hardly meant."""
    found = settings.find(address_and_value(name, "")[0])
    is_share = isinstance(found, Found) and found.cell.type.unit == PER_CENT
    if is_share and isfinite(value):
        return f"{Decimal(repr(value)).scaleb(2):f}%"
    return repr(value)


def _quantity_text(settings: Settings, name: str, value: Any) -> str:  # noqa: ANN401 - a pint.Quantity
    found = settings.find(address_and_value(name, "")[0])
    if isinstance(found, Found):
        factor, unit = to_pint(found.cell.type.unit)
        try:
            return _number_text(settings, name, float(value.to(unit).magnitude) / factor)
        except TypeError:  # pint's word for another dimension: refused as any other text
            pass
    return f"{value.magnitude} {value.units}".strip()


def address_and_value(name: str, text: str) -> tuple[Scalar, Scalar]:
    """Put ``name=value`` into a source of its own, so that findings can point into it."""
    source = Source("--set", f"{name}={text}")
    address = Slice(source, name, 0)
    style = '"' if len(text) > 1 and text[0] == text[-1] == '"' else ""
    start = len(name) + 1 + len(style)
    value = Slice(source, text[1:-1] if style else text, start)
    return Scalar(address, address.whole), Scalar(value, value.whole, style)
