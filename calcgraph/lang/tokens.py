"""Formula text to tokens."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.lang import codes

if TYPE_CHECKING:
    from calcgraph.core.source import Slice

SCALES = {"k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}
SCALES["Ti"] = 2.0**40

NUMBER = r"(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?"
_TOKEN = re.compile(
    rf"""
    (?P<space>\s+)
  | (?P<period>\d{{4}}-\d\d(?:-\d\d)?(?![\w.]))
  | (?P<number>{NUMBER}(?:(?:[kMBT]i?|Gi)(?![A-Za-z0-9_]))?%?)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<text>"(?:[^"\\]|\\.)*")
  | (?P<mark>->|\*\*|==|!=|<>|<=|>=|&&|\|\||//|[-+*/^<>=(),.\[\]%!&|])
    """,
    re.VERBOSE | re.DOTALL,
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
            codes.SYNTAX, "this text has no end", Label(span, "starts here"), 'close it with `"`'
        )
    if char == "'":
        return Diagnostic(
            codes.SYNTAX, "a text stands in double quotes", Label(span), 'write `"text"`'
        )
    if char.isascii():
        return Diagnostic(
            codes.SYNTAX, f"`{printable(char)}` has no meaning in a formula", Label(span)
        )
    return Diagnostic(
        codes.FORBIDDEN_CHARACTER,
        f"{describe_character(char)} is not allowed in a formula",
        Label(span),
        "names and marks are plain ASCII; put other characters into texts or labels",
    )


def describe_character(char: str) -> str:
    """Name a character in plain ASCII: ``U+0440 CYRILLIC SMALL LETTER ER``."""
    return f"U+{ord(char):04X} {unicodedata.name(char, 'character without a name')}"


def printable(text: str) -> str:
    """Show what a file holds without letting it steer a terminal."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
