"""Charts as text: lines and points on a grid, columns as bars that lie down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.charts import axis_unit, entries, line_of, lines_of, title_of, x_title
from calcgraph.analysis.numbers import value_text
from calcgraph.core.type import Kind, Type
from calcgraph.lang.tokens import printable
from calcgraph.render.plot_text import ASCII, DRAWN, PLAIN, PlotGrid, bar_runs, plot_lines
from calcgraph.render.results import case_names
from calcgraph.render.text_page import TextPage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from calcgraph.model import Chart
    from calcgraph.render import Screen
    from calcgraph.render.plot_text import Run, Signs
    from calcgraph.render.results import Outcome, Report

WIDEST, NARROWEST, LABEL = 76, 40, 24
MOST_BARS = 24
"""More labels than these are drawn as lines: nobody scrolls through bars."""
MOST_NAMES = 16
COLORS = ("blue", "yellow", "green", "magenta", "cyan", "red")


def render_charts(report: Report, screen: Screen) -> str:
    """Draw each chart of the sheet, in each case; empty where there are none."""
    width = max(screen.width, NARROWEST)
    page = TextPage(width, screen.color)
    signs = ASCII if screen.ascii else DRAWN
    for title, rows in _charts(report, min(width, WIDEST), signs):
        page.put()
        page.put((title, "bold"))
        for row in rows:
            page.put_whole(*((words, _color(line)) for words, line in row))
    return page.text()


def _color(line: int) -> str:
    return "" if line == PLAIN else COLORS[line % len(COLORS)]


def _charts(report: Report, width: int, signs: Signs) -> Iterator[tuple[str, list[list[Run]]]]:
    differ = case_names(report)
    for chart in report.model.charts:
        for outcome in report.outcomes:
            unit = axis_unit(report.model.cells[chart.y[0]].type)
            case = [f"{name} = {outcome.marks[name]}" for name in differ]
            words = [title_of(report.model, chart), unit, *case]
            title = ", ".join(printable(word) for word in words if word)
            picture = _Picture(report, chart, outcome, width, signs)
            yield title, picture.rows()


class _Picture:
    """One chart of one case."""

    def __init__(
        self, report: Report, chart: Chart, outcome: Outcome, width: int, signs: Signs
    ) -> None:
        """Look up what it shows."""
        self.model, self.chart, self.width, self.signs = report.model, chart, width, signs
        self.lines = lines_of(self.model, chart)
        self.dim = self.model.graph.dims[chart.dim]
        self.values = [entries(outcome.values[line.cell.number], line) for line in self.lines]
        self.x = line_of(self.model, chart)
        self.across = entries(outcome.values[self.x.cell.number], self.x) if self.x else []
        self.type = self.lines[0].cell.type
        columns = zip(*self.values, strict=True)
        self.held = [at for at, row in enumerate(columns) if any(v is not None for v in row)]

    def rows(self) -> list[list[Run]]:
        """Draw it, and say which line is which."""
        rows = self.bars() if self.has_bars else self.grid()
        if len(self.lines) == 1:
            return rows
        marks = self.signs.fillings if self.has_bars else self.signs.marks
        legend: list[Run] = [("  ", PLAIN)]
        for at, line in enumerate(self.lines):
            legend += [(marks[at % len(marks)], at), (f" {printable(line.name)}  ", PLAIN)]
        return [*rows, legend]

    @property
    def has_bars(self) -> bool:
        """Whether bars can show it: few labels, nothing below nought, no powers of ten.

        Labels without any value have no bar: of 64 stages those that are there.
        """
        is_column = self.chart.kind in {"column", "stacked"} and not self.chart.log
        numbers = [v for line in self.values for v in line if isinstance(v, float)]
        return is_column and 0 < len(self.held) <= MOST_BARS and min(numbers, default=0.0) >= 0

    def grid(self) -> list[list[Run]]:
        """Draw lines or points against what goes across."""
        across, text = self.places()
        shown = [
            [at for at, (x, y) in enumerate(zip(across, line, strict=True)) if _both(x, y)]
            for line in self.values
        ]
        lines = [
            [(across[at], line[at]) for at in places]
            for line, places in zip(self.values, shown, strict=True)
        ]
        joined = self.chart.kind != "scatter"
        names = () if joined or self.x is None else self.names(shown)
        grid = PlotGrid(lines, self.width, text, self.y_text, joined, self.chart.log, names)  # type: ignore[arg-type]
        rows = plot_lines(grid, self.signs)
        title = x_title(self.model, self.chart)
        if title:
            rows.append([(f"{printable(title):>{self.width}}", PLAIN)])
        return rows

    def names(self, shown: Sequence[Sequence[int]]) -> list[list[str]]:
        """Return the labels of points; of many none, for they would hide each other."""
        labels = [printable(label) for label in self.dim.labels]
        few = len(labels) <= MOST_NAMES
        return [[labels[at] for at in places] for places in shown] if few else []

    def places(self) -> tuple[Sequence[object], Callable[[float], str]]:
        """Say where each label stands, and how a place reads."""
        if self.x is not None and self.x.cell.type.kind in {Kind.NUMBER, Kind.DATE}:
            own = self.x.cell.type
            return self.across, lambda value: value_text(value, own)[0]
        labels = [printable(label) for label in self.dim.labels]
        if self.x is not None:
            labels = [printable(str(value)) for value in self.across]
        return [float(at) for at in range(self.dim.size)], lambda at: labels[round(at)]

    def y_text(self, value: float) -> str:
        """Write a number of the axis: short, so that axes of one kind look alike."""
        rounded = float(f"{value:.3g}")
        return value_text(rounded, self.type)[0]

    def bars(self) -> list[list[Run]]:
        """Draw a bar for each label and line; parts of a stack behind each other."""
        stacks = list(self.stacks())
        margin = min(max(len(label) for label, _ in stacks), LABEL)
        texts = [self.total(stack) for _, stack in stacks]
        most = max(sum(v for v in stack if isinstance(v, float)) for _, stack in stacks)
        room = max(self.width - margin - 4 - max(map(len, texts)), 10)
        rows: list[list[Run]] = []
        for (label, stack), text in zip(stacks, texts, strict=True):
            parts = [value if isinstance(value, float) else 0.0 for value in stack]
            bar = bar_runs(parts, most, room, self.signs)
            head = f"{label[:margin]:<{margin}}  "
            rows.append([(head, PLAIN), *bar, (f"{'  ' if bar else ''}{text}", PLAIN)])
        return rows

    def stacks(self) -> Iterator[tuple[str, list[object]]]:
        """Return what each bar is made of: all of a label, or one line of it; its label once."""
        labels = self.labels()
        for at in self.held:
            if self.chart.kind == "stacked":
                yield labels[at], [line[at] for line in self.values]
                continue
            for own, line in enumerate(self.values):
                yield "" if own else labels[at], [*([None] * own), line[at]]

    def total(self, stack: Sequence[object]) -> str:
        """Write what a bar shows."""
        numbers = [value for value in stack if isinstance(value, float)]
        return value_text(sum(numbers) if numbers else None, self.type)[0]

    def labels(self) -> list[str]:
        """Return the labels down, or what stands there instead."""
        if self.x is None:
            return [printable(label) for label in self.dim.labels]
        own = Type(self.x.cell.type.kind, self.x.cell.type.unit)
        return [printable(value_text(value, own)[0]) for value in self.across]  # type: ignore[arg-type]


def _both(x: object, y: object) -> bool:
    return isinstance(x, float) and isinstance(y, float)
