"""Values written in a sheet to values of a type."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.core.numbers import SCALE, exact_number, split_number, to_double
from calcgraph.core.units import PER_CENT, PURE, Unit
from calcgraph.core.values import DATE, TEXT, TRUTH, Kind, Type
from calcgraph.functions.kernels.scalar import from_date, to_date
from calcgraph.language.tokens import printable
from calcgraph.units import UnitProblem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from calcgraph.core.source import Slice
    from calcgraph.core.values import Scalar
    from calcgraph.sheet.yaml_reader import YamlScalar
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


NOT_A_NUMBER = Code(
    "CG501",
    "value is not a number",
    "A number is digits with `_` and `.`, perhaps a scale (k M B T Ki Mi Gi) and a unit: 16_000 "
    "gpu, 70.6B param, 2.5 USD/gpu/hour, 40%. Commas and spaces inside it are refused rather "
    "than guessed at; so are inf, nan and numbers that no double can hold.",
)
UNKNOWN_UNIT = Code(
    "CG404",
    "unknown unit",
    "The vocabulary of units is closed and has one spelling a unit, so that nothing is read as "
    "something else: GB is 1e9 byte, GiB 2^30 byte, Gbit 1e9 bit. `calcgraph units` lists it; a "
    "sheet may add its own under `units:`.",
)
WRONG_UNIT = Code(
    "CG402",
    "unit measures something else",
    "The value has a unit of another dimension than the input, column or figure it is for.",
)
WRONG_KIND = Code("CG502", "wrong kind of value", "A number, text, truth or date is needed here.")
BAD_DATE = Code(
    "CG503",
    "no such day",
    "Days are written 2026-01-31 and lie between 1900-03-01 and 9999-12-31; 2026-01 is its first.",
)

SILENT = Code(
    "CG000",
    "reported before",
    "Marks a mistake that another finding has reported; it is never shown.",
)

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}(-[0-9]{2})?")
_NULL = {"null", "~"}
_TRUTHS = {
    **dict.fromkeys(("yes", "on", "true", "t", "y", "1"), "true"),
    **dict.fromkeys(("no", "off", "false", "f", "n", "0"), "false"),
}
_DIGITS = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value and its type."""

    value: Scalar
    type: Type


def is_null(node: YamlScalar) -> bool:
    """Whether a value is ``null``: not applicable."""
    return not node.style and node.text.text.strip() in _NULL


def read_unit(text: Slice, book: UnitBook, *, per: bool = False) -> Unit | Diagnostic:
    """Read a unit; a finding points at the part that is wrong. ``per`` reads ``/year``."""
    unit = book.unit(f"1{text.text}" if per else text.text)
    if isinstance(unit, UnitProblem):
        start, end = max(unit.start - per, 0), unit.end - per
        span = text.span(start, max(end, start + 1)) if text.text else text.whole
        code = SILENT if unit.kind == "broken" else UNKNOWN_UNIT
        otherwise = "`calcgraph units` lists what there is"
        hint = unit.hint or ("write a smaller one" if unit.kind == "range" else otherwise)
        return Diagnostic(code, unit.message, Label(span), hint)
    return unit


def read_any(node: YamlScalar, book: UnitBook) -> TypedValue | Diagnostic:
    """Read a value and infer its type; a quoted value is a text."""
    text = node.text.text.strip()
    if node.quoted:
        return TypedValue(node.text.text, TEXT)
    if text in {"true", "false"}:
        return TypedValue(text == "true", TRUTH)
    if _DATE.fullmatch(text):
        return _date(node, text)
    day = day_slip(text)
    if day:
        return Diagnostic(BAD_DATE, day[0], Label(node.span), day[1])
    wrong = _no_number(node, text, book)
    if wrong:
        return wrong
    number, rest = split_number(text)
    if not number or not (_may_follow(rest, number) or _is_unit(rest, book)):
        return TypedValue(node.text.text, TEXT)
    return _quantity(node, number, rest, book)


def _may_follow(rest: str, number: str) -> bool:
    """Whether this may follow a number: nothing, a unit after a space, ``/year`` after 4%."""
    return not rest or rest[0].isspace() or (rest[0] == "/" and number.endswith("%"))


def _is_unit(rest: str, book: UnitBook) -> bool:
    return not isinstance(book.unit(rest), UnitProblem)


