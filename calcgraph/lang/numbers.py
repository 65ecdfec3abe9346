"""The one number grammar: sheets, formulas and the command line read numbers by it alone."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from calcgraph.lang.tokens import NUMBER, SCALE, SCALES

LONGEST = 1000
LARGEST_POWER = 1000  # far outside of what a double holds
DIGITS = 15
_DECIMAL = {"k": 3, "M": 6, "B": 9, "T": 12}
_NUMBER = re.compile(rf"([+-]?)({NUMBER})({SCALE})?(%)?", re.ASCII)


@lru_cache(maxsize=4096)
def exact_number(text: str) -> Fraction | None:
    """Read a whole text as a pure number, exactly; none where it is not one or far too large."""
    hit = _NUMBER.fullmatch(text)
    if hit is None:
        return None
    sign, digits, scale, percent = hit.groups()
    if len(digits) > LONGEST:
        return None
    mantissa, _, exponent = digits.replace("_", "").lower().partition("e")
    power = int(exponent or 0) + _DECIMAL.get(scale or "", 0) - (2 if percent else 0)
    if abs(power) > LARGEST_POWER:
        return None
    value = Fraction(f"{mantissa}e{power}")
    if scale and scale.endswith("i"):
        value *= Fraction(SCALES[scale])
    return -value if sign == "-" else value


def read_number(text: str) -> float | None:
    """Read a whole text as a double, rounded once; none where it is no number or does not fit."""
    if text.isdigit() and text.isascii() and len(text) <= DIGITS:
        return float(text)
    exact = exact_number(text)
    return None if exact is None else to_double(exact)


def to_double(exact: Fraction) -> float | None:
    """Round to a double; none where it does not fit, or would be rounded to nothing."""
    try:
        value = float(exact)
    except OverflowError:
        return None
    return None if value == 0 and exact else value


def split_number(text: str) -> tuple[str, str]:
    """Cut a value into its number and the rest: ``70.6B param`` to ``70.6B`` and `` param``.

    The number is empty where the text does not start with one.
    """
    hit = _NUMBER.match(text)
    if hit is None:
        return "", text
    end = hit.end()
    if hit.group(3) and end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end = hit.start(3)  # the letter begins a word: `5MB` is no scale
    return text[:end], text[end:]
