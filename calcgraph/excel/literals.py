"""Numbers and texts as Excel reads them back to the same value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from calcgraph.excel.names import utf16_length

if TYPE_CHECKING:
    from collections.abc import Iterator

LITERAL = 255
DIGITS = 15
_BEFORE_CODE = re.compile(r"(?<=_)(?=x[0-9A-Fa-f]{4}_)")


def number_text(value: float) -> str:
    """Write a number so that Excel, which reads 15 digits, gets the same double."""
    if value == int(value) and abs(value) < 10.0**DIGITS:
        return str(int(value))
    short = f"{value:.15g}"
    if float(short) == value:
        return short.upper()
    rest = value - float(short)
    sign = "+" if rest > 0 else "-"
    return f"({short.upper()}{sign}{abs(rest):.15g})".replace("e", "E")


def literal(text: str) -> str:
    """Write a text constant: at most 255 characters each, line ends as CHAR(10)."""
    pieces: list[str] = []
    for at, line in enumerate(text.split("\n")):
        if at:
            pieces.append("CHAR(10)")
        pieces.extend(quoted(piece) for piece in _short_pieces(line))
    return "&".join(pieces) or '""'


def _short_pieces(line: str) -> Iterator[str]:
    """Cut a line so that no piece is too long, or holds what Excel reads as one coded character."""
    for part in _BEFORE_CODE.split(line):
        start = 0
        for at in range(1, len(part) + 1):
            if at == len(part) or utf16_length(quoted(part[start : at + 1])) > LITERAL:
                yield part[start:at]
                start = at


def quoted(text: str) -> str:
    """Write a short text in quotation marks, those within doubled."""
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