def read_as(
    node: YamlScalar, wanted: Type, book: UnitBook, keys: Collection[str] = ()
) -> Scalar | Diagnostic:
    """Read a value of a known type, converted to its unit.

    A bare number takes the wanted unit; another unit of its dimension is converted exactly.
    ``keys`` are the allowed texts, if known.
    """
    text = node.text.text.strip()
    if is_null(node):
        return None
    match wanted.kind:
        case Kind.TEXT:
            return _key(node, text, wanted, keys) if keys else node.text.text
        case Kind.TRUTH:
            if text in {"true", "false"}:
                return text == "true"
            message = f"`{printable(text)}` is not true or false"
            right = _TRUTHS.get(text.casefold(), "true` or `false")
            hint = f"write `{right}`"
            return Diagnostic(WRONG_KIND, message, Label(node.span), hint)
        case Kind.DATE:
            found = _date(node, text) if _DATE.fullmatch(text) else None
            if found is None:
                otherwise = f"`{printable(text)}` is not a day", "write a day as in 2026-01-31"
                message, hint = day_slip(text) or otherwise
                return Diagnostic(BAD_DATE, message, Label(node.span), hint)
            return found if isinstance(found, Diagnostic) else found.value
        case Kind.NUMBER | Kind.ANY:
            pass
    return _number_as(node, text, wanted.unit, book)


def row_key(row: Iterable[Scalar], types: Iterable[Type]) -> str:
    """Join the values of a row into its key: ``8/4/1/full``."""
    return "/".join(key_word(value, type_) for value, type_ in zip(row, types, strict=True))


