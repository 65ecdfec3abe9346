"""The text of a unit, ``USD/(gpu*hour)``, to its factors with their powers and places."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple, NoReturn, TypeAlias

from calcgraph.core.numbers import SCALES, exact_number

UnitTokenKind: TypeAlias = Literal["unknown", "syntax", "range", "broken"]

HIGHEST_POWER = 12
_DEEPEST = 8
_LARGEST_EXPONENT = 150
_LONGEST = 40
_MOST = Fraction(10**_LARGEST_EXPONENT)
_LEAST = 1 / _MOST

_TOKEN = re.compile(r"\s*(?:(?P<operator>\*\*|[*/^()])|(?P<word>[^\s*/^()]+))")
_WHOLE = r"[+-]?\d+"


@dataclass(frozen=True, slots=True)
class UnitProblem:
    """What is wrong with a unit's text, at characters ``start`` to ``end`` of it, in user's words.

    ``broken`` is the use of a unit whose own definition was found wrong before: it needs no words
    of its own. In a problem of ``make_unit_book``, ``section`` and ``name`` say where the text
    stands (``conventions`` or ``units``, and the key); ``in_name`` that the key itself is wrong,
    and counts the characters there.
    """

    start: int
    end: int
    message: str
    hint: str = ""
    kind: UnitTokenKind = "syntax"
    section: str = ""
    name: str = ""
    in_name: bool = False


@dataclass(frozen=True, slots=True)
class UnitFactor:
    """One word (a unit, ``%``) or exact number of a unit's text, raised to a power."""

    word: str
    power: Fraction
    start: int
    end: int
    number: Fraction | None = None


def parse_unit(text: str) -> list[UnitFactor] | UnitProblem:
    """Read units with ``* / ^`` and parentheses; no number but a leading 1 belongs there."""
    return _parse(_TokenReader(text, numbers=False))


def parse_size(text: str) -> list[UnitFactor] | UnitProblem:
    """Read what one unit measures: ``256 gpu``, ``1e9 param``, ``year/12``, ``1``."""
    return _parse(_TokenReader(text, numbers=True))


def is_measurable(scale: Fraction) -> bool:
    """Whether doubles can hold this size and its ratio to any other such size."""
    return _LEAST <= scale <= _MOST


def is_too_high(power: Fraction) -> bool:
    """Whether a power is beyond what units may have."""
    return abs(power) > HIGHEST_POWER or power.denominator > HIGHEST_POWER


def too_high(start: int, end: int) -> UnitProblem:
    """Report an exponent out of range."""
    message = f"unit exponent out of range (-{HIGHEST_POWER}..{HIGHEST_POWER})"
    return UnitProblem(start, end, message, kind="range")


def span_of(text: str) -> tuple[int, int]:
    """Return the start and end of a text without surrounding blanks."""
    end = len(text.rstrip())
    return min(len(text) - len(text.lstrip()), end), end


def shown(word: str) -> str:
    """Sanitise untrusted text for display: short, without control characters."""
    cut = word if len(word) <= _LONGEST else f"{word[:_LONGEST]}…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in cut)


class _Wrong(Exception):
    """Carries a problem out of the recursive descent."""

    def __init__(self, problem: UnitProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    is_word: bool


class _TokenReader:
    """Reads tokens from left to right."""

    def __init__(self, text: str, *, numbers: bool) -> None:
        self.text = text
        self.numbers = numbers
        self.at = 0
        self.depth = 0
        self.tokens = [
            _Token(found[found.lastgroup or 0], *found.span(found.lastgroup or 0), is_word)
            for found in _TOKEN.finditer(text)
            for is_word in (found.lastgroup == "word",)
        ]
        end = len(text.rstrip())
        self.tokens.append(_Token("", end, end, is_word=False))

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self, *texts: str) -> _Token | None:
        """Take the next token if it is one of these."""
        token = self.next
        if token.text in texts and not token.is_word:
            self.at += 1
            return token
        return None


def _parse(reader: _TokenReader) -> list[UnitFactor] | UnitProblem:
    if not reader.next.text:
        return UnitProblem(
            0, len(reader.text), "there is no unit", "write `1` for a number without a unit"
        )
    try:
        factors = _product(reader)
        if reader.next.text:
            _fail(reader.next, f"`{reader.next.text}` has nothing to close")
    except _Wrong as wrong:
        return wrong.problem
    return factors


def _product(reader: _TokenReader) -> list[UnitFactor]:
    factors = _power(reader, leads=True)
    while True:
        operator = reader.take("*", "/")
        if operator is None:
            if not reader.next.is_word and reader.next.text != "(":
                return factors
            if not (reader.numbers and len(factors) == 1 and factors[0].number is not None):
                _fail_unjoined(reader)
        sign = -1 if operator is not None and operator.text == "/" else 1
        factors += [_raised(f, Fraction(sign)) for f in _power(reader, leads=False)]


