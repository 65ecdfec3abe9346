"""How a number and its unit look, everywhere people read them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from calcgraph.core.values import Failure, Kind, Series
from calcgraph.functions.kernels.scalar import fixed, show_date, show_truth

if TYPE_CHECKING:
    from calcgraph.core.units import Unit
    from calcgraph.core.values import Type, Value

DIGITS = 4
WHOLE, LARGE, SMALL = 1e3, 1e15, 1e-6
WHOLE_SHARE = 100
NOTHING = "n/a"


def number_text(value: float) -> str:
    """Write a number with sensible digits: whole where it is, else four; never a false zero."""
    size = abs(value)
    if size >= LARGE:
        return _scientific(value)
    short = _scaled(value)
    if short:
        return short
    if value == round(value) or size >= WHOLE:
        return f"{round_half_away(value):,.0f}"
    if size < SMALL:
        return _scientific(value)
    decimals = DIGITS - 1
    while size < 1 and decimals < 12:  # noqa: PLR2004 - SMALL has six, four digits follow
        size *= 10
        decimals += 1
    if abs(value) >= 1:
        decimals -= len(str(int(abs(value)))) - 1
    text = fixed(value, decimals)
    return f"{float(text):,.0f}" if abs(float(text)) >= WHOLE else _trimmed(text)


def _scaled(value: float) -> str:
    """Write a large round number as its author would: ``15T``, ``70B``; nothing for any other."""
    for letter, scale in (("T", 1e12), ("B", 1e9)):
        mantissa = value / scale
        if (
            abs(mantissa) >= 1
            and mantissa == float(f"{mantissa:.{DIGITS}g}")
            and value == round(value)
        ):
            return f"{mantissa:,.{DIGITS}g}{letter}"
    return ""


def round_half_away(value: float) -> float:
    """Round to a whole number, half away from zero."""
    return float(fixed(value, 0))


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _scientific(value: float) -> str:
    mantissa, _, exponent = f"{value:.{DIGITS - 1}e}".partition("e")
    return f"{_trimmed(mantissa)}e{int(exponent)}"


def percent_text(value: float) -> str:
    """Write a share as a percentage: one decimal, more where it is small or just not 100%."""
    shown = value * 100
    if abs(value) >= LARGE:
        return number_text(value)
    if abs(shown) >= WHOLE:
        return f"{round_half_away(shown):,.0f}%"
    if abs(shown) >= 10 or shown == 0:  # noqa: PLR2004 - two digits before the point are enough
        decimals = 1
        while abs(shown) != WHOLE_SHARE and decimals < DIGITS * 2:
            if abs(float(fixed(shown, decimals))) != WHOLE_SHARE:
                break
            decimals += 1
        return f"{_trimmed(fixed(shown, decimals))}%"
    return f"{number_text(float(f'{shown:.3g}'))}%"


def amount(value: float, unit: Unit) -> tuple[str, str]:
    """Return a number's text and its unit's, for two columns."""
    if unit.percent:
        rest = str(unit.symbol)
        return percent_text(value), "" if rest == "1" else rest.removeprefix("1")
    name = str(unit)
    return number_text(value), "" if name == "1" else name


def value_text(value: Value, type_: Type) -> tuple[str, str]:
    """Return a value's text and its unit's; what is not applicable has no unit."""
    if value is None:
        return NOTHING, ""
    if isinstance(value, Failure):
        return f"#{value.kind}", ""
    if isinstance(value, Series):
        return series_text(value, type_)
    if isinstance(value, bool):
        return show_truth(value), ""
    if isinstance(value, str):
        return value, ""
    if type_.kind is Kind.DATE:
        return show_date(value), ""
    return amount(value, type_.unit)


def full_text(value: Value, type_: Type) -> str:
    """Return a value with its unit on one line: ``11.59 day``."""
    text, unit = value_text(value, type_)
    if not unit:
        return text
    return f"{text}{unit}" if unit.startswith("/") else f"{text} {unit}"


def series_text(value: Series, type_: Type) -> tuple[str, str]:
    """Return the number of values; for numbers, also their range."""
    size = len(value.data)
    words = [f"{size:,} value{'' if size == 1 else 's'}"]
    failed = sum(isinstance(item, Failure) for item in value.data)
    blank = sum(item is None for item in value.data)
    middle, unit = range_text(value, type_) if type_.kind is not Kind.TEXT else ("", "")
    if middle and failed + blank < size:
        words.append(middle)
    if not failed and not blank:
        return ", ".join(words), unit
    if unit:
        words[-1] += unit if unit.startswith("/") else f" {unit}"
    words += [f"{blank:,} n/a"] if blank else []
    words += [f"{failed:,} failed"] if failed else []
    return ", ".join(words), ""


def range_text(value: Series, type_: Type) -> tuple[str, str]:
    """Return the least and the most of numbers, how many are true, or the first and last text."""
    known = [item for item in value.data if item is not None and not isinstance(item, Failure)]
    if not known:
        return value_text(value.failure, type_)
    if type_.kind is Kind.TRUTH:
        return f"{sum(item is True for item in known):,} true", ""
    least, most = known[0], known[-1]
    if type_.kind is not Kind.TEXT:
        ordered = sorted(item for item in known if isinstance(item, float | str))
        least, most = ordered[0], ordered[-1]
    low, unit = value_text(least, type_)
    high, _ = value_text(most, type_)
    return low if low == high else f"{low} to {high}", unit


def exact_text(value: Value, type_: Type) -> str:
    """Return a value so that reading it again gives the same double: ``256 gpu``, ``0.405``."""
    if value is None:
        return "null"
    if not isinstance(value, float) or type_.kind is Kind.DATE:
        return full_text(value, type_)
    whole = value == int(value) and abs(value) < LARGE
    text = _scaled(value) or f"{int(value)}" if whole else repr(value)
    unit = type_.unit
    if unit.percent:
        percent = f"{value * 100:.15g}"
        if abs(value) < LARGE and float(Fraction(percent) / 100) == value:
            return f"{percent}%" if unit.is_pure else f"{percent}%{str(unit.symbol)[1:]}"
        return text if unit.is_pure else f"{text} {unit.symbol}"
    return text if unit.is_pure else f"{text} {unit}"
