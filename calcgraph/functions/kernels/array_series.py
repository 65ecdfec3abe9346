"""Numpy kernels that aggregate or scan along the last axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from calcgraph.functions.kernels import cashflows
from calcgraph.functions.kernels.array_scalar import (
    Numbers,
    Truths,
    Values,
    blanked,
    is_na,
    same,
    strict,
    texts,
    truths,
    values,
)
from calcgraph.functions.kernels.series import DISORDER, NO_LABELS, NOT_WHOLE, seen

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


NEAR = 2e-11
"""Numbers with a larger relative difference differ in 12 digits too."""


def cumsum(series: Numbers) -> Numbers:
    """Return running totals; a value that is not applicable stays so and adds nothing."""
    missing = np.isnan(series)
    with strict():
        found = np.cumsum(np.where(missing, 0.0, series), axis=-1)
    return np.where(missing, np.nan, found)


def rolling_sum(series: Numbers, counts: Numbers) -> Numbers:
    """Return sums of the last ``n`` labels, this one included, or of as many as there are.

    What is not applicable is passed over; raises ``ValueError`` where ``n`` is not 1, 2, 3 …
    """
    series, counts = np.broadcast_arrays(series, counts)
    missing, windows = _whole(counts)
    if np.any((windows < 1) & ~missing):
        raise ValueError(NO_LABELS)
    size = series.shape[-1]
    filled = np.where(np.isnan(series), 0.0, series)
    found: Numbers = np.zeros(series.shape)
    with strict():
        # From the oldest label on, as one label's sum is added.
        for back in range(min(int(windows.max(initial=1)), size) - 1, -1, -1):
            here = windows[..., back:] > back
            found[..., back:] += np.where(here, filled[..., : size - back], 0.0)
    return np.where(missing, np.nan, found)


def lag(series: ArrayLike, counts: Numbers, outside: ArrayLike) -> Values:
    """Return the value ``n`` labels before, or after if negative; ``outside`` beyond the ends."""
    around, other = values(series), values(outside)
    if object in {around.dtype, other.dtype}:
        around, other = texts(around), texts(other)
    around, back, other = np.broadcast_arrays(around, counts, other)
    missing, labels = _whole(back)
    size = around.shape[-1]
    at = np.arange(size) - labels
    is_there = (at >= 0) & (at < size)
    taken = np.take_along_axis(around, np.where(is_there, at, 0), axis=-1)
    found = np.where(is_there, taken, other)
    return blanked(found, missing) if missing.any() else found


def rank(series: Numbers, *ties: ArrayLike) -> Numbers:
    """Rank from 1.0 for the least; equals at 12 digits rank by the ties, then by their order.

    A tie that is not applicable comes last; a value that is not has no rank, and takes none.
    """
    columns = np.broadcast_arrays(*(_sortable(values(column)) for column in (series, *ties)))
    order = np.lexsort(tuple(reversed(columns)), axis=-1)
    places: Numbers = np.empty(order.shape)
    counted = np.broadcast_to(np.arange(1.0, order.shape[-1] + 1), order.shape)
    np.put_along_axis(places, order, counted, axis=-1)
    return np.where(np.isnan(series), np.nan, places)


def stock(opening: Numbers, inflow: Numbers, outflow: Numbers | float = 0.0) -> Numbers:
    """Return closing balances: the first opening balance, plus inflows, less outflows.

    A flow that is not applicable is none; with no opening balance there is no other.
    """
    opening, inflow, outflow = np.broadcast_arrays(opening, inflow, outflow)
    moves = np.stack((inflow, -outflow), axis=-1).reshape(*inflow.shape[:-1], -1)
    moves = np.where(np.isnan(moves), 0.0, moves)
    with strict():
        return np.cumsum(np.concatenate((opening[..., :1], moves), axis=-1), axis=-1)[..., 2::2]


def _whole(counts: Numbers) -> tuple[Truths, Values]:
    """Return where counts are na, and the counts; raise ``ValueError`` if one is not whole."""
    missing = np.isnan(counts)
    known = np.where(missing, 1.0, counts)
    if np.any(known != np.trunc(known)):
        raise ValueError(NOT_WHOLE)
    return missing, known.astype(np.int64)


def _sortable(column: Values) -> Numbers:
    """Make values sortable: numbers at 12 digits, texts by their order; na behind all."""
    missing = is_na(column)
    if column.dtype == object:
        codes = {text: float(at) for at, text in enumerate(sorted(set(column[~missing])))}
        found: Numbers = np.full(column.shape, np.inf)
        found[~missing] = [codes[text] for text in column[~missing]]
        return found
    return _seen(np.where(missing, np.inf, column))


def _seen(column: Numbers) -> Numbers:
    """Round numbers that are near others to 12 digits; the order of the rest is certain."""
    different, at = np.unique(column, return_inverse=True)
    known = different[np.isfinite(different)]
    with np.errstate(over="ignore"):
        is_near = np.diff(known) <= NEAR * np.maximum(np.abs(known[1:]), np.abs(known[:-1]))
    near = np.flatnonzero(
        np.append(is_near, [False]) | np.append([False], is_near)[: known.size + 1]
    )
    near = near[near < known.size]
    if near.size:
        different[near] = np.frompyfunc(seen, 1, 1)(different[near])
    return different[at].reshape(column.shape)


def npv(rate: Numbers, flow: Numbers) -> Numbers:
    """Return the present value of flows at the first label; the first flow is undiscounted."""
    grown = np.asarray(np.add(1.0, rate))[..., None]
    shape = (*np.broadcast_shapes(grown.shape[:-1], np.shape(flow)[:-1]), np.shape(flow)[-1])
    factors = np.array(np.broadcast_to(grown, shape))
    factors[..., 0] = 1.0
    with np.errstate(over="ignore"):
        factors = np.cumprod(factors, axis=-1)
    missing = np.isnan(rate)
    with strict():
        worth = total(np.where(np.isnan(flow), 0.0, flow) / factors)
    return np.where(missing, np.nan, worth)


def irr(flow: Numbers) -> Numbers:
    """Return the internal rate of return per period, line by line."""
    lines = np.where(np.isnan(flow), 0.0, flow)
    found: Numbers = np.empty(lines.shape[:-1])
    for at in np.ndindex(found.shape):
        found[at] = cashflows.irr(lines[at].tolist())
    return found


def pmt(
    rate: Numbers,
    periods: Numbers,
    present: Numbers,
    future: Numbers | float = 0.0,
    due: Numbers | float = 0.0,
) -> Numbers:
    """Return the payment per period that takes ``present`` to ``future``."""
    known = ~np.isnan(np.add(np.add(rate, periods), np.add(np.add(present, future), due)))
    if np.any(np.less_equal(rate, -1) & known):
        raise ValueError(cashflows.LOW_RATE)
    if np.any(np.equal(periods, 0) & known):
        raise ValueError(cashflows.NO_PERIODS)
    periods = np.where(known, periods, np.nan)
    at_start = np.where(np.not_equal(due, 0) & ~np.isnan(due), np.add(1.0, rate), 1.0)
    with strict():
        grown = np.expm1(np.multiply(periods, np.log1p(rate)))
        is_flat = np.equal(rate, 0) | (grown == 0)
        both = np.add(present, future)
        level = -both / np.where(is_flat, np.multiply(periods, at_start), 1.0)
        share = rate / np.where(is_flat, 1.0, grown)
        found = -(np.multiply(present, rate) + both * share) / at_start
    return np.where(is_flat, level, found) + np.multiply(due, 0.0)
