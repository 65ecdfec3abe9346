"""Native charts and the ranges they draw."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import (
    described,
    entries,
    line_of,
    lines_of,
    title_of,
    x_title,
    y_title,
)
from calcgraph.core.values import Kind, visible_dim
from calcgraph.excel.layout.blocks import NOWHERE, block_reference, spread
from calcgraph.excel.sheets.builder import block_format, cached, key_format, unit_text
from calcgraph.excel.xlsx.pages import (
    ChartAxis,
    Plot,
    PlotLine,
    Range,
    XlsxCell,
    axis_format,
    letters,
    log_format,
    quoted,
    time_axis,
)
from calcgraph.excel.xlsx.styles import DATE
from calcgraph.functions.kernels.series import added

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.analysis.descriptions import PlottedLine
    from calcgraph.core.values import Dim
    from calcgraph.excel.layout.blocks import Block
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Cached, Page
    from calcgraph.model import Chart


TOTALS = 12
"""So many stacks have their totals above them; more would hide each other."""


@dataclass(frozen=True, slots=True)
class DrawnChart:
    """A chart with its lines, the series at the bottom if there is one, and its dim."""

    chart: Chart
    dim: Dim
    lines: list[PlottedLine]
    x: PlottedLine | None

    @property
    def shown(self) -> list[PlottedLine]:
        """All series it needs, what goes across first."""
        return [*([self.x] if self.x else []), *self.lines]


@dataclass(frozen=True, slots=True)
class ChartRanges:
    """Where a chart finds what goes across, its lines, and what stacks add up to."""

    x: Range
    lines: list[Range]
    totals: Range | None = None


def is_direct(builder: Builder, drawn: DrawnChart) -> bool:
    """Whether a chart can refer to all of its values in place."""
    return not _has_totals(builder, drawn) and all(_place(builder, line) for line in drawn.shown)


def _has_totals(builder: Builder, drawn: DrawnChart) -> bool:
    """Whether the total is written above each stack: if there is room and no part is below 0."""
    if drawn.chart.kind != "stacked" or len(drawn.lines) == 1 or drawn.dim.size > TOTALS:
        return False
    values = [value for line in drawn.lines for value in _values(builder, line)]
    return all(value >= 0 for value in values if isinstance(value, float))


def _place(builder: Builder, line: PlottedLine) -> str:
    """Return the range of a line's values; empty where they are no range, or may be missing."""
    block = builder.spelling.blocks[line.cell.number]
    if line.cell.may_be_na:
        return ""
    model = builder.request.model
    spots = [spread(model, block, place) for place in line.places]
    (top, left), (bottom, right) = spots[0], spots[-1]
    is_row = spots == [(top, left + at) for at in range(len(spots))]
    is_column = spots == [(top + at, left) for at in range(len(spots))]
    return _range(block, (top, bottom), (left, right)) if is_row or is_column else ""


def _range(block: Block, rows: tuple[int, int], columns: tuple[int, int]) -> str:
    top, bottom = (block.row + row for row in rows)
    left, right = (block.column + column for column in columns)
    return _address(block.page, (top, bottom), (left, right))


def _address(page: str, rows: tuple[int, int], columns: tuple[int, int]) -> str:
    first = f"${letters(columns[0])}${rows[0]}"
    return f"{quoted(page)}!{first}:${letters(columns[1])}${rows[1]}"


def ranges_of(builder: Builder, drawn: DrawnChart) -> ChartRanges:
    """Refer to cells in place: the values along the axis, and each line."""
    values = [
        Range(_place(builder, line), _values(builder, line), _shape(builder, line))
        for line in drawn.lines
    ]
    if drawn.x:
        x = Range(_place(builder, drawn.x), _values(builder, drawn.x), _shape(builder, drawn.x))
    else:
        x = Range(_labels(builder, drawn), _keys(drawn.dim), key_format(drawn.dim))
    return ChartRanges(x, values)


def _values(builder: Builder, line: PlottedLine) -> tuple[Cached, ...]:
    found = entries(builder.request.now.values[line.cell.number], line)
    return tuple(cached(value) for value in found)  # type: ignore[arg-type]


def _keys(dim: Dim) -> tuple[Cached, ...]:
    return tuple(dim.keys)


def _shape(builder: Builder, line: PlottedLine) -> str:
    if line.cell.type.kind is Kind.DATE:
        return DATE
    block = builder.spelling.blocks[line.cell.number]
    return block_format(builder.request.model, block, line.cell.type, dash=False)


