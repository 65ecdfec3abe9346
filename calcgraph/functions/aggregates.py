"""What generated code calls for a series: aggregations that pass over what is not applicable."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from calcgraph.functions.scalar import at_most, finite

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.core.value import Scalar

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
    """Put texts together with a separator; what is not applicable is left out."""
    return (separator or "").join(piece for piece in series if piece is not None)
