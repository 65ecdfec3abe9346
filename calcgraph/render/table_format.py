"""Results as tables that people like to read: labels, aligned numbers, units, checks."""

from __future__ import annotations

import io
from itertools import product
from typing import TYPE_CHECKING

from calcgraph.analysis.described import heading_of, label_of
from calcgraph.core.value import Failure
from calcgraph.lang.tokens import printable
from calcgraph.render.results import case_names, case_titles, situation, wanted_cells
from calcgraph.render.table_layout import GAP, align_points, make_layout, row_texts
from calcgraph.render.table_notes import notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table
    from rich.text import Text

    from calcgraph.model import Cell
    from calcgraph.render.results import Outcome, Report
    from calcgraph.render.table_layout import Layout

WIDTH = 10_000


def render_table(report: Report, *, color: bool = False, width: int = WIDTH) -> str:
    """Write the headline cells, what was set, checks, and how published figures compare."""
    from rich.console import Console
    from rich.text import Text

    buffer = io.StringIO()
    console = Console(
        file=buffer,
        force_terminal=color,
        no_color=not color,
        width=max(width, 60),
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(Text(printable(report.title), style="bold"))
    for line in situation(report):
        console.print(Text(printable(line), style="cyan"))
    groups = [(heading, cells) for heading, cells in _groups(report) if cells]
    layout = make_layout(report, [cells for _, cells in groups], width)
    for block, (heading, cells) in product(layout.blocks, groups):
        console.print()
        if heading:
            console.print(Text(printable(heading), style="bold"))
        console.print(_cells(report, cells, layout, block))
    for paragraph in notes(report):
        console.print(paragraph)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _groups(report: Report) -> list[tuple[str, list[Cell]]]:
    """Put cells under their headings, in the order of the sheet."""
    cells = wanted_cells(report)
    if report.shown or (report.model.outputs and not report.everything):
        return [("", cells)]
    groups: dict[str, list[Cell]] = {}
    outputs = [report.model.cells[number] for number in report.model.outputs]
    if outputs:
        groups["Headline"] = outputs
    for cell in cells:
        groups.setdefault(heading_of(report.model, cell), []).append(cell)
    return list(groups.items())


def _cells(report: Report, cells: Sequence[Cell], layout: Layout, block: range) -> Table:
    from rich.table import Table
    from rich.text import Text

    titles = case_titles(report)
    several = len(titles) > 1
    padding = (0, GAP, 0, 0)
    table = Table(
        box=None, show_header=several, header_style="cyan", pad_edge=False, padding=padding
    )
    table.add_column("\n".join(case_names(report)), width=layout.label)
    for at in block:
        head = Text(printable(titles[at]).replace("\\x0a", "\n"), justify="right")
        table.add_column(head, justify="right", no_wrap=True, width=layout.values[at])
    table.add_column("", no_wrap=True, width=layout.unit)
    if layout.name:
        table.add_column("", no_wrap=True, style="dim")
    rows = [row_texts(report, cell) for cell in cells]
    columns = [align_points([row[at] for row, _ in rows]) for at in block]
    for at, cell in enumerate(cells):
        values = [
            _value(column[at], report.outcomes[case], cell)
            for case, column in zip(block, columns, strict=True)
        ]
        label = Text(printable(label_of(report.model, cell)))
        name = [Text(cell.name)] if layout.name else []
        table.add_row(label, *values, Text(printable(rows[at][1])), *name)
    return table


def _value(text: str, outcome: Outcome, cell: Cell) -> Text:
    from rich.text import Text

    failed = isinstance(outcome.values[cell.number], Failure)
    style = "bold red" if failed else "blue" if cell.kind == "input" else "bold"
    return Text(printable(text), style=style)
