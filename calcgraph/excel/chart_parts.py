"""Charts among the parts of a workbook: openpyxl wires them up, their texts are ours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from calcgraph.excel.chart_xml import attribute, chart_xml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from openpyxl.worksheet.worksheet import Worksheet

    from calcgraph.excel.grid import Page
    from calcgraph.excel.plots import Plot

_CHART = re.compile(r"xl/charts/chart([0-9]+)\.xml")
_DRAWING = re.compile(r"xl/drawings/drawing([0-9]+)\.xml")
_FRAME = re.compile(r'(<(?:\w+:)?cNvPr id="[0-9]+" name=")[^"]*"')


def put_charts(sheet: Worksheet, plots: Sequence[Plot]) -> None:
    """Give each chart its place on a sheet; what it is follows in ``charted``."""
    from openpyxl.chart import BarChart
    from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor

    for plot in plots:
        left, top, right, bottom = plot.corners
        chart = BarChart()
        start, end = AnchorMarker(col=left - 1, row=top - 1), AnchorMarker(right - 1, 0, bottom - 1)
        chart.anchor = TwoCellAnchor(editAs="oneCell", _from=start, to=end)  # type: ignore[assignment]
        sheet.add_chart(chart)


def charted(name: str, content: str, pages: Sequence[Page]) -> str:
    """Write a chart's own text in place of what stands for it, and say what a drawing shows."""
    hit = _CHART.fullmatch(name)
    if hit:
        return chart_xml(list(_plots(pages))[int(hit[1]) - 1])
    hit = _DRAWING.fullmatch(name)
    if hit is None:
        return content
    page = [page for page in pages if page.plots][int(hit[1]) - 1]
    plots = iter(page.plots)

    def told(frame: re.Match[str]) -> str:
        plot = next(plots)
        return f'{frame[1]}{attribute(plot.title)}" descr="{attribute(plot.alt)}"'

    return _FRAME.sub(told, content)


def _plots(pages: Sequence[Page]) -> Iterator[Plot]:
    for page in pages:
        yield from page.plots
