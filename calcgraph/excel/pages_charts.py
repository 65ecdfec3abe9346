"""Charts: four on the front page, all on a page of their own where that is needed.

A chart refers to cells where they stand. Where they do not lie in a row or column, or one may be
not applicable (which Excel would draw as a nought), their values stand on that page once more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.analysis.charts import described, line_of, lines_of, title_of, x_title, y_title
from calcgraph.core.type import Kind
from calcgraph.excel.chart_ranges import DrawnChart, copied, is_direct, ranges_of
from calcgraph.excel.plots import ChartAxis, Plot, PlotLine, axis_format, log_format, time_axis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.excel.builder import Builder
    from calcgraph.excel.chart_ranges import ChartRanges
    from calcgraph.excel.grid import Page
    from calcgraph.excel.plots import Range

ON_SUMMARY, SUMMARY_ROWS, SUMMARY_COLUMNS = 4, 11, ((2, 5), (6, 9))
ROWS, COLUMNS = 16, ((1, 7), (7, 13))
WIDTHS = (20.0, *[13.0] * 5, *[14.0] * 6)
NAMED = 16
"""So many points have their labels beside them; more would hide each other."""
PURPOSE = "Each picture follows the cells it is of."
COPIED = "Below, values as the pictures need them; #N/A stands where there is nothing to draw."


def add_charts(builder: Builder) -> list[Plot]:
    """Write the page of charts, where there is need of one; give all charts in any case."""
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
    """Put the first four charts on the front page, two beside each other."""
    shown = plots[:ON_SUMMARY]
    _lay(page, shown, (row, SUMMARY_ROWS), SUMMARY_COLUMNS)
    end = row + (len(shown) + 1) // 2 * SUMMARY_ROWS
    page.heights.update(dict.fromkeys(range(row, end), 16))
    return end


def _lay(
    page: Page, plots: Sequence[Plot], rows: tuple[int, int], columns: tuple[tuple[int, int], ...]
) -> None:
    """Lay charts in two columns; one that would stand alone has both."""
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
