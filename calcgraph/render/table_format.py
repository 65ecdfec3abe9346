"""Results as tables that people like to read: labels, aligned numbers, units, checks."""

from __future__ import annotations

import io
from dataclasses import dataclass
from itertools import groupby, product
from math import inf
from typing import TYPE_CHECKING

from calcgraph.analysis.described import heading_of
from calcgraph.analysis.labels import Spot, spot_name
from calcgraph.core.value import Failure, Series
from calcgraph.lang.tokens import printable
from calcgraph.render.case_lines import case_lines
from calcgraph.render.results import MANY, case_names, case_titles, run_header, selected_cells
from calcgraph.render.series_format import put_series
from calcgraph.render.series_tables import ACROSS, is_series
from calcgraph.render.table_layout import (
    GAP,
    WIDTH,
    align_points,
    is_wide_text,
    make_layout,
    row_texts,
    shape_text,
    spot_label,
)
from calcgraph.render.table_notes import notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from calcgraph.core.value import Value
    from calcgraph.model import Cell
    from calcgraph.render.results import Report
    from calcgraph.render.table_layout import Layout

LEAST = 60


def render_table(report: Report, *, color: bool = False, width: int = WIDTH) -> str:
    """Write the headline cells, what was set, checks, and how published figures compare."""
    from rich.console import Console
    from rich.text import Text

    buffer = io.StringIO()
    console = Console(
        file=buffer,
        force_terminal=color,
        no_color=not color,
        width=max(width, LEAST),
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(Text(printable(report.title), style="bold"))
    for line in run_header(report):
        console.print(Text(printable(line), style="cyan"))
    if len(report.outcomes) > MANY:
        _put_lines(console, report, max(width, LEAST), color=color)
    else:
        _put_tables(console, report, width)
    for paragraph in notes(report):
        console.print(paragraph)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _put_lines(console: Console, report: Report, width: int, *, color: bool) -> None:
    """Write a line a case; straight to the file, since there may be thousands."""
    cyan, plain = ("\x1b[36m", "\x1b[0m") if color else ("", "")
    for line, is_head in case_lines(report, selected_cells(report), width):
        console.file.write(f"{cyan}{line}{plain}\n" if is_head else f"{line}\n")


def _put_tables(console: Console, report: Report, width: int) -> None:
    """Write the cells under their headings: single values first, then series."""
    from rich.text import Text

    groups = _groups(report)
    rows = [[spot for spot in group.spots if not group.is_open(report, spot)] for group in groups]
    layout = make_layout(report, rows, width)
    for block, (group, spots) in product(layout.blocks, zip(groups, rows, strict=True)):
        series = [spot for spot in group.spots if group.is_open(report, spot)]
        is_last = block == layout.blocks[-1]
        if not spots and not (series and is_last):
            continue
        console.print()
        if group.heading:
            console.print(Text(printable(group.heading), style="bold"))
        if len(report.outcomes) > 1:  # so that the titles of the cases stand there once
            spots.sort(key=lambda spot: is_wide_text(report, spot))
        for is_wide, run in groupby(spots, lambda spot: is_wide_text(report, spot)):
            put = _wide if is_wide else _cells
            console.print(put(report, list(run), layout, block))
        if is_last and series:
            put_series(console, report, series, width, is_first=not spots)


@dataclass(frozen=True, slots=True)
class _Group:
    """Cells under a heading; series of more than ``most`` values are not written out."""

    heading: str
    spots: list[Spot]
    most: float

    def is_open(self, report: Report, spot: Spot) -> bool:
        """Whether all values of a series are shown, not only where it begins and ends."""
        return is_series(spot) and report.model.size(spot.cell.number) <= self.most


def _groups(report: Report) -> list[_Group]:
    """Put cells under their headings, in the order of the sheet."""
    spots = selected_cells(report)
    if report.shown or (report.model.outputs and not report.everything):
        return [_Group("", spots, inf)]
    groups: dict[str, _Group] = {}
    outputs = [Spot(report.model.cells[number]) for number in report.model.outputs]
    most = -1 if report.everything else ACROSS
    if outputs:
        groups["Headline"] = _Group("Headline", outputs, inf)
    for spot in spots:
        heading = heading_of(report.model, spot.cell)
        groups.setdefault(heading, _Group(heading, [], most)).spots.append(spot)
    return list(groups.values())


def _cells(report: Report, spots: Sequence[Spot], layout: Layout, block: range) -> Table:
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
        table.add_column(head, justify="right", overflow="fold", width=layout.values[at])
    table.add_column("", no_wrap=True, width=layout.unit)
    for width in filter(None, (layout.shape, layout.name)):
        table.add_column("", no_wrap=True, style="dim", width=width)
    rows = [row_texts(report, spot) for spot in spots]
    columns = [align_points([row[at] for row, _ in rows]) for at in block]
    for at, spot in enumerate(spots):
        values = [
            _value(column[at], report.value(report.outcomes[case], spot), spot.cell)
            for case, column in zip(block, columns, strict=True)
        ]
        label = Text(printable(spot_label(report, spot)))
        shape = [Text(printable(shape_text(report, spot)))] if layout.shape else []
        name = [Text(spot_name(report.model, spot))] if layout.name else []
        table.add_row(label, *values, Text(printable(rows[at][1])), *shape, *name)
    return table


def _wide(report: Report, spots: Sequence[Spot], layout: Layout, block: range) -> Table:
    """Give texts that are too long for a column of numbers the rest of the line.

    Of several cases each has a line that begins with its title, unless all say the same.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, GAP, 0, 0))
    table.add_column("", width=layout.label)
    table.add_column("", overflow="fold")
    titles = case_titles(report)
    for spot in spots:
        texts = [report.texts(report.outcomes[case], spot)[0] for case in block]
        cases = block if len(set(texts)) > 1 else block[:1]
        label = spot_label(report, spot)
        for case, shown in zip(cases, texts, strict=False):
            text = Text()
            if len(cases) > 1:
                text.append(f"{printable(titles[case])}: ".replace("\\x0a", ", "), style="cyan")
            text.append(_value(shown, report.value(report.outcomes[case], spot), spot.cell))
            if layout.name:
                text.append(f"  {spot_name(report.model, spot)}", style="not bold dim")
            table.add_row(Text(printable(label)), text)
            label = ""
    return table


def _value(text: str, value: Value, cell: Cell) -> Text:
    from rich.text import Text

    failed = isinstance(value, Failure) or (isinstance(value, Series) and value.failure is not None)
    style = "bold red" if failed else "blue" if cell.kind == "input" else "bold"
    return Text(printable(text), style=style)
