"""What generated code calls besides the functions of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.functions.scalar import NoEntry, finite, same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.dim import Dim
    from calcgraph.core.value import Scalar


def position(dim: Dim, key: Scalar) -> int:
    """Find the place of a label by its key; raises ``NoEntry`` where the dim lacks it."""
    found = dim.positions.get(key)
    if found is None and isinstance(key, float):
        near = float(round(key))
        if same(key, near):  # what was computed is seen at 15 digits
            found = dim.positions.get(near)
    if found is None:
        raise NoEntry(key, dim)
    return found


def check_finite(values: Sequence[Scalar]) -> None:
    """Stop if there is a number that is not finite, or if together they grow beyond all."""
    try:
        total = sum(values)  # type: ignore[arg-type]
    except TypeError:
        total = sum(value for value in values if value is not None)  # type: ignore[misc]
    finite(total)
