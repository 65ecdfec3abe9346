"""Styled text and tables to the lines of a terminal: wrapped, aligned, in colour or plain."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    Span: TypeAlias = tuple[str, str]
    Styled: TypeAlias = Sequence[Span]


@dataclass(frozen=True, slots=True)
class Screen:
    """Where a text is going: with colours or not, how wide, and whether it shows ASCII alone."""

    color: bool = False
    width: int = 10_000
    ascii: bool = False


GAP = 2
"""Spaces between the columns of a table."""
CODES = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34",
    "magenta": "35", "cyan": "36",
}  # fmt: skip
_Glyphs: TypeAlias = "list[tuple[str, str]]"
"""Characters with the style of each."""


@dataclass(frozen=True, slots=True)
class TextColumn:
    """How a column is set: ``width`` is ``None`` where its longest line decides.

    Only a column that ``shrinks`` gets narrower where a table is wider than the page.
    """

    width: int | None = None
    right: bool = False
    shrinks: bool = False


@dataclass(slots=True)
class TextPage:
    """Collects lines of at most ``width`` places."""

    width: int
    color: bool = False
    lines: list[str] = field(default_factory=list)

    def put(self, *spans: Span) -> None:
        """Write a paragraph, wrapped at words; an empty one is an empty line."""
        for line in _wrapped(_glyphs(spans), self.width):
            self._put(line)

    def put_whole(self, *spans: Span) -> None:
        """Write one line, cut where the page ends."""
        self._put(_glyphs(spans)[: self.width])

    def put_table(
        self,
        columns: Sequence[TextColumn],
        rows: Sequence[Sequence[Styled]],
        *,
        has_head: bool = False,
    ) -> None:
        """Write rows of cells, each wrapped at the width of its column; heads line up below."""
        cells = [[_glyphs(cell) for cell in row] for row in rows]
        widths = _widths(columns, cells, self.width)
        for number, row in enumerate(cells):
            wrapped = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
            is_head = has_head and number == 0
            for line in zip(*_levelled(wrapped, at_bottom=is_head), strict=True):
                self._put(_joined(line, columns, widths))

    def text(self) -> str:
        """Return the page, each line ended."""
        return "\n".join(self.lines) + "\n"

    def _put(self, line: _Glyphs) -> None:
        while line and line[-1][0] == " ":
            line.pop()
        if not self.color:
            self.lines.append("".join(char for char, _ in line))
            return
        runs = [(style, "".join(c for c, _ in run)) for style, run in groupby(line, lambda g: g[1])]
        self.lines.append("".join(_colored(text, style) for style, text in runs))


def cell_width(text: str) -> int:
    """Count the places of a screen that a text takes: two for a letter of Chinese."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(char) in {"Mn", "Me", "Cf"}
        else 2 if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in text
    )  # fmt: skip


def _levelled(cells: Sequence[list[_Glyphs]], *, at_bottom: bool) -> list[list[_Glyphs]]:
    """Make all cells of a row equally high."""
    high = max(map(len, cells))
    gaps: list[list[_Glyphs]] = [[[] for _ in range(high - len(cell))] for cell in cells]
    pairs = zip(cells, gaps, strict=True)
    return [[*gap, *cell] if at_bottom else [*cell, *gap] for cell, gap in pairs]


def _joined(
    cells: Sequence[_Glyphs], columns: Sequence[TextColumn], widths: Sequence[int]
) -> _Glyphs:
    line: _Glyphs = []
    for cell, column, width in zip(cells, columns, widths, strict=True):
        pad = [(" ", "")] * (width - _length(cell))
        line += [*pad, *cell] if column.right else [*cell, *pad]
        line += [(" ", "")] * GAP
    return line


def _colored(text: str, style: str) -> str:
    codes = ";".join(CODES[word] for word in style.split())
    return f"\x1b[{codes}m{text}\x1b[0m" if codes else text


def _glyphs(spans: Styled) -> _Glyphs:
    return [(char, style) for text, style in spans for char in text]


def _plain(glyphs: _Glyphs) -> str:
    return "".join(char for char, _ in glyphs)


def _length(glyphs: _Glyphs) -> int:
    return cell_width(_plain(glyphs))


def _wrapped(glyphs: _Glyphs, width: int) -> list[_Glyphs]:
    """Cut a text at its line breaks, then at words, words longer than a line anywhere."""
    lines: list[_Glyphs] = []
    start = 0
    for line in _plain(glyphs).split("\n"):
        cuts = [0, *_cuts(line, width), len(line)]
        for first, last in pairwise(cuts):
            end = first + len(line[first:last].rstrip())
            lines.append(glyphs[start + first : start + end])
        start += len(line) + 1
    return lines


def _cuts(line: str, width: int) -> list[int]:
    """Find where a line is broken so that each part fits."""
    if cell_width(line) <= width:
        return []
    cuts: list[int] = []
    used = 0
    for word in re.finditer(r"\s*\S+\s*", line):
        size = cell_width(word.group().rstrip())
        if used + size > width:
            if used:
                cuts.append(word.start())
            used = 0
            for at in range(word.start(), word.start() + len(word.group().rstrip())):
                used += cell_width(line[at])
                if used > width:
                    cuts.append(at)
                    used = cell_width(line[at])
            used += cell_width(word.group()) - size
        else:
            used += cell_width(word.group())
    return cuts


def _widths(
    columns: Sequence[TextColumn], rows: Sequence[Sequence[_Glyphs]], room: int
) -> list[int]:
    """Measure columns; the widest that shrink give way until the table fits."""
    widths = [
        max(cell_width(line) for row in rows for line in _plain(row[at]).split("\n"))
        if column.width is None
        else column.width
        for at, column in enumerate(columns)
    ]
    excess = sum(widths) + GAP * (len(widths) - 1) - room
    flexible = [at for at, column in enumerate(columns) if column.shrinks]
    while excess > 0 and flexible:
        widest = max(flexible, key=lambda at: widths[at])
        if widths[widest] <= 1:
            break
        widths[widest] -= 1
        excess -= 1
    return widths
