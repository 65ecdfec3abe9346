"""What generated code calls for one value at a time: Excel's meaning of numbers, in plain Python.

Excel shows, compares and rounds the 15 digits that a double surely holds; so do these.
"""

from __future__ import annotations

import math
from datetime import date, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Context, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.core.values import Scalar

DIGITS = 15
EPOCH = date(1899, 12, 30)
FIRST_DAY, LAST_DAY = date(1900, 3, 1), date(9999, 12, 31)
FIRST, LAST = (FIRST_DAY - EPOCH).days, (LAST_DAY - EPOCH).days
_NO_DAY = f"dates go from {FIRST_DAY} to {LAST_DAY}"
SNAP = 12
NOISE = 1e-9
HALF = 5e-13
FARTHEST = 400
_CONTEXT = Context(prec=40)


class NonFinite(ArithmeticError):
    """A result that is no finite number."""


class KeyNotFound(LookupError):
    """A key that its table does not have."""


def finite(number: float) -> float:
    """Stop at a number that is not finite, where it would be hidden by what follows."""
    if number - number != 0:
        raise NonFinite
    return number


def finite_or_na(number: float | None) -> float | None:
    """Stop at a number that is not finite; let through what is not applicable."""
    return None if number is None else finite(number)


def same(a: float, b: float) -> bool:
    """Whether two numbers are equal in 15 digits."""
    if a == b:
        return True
    if abs(a - b) > 1e-14 * max(abs(a), abs(b)):
        return False
    return f"{a:.14e}" == f"{b:.14e}"


def less(a: float, b: float) -> bool:
    """Whether ``a`` is below ``b`` in 15 digits."""
    return a < b and not same(a, b)


def at_most(a: float, b: float) -> bool:
    """Whether ``a`` is not above ``b`` in 15 digits."""
    return a <= b or same(a, b)


def close(a: float, b: float) -> bool:
    """Whether two numbers agree within 1e-9 of the larger: what ``==`` means in a check."""
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def power(base: float, exponent: float) -> float:
    """Raise; ``0^0`` and a root of a negative number have no value."""
    if base == 0 and exponent <= 0:
        if exponent == 0:
            message = "0^0 has no value"
            raise ValueError(message)
        raise ZeroDivisionError
    return math.pow(base, exponent)


def _rounded(number: float, digits: float, how: str) -> float:
    places = int(digits)
    if finite(number) == 0:
        return 0.0
    decimal = Decimal(f"{number:.14e}")
    if places >= DIGITS - 1 - decimal.adjusted():
        return float(decimal) if places < DIGITS * 2 else number
    places = max(places, -FARTHEST)
    return finite(float(decimal.quantize(Decimal((0, (1,), -places)), how, _CONTEXT)))


def round_half_up(number: float, digits: float = 0) -> float:
    """Round to decimals, half away from zero; negative ``digits`` go left of the point."""
    return _rounded(number, digits, ROUND_HALF_UP)


def round_up(number: float, digits: float = 0) -> float:
    """Round away from zero."""
    return _rounded(number, digits, ROUND_UP)


def round_down(number: float, digits: float = 0) -> float:
    """Round towards zero."""
    return _rounded(number, digits, ROUND_DOWN)


def whole_part(number: float) -> float:
    """Return the largest whole number not above the value, compared at 12 decimals."""
    below = math.floor(number)
    if NOISE < number - below < 1 - NOISE:
        return float(below)
    return float(math.floor(round_half_up(number, SNAP)))


def floor(number: float, step: float = 1.0) -> float:
    """Go down to a multiple of a step."""
    return finite(whole_part(number / step) * step)


def ceiling(number: float, step: float = 1.0) -> float:
    """Go up to a multiple of a step."""
    return finite(-whole_part(-number / step) * step + 0.0)


def round_to(number: float, step: float) -> float:
    """Round to a multiple of a step, half away from zero."""
    return finite(round_half_up(number / step) * step)


def round_up_to(number: float, step: float) -> float:
    """Round away from zero to a multiple of a step."""
    return finite(round_up(number / step) * step)


def round_down_to(number: float, step: float) -> float:
    """Round towards zero to a multiple of a step."""
    return finite(round_down(number / step) * step)