def _labels(builder: Builder, drawn: DrawnChart) -> str:
    """Find the labels of a dim beside the values of a line."""
    line = drawn.lines[0]
    block = builder.spelling.blocks[line.cell.number]
    dim = next(dim for dim in block.dims if visible_dim(dim) == drawn.chart.dim)
    first = spread(builder.request.model, block, line.places[0])
    last = spread(builder.request.model, block, line.places[-1])
    rows = (block.row + first[0], block.row + last[0])
    if line.cell.kind in {"column", "axis"}:
        return _address(block.page, rows, (1, 1))
    head = block.heads[dim, "key"]
    if dim == block.frame.column:
        columns = (block.column + first[1], block.column + last[1])
        return _address(block.page, (head, head), columns)
    return _address(block.page, rows, (head, head))


def copied(builder: Builder, page: Page, drawn: DrawnChart) -> ChartRanges:
    """Write the values of a chart below each other, where a chart can refer to them."""
    model, dim = builder.request.model, drawn.dim
    builder.section(page, title_of(model, drawn.chart), len(page.widths))
    head, first, last = page.row, page.row + 2, page.row + 1 + dim.size
    name = drawn.chart.dim.rpartition(".")[2]
    page.put(head, 1, XlsxCell(name.replace("_", " "), style="header note"))
    page.put(head + 1, 1, XlsxCell(style="unit"))
    page.heights[head] = 27
    for at, key in enumerate(dim.keys):
        page.put(first + at, 1, XlsxCell(key, style="note", format=key_format(dim)))
    found: list[Range] = []
    for column, line in enumerate(drawn.shown, 2):
        _column(builder, page, line, (head, column))
        place = _address(page.name, (first, last), (column, column))
        found.append(Range(place, _held(builder, line), _shape(builder, line)))
    page.row = last + 2
    labels = Range(_address(page.name, (first, last), (1, 1)), _keys(dim), key_format(dim))
    x, lines = (found[0], found[1:]) if drawn.x else (labels, found)
    is_stack = _has_totals(builder, drawn)
    return ChartRanges(
        x, lines, _totals(page, drawn, lines, (head, len(found) + 2)) if is_stack else None
    )


def _totals(page: Page, drawn: DrawnChart, lines: list[Range], place: tuple[int, int]) -> Range:
    """Write the total of each stack after its parts."""
    head, column = place
    first, shape = column - len(lines), lines[0].format
    may_be_na = any(line.cell.may_be_na for line in drawn.lines)
    page.put(head, column, XlsxCell("Total", style="header right"))
    page.put(head + 1, column, XlsxCell(page.cells[head + 1, first].value, style="unit right"))
    totals: list[Cached] = []
    for at in range(drawn.dim.size):
        row = head + 2 + at
        parts = [f"{letters(one)}{row}" for one in range(first, column)]
        text = f"SUM({parts[0]}:{parts[-1]})"
        if may_be_na:
            known = "+".join(f"IF(ISNUMBER({part}),{part},0)" for part in parts)
            text = f"IF(COUNT({parts[0]}:{parts[-1]})=0,NA(),{known})"
        numbers = [line.values[at] for line in lines if isinstance(line.values[at], float)]
        totals.append(added(numbers) if numbers else "#N/A")  # type: ignore[arg-type]
        page.put(row, column, XlsxCell(totals[-1], text, "calc", shape))
    rows = (head + 2, head + 1 + drawn.dim.size)
    return Range(
        _address(page.name, rows, (column, column)), tuple(totals), shape.replace("_)", "")
    )


def _held(builder: Builder, line: PlottedLine) -> tuple[Cached, ...]:
    """Return the values of the copies: an error, which no chart draws, where there is no value."""
    return tuple("#N/A" if value == "" else value for value in _values(builder, line))


def _column(builder: Builder, page: Page, line: PlottedLine, place: tuple[int, int]) -> None:
    head, column = place
    block, shape = builder.spelling.blocks[line.cell.number], _shape(builder, line)
    name = line.name
    page.put(head, column, XlsxCell(name, style="header right"))
    page.put(head + 1, column, XlsxCell(unit_text(line.cell.type) or None, style="unit right"))
    for row, (at, value) in enumerate(
        zip(line.places, _held(builder, line), strict=True), head + 2
    ):
        down, across = spread(builder.request.model, block, at)
        mark = block_reference(NOWHERE, block.number, f"#{down}", f"#{across}")
        text = f'IF({mark}="",NA(),{mark})' if line.cell.may_be_na else mark
        page.put(row, column, XlsxCell(value, text, "link", shape))


