"""Aggregations over the last axis of arrays, which skip values that are not applicable.

They add and multiply one by one, as ``aggregates`` does, so that both give the same bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from calcgraph.functions.aggregates import DISORDER
from calcgraph.functions.arrays.applicable import (
    Numbers,
    Truths,
    Values,
    blanked,
    is_na,
    strict,
    truths,
    values,
)
from calcgraph.functions.arrays.comparing import same

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

BELOW_ALL = np.finfo(np.float64).min
"""A threshold below all others: where the first ones are not applicable."""


def total(series: Numbers) -> Numbers:
    """Add up; the sum of nothing is 0."""
    with strict():
        return _added(np.where(np.isnan(series), 0.0, series)) + 0.0


def _added(array: Numbers) -> Numbers:
    """Add along the last axis, in the order of memory."""
    if array.ndim < 2 or array.strides[-1] <= array.strides[0]:  # noqa: PLR2004 - a line
        return np.asarray(np.cumsum(array, axis=-1)[..., -1])
    lines = np.moveaxis(array, -1, 0)
    found: Numbers = lines[0].copy()
    for line in lines[1:]:
        found += line
    return found


def product(series: Numbers) -> Numbers:
    """Multiply; the product of nothing is not applicable."""
    missing = np.isnan(series)
    with strict():
        found = np.cumprod(np.where(missing, 1.0, series), axis=-1)[..., -1]
    return np.where(missing.all(axis=-1), np.nan, found)


def mean(series: Numbers) -> Numbers:
    """Return the arithmetic mean; that of nothing is not applicable."""
    counted = count(series)
    found = total(series) / np.maximum(counted, 1.0)
    return np.where(counted == 0, np.nan, found)


def count(series: ArrayLike) -> Numbers:
    """Count the applicable ones."""
    return np.asarray(np.count_nonzero(~is_na(series), axis=-1), np.float64)


def count_true(series: ArrayLike) -> Numbers:
    """Count the true ones."""
    return np.asarray(np.count_nonzero(truths(series), axis=-1), np.float64)


def first(series: ArrayLike) -> Values:
    """Return the first applicable value; that of nothing is not applicable."""
    array = values(series)
    known = ~is_na(array)
    return _taken(array, known.argmax(axis=-1), known)


def last(series: ArrayLike) -> Values:
    """Return the last applicable value; that of nothing is not applicable."""
    return first(values(series)[..., ::-1])


def any_of(series: ArrayLike) -> Values:
    """Whether one is true; of nothing: not applicable."""
    return _of_truths(series, truths(series).any(axis=-1))


def all_of(series: ArrayLike) -> Values:
    """Whether each is true; of nothing: not applicable."""
    return _of_truths(series, (truths(series) | is_na(series)).all(axis=-1))


def position_of_least(series: Numbers, keys: ArrayLike) -> Values:
    """Return the key of the smallest, the first of equals; that of nothing is not applicable."""
    missing = np.isnan(series)
    return _keys(keys, np.where(missing, np.inf, series).argmin(axis=-1), ~missing)


def position_of_largest(series: Numbers, keys: ArrayLike) -> Values:
    """Return the key of the largest, the first of equals; that of nothing is not applicable."""
    missing = np.isnan(series)
    return _keys(keys, np.where(missing, -np.inf, series).argmax(axis=-1), ~missing)


def first_where(series: ArrayLike, keys: ArrayLike) -> Values:
    """Return the key of the first that is true; not applicable if none is."""
    holds = truths(series)
    return _keys(keys, holds.argmax(axis=-1), holds)


def lookup(x: Numbers, thresholds: Numbers, series: ArrayLike) -> Values:
    """Return the value at the last threshold not above ``x``; below the first, not applicable.

    The last two go along their last axis, which ``x`` lacks. Raises ``ValueError`` where thresholds
    do not ascend.
    """
    steps, results = np.asarray(thresholds), values(series)
    size = steps.shape[-1]
    known = ~np.isnan(steps)
    filled = np.maximum.accumulate(np.where(known, steps, BELOW_ALL), axis=-1)
    if np.any(known[..., 1:] & (filled[..., 1:] <= filled[..., :-1])):
        raise ValueError(DISORDER)
    shape = np.broadcast_shapes(np.shape(x), steps.shape[:-1], results.shape[:-1])
    if not size:
        return blanked(np.zeros(shape, results.dtype), np.ones(shape, np.bool_))
    at = _last_not_above(np.broadcast_to(x, shape), filled)
    at = np.where(at < 0, -1, _along_line(_last_known(known), np.maximum(at, 0)))
    return blanked(_along_line(results, np.maximum(at, 0)), (at < 0) | np.isnan(x))


def _last_known(known: Truths) -> Values:
    """Return the index of the last known value up to each place of a line; -1 before the first."""
    indices = np.where(known, np.arange(known.shape[-1]), -1)
    return np.asarray(np.maximum.accumulate(indices, axis=-1))


def _along_line(lines: Values, at: Values) -> Values:
    """Take one value from each line, by its index along the last axis."""
    if lines.ndim == 1:
        return np.asarray(lines[at])
    lines = np.broadcast_to(lines, (*at.shape, lines.shape[-1]))
    return np.take_along_axis(lines, at[..., None], axis=-1)[..., 0]


def _last_not_above(x: Numbers, steps: Numbers) -> Values:
    """Find the last of ascending thresholds that 15 digits do not show above; -1 for none."""
    at = _last_at_most(x, steps)
    last = steps.shape[-1] - 1
    while True:
        further = (at < last) & same(_along_line(steps, np.minimum(at + 1, last)), x)
        if not further.any():
            return at
        at = at + further


def _last_at_most(x: Numbers, steps: Numbers) -> Values:
    """Find the last of ascending numbers that is not above ``x``, in all lines at once."""
    if steps.ndim == 1:
        return np.asarray(np.searchsorted(steps, x, side="right") - 1)
    size = steps.shape[-1]
    at = np.full(x.shape, -1)
    for bit in reversed(range(size.bit_length())):
        ahead = at + (1 << bit)
        reached = _along_line(steps, np.minimum(ahead, size - 1)) <= x
        at = np.where((ahead < size) & reached, ahead, at)
    return at


def _taken(array: Values, at: Values, known: Truths) -> Values:
    taken = np.take_along_axis(array, at[..., None], axis=-1)[..., 0]
    return taken if known.all() else blanked(taken, ~known.any(axis=-1))


def _of_truths(series: ArrayLike, found: ArrayLike) -> Values:
    """Return truths; if those they come from may be na, so may they."""
    is_sure = values(series).dtype == np.bool_
    result = values(found)
    return result if is_sure else blanked(result, is_na(series).all(axis=-1))


def _keys(keys: ArrayLike, at: Values, known: Truths) -> Values:
    found = np.take(values(keys), at)  # of one line a single key, which numpy gives bare
    return blanked(np.asarray(found, values(keys).dtype), ~known.any(axis=-1))
