"""What generated code calls for payments: their worth, the rate they earn, equal instalments."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from calcgraph.functions.kernels.scalar import finite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GUESS = 1.01
"""The growth of a period that the search for a rate starts from, as Excel's does by its guess."""
LOW_RATE = "a rate is above -100%"
NO_PERIODS = "nothing is paid off over 0 periods"
NO_RATE = "no rate makes the flows worth nothing"
SEARCHES = ((1e-3, 1.1), (5e-5, 1.005))
"""First steps away from the guess, and how each grows: a second look is a closer one."""
ONLY_ROOT = ((1e-2, 2.0),)
"""Flows that change their sign once have one rate: no other can be missed."""
FARTHEST = 1e9


def npv(rate: float | None, flow: Sequence[float | None]) -> float | None:
    """Return the net present value at the first label; the first flow is undiscounted.

    ``rate`` is a pure number a period; a flow that is not applicable is none.
    """
    if rate is None:
        return None
    worth, growth = 0.0, 1.0
    for value in flow:
        worth += (value or 0.0) / growth
        growth *= 1.0 + rate
    return finite(worth)


def irr(flow: Sequence[float | None]) -> float:
    """Return the rate per period at which the net present value is 0: the nearest to 1%.

    A flow that is not applicable is none. Raises ``ValueError`` where there is no such rate, nor
    one at which the worth only touches 0 and keeps its sign: the last digit of a flow undoes that.
    """
    values = [value or 0.0 for value in flow]
    while values and values[-1] == 0:
        values.pop()
    while values and values[0] == 0:
        values.pop(0)
    signs = [value > 0 for value in values if value]
    changes = sum(a != b for a, b in pairwise(signs))
    if not changes:
        raise ValueError(NO_RATE)
    for first, grows in SEARCHES if changes > 1 else ONLY_ROOT:
        for brackets in _outward(first, grows):
            roots = [_root(values, *pair) for pair in brackets if _turns(values, *pair)]
            if roots:
                return min(roots, key=lambda growth: abs(growth - GUESS)) - 1.0
    raise ValueError(NO_RATE)


def pmt(
    rate: float, periods: float, present: float, future: float = 0.0, due: float = 0.0
) -> float:
    """Return the payment per period that takes ``present`` to ``future``, signed as in Excel.

    ``due`` is 1 where it is paid at the start of each period. Raises ``ValueError`` for no
    periods, and for a rate of -100% or less.
    """
    at_start = 1.0 + rate if due else 1.0
    if rate <= -1:
        raise ValueError(LOW_RATE)
    if periods == 0:
        raise ValueError(NO_PERIODS)
    grown = math.expm1(periods * math.log1p(rate))
    if rate == 0 or grown == 0:
        return finite(-(present + future) / (periods * at_start))
    share = rate / grown  # of a rate as small as can be, which alone would be beyond all numbers
    return finite(-(present * rate + (present + future) * share) / at_start)


def _outward(first: float, grows: float) -> Iterator[list[tuple[float, float]]]:
    """Yield ever wider brackets around the guess; growth stays above 0."""
    near, step, low = 0.0, first, GUESS
    while step < FARTHEST:
        # Below, equal steps would pass 0: from half the guess on each goes on by a factor.
        lower = GUESS - step if step < GUESS / 2 else low / grows
        yield [(GUESS + near, GUESS + step), (lower, low)]
        near, step, low = step, step * grows, lower


def _worth(flow: Sequence[float], growth: float) -> float:
    """Return the sign of a net present value, scaled so that no growth power exceeds 1."""
    found = 0.0
    if growth <= 1:
        for value in flow:
            found = found * growth + value
    else:
        for value in reversed(flow):
            found = found / growth + value
    return found


def _turns(flow: Sequence[float], low: float, high: float) -> bool:
    a, b = _worth(flow, low), _worth(flow, high)
    return a == 0 or b == 0 or (a > 0) != (b > 0)


def _root(flow: Sequence[float], low: float, high: float) -> float:
    """Halve a bracket until nothing lies between its ends."""
    below = _worth(flow, low)
    if below == 0:
        return low
    if _worth(flow, high) == 0:
        return high
    while low < (middle := (low + high) / 2) < high:
        if (_worth(flow, middle) > 0) == (below > 0):
            low = middle
        else:
            high = middle
    return min(low, high, key=lambda growth: abs(_worth(flow, growth)))
