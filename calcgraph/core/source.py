"""A text a user wrote, and places in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Source:
    """One text: a file, or what followed ``--set``; ``name`` is how it is shown to people."""

    name: str
    text: str
    starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find where each line starts, once."""
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        object.__setattr__(self, "starts", tuple(starts))

    def position(self, offset: int) -> tuple[int, int]:
        """Give line and column of a character, both counted from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Give the text of a line, counted from 1, without its end."""
        start = self.starts[number - 1]
        end = self.starts[number] - 1 if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """The characters ``start`` to ``end`` (not included) of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """``file:line:column`` of the first character."""
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"

    @property
    def file_line(self) -> str:
        """``file:line`` of the first character."""
        return f"{self.source.name}:{self.source.position(self.start)[0]}"

    def until(self, end: int) -> Span:
        """Give the place from where this one starts to a source offset."""
        return Span(self.source, self.start, end)


@dataclass(frozen=True, slots=True)
class Slice:
    """A text as it reads, and where each of its characters stands in the source.

    What YAML folds, quotes or escapes reads otherwise than it is written: then ``offsets`` holds a
    source offset for each character and one for the end; else the text starts at ``start``.
    """

    source: Source
    text: str
    start: int
    offsets: tuple[int, ...] | None = None

    def at(self, index: int) -> int:
        """Give the source offset of a character."""
        return self.start + index if self.offsets is None else self.offsets[index]

    def span(self, start: int, end: int) -> Span:
        """Give the place of the characters ``start`` to ``end`` of the text as it reads."""
        if self.offsets is None:
            return Span(self.source, self.start + start, self.start + end)
        last = self.offsets[end - 1] + 1 if end > start else self.offsets[start]
        return Span(self.source, self.offsets[start], last)

    @property
    def whole(self) -> Span:
        """The place of all of it."""
        return self.span(0, len(self.text))

    def part(self, start: int, end: int) -> Slice:
        """Give a piece of it."""
        offsets = None if self.offsets is None else self.offsets[start : end + 1]
        return Slice(self.source, self.text[start:end], self.at(start), offsets)
