"""Many cases as a table: a line a case, a column for each setting that differs and each value."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from calcgraph.lang.tokens import printable
from calcgraph.render.results import case_names
from calcgraph.render.table_layout import align_points, row_texts, spot_label
from calcgraph.render.text_page import GAP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calcgraph.analysis.labels import Spot
    from calcgraph.render.results import Report

NARROWEST = 12
"""No label is broken into shorter lines."""
WIDEST = 48
"""No text takes more room; JSON and CSV have all of it."""


@dataclass(frozen=True, slots=True)
class Column:
    """What stands below each other: a label, a unit, and a text for each case."""

    label: str
    unit: str
    texts: Sequence[str]


def setting_columns(report: Report) -> list[Column]:
    """Return what makes the cases differ."""
    return [
        Column(name, "", [outcome.marks[name] for outcome in report.outcomes])
        for name in case_names(report)
    ]


def value_columns(report: Report, spots: Sequence[Spot]) -> list[Column]:
    """Return values; of a series where it begins and ends."""
    found = [(spot, *row_texts(report, spot)) for spot in spots]
    return [Column(spot_label(report, spot), unit, texts) for spot, texts, unit in found]


def case_lines(report: Report, spots: Sequence[Spot], width: int) -> Iterator[tuple[str, bool]]:
    """Write a table, and whether each line is a head; what finds no room goes below."""
    first = [_Laid.of(column) for column in setting_columns(report)]
    rest = [_Laid.of(column) for column in value_columns(report, spots)]
    taken = sum(column.width + GAP for column in first)
    for block in _column_blocks(rest, max(width - taken, 0)):
        columns = [*first, *block]
        yield "", False
        high = max(len(column.head) for column in columns)
        heads = ([""] * (high - len(column.head)) + column.head for column in columns)
        for line in zip(*heads, strict=True):
            yield _joined_cells(line, columns), True
        for line in zip(*(column.texts for column in columns), strict=True):
            yield _joined_cells(line, columns), False


@dataclass(frozen=True, slots=True)
class _Laid:
    """A column with its width, and its head in lines."""

    head: list[str]
    texts: list[str]
    width: int

    @classmethod
    def of(cls, column: Column) -> _Laid:
        texts = align_points([_cut(printable(text)) for text in column.texts])
        widest = max(map(len, texts))
        head = [
            *wrap(printable(column.label), max(widest, NARROWEST)),
            *([printable(column.unit)] if column.unit else []),
        ]
        return cls(head, texts, max(widest, *map(len, head)))


def _cut(text: str) -> str:
    line = text.replace("\n", " ")
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…"


def _joined_cells(texts: Sequence[str], columns: Sequence[_Laid]) -> str:
    return (" " * GAP).join(
        text.rjust(column.width) for text, column in zip(texts, columns, strict=True)
    )


def _column_blocks(columns: Sequence[_Laid], room: int) -> Iterator[Sequence[_Laid]]:
    """Cut columns into blocks that fit beside the settings, one at least in each."""
    first, used = 0, 0
    for at, column in enumerate(columns):
        if at > first and used + column.width > room:
            yield columns[first:at]
            first, used = at, 0
        used += column.width + GAP
    yield columns[first:]
