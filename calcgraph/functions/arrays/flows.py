"""Array forms of the cash-flow functions; flows go along the last axis."""

from __future__ import annotations

import numpy as np

from calcgraph.functions import flows
from calcgraph.functions.arrays.applicable import Numbers, strict
from calcgraph.functions.arrays.series import total


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
        found[at] = flows.irr(lines[at].tolist())
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
        raise ValueError(flows.LOW_RATE)
    if np.any(np.equal(periods, 0) & known):
        raise ValueError(flows.NO_PERIODS)
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
