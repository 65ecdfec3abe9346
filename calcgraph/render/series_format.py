"""Tables of series on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.lang.tokens import printable
from calcgraph.render.series_tables import grids_of
from calcgraph.render.table_layout import GAP, align_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table

    from calcgraph.analysis.labels import Spot
    from calcgraph.render.results import Report
    from calcgraph.render.series_tables import Grid


def put_series(
    console: Console, report: Report, spots: Sequence[Spot], width: int, *, is_first: bool
) -> None:
    """Write series below single values."""
    from rich.text import Text

    for grid in grids_of(report, spots, width):
        if not is_first:
            console.print()
        is_first = False
        if grid.title:
            console.print(Text(printable(grid.title)))
        console.print(_table(grid))
        if grid.note:
            console.print(Text(grid.note, style="dim"))


def _table(grid: Grid) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="cyan", pad_edge=False, padding=(0, GAP, 0, 0))
    table.add_column(Text(printable(grid.corner).replace("\\x0a", "\n")), no_wrap=True)
    columns: list[list[str]] = []
    for at, head in enumerate(grid.heads):
        justify = "left" if grid.left[at] else "right"
        lines = Text(printable(head).replace("\\x0a", "\n"), justify=justify)  # type: ignore[arg-type]
        table.add_column(lines, justify=justify, no_wrap=not grid.left[at], overflow="fold")  # type: ignore[arg-type]
        texts = [entries[at].text for _, entries in grid.rows]
        columns.append(texts if grid.left[at] or grid.units else align_points(texts))
    if grid.units:
        table.add_column("", no_wrap=True)
    for row, (head, entries) in enumerate(grid.rows):
        cells = [
            Text(printable(column[row]), style="bold red" if entry.failed else "bold")
            for column, entry in zip(columns, entries, strict=True)
        ]
        unit = [Text(printable(grid.units[row]))] if grid.units else []
        table.add_row(Text(printable(head)), *cells, *unit)
    return table