def _power(reader: _TokenReader, *, leads: bool) -> list[UnitFactor]:
    factors = _group(reader) if reader.take("(") else [_word(reader, leads=leads)]
    caret = reader.take("^", "**")
    if caret is None:
        return factors
    if factors[0].word == "%":
        _fail(caret, "a percentage has no power")
    exponent, end = _exponent(reader, caret)
    if reader.next.text in ("^", "**"):
        _fail(reader.next, "a power of a power", "multiply the two exponents")
    return [_raised(factor, exponent, caret.start, end) for factor in factors]


def _group(reader: _TokenReader) -> list[UnitFactor]:
    opened = reader.tokens[reader.at - 1]
    reader.depth += 1
    if reader.depth > _DEEPEST:
        _fail(opened, f"more than {_DEEPEST} parentheses in each other")
    factors = _product(reader)
    if reader.take(")") is None:
        _fail(opened, "this parenthesis is not closed")
    reader.depth -= 1
    return factors


def _word(reader: _TokenReader, *, leads: bool) -> UnitFactor:
    token = reader.next
    if not token.is_word:
        what = f"before `{token.text}`" if token.text else "at the end"
        _fail(token, f"a unit is missing {what}")
    reader.at += 1
    if not _starts_number(token.text):
        if token.text == "%" and (not leads or reader.at > 1 or reader.numbers):
            _fail(token, "`%` must be alone or first", "write `%` or, for instance, `%/year`")
        return UnitFactor(token.text, Fraction(1), token.start, token.end)
    number = exact_number(token.text) if len(token.text) <= _LONGEST else None
    if reader.numbers and number and number > 0:
        return UnitFactor("", Fraction(1), token.start, token.end, number)
    if reader.numbers:
        _fail(token, f"`{shown(token.text)}` is no size", "write a number above 0, as in `256 gpu`")
    if token.text != "1" or not leads or reader.at > 1:
        _fail(token, "a number inside a unit", "put the number before the unit, as in `2 USD/gpu`")
    return UnitFactor("", Fraction(1), token.start, token.end, Fraction(1))


def _starts_number(word: str) -> bool:
    return word[0] in "0123456789.+-"


def _exponent(reader: _TokenReader, caret: _Token) -> tuple[Fraction, int]:
    """Read ``2``, ``-1``, ``(1/2)`` or ``(-1)``; give it and where it ends."""
    if reader.take("("):
        above = _whole(reader, caret)
        below = _whole(reader, caret) if reader.take("/") else 1
        end = reader.next.end
        if reader.take(")") is None or below < 1:
            _fail(caret, "this exponent cannot be read", "write it as in `^2`, `^-1` or `^(1/2)`")
    else:
        above, below = _whole(reader, caret), 1
        end = reader.tokens[reader.at - 1].end
    if max(abs(above), below) > HIGHEST_POWER:
        raise _Wrong(too_high(caret.start, end))
    return Fraction(above, below), end


def _whole(reader: _TokenReader, caret: _Token) -> int:
    word = reader.next.text
    if not re.fullmatch(_WHOLE, word, re.ASCII):
        _fail(
            caret, "a unit's exponent is a whole number", "write it as in `^2`, `^-1` or `^(1/2)`"
        )
    reader.at += 1
    return int(word) if len(word.lstrip("+-0")) < HIGHEST_POWER else HIGHEST_POWER + 1


def _raised(
    factor: UnitFactor, power: Fraction, start: int | None = None, end: int = 0
) -> UnitFactor:
    raised = factor.power * power
    if is_too_high(raised):
        raise _Wrong(too_high(factor.start if start is None else start, end or factor.end))
    if factor.number is not None and raised.denominator != 1:
        raise _Wrong(UnitProblem(factor.start, factor.end, "a root of a number in a unit"))
    return replace(factor, power=raised)


def _fail(token: _Token, message: str, hint: str = "") -> NoReturn:
    raise _Wrong(UnitProblem(token.start, token.end, message, hint))


def _fail_unjoined(reader: _TokenReader) -> NoReturn:
    """Report two adjacent factors without an operator, with the likely intent."""
    before, after = reader.tokens[reader.at - 1], reader.next
    a, b = shown(before.text), shown(after.text)
    if before.text in SCALES:
        message = f"`{a}` is no unit"
        hint = f"a scale letter goes right behind the number, as in `15{a} {b}`"
    elif after.text == "per":
        message, hint = "`per` is no unit", "write `/` for per"
    elif after.is_word and before.is_word and not _starts_number(before.text):
        message = f"`{a} {b}` are two units with nothing between them"
        hint = f"write `{a}*{b}` or `{a}/{b}`"
    else:
        message = f"there is no `*` or `/` before `{b}`"
        hint = f"write `{a}*{b}`" if before.text != ")" else "write `*` or `/` between them"
    raise _Wrong(UnitProblem(before.start, after.end, message, hint))
