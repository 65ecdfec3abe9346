"""Numpy kernels that compute element by element."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from calcgraph.functions.kernels import scalar
from calcgraph.functions.kernels import series as series_kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray


Numbers: TypeAlias = "NDArray[np.float64]"
Truths: TypeAlias = "NDArray[np.bool_]"
Values: TypeAlias = "NDArray[Any]"

_NOTHING: Any = None


def values(given: ArrayLike | None) -> Values:
    """Return an array of numbers, truths or, as objects, texts; also of a single Python value."""
    if given is None:
        return np.asarray(np.nan)
    array = np.asarray(given)
    return array.astype(object) if array.dtype.kind == "U" else array


def texts(given: ArrayLike | None) -> Values:
    """Return an array of texts as objects; an array of numbers holds only values that are na."""
    array = values(given)
    return array if array.dtype == object else np.full(array.shape, None, object)


def truths(given: ArrayLike | None) -> Truths:
    """Return an array of truths; what is not applicable is false."""
    array = values(given)
    return array if array.dtype == np.bool_ else np.equal(array, 1.0)


def is_na(given: ArrayLike | None) -> Truths:
    """Whether values are not applicable: ``nan``, and ``None`` among texts."""
    array = values(given)
    if array.dtype == np.bool_:
        return np.zeros(array.shape, np.bool_)
    if array.dtype == object:
        return np.asarray(np.equal(array, None), np.bool_)  # type: ignore[call-overload]
    return np.isnan(array)


def with_na(result: ArrayLike, *args: ArrayLike | None) -> Values:
    """Make a result not applicable where one of its arguments is; truths become 1.0 and 0.0."""
    missing: Truths = np.zeros((), np.bool_)
    for arg in args:
        missing = missing | is_na(arg)
    return blanked(values(result), missing)


def blanked(array: Values, missing: ArrayLike) -> Values:
    """Make values not applicable where ``missing``; truths become 1.0 and 0.0."""
    return np.where(missing, _NOTHING if array.dtype == object else np.nan, array)


def strict() -> Any:  # noqa: ANN401 - numpy's own type changes its name with its version
    """Make numpy raise where a result is not finite."""
    return np.errstate(divide="raise", invalid="raise", over="raise")


def each(function: Callable[..., float], *args: ArrayLike) -> Numbers:
    """Call a function of numbers element by element; what is not applicable stays so."""
    arrays = np.broadcast_arrays(*(np.asarray(arg, np.float64) for arg in args))
    known = ~np.isnan(arrays[0])
    for array in arrays[1:]:
        known &= ~np.isnan(array)
    found: Numbers = np.full(arrays[0].shape, np.nan)
    if known.any():
        found[known] = np.frompyfunc(function, len(arrays), 1)(*(array[known] for array in arrays))
    return found


def each_text(function: Callable[..., str | None], *args: ArrayLike | None) -> Values:
    """Call a function that returns texts element by element; ``None`` is passed for na."""
    arrays = [np.where(is_na(arg), _NOTHING, values(arg)) for arg in args]
    return np.asarray(np.frompyfunc(function, len(arrays), 1)(*arrays), object)


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


SURE = 1e15
"""Below it a whole double has no more than the 15 digits that are seen."""
PLAIN = 1e11
"""Below it a fraction differs from a half, and from zero, by more than the noise of a double."""
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
    return each_text(series_kernels.join, texts(separator), rows)


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
