"""The characters that no sheet may hold: what a person sees must be what the engine reads."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.source import Span
from calcgraph.lang.tokens import describe_character
from calcgraph.sheet import codes

if TYPE_CHECKING:
    from calcgraph.core.source import Source

_MOST = 20

_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
_UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\U000e0000-\U000e007f"
)
FORBIDDEN = re.compile(f"[{_CONTROLS}{_UNSEEN}]|\r(?!\n)")
"""Controls, line ends that editors do not show, marks that turn or hide text, lone surrogates."""


def forbidden_characters(source: Source, where: str) -> list[Diagnostic]:
    """Find the characters of a file that are refused: the first twenty."""
    findings = []
    for hit in FORBIDDEN.finditer(source.text):
        label = Label(Span(source, hit.start(), hit.end()))
        message = forbidden_message(hit.group(), where)
        findings.append(Diagnostic(codes.ENCODING, message, label, "delete it"))
        if len(findings) == _MOST:
            break
    return findings


def forbidden_message(char: str, where: str) -> str:
    """Word the refusal of a character in ``where``: a sheet, a text, a value."""
    return f"{describe_character(char)} may not stand in {where}"


def fold_key(text: str) -> str:
    """Reduce a key to what makes it unique: neither case nor the encoding of accents counts."""
    return unicodedata.normalize("NFC", text).casefold()


def difference_of_keys(first: str, second: str) -> str:
    """Explain why two keys that are spelled differently are one key; empty if they are equal."""
    if first == second:
        return ""
    if unicodedata.normalize("NFC", first) == unicodedata.normalize("NFC", second):
        return "; both spell the same letters, with accents encoded in two ways"
    return "; upper and lower case count as equal"
