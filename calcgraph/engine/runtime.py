"""Functions that generated scalar code calls, besides those of the function table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.functions.kernels.scalar import KeyNotFound, finite, same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Dim, Scalar


def position(dim: Dim, key: Scalar) -> int:
    """Find the index of a label by its key; raise ``KeyNotFound`` if the dim lacks it."""
    found = dim.positions.get(key)
    if found is None and isinstance(key, float):
        near = float(round(key))
        if same(key, near):  # what was computed is seen at 15 digits
            found = dim.positions.get(near)
    if found is None:
        raise KeyNotFound(key, dim)
    return found


def check_finite(values: Sequence[Scalar]) -> None:
    """Raise ``Unfinished`` if a number, or the sum of all, is not finite."""
    try:
        total = sum(values)  # type: ignore[arg-type]
    except TypeError:
        total = sum(value for value in values if value is not None)  # type: ignore[misc]
    finite(total)
