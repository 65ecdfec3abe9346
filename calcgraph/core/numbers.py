"""Text to exact numbers: the one grammar of formulas, values, unit sizes, CSV and `--set`."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

_DECIMAL = {"k": 3, "M": 6, "B": 9, "T": 12}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40}
SCALES = frozenset((*_DECIMAL, *_BINARY))
SCALE = "(?:[KMGT]i|[kMBT])"
NUMBER = r"(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?"
LONGEST = 1000
LARGEST_POWER = 1000  # far outside of what a double holds
DIGITS = 15
_NUMBER = re.compile(rf"([+-]?)({NUMBER})({SCALE})?(%)?", re.ASCII)


@lru_cache(maxsize=4096)
def exact_number(text: str) -> Fraction | None:
    """Read a whole text as an exact pure number; ``None`` if it is not one or is far too large."""
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
    value *= Fraction(1 << _BINARY.get(scale or "", 0))
    return -value if sign == "-" else value


def read_number(text: str) -> float | None:
    """Read a whole text as a double, rounded once; ``None`` if it is no number or does not fit."""
    if text.isdigit() and text.isascii() and len(text) <= DIGITS:
        return float(text)
    exact = exact_number(text)
    return None if exact is None else to_double(exact)


def to_double(exact: Fraction) -> float | None:
    """Round to the nearest double; ``None`` on overflow, or if a nonzero number becomes 0."""
    try:
        value = float(exact)
    except OverflowError:
        return None
    return None if value == 0 and exact else value


def split_number(text: str) -> tuple[str, str]:
    """Split a value into its number and the rest: ``70.6B param`` into ``70.6B`` and `` param``.

    The number is empty if the text does not start with one.
    """
    hit = _NUMBER.match(text)
    if hit is None:
        return "", text
    end = hit.end()
    if hit.group(3) and end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end = hit.start(3)  # the letter begins a word: `5MB` is no scale
    return text[:end], text[end:]
