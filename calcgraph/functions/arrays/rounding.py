"""Powers and rounding over arrays: at the 15 digits of a double, half away from zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from calcgraph.functions import scalar
from calcgraph.functions.arrays.applicable import Numbers, each, strict

if TYPE_CHECKING:
    from collections.abc import Callable

SURE = 1e15
"""Below it a whole double has no more than the 15 digits that are seen."""
PLAIN = 1e11
"""Below it a fraction is told from a half, and from nothing, by more than the noise of a double."""
EXACT = 22
"""Powers of ten up to this one are exact, so that dividing by them rounds as reading does."""


def power(base: Numbers, exponent: Numbers) -> Numbers:
    """Raise to a power; ``0^0`` and a root of a negative number have no value."""
    base, exponent = np.broadcast_arrays(base, exponent)
    if np.any((base == 0) & (exponent == 0)):
        message = "0^0 has no value"
        raise ValueError(message)
    with strict():
        raised = np.power(base, exponent)
    return np.where(np.isnan(base) | np.isnan(exponent), np.nan, raised)


def round_half_up(numbers: Numbers, digits: Numbers | float = 0) -> Numbers:
    """Round to decimals, half away from zero; negative ``digits`` go left of the point."""
    return _rounded(numbers, digits, scalar.round_half_up, np.rint)


def round_up(numbers: Numbers, digits: Numbers | float = 0) -> Numbers:
    """Round away from zero."""
    return _rounded(numbers, digits, scalar.round_up, np.ceil)


def round_down(numbers: Numbers, digits: Numbers | float = 0) -> Numbers:
    """Round towards zero."""
    return _rounded(numbers, digits, scalar.round_down, np.floor)


def round_to(numbers: Numbers, step: Numbers) -> Numbers:
    """Round to a multiple of a step, half away from zero."""
    with strict():
        return round_half_up(np.divide(numbers, step)) * step


def round_up_to(numbers: Numbers, step: Numbers) -> Numbers:
    """Round away from zero to a multiple of a step."""
    with strict():
        return round_up(np.divide(numbers, step)) * step


def round_down_to(numbers: Numbers, step: Numbers) -> Numbers:
    """Round towards zero to a multiple of a step."""
    with strict():
        return round_down(np.divide(numbers, step)) * step


def whole_part(numbers: Numbers) -> Numbers:
    """Return the largest whole number not above a number at 12 decimals."""
    below = np.floor(numbers)
    part = np.subtract(numbers, below)
    sure = (part > scalar.NOISE) & (part < 1 - scalar.NOISE)
    sure |= (part == 0) & (np.abs(below) < SURE)
    unsure = ~sure & ~np.isnan(part)
    whole: Numbers = np.array(below)
    if unsure.any():
        whole[unsure] = each(scalar.whole_part, np.asarray(numbers)[unsure])
    return whole


def floor(numbers: Numbers, step: Numbers | float = 1.0) -> Numbers:
    """Round down to a multiple of a step."""
    with strict():
        return whole_part(np.divide(numbers, step)) * step


def ceiling(numbers: Numbers, step: Numbers | float = 1.0) -> Numbers:
    """Round up to a multiple of a step."""
    with strict():
        return -whole_part(np.divide(np.negative(numbers), step)) * step + 0.0


def mod(numbers: Numbers, divisor: Numbers) -> Numbers:
    """Return the remainder, which has the divisor's sign."""
    with strict():
        times = np.divide(numbers, divisor)
        whole = whole_part(times)
        return np.where(
            np.abs(times - whole) < scalar.HALF, 0.0, np.subtract(numbers, divisor * whole)
        )


def _rounded(
    numbers: Numbers, digits: Numbers | float, one: Callable[..., float], whole: np.ufunc
) -> Numbers:
    """Round numbers that are surely not at an edge at once, the rest one by one."""
    sizes, places = np.broadcast_arrays(np.abs(numbers), np.trunc(digits))
    usual = (np.abs(places) <= EXACT) & (sizes < PLAIN)
    places = np.where(usual, places, 0.0)
    up, down = 10.0 ** np.maximum(places, 0.0), 10.0 ** np.maximum(-places, 0.0)
    scaled = np.where(usual, sizes, 0.0) * up / down
    edge = np.floor(scaled) + (0.5 if whole is np.rint else 0.0)
    apart = np.minimum(np.abs(scaled - edge), np.abs(scaled - edge - 1.0))
    sure = usual & (scaled < PLAIN) & (apart > 1e-14 * scaled + 1e-12)
    sure |= usual & (places == 0) & (scaled == np.floor(scaled))
    found: Numbers = np.array(np.copysign(whole(scaled) * down / up, numbers) + 0.0)
    if not sure.all():
        rest = ~sure
        given = np.broadcast_to(numbers, sizes.shape), np.broadcast_to(digits, sizes.shape)
        found[rest] = each(one, given[0][rest], given[1][rest])
    return found