ON_SUMMARY, SUMMARY_ROWS, SUMMARY_COLUMNS = 4, 11, ((2, 5), (6, 9))
ROWS, COLUMNS = 16, ((1, 7), (7, 13))
WIDTHS = (20.0, *[13.0] * 5, *[14.0] * 6)
NAMED = 16
"""So many points have their labels beside them; more would hide each other."""
PURPOSE = "Each picture follows the cells it is of."
COPIED = "Values copied for the charts; #N/A marks gaps, which are not drawn."


def add_charts(builder: Builder) -> list[Plot]:
    """Write the page of charts if one is needed; return all charts in any case."""
    model = builder.request.model
    drawn = [
        DrawnChart(
            chart, model.graph.dims[chart.dim], lines_of(model, chart), line_of(model, chart)
        )
        for chart in model.charts
    ]
    moved = [one for one in drawn if not is_direct(builder, one)]
    if not moved and len(drawn) <= ON_SUMMARY:
        return [_plot(builder, one, ranges_of(builder, one)) for one in drawn]
    purpose = f"{PURPOSE} {COPIED}" if moved else PURPOSE
    page = builder.page("Charts", "Charts", purpose, WIDTHS)
    page.freeze, page.heights[4] = "A4", 8
    below = 5 + (len(drawn) + 1) // 2 * ROWS
    page.breaks = list(range(4 + 2 * ROWS, below - 1, 2 * ROWS))
    if moved:
        page.breaks.append(below - 1)
    page.row = below + 1
    ranges = [
        copied(builder, page, one) if one in moved else ranges_of(builder, one) for one in drawn
    ]
    plots = [_plot(builder, one, found) for one, found in zip(drawn, ranges, strict=True)]
    _lay(page, plots, (5, ROWS), COLUMNS)
    return plots


def put_on_summary(page: Page, plots: Sequence[Plot], row: int) -> int:
    """Place the first four charts on the front page, two side by side."""
    shown = plots[:ON_SUMMARY]
    _lay(page, shown, (row, SUMMARY_ROWS), SUMMARY_COLUMNS)
    end = row + (len(shown) + 1) // 2 * SUMMARY_ROWS
    page.heights.update(dict.fromkeys(range(row, end), 16))
    return end


def _lay(
    page: Page, plots: Sequence[Plot], rows: tuple[int, int], columns: tuple[tuple[int, int], ...]
) -> None:
    """Lay charts in two columns; a single one in its row takes both."""
    first, height = rows
    for at, plot in enumerate(plots):
        top = first + at // 2 * height
        left, right = columns[at % 2]
        if at % 2 == 0 and at == len(plots) - 1:
            right = columns[1][1]
        page.plots.append(replace(plot, corners=(left, top, right, top + height)))


def _plot(builder: Builder, drawn: DrawnChart, found: ChartRanges) -> Plot:
    model, chart = builder.request.model, drawn.chart
    across, values = found.x, found.lines
    shown = [value for one in values for value in one.values]
    percent = drawn.lines[0].cell.type.unit.percent
    is_log = "y" in chart.log
    y_shape = (log_format if is_log else axis_format)(shown, percent=percent)
    y = ChartAxis("number", y_title(model, chart), y_shape, is_log)
    labels = drawn.dim.labels if chart.kind == "scatter" and chart.x is not None else ()
    lines = tuple(
        PlotLine(line.name, across, one, labels if len(labels) <= NAMED else ())
        for line, one in zip(drawn.lines, values, strict=True)
    )
    title, alt = title_of(model, chart), described(model, chart)
    totals = PlotLine("Total", across, found.totals) if found.totals else None
    return Plot(chart.kind, title, alt, _x_axis(builder, drawn, across), y, lines, totals)


def _x_axis(builder: Builder, drawn: DrawnChart, across: Range) -> ChartAxis:
    chart, x = drawn.chart, drawn.x
    title = x_title(builder.request.model, chart)
    if x is None:
        if drawn.dim.kind == "time":
            return time_axis(drawn.dim, has_columns=chart.kind in {"column", "stacked"})
        if drawn.dim.kind == "count" and chart.kind == "scatter":
            return ChartAxis("number", title, "#,##0")
        return ChartAxis("text", title, "General")
    kind = x.cell.type.kind
    if kind is Kind.DATE:
        return ChartAxis("number", title, "mmm yy")
    if kind is not Kind.NUMBER or chart.kind in {"column", "stacked"}:
        return ChartAxis("text", title, across.format)
    is_log = "x" in chart.log
    shape = (log_format if is_log else axis_format)(across.values, percent=x.cell.type.unit.percent)
    return ChartAxis("number", title, shape, is_log)
