"""A scalar as it reads, aligned with how it is written: columns stay exact in quotes and folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.source import Slice

if TYPE_CHECKING:
    from calcgraph.core.source import Source

_LONG = {"x": 4, "u": 6, "U": 10}


def align(source: Source, start: int, end: int, value: str, style: str) -> Slice:
    """Map the value to a slice of its source.

    ``value`` is what YAML reads between ``start`` and ``end``; ``style`` its quote or block mark.
    """
    raw = source.text
    if not style and raw.startswith(value, start):
        return Slice(source, value, start)
    if style in {"'", '"'}:
        start, end = start + 1, end - 1
        if raw.startswith(value, start) and start + len(value) == end:
            return Slice(source, value, start)
    elif style:
        newline = raw.find("\n", start)
        start = newline + 1 if newline >= 0 else end
    return Slice(source, value, start, tuple(_offsets(raw, start, end, value, style)))


def _offsets(raw: str, start: int, end: int, value: str, style: str) -> list[int]:
    """Walk both texts in step: white space matches white space, an escape its character."""
    offsets: list[int] = []
    at = start
    for char in value:
        if style == '"':
            while raw.startswith(("\\\n", "\\\r\n"), at):  # an escaped line end reads as nothing
                at = raw.index("\n", at) + 1
                while at < end and raw[at] in " \t":
                    at += 1
        if char.isspace():
            while at < end and not raw[at].isspace() and raw[at] != "\\":
                at += 1
            offsets.append(min(at, end))
            at = _past(raw, at, end, style)
            continue
        while at < end and raw[at].isspace():
            at += 1
        offsets.append(min(at, end))
        at = _past(raw, at, end, style)
    offsets.append(min(at, end))
    return offsets


def _past(raw: str, at: int, end: int, style: str) -> int:
    """Go past one written character: an escape or a doubled quote is one."""
    if at >= end:
        return end
    if style == '"' and raw[at] == "\\" and at + 1 < end:
        return at + _LONG.get(raw[at + 1], 2)
    if style == "'" and raw.startswith("''", at):
        return at + 2
    return at + 1
