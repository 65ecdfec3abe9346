"""What charts of a workbook may hold: ranges that are there, own formats, words for all."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

MOST_POINTS = 32_000
_SERIES = re.compile(r"<c:ser>.*?</c:ser>", re.DOTALL)
_RANGE = re.compile(r"<c:f>(.*?)</c:f>.*?<c:ptCount val=\"([0-9]+)\"/>", re.DOTALL)
_PLACE = re.compile(r"'((?:[^']|'')+)'!\$([A-Z]+)\$([0-9]+):\$([A-Z]+)\$([0-9]+)")
_FORMAT = re.compile(r"<c:numFmt [^>]*>")
_FRAME = re.compile(r"<(?:\w+:)?cNvPr [^>]*>")
_TOLD = re.compile(r' descr="[^"]+"')


def lint_charts(parts: Mapping[str, str], sheets: Collection[str]) -> Iterator[str]:
    """Find what would be drawn wrongly, or not at all."""
    for part, content in parts.items():
        if part.startswith("xl/charts/"):
            yield from (f"{part}: {finding}" for finding in _chart(content, sheets))
        if part.startswith("xl/drawings/drawing"):
            frames = _FRAME.findall(content)
            if not frames or not all(map(_TOLD.search, frames)):
                yield f"{part}: a picture without a text for those who cannot see it"


def _chart(content: str, sheets: Collection[str]) -> Iterator[str]:
    series = _SERIES.findall(content)
    if not series:
        yield "a chart that shows nothing"
    for one in series:
        ranges = _RANGE.findall(one)
        sizes = [_size(place, sheets) for place, _ in ranges]
        yield from (size for size in sizes if isinstance(size, str))
        counts = {*(size for size in sizes if isinstance(size, int)), *(int(n) for _, n in ranges)}
        if len(ranges) != 2:  # noqa: PLR2004 - what goes across, and what goes up
            yield "a series of a chart has not two ranges"
        elif len(counts) > 1:
            yield "the ranges of a series of a chart differ in size"
        elif max(counts, default=0) > MOST_POINTS:
            yield f"a chart of more than {MOST_POINTS:,} points"
    if any('sourceLinked="0"' not in found for found in _FORMAT.findall(content)):
        yield "an axis whose format hangs on its cells"
    if "externalData" in content:
        yield "a chart of another file"


def _size(place: str, sheets: Collection[str]) -> int | str:
    """Count the cells of a range; words where it is none."""
    hit = _PLACE.fullmatch(html.unescape(place))
    if hit is None:
        return f"a chart of `{place}`, which is no range"
    sheet, left, top, right, bottom = hit.groups()
    if sheet.replace("''", "'") not in sheets:
        return f"a chart of `{sheet}`, which is no sheet"
    rows, columns = int(bottom) - int(top) + 1, _number(right) - _number(left) + 1
    return rows * columns if 1 in {rows, columns} else f"a chart of `{place}`, which is no row"


def _number(letters: str) -> int:
    found = 0
    for letter in letters:
        found = found * 26 + ord(letter) - 64
    return found
