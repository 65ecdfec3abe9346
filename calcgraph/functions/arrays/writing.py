"""Texts and days over arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from calcgraph.functions import aggregates, scalar
from calcgraph.functions.arrays.applicable import Numbers, Truths, Values, each, each_text, texts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_EPOCH = np.datetime64(scalar.EPOCH)
NO_DAY = f"dates go from {scalar.FIRST_DAY} to {scalar.LAST_DAY}"


def show_number(
    numbers: Numbers,
    decimals: float | None,
    unit: str,
    percent: bool,  # noqa: FBT001
) -> Values:
    """Format numbers as messages do, equal ones once; the format is the same for all."""
    places = None if decimals is None or np.isnan(decimals) else float(decimals)

    def shown(number: float | None) -> str | None:
        return None if number is None else scalar.show_number(number, places, unit, percent)

    different, at = np.unique(numbers, return_inverse=True)
    return each_text(shown, different)[at.ravel()].reshape(np.shape(numbers))


def show_truth(given: ArrayLike) -> Values:
    """Format truths as the language writes them."""
    return each_text(lambda value: None if value is None else scalar.show_truth(value), given)


def show_date(days: Numbers) -> Values:
    """Format days: ``2026-01-31``."""
    return each_text(lambda day: None if day is None else scalar.show_date(day), days)


def show_period(days: Numbers) -> Values:
    """Format keys of periods: ``2026-01``."""
    return each_text(lambda day: None if day is None else scalar.show_period(day), days)


def or_na(given: ArrayLike) -> Values:
    """Return texts, and ``n/a`` for what is not applicable."""
    return each_text(scalar.or_na, given)


def concat(*pieces: ArrayLike) -> Values:
    """Concatenate texts."""
    return each_text(lambda *given: None if None in given else "".join(given), *map(texts, pieces))


def join(separator: ArrayLike, *pieces: ArrayLike) -> Values:
    """Join texts with a separator, leaving out what is not applicable."""
    return each_text(scalar.join, texts(separator), *map(texts, pieces))


def join_series(separator: ArrayLike, series: ArrayLike) -> Values:
    """Join the texts along the last axis, leaving out what is not applicable."""
    lines = texts(series)
    rows = np.empty(lines.shape[:-1], object)
    for at in np.ndindex(rows.shape):
        rows[at] = tuple(lines[at])
    return each_text(aggregates.join, texts(separator), rows)


def make_date(years: Numbers, months: Numbers, days: Numbers) -> Numbers:
    """Return days; raise ``ValueError`` for a month or day that the calendar lacks."""
    return each(scalar.make_date, years, months, days)


def moved_date(days: Numbers, by: Numbers) -> Numbers:
    """Move days by a time; raises ``ValueError`` where one leaves the calendar."""
    moved: Numbers = np.add(days, by)
    if np.any((moved < scalar.FIRST) | (moved >= scalar.LAST + 1)):
        raise ValueError(NO_DAY)
    return moved


def year_of(days: Numbers) -> Numbers:
    """Return the years of days."""
    calendar, missing = _calendar(days)
    return np.where(missing, np.nan, calendar.astype("M8[Y]").astype(np.int64) + 1970.0)


def month_of(days: Numbers) -> Numbers:
    """Return the months of days, 1 to 12."""
    calendar, missing = _calendar(days)
    return np.where(missing, np.nan, calendar.astype("M8[M]").astype(np.int64) % 12 + 1.0)


def day_of(days: Numbers) -> Numbers:
    """Return the days of the month, 1 to 31."""
    calendar, missing = _calendar(days)
    first = calendar.astype("M8[M]").astype("M8[D]")
    return np.where(missing, np.nan, (calendar - first).astype(np.int64) + 1.0)


def _calendar(days: Numbers) -> tuple[Values, Truths]:
    missing = np.isnan(days)
    whole = np.floor(np.where(missing, 0.0, days)).astype(np.int64)
    return _EPOCH + whole.astype("m8[D]"), missing
