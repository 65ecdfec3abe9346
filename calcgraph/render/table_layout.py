"""A table and a screen to the widths of columns, and what is left out or goes below."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.render.numbers import value_text
from calcgraph.render.results import case_names, case_titles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.model import Cell
    from calcgraph.render.results import Report

GAP = 2
LEAST_LABEL = 20


@dataclass(frozen=True, slots=True)
class Layout:
    """How wide the columns are, the same for all tables of a report.

    ``name`` is 0 where names are left out; ``blocks`` are the cases that stand beside each other.
    """

    label: int
    values: tuple[int, ...]
    unit: int
    name: int
    blocks: tuple[range, ...]


def make_layout(report: Report, groups: Sequence[Sequence[Cell]], width: int) -> Layout:
    """Measure what is to be shown, and make it fit the screen.

    Where it is too wide names go first, unless there is one case only; then labels are broken, then
    cases go below each other.
    """
    found = _measure(report, groups)
    several = len(found.values) > 1
    if _width(found) <= width:
        return found
    if several or width - _width(replace(found, label=0)) < LEAST_LABEL:
        found = replace(found, name=0)
    most = max(width // 2 if several else width - _width(replace(found, label=0)), LEAST_LABEL)
    if _width(found) > width:
        found = replace(found, label=min(found.label, most))
    return replace(found, blocks=tuple(_blocks(found, width)))


def row_texts(report: Report, cell: Cell) -> tuple[list[str], str]:
    """Give a cell's value in every case, and its unit."""
    pairs = [value_text(outcome.values[cell.number], cell.type) for outcome in report.outcomes]
    return [text for text, _ in pairs], next((unit for _, unit in pairs if unit), "")


def align_points(texts: Sequence[str]) -> list[str]:
    """Pad numbers behind their decimal points so that these stand below each other."""
    tails = [_tail(text) for text in texts]
    widest = max((len(tail) for tail in tails if tail is not None), default=0)
    return [
        text if tail is None else text + " " * (widest - len(tail))
        for text, tail in zip(texts, tails, strict=True)
    ]


def _measure(report: Report, groups: Sequence[Sequence[Cell]]) -> Layout:
    titles = case_titles(report)
    rows = [[row_texts(report, cell) for cell in cells] for cells in groups]
    values = [
        _most(text for group in rows for text in align_points([row[at] for row, _ in group]))
        for at in range(len(titles))
    ]
    if len(titles) > 1:
        heads = [_most(title.split("\n")) for title in titles]
        values = [max(pair) for pair in zip(values, heads, strict=True)]
    cells = [cell for group in groups for cell in group]
    labels = [*(label_of(report.model, cell) for cell in cells), *case_names(report)]
    unit = _most(unit for group in rows for _, unit in group)
    name = _most(cell.name for cell in cells)
    return Layout(_most(labels), tuple(values), unit, name, (range(len(titles)),))


def _most(texts: Iterable[str]) -> int:
    return max(map(len, texts), default=0)


def _width(layout: Layout) -> int:
    values = sum(layout.values[at] + GAP for at in layout.blocks[0])
    name = GAP + layout.name if layout.name else 0
    return layout.label + GAP + values + layout.unit + name


def _blocks(layout: Layout, width: int) -> list[range]:
    """Cut the cases into blocks that fit beside the labels, one at least in each."""
    room = width - _width(replace(layout, blocks=(range(0),)))
    blocks: list[range] = []
    first, used = 0, 0
    for at, value in enumerate(layout.values):
        if at > first and used + value + GAP > room:
            blocks.append(range(first, at))
            first, used = at, 0
        used += value + GAP
    return [*blocks, range(first, len(layout.values))]


def _tail(text: str) -> str | None:
    """Give what stands from the decimal point on; none for what is no number."""
    if not text[:1].isdigit() and text[:2].lstrip("-")[:1].isdigit() is False:
        return None
    digits = text.replace(",", "").replace("-", "", 1).replace(".", "", 1).rstrip("%")
    if not digits.replace("e", "", 1).replace("-", "", 1).isdigit():
        return None
    point = text.find(".")
    return text[point:] if point >= 0 else text[len(text.rstrip("%")) :]
