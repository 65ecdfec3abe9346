"""Tables of series on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.lang.tokens import printable
from calcgraph.render.series_tables import grids_of
from calcgraph.render.table_layout import align_points
from calcgraph.render.text_page import TextColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.analysis.labels import Spot
    from calcgraph.render.results import Report
    from calcgraph.render.series_tables import SeriesGrid
    from calcgraph.render.text_page import Styled, TextPage


def put_series(
    page: TextPage, report: Report, spots: Sequence[Spot], width: int, *, is_first: bool
) -> None:
    """Write series below single values."""
    for grid in grids_of(report, spots, width):
        if not is_first:
            page.put()
        is_first = False
        if grid.title:
            page.put((printable(grid.title), ""))
        _put_grid(page, grid)
        if grid.note:
            page.put((grid.note, "dim"))


def _put_grid(page: TextPage, grid: SeriesGrid) -> None:
    columns = [
        TextColumn(),
        *(TextColumn(right=not left, shrinks=left) for left in grid.left),
        *([TextColumn()] if grid.units else []),
    ]
    heads = [(with_line_breaks(head), "cyan") for head in (grid.corner, *grid.heads)]
    rows: list[Sequence[Styled]] = [[[head] for head in heads] + ([[]] if grid.units else [])]
    texts = [
        texts if grid.left[at] or grid.units else align_points(texts)
        for at in range(len(grid.heads))
        for texts in [[entries[at].text for _, entries in grid.rows]]
    ]
    for at, (head, entries) in enumerate(grid.rows):
        values = [
            [(printable(column[at]), "bold red" if entry.failed else "bold")]
            for column, entry in zip(texts, entries, strict=True)
        ]
        unit = [[(printable(grid.units[at]), "")]] if grid.units else []
        rows.append([[(printable(head), "")], *values, *unit])
    page.put_table(columns, rows, has_head=True)


def with_line_breaks(head: str) -> str:
    """Keep the line breaks of a heading, which `printable` would escape."""
    return printable(head).replace("\\x0a", "\n")
