"""A cell's key, ``plan_opex[region, month]``, to its name and the dims it varies over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.sheet import codes
from calcgraph.sheet.yaml_tree import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.sheet.reading import Reading

_DIM = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")


@dataclass(frozen=True, slots=True)
class CellKey:
    """The text before a cell's colon, and the heading above it."""

    name: str
    key: Scalar
    heading: str
    dims: tuple[Scalar, ...] = ()


def has_brackets(key: Scalar) -> bool:
    """Whether a key names dims."""
    return "[" in key.text.text


def read_cell_key(reading: Reading, key: Scalar, heading: str) -> CellKey | None:
    """Read a key; give none where its name or its dims are wrong."""
    text = key.text.text
    start = text.find("[")
    if start < 0:
        name = reading.name(key, "a cell")
        return CellKey(name, key, heading) if name else None
    name = reading.name(part(key, 0, start), "a cell")
    if name is None or not _is_closed(reading, key, start):
        reading.lose_key(key)
        return None
    dims = read_cell_dims(reading, name, list(_split(key, start + 1, len(text.rstrip()) - 1)))
    if not dims:
        reading.lose_key(key)
        return None
    return CellKey(name, key, heading, dims)


def part(key: Scalar, start: int, end: int) -> Scalar:
    """Return part of a scalar, without surrounding white space."""
    piece = key.text.text[start:end]
    start += len(piece) - len(piece.lstrip())
    end = max(start, end - (len(piece) - len(piece.rstrip())))
    return Scalar(key.text.part(start, end), key.text.span(start, end))


def read_cell_dims(reading: Reading, cell: str, names: list[Scalar]) -> tuple[Scalar, ...]:
    """Read names of dims, each once; give none where one is wrong."""
    seen: set[str] = set()
    for name in names:
        text = name.text.text
        if not _DIM.fullmatch(text):
            hint = "name a dim, as in `month` or `hw.accelerators`"
            if text[:1].isdigit():
                hint += "; the value of one label stands under `values`"
            what = f"`{text}` is not the name of a dim" if text else "a dim is missing"
            reading.say(codes.BAD_NAME, what, name.span, hint)
            return ()
        if text in seen:
            hint = f"leave one out; a second axis of the same labels is a dim `{{like: {text}}}`"
            message = f"`{cell}` names the dim `{text}` twice"
            reading.say(codes.DUPLICATE_KEY, message, name.span, hint)
            return ()
        seen.add(text)
    return tuple(names)


def _is_closed(reading: Reading, key: Scalar, start: int) -> bool:
    """Say where brackets do not end the key, or hold nothing."""
    text = key.text.text.rstrip()
    end = text.find("]")
    if end < 0:
        message, hint = f"the bracket of `{text}` is not closed", f"write `{text}]`"
    elif "][" in text:
        message = f"`{text}` has several brackets"
        hint = f"name all dims in one, as in `{text.replace('][', ', ')}`"
    elif end < len(text) - 1:
        message, hint = f"text stands behind the bracket of `{text}`", f"write `{text[: end + 1]}`"
    elif not text[start + 1 : end].strip():
        message = f"the bracket of `{text}` names no dim"
        hint = f"name one, as in `{text[:start]}[month]`, or write `{text[:start]}`"
    else:
        return True
    reading.say(codes.BAD_NAME, message, key.text.span(start, len(text)), hint)
    return False


def _split(key: Scalar, start: int, end: int) -> Iterator[Scalar]:
    """Go through what commas part."""
    for piece in key.text.text[start:end].split(","):
        yield part(key, start, start + len(piece))
        start += len(piece) + 1
