"""Results as tables that people like to read: labels, aligned numbers, units, checks."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.core.value import Failure
from calcgraph.lang.tokens import printable
from calcgraph.render.numbers import value_text
from calcgraph.render.results import case_titles, heading_of, label_of, wanted_cells
from calcgraph.render.table_notes import notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table
    from rich.text import Text

    from calcgraph.model import Cell
    from calcgraph.render.results import Outcome, Report

WIDTH = 10_000


@dataclass(frozen=True, slots=True)
class Widths:
    """How wide the columns are, the same for all tables of a report."""

    label: int
    values: tuple[int, ...]
    unit: int
    name: int


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
    for line in _settings(report):
        console.print(Text(printable(line), style="cyan"))
    groups = [(heading, cells) for heading, cells in _groups(report) if cells]
    widths = (
        _widths(report, [cells for _, cells in groups], width) if groups else Widths(0, (), 0, 0)
    )
    for heading, cells in groups:
        console.print()
        if heading:
            console.print(Text(printable(heading), style="bold"))
        console.print(_cells(report, cells, widths))
    for paragraph in notes(report):
        console.print(paragraph)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _widths(report: Report, groups: Sequence[Sequence[Cell]], width: int) -> Widths:
    """Measure the columns; where the screen is too narrow for all cases the names are left out."""
    titles = case_titles(report)
    if not groups:
        return Widths(0, (0,) * len(titles), 0, 0)
    several = len(titles) > 1
    rows = [[_row(report, cell) for cell in cells] for cells in groups]
    values = [
        max(len(text) for group in rows for text in align_points([row[at] for row, _ in group]))
        for at in range(len(titles))
    ]
    if several:
        heads = [max(map(len, title.split("\n"))) for title in titles]
        values = [max(pair) for pair in zip(values, heads, strict=True)]
    cells = [cell for group in groups for cell in group]
    label = max(len(label_of(report.model, cell)) for cell in cells)
    unit = max(len(unit) for group in rows for _, unit in group)
    name = max(len(cell.name) for cell in cells)
    total = label + sum(values) + unit + name + 2 * (len(values) + 2)
    return Widths(label, tuple(values), unit, 0 if several and total > width else name)


def _row(report: Report, cell: Cell) -> tuple[list[str], str]:
    """Give a cell's value in every case, and its unit."""
    pairs = [value_text(outcome.values[cell.number], cell.type) for outcome in report.outcomes]
    return [text for text, _ in pairs], next((unit for _, unit in pairs if unit), "")


def _settings(report: Report) -> list[str]:
    """Say what was set; with several cases, what all of them share."""
    first = report.outcomes[0]
    lines = [f"scenario: {' + '.join(first.scenarios)}"] if first.scenarios else []
    shared = {
        name: value
        for name, value in first.settings.items()
        if all(outcome.settings.get(name) == value for outcome in report.outcomes)
    }
    if shared:
        lines.append("set: " + ", ".join(f"{name} = {value}" for name, value in shared.items()))
    return lines


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


def _cells(report: Report, cells: Sequence[Cell], widths: Widths) -> Table:
    from rich.table import Table
    from rich.text import Text

    titles = case_titles(report)
    table = Table(
        box=None,
        show_header=len(titles) > 1,
        header_style="cyan",
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    table.add_column("", min_width=widths.label)
    for title, width in zip(titles, widths.values, strict=True):
        head = Text(printable(title).replace("\\x0a", "\n"), justify="right")
        table.add_column(head, justify="right", no_wrap=True, min_width=width)
    table.add_column("", no_wrap=True, min_width=widths.unit)
    if widths.name:
        table.add_column("", no_wrap=True, style="dim")
    rows = [_row(report, cell) for cell in cells]
    columns = [align_points([row[at] for row, _ in rows]) for at in range(len(titles))]
    for at, cell in enumerate(cells):
        values = [_value(column[at], report.outcomes[i], cell) for i, column in enumerate(columns)]
        label = Text(printable(label_of(report.model, cell)))
        name = [Text(cell.name)] if widths.name else []
        table.add_row(label, *values, Text(printable(rows[at][1])), *name)
    return table


def _value(text: str, outcome: Outcome, cell: Cell) -> Text:
    from rich.text import Text

    failed = isinstance(outcome.values[cell.number], Failure)
    style = "bold red" if failed else "blue" if cell.kind == "input" else "bold"
    return Text(printable(text), style=style)


def align_points(texts: Sequence[str]) -> list[str]:
    """Pad numbers behind their decimal points so that these stand below each other."""
    tails = [_tail(text) for text in texts]
    widest = max((len(tail) for tail in tails if tail is not None), default=0)
    return [
        text if tail is None else text + " " * (widest - len(tail))
        for text, tail in zip(texts, tails, strict=True)
    ]


def _tail(text: str) -> str | None:
    """Give what stands from the decimal point on; none for what is no number."""
    if not text[:1].isdigit() and text[:2].lstrip("-")[:1].isdigit() is False:
        return None
    digits = text.replace(",", "").replace("-", "", 1).replace(".", "", 1).rstrip("%")
    if not digits.replace("e", "", 1).replace("-", "", 1).isdigit():
        return None
    point = text.find(".")
    return text[point:] if point >= 0 else text[len(text.rstrip("%")) :]
