"""Formula text to tokens, with numbers and their scales."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label
from calcgraph.core.numbers import NUMBER, SCALE

if TYPE_CHECKING:
    from calcgraph.core.source import Slice


SYNTAX = Code(
    "CG201",
    "formula cannot be read",
    "The text after `=` is not a formula of the language: something is missing, or is where it "
    "has no meaning. Formulas are made of numbers, names, `+ - * / ^`, comparisons, `and or not`, "
    'texts in double quotes, function calls and entries such as `table["key"].column`.',
)
AMBIGUOUS = Code(
    "CG202",
    "formula can be read in two ways",
    "Spreadsheets and programming languages disagree about `-a^b`, `a^b^c` and `a < b < c`. "
    "Parentheses say which is meant, so that Python and Excel compute the same.",
)
NUMBER_FORM = Code(
    "CG203",
    "number is not written as numbers are",
    "A number is digits with `_` and `.`, an exponent, and perhaps one of the scales k M B T Ki Mi "
    "Gi: 16_000, 2.5, 6.3e24, 70.6B, 40%. It contains neither a comma nor a space, and its "
    "size must fit a double (about 1.8e308).",
)
TOO_BIG = Code(
    "CG204",
    "formula is too long or too deep",
    "A formula holds at most 32,768 characters, 10,000 parts and 64 levels of nesting. Split it "
    "into cells with names of their own; they also explain themselves better.",
)
UNIT_PLACE = Code(
    "CG205",
    "unit in the wrong place",
    "A constant's unit is written in brackets after the number, `6 [FLOP/param/token]`; the unit a "
    "cell is kept in is written once, at the end, after an arrow: `-> day`.",
)
FORBIDDEN_CHARACTER = Code(
    "CG206",
    "character is not allowed in a formula",
    "Formulas are written in plain ASCII outside of texts, so that no two names only look alike.",
)


_TOKEN = re.compile(
    rf"""
    (?P<space>\s+)
  | (?P<period>\d{{4}}-\d\d(?:-\d\d)?(?![\w.]))
  | (?P<number>{NUMBER}(?:{SCALE}(?![A-Za-z0-9_]))?%?)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<text>"(?:[^"\\]|\\.)*")
  | (?P<mark>->|\*\*|==|!=|<>|<=|>=|&&|\|\||//|[-+*/^<>=(),.\[\]%!&|])
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a formula: ``kind`` is number, period, name, text, mark, or ``end``."""

    kind: str
    text: str
    start: int
    end: int


def read_tokens(text: Slice) -> list[Token] | Diagnostic:
    """Cut a formula into tokens, or say which character cannot be read."""
    found: list[Token] = []
    position, raw = 0, text.text
    match = _TOKEN.match
    while position < len(raw):
        hit = match(raw, position)
        if hit is None:
            return _unreadable(text, position)
        kind = hit.lastgroup
        if kind != "space":
            assert kind is not None, "every alternative of the pattern is named"
            found.append(Token(kind, hit.group(), position, hit.end()))
        position = hit.end()
    found.append(Token("end", "", len(raw), len(raw)))
    return found


def _unreadable(text: Slice, position: int) -> Diagnostic:
    char = text.text[position]
    span = text.span(position, position + 1)
    if char == '"':
        return Diagnostic(
            SYNTAX, "this text has no end", Label(span, "starts here"), 'close it with `"`'
        )
    if char == "'":
        hint = 'write `"…"`'
        return Diagnostic(SYNTAX, "a text needs double quotes", Label(span), hint)
    if char.isascii():
        hint = _ASCII_HINTS.get(char, "leave it out")
        message = f"`{printable(char)}` has no meaning in a formula"
        return Diagnostic(SYNTAX, message, Label(span), hint)
    return Diagnostic(
        FORBIDDEN_CHARACTER,
        f"{describe_character(char)} is not allowed in a formula",
        Label(span),
        _other_hint(char),
    )


_ASCII_HINTS = {
    ";": "write `,` between arguments",
    "$": "write the currency as a unit: `5 [USD]`",
    "{": 'holes belong inside texts: `"{x}"`',
    "\\": "write `/` to divide",
    "?": "write `if(condition, a, b)`",
    "~": "write `not`",
}


_CONTROLS = {
    "\0": "NULL",
    "\a": "BELL",
    "\b": "BACKSPACE",
    "\r": "CARRIAGE RETURN",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
    "\x85": "NEXT LINE",
}
_OTHER_HINTS = dict.fromkeys("\xd7\u22c5\xb7", "write `*`") | {
    "\xf7": "write `/`",
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `!=`",
    "\u2192": "write `->`",
    "\u221a": "write `sqrt(x)`",
    "\xb2": "write `^2`",
    "\xb3": "write `^3`",
    "\xa0": "write a plain space",
}


def _other_hint(char: str) -> str:
    """Suggest what to write for a character that is not ASCII."""
    category = unicodedata.category(char)
    if category == "Pd" or char == "\u2212":
        return "write `-`"
    if category in {"Pi", "Pf"} or char == "\uff02":
        return 'write `"`'
    if category == "Nd":
        return f"write `{unicodedata.digit(char)}`"
    if category == "Sc":
        return "write the currency as a unit: `5 [EUR]`"
    otherwise = "names and marks are plain ASCII; put other characters into texts or labels"
    return _OTHER_HINTS.get(char, otherwise)


def describe_character(char: str) -> str:
    """Name a character in plain ASCII: ``U+0440 CYRILLIC SMALL LETTER ER``."""
    otherwise = _CONTROLS.get(char, "CONTROL CHARACTER")
    if unicodedata.category(char) != "Cc":
        otherwise = "character without a name"
    return f"U+{ord(char):04X} {unicodedata.name(char, otherwise)}"


def printable(text: str) -> str:
    """Show what a file holds without letting it steer a terminal."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(char: str) -> str:
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004 - as Python writes
