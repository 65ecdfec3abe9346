"""What goes along the last axis of arrays: values of a line in, as many of them out."""

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
"""Numbers that differ by more, relative to their size, do in 12 digits too."""


def cumsum(series: Numbers) -> Numbers:
    """Add up from the first label; what is not applicable stays so, and is passed over."""
    missing = np.isnan(series)
    with strict():
        found = np.cumsum(np.where(missing, 0.0, series), axis=-1)
    return np.where(missing, np.nan, found)


def rolling_sum(series: Numbers, counts: Numbers) -> Numbers:
    """Add up the last ``n`` labels, this one included, or those that there are.

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
    """Give the value ``n`` labels before, or after if negative; ``outside`` where there is none."""
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
    """Give 1.0 to the least; equals at 12 digits go by the ties, ascending, then by their order.

    A tie that is not applicable comes last; a value that is not has no rank, and takes none.
    """
    columns = np.broadcast_arrays(*(_sortable(values(column)) for column in (series, *ties)))
    order = np.lexsort(tuple(reversed(columns)), axis=-1)
    places: Numbers = np.empty(order.shape)
    counted = np.broadcast_to(np.arange(1.0, order.shape[-1] + 1), order.shape)
    np.put_along_axis(places, order, counted, axis=-1)
    return np.where(np.isnan(series), np.nan, places)


def stock(opening: Numbers, inflow: Numbers, outflow: Numbers | float = 0.0) -> Numbers:
    """Give closing balances: the opening one at the first label, plus what came, less what went.

    A flow that is not applicable is none; with no opening balance there is no other.
    """
    opening, inflow, outflow = np.broadcast_arrays(opening, inflow, outflow)
    moves = np.stack((inflow, -outflow), axis=-1).reshape(*inflow.shape[:-1], -1)
    moves = np.where(np.isnan(moves), 0.0, moves)
    with strict():
        return np.cumsum(np.concatenate((opening[..., :1], moves), axis=-1), axis=-1)[..., 2::2]


def _whole(counts: Numbers) -> tuple[Truths, Values]:
    """Give numbers of labels, and which are not applicable; stops where one is not whole."""
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
    """Round to 12 digits those that others come near to: the rest is in order as it is."""
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
