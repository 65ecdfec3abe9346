"""Source texts and positions in them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Source:
    """A source text: a file, or the argument of ``--set``; ``name`` is how messages show it."""

    name: str
    text: str
    starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the start of each line once."""
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        object.__setattr__(self, "starts", tuple(starts))

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of a character offset, both counted from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its line ending."""
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
        """The text of the span."""
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
        """Return the span from this one's start to a source offset."""
        return Span(self.source, self.start, end)


@dataclass(frozen=True, slots=True)
class Slice:
    """A text as the reader decoded it, with the source offset of each of its characters.

    Where YAML folding, quotes or escapes make the two differ, ``offsets`` holds the source offset
    of each character and of the end; otherwise the text lies unchanged at ``start``.
    """

    source: Source
    text: str
    start: int
    offsets: tuple[int, ...] | None = None

    def at(self, index: int) -> int:
        """Return the source offset of a character."""
        return self.start + index if self.offsets is None else self.offsets[index]

    def span(self, start: int, end: int) -> Span:
        """Return the source span of the characters ``start`` to ``end`` of the decoded text."""
        if self.offsets is None:
            return Span(self.source, self.start + start, self.start + end)
        last = self.offsets[end - 1] + 1 if end > start else self.offsets[start]
        return Span(self.source, self.offsets[start], last)

    @property
    def whole(self) -> Span:
        """The source span of the whole text."""
        return self.span(0, len(self.text))

    def part(self, start: int, end: int) -> Slice:
        """Return a part of the slice."""
        offsets = None if self.offsets is None else self.offsets[start : end + 1]
        return Slice(self.source, self.text[start:end], self.at(start), offsets)