def key_word(value: Scalar, type_: Type) -> str:
    """Write a value as part of a key: without its unit, except that a percentage keeps ``%``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, float):
        return str(value)
    if type_.kind is Kind.DATE:
        return to_date(value).isoformat()
    return f"{value * 100:.15g}%" if type_.unit.percent else f"{value:.15g}"


def _key(node: YamlScalar, text: str, wanted: Type, keys: Collection[str]) -> Scalar | Diagnostic:
    if text in keys:
        return text
    where = f"a key of `{wanted.table}`" if wanted.table else "one of the choices"
    shown = list(keys) if len(keys) <= 12 else [*list(keys)[:12], "…"]  # noqa: PLR2004 - one line
    hint = did_you_mean(text, keys, f"there are: {', '.join(shown)}")
    return Diagnostic(WRONG_KIND, f"`{printable(text)}` is not {where}", Label(node.span), hint)


def _date(node: YamlScalar, text: str) -> TypedValue | Diagnostic:
    try:
        day = date.fromisoformat(text if text.count("-") == 2 else f"{text}-01")  # noqa: PLR2004
        return TypedValue(from_date(day), DATE)
    except ValueError as error:
        is_ours = str(error).startswith("dates go")
        message = str(error) if is_ours else f"there is no day {text}"
        hint = "write a later day" if is_ours else _day_hint(*map(int, text.split("-")[:2]))
        return Diagnostic(BAD_DATE, message, Label(node.span), hint)


def _day_hint(year: int, month: int) -> str:
    if not 1 <= month <= 12:  # noqa: PLR2004 - months of a year
        return "months go from 01 to 12"
    return (
        f"{year}-{month:02} has {monthrange(year, month)[1]} days"
        if year
        else "years start at 1900"
    )


def _quantity(node: YamlScalar, number: str, rest: str, book: UnitBook) -> TypedValue | Diagnostic:
    exact = exact_number(number)
    value = None if exact is None else to_double(exact)
    if value is None:
        return _out_of_range(node, number)
    unit = _unit_behind(node, number, rest, book)
    if isinstance(unit, Diagnostic):
        return unit
    if number.endswith("%"):
        unit = PER_CENT if unit.is_pure else replace(unit, percent=True)
    return TypedValue(value, Type(Kind.NUMBER, unit))


def _out_of_range(node: YamlScalar, number: str) -> Diagnostic:
    message = f"{number[:40]} is out of the range of numbers"
    return Diagnostic(NOT_A_NUMBER, message, Label(node.span), "a double holds up to about 1.8e308")


def _unit_behind(node: YamlScalar, number: str, rest: str, book: UnitBook) -> Unit | Diagnostic:
    if not rest:
        return PURE
    raw = node.text.text
    start = len(raw) - len(raw.lstrip()) + len(number)
    if rest[0] == "/" and number.endswith("%"):
        return read_unit(node.text.part(start, len(raw.rstrip())), book, per=True)
    if not rest[0].isspace() and not _is_unit(rest, book):
        message = f"`{printable(raw.strip())}` is not a number"
        hint = f"write the number alone, as in `{split_number(ungrouped(raw.strip()))[0]}`"
        return Diagnostic(NOT_A_NUMBER, message, Label(node.span), hint)
    if not rest[0].isspace():
        hint = f"write `{number} {rest}`"
        label = Label(node.text.span(start, len(raw.rstrip())))
        return Diagnostic(
            NOT_A_NUMBER, "a space is missing between the number and its unit", label, hint
        )
    start += len(rest) - len(rest.lstrip())
    text = node.text.part(start, len(raw.rstrip()))
    found = read_unit(text, book)
    if isinstance(found, Diagnostic):
        return _scale_or_space(found, number, text.text)
    if found.percent:
        hint = f"write `{number}{text.text}`"
        return Diagnostic(NOT_A_NUMBER, "a space inside a percentage", Label(node.span), hint)
    return found


def _scale_or_space(found: Diagnostic, number: str, text: str) -> Diagnostic:
    """Improve the hint where a space splits a number or a scale: ``15 T token``, ``1 000 gpu``."""
    head, _, tail = text.partition(" ")
    if text.startswith("/"):
        right = f"{number}{text}" if number.endswith("%") else f"{number} 1{text}"
        return replace(found, hint=f"write `{right}`")
    if re.fullmatch(SCALE, head) and tail:
        hint = f"a scale follows its number: write `{number}{head} {tail}`"
        return replace(found, hint=hint)
    if re.match(r"[0-9]", head):
        joined = f"{number}_{text}" if re.match(r"[0-9]{3}\b", head) else f"{number}{text}"
        return Diagnostic(NOT_A_NUMBER, "a space inside a number", found.label, f"write `{joined}`")
    return found


def _no_number(
    node: YamlScalar, text: str, book: UnitBook, wanted: Unit | None = None
) -> Diagnostic | None:
    """Report a text that looks like a number but is not one."""
    slip = number_slip(text, book, wanted)
    return Diagnostic(NOT_A_NUMBER, slip[0], Label(node.span), slip[1]) if slip else None


def _number_as(node: YamlScalar, text: str, wanted: Unit, book: UnitBook) -> Scalar | Diagnostic:
    if not node.style and _DIGITS.fullmatch(text):
        return float(text)  # the fast path for large files
    wrong = _no_number(node, text, book, wanted)
    if wrong:
        return wrong
    number, rest = split_number(text)
    if not number:
        message = f"`{printable(text)}` is not a number"
        hint = f"write a number, as in `1 {wanted}`" if not wanted.is_pure else "write a number"
        return Diagnostic(NOT_A_NUMBER, message, Label(node.span), hint)
    if node.quoted:
        hint = f"leave the quotes out: {text}"
        return Diagnostic(
            NOT_A_NUMBER, "a quoted value is a text, a number is needed", Label(node.span), hint
        )
    exact = exact_number(number)
    if exact is None:
        return _out_of_range(node, number)
    unit = _unit_behind(node, number, rest, book)
    if isinstance(unit, Diagnostic):
        return unit
    if not rest and not number.endswith("%"):
        unit = wanted
    if number.endswith("%") and unit.is_pure and not wanted.is_pure and not wanted.dimension.powers:
        unit = PURE
    if unit.dimension != wanted.dimension:
        return _unlike(node, text, unit, wanted)
    value = to_double(exact * unit.scale / wanted.scale)
    return _out_of_range(node, number) if value is None else value


def _unlike(node: YamlScalar, text: str, unit: Unit, wanted: Unit) -> Diagnostic:
    given = "a pure number" if unit.is_pure else str(unit)
    need = "a pure number is needed" if wanted.is_pure else f"{wanted} is needed"
    message = f"`{printable(text)}` is {given}, but {need}"
    hint = "leave the unit out" if wanted.is_pure else f"write it in {wanted}"
    return Diagnostic(WRONG_UNIT, message, Label(node.span), hint)
