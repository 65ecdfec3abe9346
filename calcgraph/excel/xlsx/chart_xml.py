"""Chart XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from calcgraph.excel.xlsx.pages import COLORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from openpyxl.worksheet.worksheet import Worksheet

    from calcgraph.excel.xlsx.pages import ChartAxis, Page, Plot, PlotLine, Range


INK, SLATE, RULE, GRID = "1B2A41", "5A6675", "C5CDD8", "DDE2E9"
X_AXIS, Y_AXIS = 10, 100
THICK, THIN, AXIS_LINE = 22225, 6350, 9525
"""Widths of lines, in English metric units: 1.75, 0.5 and 0.75 points."""
FEW, WIDE_GAP, NARROW_GAP = 12, 80, 30
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
)


_SHOWN = (
    '<c:dLblPos val="{0}"/><c:showLegendKey val="0"/><c:showVal val="{1}"/>'
    '<c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/>'
    '<c:showBubbleSize val="0"/>'
)


def chart_xml(plot: Plot) -> str:
    """Write a chart; a line goes on where a point is missing, as Excel draws it in any case."""
    legend = _legend(plot) if len(plot.lines) > 1 else ""
    blanks = "span" if plot.kind == "line" else "gap"
    return (
        f'{_HEAD}<c:roundedCorners val="0"/><c:chart>{_title(plot.title, 1100, bold=True)}'
        f'<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>{_body(plot)}{_axes(plot)}'
        f'</c:plotArea>{legend}<c:plotVisOnly val="1"/><c:dispBlanksAs val="{blanks}"/></c:chart>'
        f"<c:spPr>{_fill('FFFFFF')}<a:ln><a:noFill/></a:ln></c:spPr>{_texts(850)}</c:chartSpace>"
    )


def attribute(text: str) -> str:
    """Write a text between double quotes."""
    return escape(text, {'"': "&quot;"})


def is_to_scale(plot: Plot) -> bool:
    """Whether the horizontal axis has numbers, placed to scale and not side by side."""
    is_line = plot.kind in {"line", "scatter"}
    return plot.kind == "scatter" or (is_line and plot.x.kind == "number")


def _body(plot: Plot) -> str:
    lines = "".join(_line(plot, line, at) for at, line in enumerate(plot.lines))
    axes = f'<c:axId val="{X_AXIS}"/><c:axId val="{Y_AXIS}"/>'
    if is_to_scale(plot):
        return (
            '<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>'
            f"{lines}{axes}</c:scatterChart>"
        )
    if plot.kind == "line":
        return (
            '<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>'
            f'{lines}<c:marker val="1"/>{axes}</c:lineChart>'
        )
    grouping, overlap = ("stacked", 100) if plot.kind == "stacked" else ("clustered", 0)
    gap = WIDE_GAP if len(plot.lines[0].values.values) <= FEW else NARROW_GAP
    return (
        f'<c:barChart><c:barDir val="col"/><c:grouping val="{grouping}"/><c:varyColors val="0"/>'
        f'{lines}<c:gapWidth val="{gap}"/><c:overlap val="{overlap}"/>{axes}</c:barChart>'
        f"{_totals(plot.totals, len(plot.lines), axes) if plot.totals else ''}"
    )


def _totals(line: PlotLine, at: int, axes: str) -> str:
    """Write the totals of stacks above them, by an invisible line."""
    shape = attribute(line.values.format)
    labels = (
        f'<c:dLbls><c:numFmt formatCode="{shape}" sourceLinked="0"/><c:spPr><a:noFill/></c:spPr>'
        f"{_texts(850, INK, bold=True)}{_SHOWN.format('t', 1)}</c:dLbls>"
    )
    return (
        '<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/><c:ser>'
        f'<c:idx val="{at}"/><c:order val="{at}"/><c:tx><c:v>{escape(line.name)}</c:v></c:tx>'
        '<c:spPr><a:ln><a:noFill/></a:ln></c:spPr><c:marker><c:symbol val="none"/></c:marker>'
        f"{labels}{_across(line)}{_data('val', line.values)}"
        f'<c:smooth val="0"/></c:ser><c:marker val="1"/>{axes}</c:lineChart>'
    )


def _across(line: PlotLine) -> str:
    is_text = any(isinstance(value, str) for value in line.across.values)
    return _data("cat", line.across, is_text=is_text)


def _line(plot: Plot, line: PlotLine, at: int) -> str:
    """Write a series: its name, its look, its labels along the axis, its values."""
    color = COLORS[at % len(COLORS)]
    name = f"<c:tx><c:v>{escape(line.name)}</c:v></c:tx>"
    head = f'<c:idx val="{at}"/><c:order val="{at}"/>{name}'
    if plot.kind in {"column", "stacked"}:
        look = f"<c:spPr>{_fill(color)}{_stroke('FFFFFF', THIN)}</c:spPr>"
        body = f'{look}<c:invertIfNegative val="0"/>'
    else:
        is_point = plot.kind == "scatter"
        stroke = "<a:ln><a:noFill/></a:ln>" if is_point else _stroke(color, THICK)
        body = f"<c:spPr>{stroke}</c:spPr>{_marker(plot, line, color)}{_names(line)}"
    smooth = '<c:smooth val="0"/>' if plot.kind in {"line", "scatter"} else ""
    if is_to_scale(plot):
        across, values = _data("xVal", line.across), _data("yVal", line.values)
    else:
        across, values = _across(line), _data("val", line.values)
    return f"<c:ser>{head}{body}{across}{values}{smooth}</c:ser>"


def _marker(plot: Plot, line: PlotLine, color: str) -> str:
    """Mark points; those of a line too where a neighbour is missing, else they would be unseen."""
    gaps = any(not isinstance(value, float) for value in line.values.values)
    if plot.kind == "line" and not gaps and len(line.values.values) > 1:
        return '<c:marker><c:symbol val="none"/></c:marker>'
    size = 7 if plot.kind == "scatter" else 5
    look = f"<c:spPr>{_fill(color)}{_stroke('FFFFFF', THIN)}</c:spPr>"
    return f'<c:marker><c:symbol val="circle"/><c:size val="{size}"/>{look}</c:marker>'


def _names(line: PlotLine) -> str:
    """Write beside each point which label it is of."""
    if not line.labels:
        return ""
    points = "".join(
        f'<c:dLbl><c:idx val="{at}"/><c:tx><c:rich><a:bodyPr/><a:p>{_paragraph(800, SLATE)}'
        f'<a:r><a:rPr lang="en-US" sz="800"/><a:t>{escape(text)}</a:t></a:r></a:p></c:rich></c:tx>'
        f"{_SHOWN.format('r', 1)}</c:dLbl>"
        for at, text in enumerate(line.labels)
    )
    return f"<c:dLbls>{points}{_texts(800)}{_SHOWN.format('r', 0)}</c:dLbls>"


def _data(tag: str, cells: Range, *, is_text: bool = False) -> str:
    """Refer to cells, and say what they hold."""
    kind = "str" if is_text else "num"
    points = "".join(
        f'<c:pt idx="{at}"><c:v>{escape(_shown(value))}</c:v></c:pt>'
        for at, value in enumerate(cells.values)
        if value is not None and (is_text or isinstance(value, float))
    )
    shape = "" if is_text else f"<c:formatCode>{escape(cells.format)}</c:formatCode>"
    count = f'<c:ptCount val="{len(cells.values)}"/>'
    cache = f"<c:{kind}Cache>{shape}{count}{points}</c:{kind}Cache>"
    return f"<c:{tag}><c:{kind}Ref><c:f>{escape(cells.place)}</c:f>{cache}</c:{kind}Ref></c:{tag}>"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)  # noqa: PLR2004
    return str(value)


def _axes(plot: Plot) -> str:
    y = _axis("valAx", plot.y, Y_AXIS, X_AXIS, "l")
    between = "midCat" if is_to_scale(plot) or _starts_at_edge(plot) else "between"
    y = f'{y}<c:crossBetween val="{between}"/></c:valAx>'
    if is_to_scale(plot):
        x = _axis("valAx", plot.x, X_AXIS, Y_AXIS, "b")
        return f'{x}<c:crossBetween val="midCat"/></c:valAx>{y}'
    if plot.x.kind == "date":
        steps = (
            f'<c:auto val="0"/><c:lblOffset val="100"/><c:baseTimeUnit val="{plot.x.base}"/>'
            f'<c:majorUnit val="{plot.x.step}"/><c:majorTimeUnit val="{plot.x.unit}"/>'
        )
        return f"{_axis('dateAx', plot.x, X_AXIS, Y_AXIS, 'b')}{steps}</c:dateAx>{y}"
    steps = (
        '<c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="1"/>'
    )
    return f"{_axis('catAx', plot.x, X_AXIS, Y_AXIS, 'b')}{steps}</c:catAx>{y}"


def _starts_at_edge(plot: Plot) -> bool:
    return plot.kind == "line" and plot.x.kind == "date"


def _axis(tag: str, axis: ChartAxis, number: int, other: int, side: str) -> str:
    """Write all that the kinds of axes have in common; the element is left open."""
    log = '<c:logBase val="10"/>' if axis.is_log else ""
    is_up = side == "l"
    lines = f"<c:majorGridlines><c:spPr>{_stroke(GRID, THIN)}</c:spPr></c:majorGridlines>"
    turned = ' rot="-5400000" vert="horz"' if is_up else ""
    title = _axis_title(axis.title, turned) if axis.title else ""
    stroke = "<a:ln><a:noFill/></a:ln>" if is_up else _stroke(RULE, AXIS_LINE)
    return (
        f'<c:{tag}><c:axId val="{number}"/><c:scaling>{log}<c:orientation val="minMax"/>'
        f'</c:scaling><c:delete val="0"/><c:axPos val="{side}"/>{lines if is_up else ""}{title}'
        f'<c:numFmt formatCode="{attribute(axis.format)}" sourceLinked="0"/>'
        '<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>'
        f'<c:spPr>{stroke}</c:spPr>{_texts(850)}<c:crossAx val="{other}"/>'
        '<c:crosses val="autoZero"/>'
    )


def _title(text: str, size: int, *, bold: bool) -> str:
    """Write the title of a chart, at its upper left."""
    place = (
        '<c:layout><c:manualLayout><c:xMode val="edge"/><c:yMode val="edge"/>'
        '<c:x val="0.015"/><c:y val="0.02"/></c:manualLayout></c:layout>'
    )
    return f'<c:title>{_rich(text, size, INK, bold=bold)}{place}<c:overlay val="0"/></c:title>'


def _axis_title(text: str, turned: str) -> str:
    words = _rich(text, 850, SLATE, bold=False, turned=turned)
    return f'<c:title>{words}<c:overlay val="0"/></c:title>'


def _rich(text: str, size: int, color: str, *, bold: bool, turned: str = "") -> str:
    is_bold = int(bold)
    run = (
        f'<a:r><a:rPr lang="en-US" sz="{size}" b="{is_bold}">{_fill(color)}'
        f'<a:latin typeface="Arial"/></a:rPr><a:t>{escape(text)}</a:t></a:r>'
    )
    paragraph = _paragraph(size, color, bold=bold)
    return f"<c:tx><c:rich><a:bodyPr{turned}/><a:p>{paragraph}{run}</a:p></c:rich></c:tx>"


def _paragraph(size: int, color: str, *, bold: bool = False) -> str:
    look = f'{_fill(color)}<a:latin typeface="Arial"/>'
    return f'<a:pPr><a:defRPr sz="{size}" b="{int(bold)}">{look}</a:defRPr></a:pPr>'


def _legend(plot: Plot) -> str:
    """Write which line is which; the totals of stacks are none."""
    unseen = f'<c:legendEntry><c:idx val="{len(plot.lines)}"/><c:delete val="1"/></c:legendEntry>'
    return (
        f'<c:legend><c:legendPos val="b"/>{unseen if plot.totals else ""}'
        f'<c:overlay val="0"/>{_texts(850)}</c:legend>'
    )


def _texts(size: int, color: str = SLATE, *, bold: bool = False) -> str:
    """Set the look of all texts of a part of a chart."""
    paragraph = _paragraph(size, color, bold=bold)
    return f'<c:txPr><a:bodyPr/><a:p>{paragraph}<a:endParaRPr lang="en-US"/></a:p></c:txPr>'


def _fill(color: str) -> str:
    return f'<a:solidFill><a:srgbClr val="{color}"/></a:solidFill>'


def _stroke(color: str, width: int) -> str:
    return f'<a:ln w="{width}">{_fill(color)}</a:ln>'


_CHART = re.compile(r"xl/charts/chart([0-9]+)\.xml")
_DRAWING = re.compile(r"xl/drawings/drawing([0-9]+)\.xml")
_FRAME = re.compile(r'(<(?:\w+:)?cNvPr id="[0-9]+" name=")[^"]*"')


def put_charts(sheet: Worksheet, plots: Sequence[Plot]) -> None:
    """Place each chart on a sheet; its content follows in ``charted``."""
    from openpyxl.chart import BarChart
    from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor

    for plot in plots:
        left, top, right, bottom = plot.corners
        chart = BarChart()
        start, end = AnchorMarker(col=left - 1, row=top - 1), AnchorMarker(right - 1, 0, bottom - 1)
        chart.anchor = TwoCellAnchor(editAs="oneCell", _from=start, to=end)  # type: ignore[assignment]
        sheet.add_chart(chart)


def charted(name: str, content: str, pages: Sequence[Page]) -> str:
    """Replace a chart's placeholder by its own XML, and describe what a drawing shows."""
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
