"""Gaps of a series input, filled along one axis by the rule that its author chose."""

from __future__ import annotations

from bisect import bisect_left
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.dim import Dim
    from calcgraph.core.shape import Shape
    from calcgraph.core.value import Scalar


def fill_gaps(data: Sequence[Scalar], shape: Shape, rule: str) -> list[Scalar]:
    """Fill the gaps of values along dims by a rule, along the axis that ``fill_axis`` names."""
    axis = fill_axis(shape.dims)
    return fill_series(data, shape.sizes, axis, rule, _positions(shape.dims[axis]))


def fill_axis(dims: Sequence[Dim]) -> int:
    """Return the axis along which gaps are filled: the only time axis, else the last dim."""
    times = [axis for axis, dim in enumerate(dims) if dim.kind == "time"]
    return times[0] if len(times) == 1 else len(dims) - 1


def _positions(dim: Dim) -> list[float]:
    """Return where the labels of a dim lie: the first days of periods, else 0, 1, 2 ..."""
    if dim.kind == "time":
        return [key for key in dim.keys if isinstance(key, float)]
    return [float(index) for index in range(dim.size)]


def fill_series(
    data: Sequence[Scalar], sizes: Sequence[int], axis: int, rule: str, days: Sequence[float]
) -> list[Scalar]:
    """Fill what is none in a flat series of the given sizes, along the axis of that number.

    ``zero`` puts 0; ``previous`` the last one given before, of which the first labels may have
    none; ``linear`` goes by ``days``, where each label of the axis lies, and beyond the given
    ones takes the nearest. Any other rule leaves gaps as they are.
    """
    if rule == "zero":
        return [0.0 if value is None else value for value in data]
    found = list(data)
    if rule not in {"previous", "linear"}:
        return found
    step, size = prod(sizes[axis + 1 :]), sizes[axis]
    for block in range(0, len(found), step * size):
        for first in range(block, block + step):
            line = slice(first, first + step * size, step)
            values = found[line]
            found[line] = _previous(values) if rule == "previous" else _linear(values, days)
    return found


def _previous(values: Sequence[Scalar]) -> list[Scalar]:
    """Repeat what was given last."""
    found: list[Scalar] = []
    last: Scalar = None
    for value in values:
        last = last if value is None else value
        found.append(last)
    return found


def _linear(values: Sequence[Scalar], days: Sequence[float]) -> list[Scalar]:
    """Draw straight lines between the given values."""
    known = [(at, float(value)) for at, value in enumerate(values) if value is not None]
    if not known:
        return list(values)
    places = [at for at, _ in known]
    found: list[Scalar] = list(values)
    for at, value in enumerate(values):
        if value is not None:
            continue
        after = bisect_left(places, at)
        if after in {0, len(known)}:
            found[at] = known[min(after, len(known) - 1)][1]
            continue
        (left, low), (right, high) = known[after - 1 : after + 1]
        share = (days[at] - days[left]) / (days[right] - days[left])
        found[at] = low + (high - low) * share
    return found
