"""Results as tables that people like to read: labels, aligned numbers, units, checks."""

from __future__ import annotations

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
from calcgraph.render.series_format import put_series, with_line_breaks
from calcgraph.render.series_tables import ACROSS, is_series
from calcgraph.render.table_layout import (
    WIDTH,
    align_points,
    is_wide_text,
    make_layout,
    row_texts,
    shape_text,
    spot_label,
)
from calcgraph.render.table_notes import notes
from calcgraph.render.text_page import TextColumn, TextPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.value import Value
    from calcgraph.model import Cell
    from calcgraph.render.results import Report
    from calcgraph.render.table_layout import Layout
    from calcgraph.render.text_page import Span, Styled

LEAST = 60


def render_table(report: Report, *, color: bool = False, width: int = WIDTH) -> str:
    """Write the headline cells, what was set, checks, and how published figures compare."""
    page = TextPage(max(width, LEAST), color)
    page.put((printable(report.title), "bold"))
    for line in run_header(report):
        page.put((printable(line), "cyan"))
    if len(report.outcomes) > MANY:
        _put_lines(page, report)
    else:
        _put_tables(page, report, width)
    for paragraph in notes(report):
        page.put(*paragraph)
    return page.text()


def _put_lines(page: TextPage, report: Report) -> None:
    """Write a line a case; straight to the page, since there may be thousands."""
    cyan, plain = ("\x1b[36m", "\x1b[0m") if page.color else ("", "")
    for line, is_head in case_lines(report, selected_cells(report), page.width):
        page.lines.append(f"{cyan}{line}{plain}" if is_head else line.rstrip())


def _put_tables(page: TextPage, report: Report, width: int) -> None:
    """Write the cells under their headings: single values first, then series."""
    groups = _groups(report)
    rows = [[spot for spot in group.spots if not group.is_open(report, spot)] for group in groups]
    layout = make_layout(report, rows, width)
    for block, (group, spots) in product(layout.blocks, zip(groups, rows, strict=True)):
        series = [spot for spot in group.spots if group.is_open(report, spot)]
        is_last = block == layout.blocks[-1]
        if not spots and not (series and is_last):
            continue
        page.put()
        if group.heading:
            page.put((printable(group.heading), "bold"))
        if len(report.outcomes) > 1:  # so that the titles of the cases stand there once
            spots.sort(key=lambda spot: is_wide_text(report, spot))
        for is_wide, run in groupby(spots, lambda spot: is_wide_text(report, spot)):
            put = _put_wide if is_wide else _put_cells
            put(page, report, list(run), layout, block)
        if is_last and series:
            put_series(page, report, series, width, is_first=not spots)


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


def _put_cells(
    page: TextPage, report: Report, spots: Sequence[Spot], layout: Layout, block: range
) -> None:
    """Write a line a cell: its label, its value in each case, its unit, and what has room."""
    titles = case_titles(report)
    tails = [width for width in (layout.shape, layout.name) if width]
    columns = [
        TextColumn(layout.label),
        *(TextColumn(layout.values[at], right=True) for at in block),
        TextColumn(layout.unit),
        *map(TextColumn, tails),
    ]
    table: list[Sequence[Styled]] = []
    if len(titles) > 1:
        heads = ["\n".join(case_names(report)), *(with_line_breaks(titles[at]) for at in block)]
        table.append([[(head, "cyan")] for head in heads] + [[] for _ in [0, *tails]])
    rows = [row_texts(report, spot) for spot in spots]
    texts = [align_points([row[at] for row, _ in rows]) for at in block]
    for at, spot in enumerate(spots):
        values = [
            [_value(column[at], report.value(report.outcomes[case], spot), spot.cell)]
            for case, column in zip(block, texts, strict=True)
        ]
        label = [(printable(spot_label(report, spot)), "")]
        unit = [(printable(rows[at][1]), "")]
        shape = [[(printable(shape_text(report, spot)), "dim")]] if layout.shape else []
        name = [[(spot_name(report.model, spot), "dim")]] if layout.name else []
        table.append([label, *values, unit, *shape, *name])
    page.put_table(columns, table, has_head=len(titles) > 1)


def _put_wide(
    page: TextPage, report: Report, spots: Sequence[Spot], layout: Layout, block: range
) -> None:
    """Let texts that are too long for a column of numbers take the rest of the line.

    Of several cases each has a line that begins with its title, unless all say the same.
    """
    table: list[Sequence[Styled]] = []
    titles = case_titles(report)
    for spot in spots:
        texts = [report.texts(report.outcomes[case], spot)[0] for case in block]
        cases = block if len(set(texts)) > 1 else block[:1]
        label = printable(spot_label(report, spot))
        for case, shown in zip(cases, texts, strict=False):
            text = [_value(shown, report.value(report.outcomes[case], spot), spot.cell)]
            if len(cases) > 1:
                text.insert(0, (f"{printable(titles[case])}: ".replace("\\x0a", ", "), "cyan"))
            if layout.name:
                text.append((f"  {spot_name(report.model, spot)}", "dim"))
            table.append([[(label, "")], text])
            label = ""
    page.put_table([TextColumn(layout.label), TextColumn(shrinks=True)], table)


def _value(text: str, value: Value, cell: Cell) -> Span:
    failed = isinstance(value, Failure) or (isinstance(value, Series) and value.failure is not None)
    style = "bold red" if failed else "blue" if cell.kind == "input" else "bold"
    return printable(text), style
