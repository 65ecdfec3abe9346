"""Comparisons, logic and branches over arrays."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from calcgraph.functions import scalar
from calcgraph.functions.arrays.applicable import (
    Numbers,
    Truths,
    Values,
    blanked,
    is_na,
    texts,
    truths,
    values,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def same(a: Numbers, b: Numbers) -> Truths:
    """Whether numbers are equal in 15 digits; only near ones are compared digit by digit."""
    a, b = np.broadcast_arrays(a, b)
    equal: Truths = np.array(a == b)
    with np.errstate(over="ignore"):
        near = (np.abs(a - b) <= 1e-14 * np.maximum(np.abs(a), np.abs(b))) & ~equal
    if near.any():
        equal[near] = np.frompyfunc(scalar.same, 2, 1)(a[near], b[near])
    return equal


def less(a: Numbers, b: Numbers) -> Truths:
    """Whether ``a`` is below ``b`` in 15 digits."""
    return np.less(a, b) & ~same(a, b)


def at_most(a: Numbers, b: Numbers) -> Truths:
    """Whether ``a`` is not above ``b`` in 15 digits."""
    return np.less_equal(a, b) | same(a, b)


def close(a: Numbers, b: Numbers) -> Truths:
    """Whether numbers agree within 1e-9 of the larger: what ``==`` means in a check."""
    with np.errstate(over="ignore"):
        apart = np.abs(np.subtract(a, b))
    return np.asarray(apart <= 1e-9 * np.maximum(np.abs(a), np.abs(b)))


def equal(a: ArrayLike, b: ArrayLike) -> Truths:
    """Whether texts or truths are the same."""
    return np.asarray(np.equal(values(a), values(b)), np.bool_)


def both(a: ArrayLike, b: ArrayLike) -> Truths:
    """Whether both hold."""
    return truths(a) & truths(b)


def either(a: ArrayLike, b: ArrayLike) -> Truths:
    """Whether one of them holds."""
    return truths(a) | truths(b)


def negated(a: ArrayLike) -> Truths:
    """Whether it does not hold."""
    return ~truths(a)


def choose(*branches: ArrayLike | None) -> Values:
    """Choose by ``condition, value, …, otherwise``; not applicable where the condition is."""
    arrays = [values(branch) for branch in branches]
    results = [*arrays[1:-1:2], arrays[-1]]
    if any(array.dtype == object for array in results):
        results = [texts(array) for array in results]
    chosen = results[-1]
    for condition, result in zip(arrays[-3::-2], results[-2::-1], strict=True):
        chosen = np.where(truths(condition), result, chosen)
        if condition.dtype != np.bool_:
            chosen = blanked(chosen, is_na(condition))
    return chosen


def least(*series: Numbers) -> Numbers:
    """Return the smallest of several values, or along the last axis of one series."""
    return np.fmin.reduce(series[0], axis=-1) if len(series) == 1 else reduce(np.fmin, series)


def largest(*series: Numbers) -> Numbers:
    """Return the largest of several values, or along the last axis of one series."""
    return np.fmax.reduce(series[0], axis=-1) if len(series) == 1 else reduce(np.fmax, series)
