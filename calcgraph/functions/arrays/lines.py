"""Array forms of the functions along a line: the last axis goes in and comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from calcgraph.functions.arrays.applicable import (
    Numbers,
    Truths,
    Values,
    blanked,
    is_na,
    strict,
    texts,
    values,
)
from calcgraph.functions.lines import NO_LABELS, NOT_WHOLE, seen

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

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
