"""Python kernels over the values of a series: aggregations, scans, fills."""

from __future__ import annotations

import math
from bisect import bisect_left
from decimal import ROUND_HALF_UP, Context
from math import prod
from typing import TYPE_CHECKING

from calcgraph.functions.kernels.scalar import at_most, finite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from calcgraph.core.shape import Shape
    from calcgraph.core.values import Dim, Scalar


DISORDER = "the thresholds do not ascend"


def applicable(series: Sequence[Scalar]) -> list[float]:
    """Pass over what is not applicable."""
    return [value for value in series if value is not None]  # type: ignore[misc]


def total(series: Sequence[Scalar]) -> float:
    """Add up, in order; the sum of nothing is 0."""
    return finite(added(applicable(series)))


def added(values: Iterable[float]) -> float:
    """Add one by one, as ``sum`` did before Python 3.12 and as numpy's ``cumsum`` does."""
    found = 0.0
    for value in values:
        found += value
    return found


def product(series: Sequence[Scalar]) -> float | None:
    """Multiply; the product of nothing is not applicable."""
    values = applicable(series)
    return finite(math.prod(values)) if values else None


def mean(series: Sequence[Scalar]) -> float | None:
    """Return the arithmetic mean; not applicable without values."""
    values = applicable(series)
    return finite(added(values)) / len(values) if values else None


def count(series: Sequence[Scalar]) -> float:
    """Count the true ones of truths, of anything else the applicable ones."""
    return float(sum(value is not None and value is not False for value in series))


def first(series: Sequence[Scalar]) -> Scalar:
    """Return the first applicable value; not applicable if there is none.

    As every aggregation it reads all values, so that it fails wherever one of them does.
    """
    return next(iter(applicable(series)), None)


def last(series: Sequence[Scalar]) -> Scalar:
    """Return the last applicable value; not applicable if there is none."""
    return first(series[::-1])


def least(series: Sequence[Scalar]) -> float | None:
    """Return the smallest value; not applicable without values."""
    return min(applicable(series), default=None)


def largest(series: Sequence[Scalar]) -> float | None:
    """Return the largest value; not applicable without values."""
    return max(applicable(series), default=None)


def least_of(*values: float | None) -> float | None:
    """Return the smallest of several values, ignoring those not applicable."""
    return least(values)


def largest_of(*values: float | None) -> float | None:
    """Return the largest of several values, ignoring those not applicable."""
    return largest(values)


def any_of(series: Sequence[Scalar]) -> bool | None:
    """Whether one is true; of nothing: not applicable."""
    values = applicable(series)
    return any(values) if values else None


def all_of(series: Sequence[Scalar]) -> bool | None:
    """Whether each is true; of nothing: not applicable."""
    values = applicable(series)
    return all(values) if values else None


def position_of_least(series: Sequence[Scalar], keys: Sequence[Scalar]) -> Scalar:
    """Return the key of the smallest value, the first of equals; not applicable if none."""
    values = applicable(series)
    return keys[series.index(min(values))] if values else None


def position_of_largest(series: Sequence[Scalar], keys: Sequence[Scalar]) -> Scalar:
    """Return the key of the largest value, the first of equals; not applicable if none."""
    values = applicable(series)
    return keys[series.index(max(values))] if values else None


def first_where(series: Sequence[Scalar], keys: Sequence[Scalar]) -> Scalar:
    """Return the key of the first true entry; not applicable if there is none."""
    return next(iter([key for value, key in zip(series, keys, strict=True) if value]), None)


def lookup(x: float | None, thresholds: Sequence[Scalar], values: Sequence[Scalar]) -> Scalar:
    """Return the value at the last threshold not above ``x``; not applicable below the first.

    A threshold that is not applicable is passed over; raises ``ValueError`` where the others do
    not ascend.
    """
    found: Scalar = None
    before = -math.inf
    for threshold, value in zip(thresholds, values, strict=True):
        if threshold is None:
            continue
        if threshold <= before:  # type: ignore[operator]
            raise ValueError(DISORDER)
        before = threshold  # type: ignore[assignment]
        if x is not None and at_most(before, x):
            found = value
    return found


def join(separator: str | None, series: Sequence[str | None]) -> str:
    """Join texts with a separator, leaving out what is not applicable."""
    return (separator or "").join(piece for piece in series if piece is not None)