def mod(number: float, divisor: float) -> float:
    """Return the remainder, with the divisor's sign; 0 if it vanishes at 12 decimals."""
    times = number / divisor
    whole = whole_part(times)
    return 0.0 if abs(times - whole) < HALF else finite(number - divisor * whole)


def sign(number: float) -> float:
    """Return 1, 0 or -1."""
    return float((number > 0) - (number < 0))


def if_error(first: Callable[[], Scalar], second: Callable[[], Scalar]) -> Scalar:
    """Return the first value, or the second if the first fails."""
    try:
        value = first()
        if isinstance(value, float):
            finite(value)
    except (ArithmeticError, ValueError, LookupError):
        return second()
    return value


def show_number(number: float, decimals: float | None, unit: str, percent: bool) -> str:  # noqa: FBT001
    """Write a number as a message does: whole, with 6 digits, or with the given decimals."""
    shown = number * 100 if percent else number
    text = fixed(shown, int(decimals)) if decimals is not None else plain(shown)
    if percent:
        text += "%"
    return text + unit


def plain(number: float) -> str:
    """Write a whole number whole and any other with 6 digits, never with an exponent."""
    if same(number, round_half_up(number)):
        return fixed(number, 0)
    decimal = Decimal(f"{number:.14e}")
    places = 5 - decimal.adjusted()
    text = fixed(number, max(places, 0)) if places > 0 else fixed(round_half_up(number, places), 0)
    return text.rstrip("0").rstrip(".") if "." in text else text


def fixed(number: float, decimals: int) -> str:
    """Write with a fixed number of decimals, half away from zero; never ``-0``."""
    decimal = Decimal(f"{number:.14e}") if number else Decimal(0)
    step = Decimal((0, (1,), -decimals))
    rounded = decimal.quantize(step, ROUND_HALF_UP, Context(prec=400))
    return f"{abs(rounded) if rounded == 0 else rounded:f}"


def show_date(day: float) -> str:
    """Write a day: ``2026-01-31``."""
    return to_date(day).isoformat()


def show_period(day: float) -> str:
    """Write the key of a period as its label: ``2026-01``."""
    return to_date(day).isoformat()[:7]


def show_truth(value: bool) -> str:  # noqa: FBT001 - it is the value
    """Write a truth as the language does."""
    return "true" if value else "false"


def is_na(value: Scalar) -> bool:
    """Whether a value is not applicable."""
    return value is None


def or_na(text: str | None) -> str:
    """Return a text, or ``n/a`` if it is not applicable."""
    return "n/a" if text is None else text


def concat(*pieces: str) -> str:
    """Concatenate texts."""
    return "".join(pieces)


def join(separator: str | None, *pieces: str | None) -> str:
    """Join texts with a separator, leaving out what is not applicable."""
    return (separator or "").join(piece for piece in pieces if piece is not None)


def to_date(day: float) -> date:
    """Convert an Excel serial number to a date; the time of day is dropped."""
    return EPOCH + timedelta(days=math.floor(day))


def from_date(day: date) -> float:
    """Convert a date to an Excel serial; ``ValueError`` outside 1900-03-01 … 9999-12-31."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(_NO_DAY)
    return float((day - EPOCH).days)


def moved_date(day: float, days: float) -> float:
    """Move a day by a time; raises ``ValueError`` outside of 1900-03-01 … 9999-12-31."""
    moved = day + days
    if not FIRST <= moved < LAST + 1:
        raise ValueError(_NO_DAY)
    return moved


def make_date(year: float, month: float, day: float) -> float:
    """Make a date; a month or day that does not exist is a failure, not a shift."""
    return from_date(date(int(year), int(month), int(day)))


def year_of(day: float) -> float:
    """Return the year of a date."""
    return float(to_date(day).year)


def month_of(day: float) -> float:
    """Return the month of a date, 1 to 12."""
    return float(to_date(day).month)


def day_of(day: float) -> float:
    """Return the day of the month, 1 to 31."""
    return float(to_date(day).day)


def entry(series: Sequence[Scalar], positions: dict[str, int], key: str) -> Scalar:
    """Return the entry of a column; raises ``KeyNotFound`` if the table lacks the key."""
    position = positions.get(key)
    if position is None:
        raise KeyNotFound(key)
    return series[position]
