"""Diagnose texts that look like numbers or dates but are not, with the likely correction.

Nothing is corrected silently: the likely meaning is only suggested.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.core.numbers import split_number
from calcgraph.lang.tokens import printable
from calcgraph.units import UnitProblem

if TYPE_CHECKING:
    from calcgraph.core.dimension import Unit
    from calcgraph.units import UnitBook

Slip: TypeAlias = tuple[str, str]
"""A message and a hint."""

_MONEY = re.compile(r"([-+]?)([$€£¥])\s*([-+]?[0-9][0-9.,_]*(?:[kMBT](?![A-Za-z]))?)(.*)")
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_OTHER_BASE = re.compile(r"(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)( .*)?")
_NO_DECIMALS = re.compile(r"[-+]?[0-9][0-9_]*\.([eE][-+]?[0-9]+|[kMBT%])?( .*)?")
_FRACTION = re.compile(r"[-+]?[0-9]+ ?/ ?[0-9]+( .*)?")
_DAY_AS = (
    re.compile(r"(?P<y>[0-9]{4})[-/.](?P<m>[0-9]{1,2})[-/.](?P<d>[0-9]{1,2})"),
    re.compile(r"(?P<d>[0-9]{1,2})[-/.](?P<m>[0-9]{1,2})[-/.](?P<y>[0-9]{4})"),
    re.compile(r"(?P<m>[0-9]{1,2})[-/.](?P<d>[0-9]{1,2})[-/.](?P<y>[0-9]{4})"),
)
_LOOKALIKES = str.maketrans(
    {"\u2212": "-", "\u2013": "-", "\uff0d": "-", "\uff0b": "+", "\uff05": "%", "\uff0e": "."}
)
_COMMA = re.compile(r"[-+]?[0-9][0-9_.]*,[0-9]")


def number_slip(text: str, book: UnitBook, wanted: Unit | None = None) -> Slip | None:
    """Detect commas, currency signs, other digits, ranges, inf and nan.

    ``wanted`` is the expected unit, if known.
    """
    shown = printable(text)
    if re.fullmatch(r"[-+]?\.?(inf|nan|infinity)", text, re.IGNORECASE):
        return f"`{shown}` is not a number a sheet can hold", "write a number, or `null` for none"
    money = _MONEY.fullmatch(text)
    if money:
        sign, mark, number, rest = money.groups()
        plain = number.replace(",", "_") if re.search(r",[0-9]{3}(?![0-9])", number) else number
        plain = plain.replace(",", ".")
        unit = _money_unit(f"{_CURRENCIES[mark]}{rest.strip()}", book, wanted)
        return f"`{shown}` is not a number", f"write `{sign}{plain}{unit}`"
    if _OTHER_BASE.fullmatch(text):
        number, _, unit = text.partition(" ")
        return (
            f"`{shown}` is not written in decimal digits",
            f"write `{f'{int(number, 0)} {unit}'.strip()}`",
        )
    if _NO_DECIMALS.fullmatch(text):
        hint = f"write `{printable(text.replace('.', '', 1))}`"
        return f"no digit after the decimal point of `{shown}`", hint
    if _FRACTION.fullmatch(text):
        return f"`{shown}` is not a number", "write it with a decimal point, or as a text in quotes"
    if _COMMA.match(text):
        return _comma(text)
    digits = re.match(r"[-+]?\d", text)
    if digits and not text[: digits.end()].isascii():
        plain = "".join(str(int(char)) if char.isdecimal() else char for char in text)
        return f"`{shown}` is not written in the digits 0 to 9", f"write `{printable(plain)}`"
    return _lookalike(text) or _no_quantity(text, shown, book)


def _lookalike(text: str) -> Slip | None:
    """Find a number with a sign or mark that only looks like ASCII: a typographic minus."""
    plain = text.translate(_LOOKALIKES)
    number, rest = split_number(plain)
    if text.startswith(number) or (rest and not rest[0].isspace()):
        return None
    right = number + text[len(number) :]
    return f"`{printable(text)}` is not written in plain ASCII", f"write `{printable(right)}`"


def _money_unit(written: str, book: UnitBook, wanted: Unit | None) -> str:
    """Return the unit for an amount of money: that of its sign, unless another one is needed."""
    unit = book.unit(written)
    if wanted is None or (not isinstance(unit, UnitProblem) and unit.dimension == wanted.dimension):
        return f" {written}"
    if wanted.is_pure:
        return "%" if wanted.percent else ""
    return f" {wanted}"


def day_slip(text: str) -> Slip | None:
    """Detect a date not written as 2026-01-31: ``2026/1/31``, ``31.1.2026``."""
    found = [hit for hit in (shape.fullmatch(text) for shape in _DAY_AS) if hit]
    days = [f"{hit['y']}-{int(hit['m']):02}-{int(hit['d']):02}" for hit in found]
    real = list(dict.fromkeys(day for day in days if _is_day(day)))
    if not real:
        return None
    hint = " or ".join(f"`{day}`" for day in real)
    return f"`{printable(text)}` is not written year-month-day", f"write {hint}"


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _comma(text: str) -> Slip:
    number, _, rest = text.partition(" ")
    tail = f" {rest}" if rest else ""
    if re.fullmatch(r"[-+]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?%?", number):
        right = number.replace(",", "_")
    elif number.count(",") == 1:
        right = number.replace(".", "_").replace(",", ".")
    else:
        right = number.replace(",", "_")
    hint = f"write `{printable(right + tail)}`"
    if re.fullmatch(r"[-+]?[0-9]{1,3},[0-9]{3}%?", number):
        hint += f", or `{printable(number.replace(',', '.') + tail)}` for a decimal point"
    return f"`{printable(text)}` holds a comma: is it thousands or a decimal?", hint


def ungrouped(text: str) -> str:
    """Rewrite digit groups such as `1'000` to ``1_000``."""
    return re.sub("(?<=[0-9])['\u2019](?=[0-9]{3})", "_", text)


def _no_quantity(text: str, shown: str, book: UnitBook) -> Slip | None:
    """Detect a malformed number before a unit: ``8-16 gpu``, ``1'000 gpu``."""
    number, _, unit = text.partition(" ")
    if not unit.strip() or not re.match(r"[-+~<>=≈≤≥±]*[0-9.]", number):
        return None
    whole, rest = split_number(number)
    if (whole and not rest) or isinstance(book.unit(unit.strip()), UnitProblem):
        return None
    known, rest = split_number(ungrouped(number).lstrip("~<>=≈≤≥±"))
    hint = f"write one number, as in `{known or 8} {printable(unit.strip())}`"
    return f"`{shown}` is not a number with a unit", hint