RANKED = 12
"""The digits in which a rank tells numbers apart: less than what two engines may differ in."""
NOT_WHOLE = "a number of labels is whole"
NO_LABELS = "the last labels are at least one"
_SEEN = Context(prec=RANKED, rounding=ROUND_HALF_UP)


def cumsum(series: Sequence[float | None]) -> list[float | None]:
    """Add up from the first label; what is not applicable stays so, and is passed over.

    Sums beyond all numbers are infinite: who takes a line looks at each of its labels.
    """
    running, found = 0.0, list[float | None]()
    for value in series:
        if value is not None:
            running += value
        found.append(None if value is None else running)
    return found


def rolling_sum(
    series: Sequence[float | None], counts: Sequence[float | None]
) -> list[float | None]:
    """Add up the last ``n`` labels, this one included, or those that there are.

    What is not applicable is passed over; raises ``ValueError`` where ``n`` is not 1, 2, 3 …
    """
    return [rolling_sum_at(at, series, counts) for at in range(len(counts))]


def rolling_sum_at(
    at: int, series: Sequence[float | None], counts: Sequence[float | None]
) -> float | None:
    """Return the rolling sum at one position."""
    count = counts[at]
    if count is None:
        return None
    if whole(count) < 1:
        raise ValueError(NO_LABELS)
    return total(series[max(0, at + 1 - int(count)) : at + 1])


def lag(
    series: Sequence[Scalar], counts: Sequence[float | None], outside: Sequence[Scalar]
) -> list[Scalar]:
    """Return the value ``n`` labels before, or after if negative; ``outside`` beyond the ends."""
    return [lag_at(at, series, counts, outside) for at in range(len(counts))]


def lag_at(
    at: int, series: Sequence[Scalar], counts: Sequence[float | None], outside: Sequence[Scalar]
) -> Scalar:
    """Return the value of ``lag`` at one position."""
    count = counts[at]
    if count is None:
        return None
    source = at - whole(count)
    return series[source] if 0 <= source < len(series) else outside[at]


def rank(series: Sequence[float | None], *ties: Sequence[Scalar]) -> list[float | None]:
    """Rank from 1.0, smallest first; values equal at 12 digits by ascending ties, then order.

    A tie that is not applicable comes last; a value that is not has no rank, and takes none.
    """
    columns = [_ranked(column) for column in (series, *ties)]
    ranked = [at for at, value in enumerate(series) if value is not None]
    ranked.sort(key=lambda at: [column[at] for column in columns])
    found: list[float | None] = [None] * len(series)
    for place, at in enumerate(ranked, 1):
        found[at] = float(place)
    return found


def stock(
    opening: Sequence[float | None],
    inflow: Sequence[float | None],
    outflow: Sequence[float | None] = (),
) -> list[float | None]:
    """Return closing balances: the opening one at the first label, plus inflows, less outflows.

    A flow that is not applicable is none; with no opening balance there is no other. Balances
    beyond all numbers are infinite.
    """
    balance = opening[0] if opening else None
    if balance is None:
        return [None] * len(inflow)
    found: list[float | None] = []
    for at, came in enumerate(inflow):
        went = outflow[at] if outflow else None
        balance = balance + (came or 0.0) - (went or 0.0)
        found.append(balance)
    return found


def whole(count: float) -> int:
    """Convert to a number of labels; raises ``ValueError`` if it is not whole."""
    if count != int(count):
        raise ValueError(NOT_WHOLE)
    return int(count)


def seen(number: float) -> float:
    """Round to the 12 digits in which a rank sees a number, half away from zero."""
    return float(_SEEN.create_decimal(f"{number:.14e}"))


def _ranked(column: Sequence[Scalar]) -> list[tuple[bool, float | str]]:
    """Make values sortable: numbers at 12 digits, what is not applicable behind all."""
    return [
        (value is None, 0.0)
        if value is None
        else (False, value if isinstance(value, str) else seen(value))
        for value in column
    ]


AT_LABEL: dict[str, Callable[..., Scalar]] = {"lag": lag_at, "rolling_sum": rolling_sum_at}
"""Compute one label of a line, reading only the labels in its window."""


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
