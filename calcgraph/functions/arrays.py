"""What the table's ``array`` spellings call for many values at once; each agrees with ``scalar``.

Values are finite, and ``nan`` stands for what is not applicable. Where a value has no result
(a step of 0, ``0^0``) all stop with an ``ArithmeticError`` or ``ValueError``: who runs many cases
lets numpy raise too (``np.errstate``), and runs a block that stopped again one by one.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from calcgraph.functions import scalar

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.float64]"
Truths: TypeAlias = "NDArray[np.bool_]"

SURE = 1e15
"""Below it a whole double has no more than the 15 digits that are seen."""


def same(a: Numbers, b: Numbers) -> Truths:
    """Whether numbers are equal in 15 digits; only those that nearly are need be written out."""
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


def power(base: Numbers, exponent: Numbers) -> Numbers:
    """Raise; ``0^0`` and a root of a negative number have no value."""
    base, exponent = np.broadcast_arrays(base, exponent)
    if np.any((base == 0) & (exponent == 0)):
        message = "0^0 has no value"
        raise ValueError(message)
    with _strict():
        raised = np.power(base, exponent)
    return np.where(np.isnan(base) | np.isnan(exponent), np.nan, raised)


def round_half_up(numbers: Numbers, digits: Numbers | float = 0) -> Numbers:
    """Round to decimals, half away from zero; negative ``digits`` go left of the point."""
    return _each(scalar.round_half_up, numbers, digits)


def round_up(numbers: Numbers, digits: Numbers | float = 0) -> Numbers:
    """Round away from zero."""
    return _each(scalar.round_up, numbers, digits)


def round_down(numbers: Numbers, digits: Numbers | float = 0) -> Numbers:
    """Round towards zero."""
    return _each(scalar.round_down, numbers, digits)


def round_to(numbers: Numbers, step: Numbers) -> Numbers:
    """Round to a multiple of a step, half away from zero."""
    return _each(scalar.round_to, numbers, step)


def round_up_to(numbers: Numbers, step: Numbers) -> Numbers:
    """Round away from zero to a multiple of a step."""
    return _each(scalar.round_up_to, numbers, step)


def round_down_to(numbers: Numbers, step: Numbers) -> Numbers:
    """Round towards zero to a multiple of a step."""
    return _each(scalar.round_down_to, numbers, step)


def whole_part(numbers: Numbers) -> Numbers:
    """Give the largest whole number not above, seen at 12 decimals."""
    below = np.floor(numbers)
    part = np.subtract(numbers, below)
    sure = (part > scalar.NOISE) & (part < 1 - scalar.NOISE)
    sure |= (part == 0) & (np.abs(below) < SURE)
    unsure = ~sure & ~np.isnan(part)
    whole: Numbers = np.array(below)
    if unsure.any():
        whole[unsure] = _each(scalar.whole_part, np.asarray(numbers)[unsure])
    return whole


def floor(numbers: Numbers, step: Numbers | float = 1.0) -> Numbers:
    """Go down to a multiple of a step."""
    with _strict():
        return whole_part(np.divide(numbers, step)) * step


def ceiling(numbers: Numbers, step: Numbers | float = 1.0) -> Numbers:
    """Go up to a multiple of a step."""
    with _strict():
        return -whole_part(np.divide(np.negative(numbers), step)) * step + 0.0


def mod(numbers: Numbers, divisor: Numbers) -> Numbers:
    """Give the remainder; it has the divisor's sign."""
    with _strict():
        times = np.divide(numbers, divisor)
        whole = whole_part(times)
        return np.where(
            np.abs(times - whole) < scalar.HALF, 0.0, np.subtract(numbers, divisor * whole)
        )


def least(*values: Numbers) -> Numbers:
    """Give the smallest of several values, or along the last axis of one series."""
    return np.fmin.reduce(values[0], axis=-1) if len(values) == 1 else reduce(np.fmin, values)


def largest(*values: Numbers) -> Numbers:
    """Give the largest of several values, or along the last axis of one series."""
    return np.fmax.reduce(values[0], axis=-1) if len(values) == 1 else reduce(np.fmax, values)


def _strict() -> Any:  # noqa: ANN401 - numpy's own type changes its name with its version
    return np.errstate(divide="raise", invalid="raise", over="raise")


def _each(function: Callable[..., float], *args: Numbers | float) -> Numbers:
    """Call a helper of ``scalar`` element by element; what is not applicable stays so."""
    arrays = np.broadcast_arrays(*args)
    known = ~np.isnan(arrays[0])
    for array in arrays[1:]:
        known &= ~np.isnan(array)
    found: Numbers = np.full(arrays[0].shape, np.nan)
    if known.any():
        found[known] = np.frompyfunc(function, len(arrays), 1)(*(array[known] for array in arrays))
    return found
