"""Charts drawn with characters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.analysis.descriptions import axis_unit, entries, line_of, lines_of, title_of, x_title
from calcgraph.analysis.number_format import value_text
from calcgraph.core.values import Kind, Type
from calcgraph.language.tokens import printable
from calcgraph.report.report import case_names
from calcgraph.report.text_page import TextPage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Point: TypeAlias = tuple[float, float]
    Run: TypeAlias = tuple[str, int]
    Spot: TypeAlias = tuple[int, int]
    from collections.abc import Iterator

    from calcgraph.model import Chart
    from calcgraph.report.report import Outcome, Report
    from calcgraph.report.text_page import Screen


PLAIN = -1
"""The line number of axes and labels, which have no colour."""
HEIGHT = 9
ZERO_FROM = 5 / 6
"""Where all numbers lie in the upper sixth, the axis does not start at nought."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters of a picture: marks of lines, axes, and fillings of bars."""

    marks: str
    up: str
    corner: str
    across: str
    fillings: str


DRAWN = Signs("•+xo#@", "│", "└", "─", "█▒░▓#+")
ASCII = Signs("*+xo#@", "|", "+", "-", "#=+:*o")


@dataclass(frozen=True, slots=True)
class PlotGrid:
    """A plot to draw: lines of points, the width, and the number format of the axes.

    ``joined`` connects the points; ``log`` names the logarithmic axes. ``names`` label the points
    of each line, where there is room.
    """

    lines: Sequence[Sequence[Point]]
    width: int
    x_text: Callable[[float], str]
    y_text: Callable[[float], str]
    joined: bool
    log: tuple[str, ...] = ()
    names: Sequence[Sequence[str]] = ()


def plot_lines(grid: PlotGrid, signs: Signs) -> list[list[Run]]:
    """Draw lines as rows of runs, each a text and the number of its line."""
    fitting = [[point for point in line if _fits(point, grid.log)] for line in grid.lines]
    points = [_scaled(point, grid.log) for line in fitting for point in line]
    if not points:
        return [[("nothing to draw", PLAIN)]]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = _bounds([y for _, y in points], is_log="y" in grid.log)
    named = {
        at: grid.y_text(_raised(low + (high - low) * at / (HEIGHT - 1), "y" in grid.log))
        for at in (0, (HEIGHT - 1) // 2, HEIGHT - 1)
    }
    margin = max(map(len, named.values()))
    width = max(grid.width - margin - 2, 10)

    def spot(point: Point) -> Spot:
        x, y = _scaled(point, grid.log)
        return _place(x, left, right, width), _place(y, low, high, HEIGHT)

    cells = _cells(grid, [list(map(spot, line)) for line in fitting], width, signs)
    rows = [
        _row(cells, at, f"{named.get(at, ''):>{margin}} {signs.up}", width)
        for at in reversed(range(HEIGHT))
    ]
    axis = f"{' ' * margin} {signs.corner}{signs.across * width}"
    ends = [grid.x_text(_raised(x, "x" in grid.log)) for x in (left, right)]
    between = " " * max(width - sum(map(len, ends)), 1)
    return [*rows, [(axis, PLAIN)], [(f"{' ' * (margin + 2)}{between.join(ends)}", PLAIN)]]


def _cells(
    grid: PlotGrid, lines: Sequence[Sequence[Spot]], width: int, signs: Signs
) -> dict[Spot, Run]:
    """Place marks of lines, the first line in front, and names beside points."""
    cells: dict[Spot, Run] = {}
    for number, line in enumerate(lines):
        mark = signs.marks[number % len(signs.marks)]
        for spot in _joined(sorted(line)) if grid.joined else line:
            cells.setdefault(spot, (mark, number))
    for (x, y), name in zip(chain(*lines), chain(*grid.names), strict=False):
        for start in (x + 2, x - 1 - len(name)):  # behind the point, else before it
            taken = {(at, y) for at in range(start - 1, start + len(name) + 1)} - {(x, y)}
            if 0 <= start <= width - len(name) and cells.keys().isdisjoint(taken):
                cells.update({(start + at, y): (char, PLAIN) for at, char in enumerate(name)})
                break
    return cells


def _fits(point: Point, log: tuple[str, ...]) -> bool:
    is_positive = all(value > 0 for axis, value in zip("xy", point, strict=True) if axis in log)
    return is_positive and all(map(math.isfinite, point))


def _scaled(point: Point, log: tuple[str, ...]) -> Point:
    x, y = point
    return math.log10(x) if "x" in log else x, math.log10(y) if "y" in log else y


def _raised(value: float, is_log: bool) -> float:  # noqa: FBT001 - a fact of the axis
    return float(10**value) if is_log else value


def _bounds(values: Sequence[float], *, is_log: bool) -> Point:
    low, high = min(values), max(values)
    if is_log:
        return low, high if high > low else low + 1
    if 0 <= low < high * ZERO_FROM:
        low = 0.0
    if high <= 0 and low < 0:
        high = 0.0
    return (low, high) if high > low else (low - 1, high + 1)


def _place(value: float, low: float, high: float, size: int) -> int:
    if high <= low:
        return 0
    return min(int((value - low) / (high - low) * (size - 1) + 0.5), size - 1)


def _joined(spots: Sequence[Spot]) -> list[Spot]:
    """Fill the way from point to point, so that a line has no gaps."""
    found = list(spots[:1])
    for (x, y), (to_x, to_y) in pairwise(spots):
        steps = max(to_x - x, abs(to_y - y), 1)
        found += [
            (x + round((to_x - x) * at / steps), y + round((to_y - y) * at / steps))
            for at in range(1, steps + 1)
        ]
    return found


def _row(cells: dict[Spot, Run], at: int, head: str, width: int) -> list[Run]:
    runs: list[Run] = [(head, PLAIN)]
    for x in range(width):
        char, number = cells.get((x, at), (" ", PLAIN))
        if runs[-1][1] == number and len(runs) > 1:
            runs[-1] = (runs[-1][0] + char, number)
        else:
            runs.append((char, number))
    return runs


def bar_runs(parts: Sequence[float], most: float, width: int, signs: Signs) -> list[Run]:
    """Draw one bar of parts behind each other; ``most`` is what fills the width."""
    runs: list[Run] = []
    end, total = 0, 0.0
    for number, part in enumerate(parts):
        total += max(part, 0.0)
        to = round(total / most * width) if most > 0 else 0
        if to > end:
            runs.append((signs.fillings[number % len(signs.fillings)] * (to - end), number))
        end = max(end, to)
    return runs


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
        """Return the position of each label, and a function that formats a position."""
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
        """Return the labels of the bars: those of the dim, or the values of ``x``."""
        if self.x is None:
            return [printable(label) for label in self.dim.labels]
        own = Type(self.x.cell.type.kind, self.x.cell.type.unit)
        return [printable(value_text(value, own)[0]) for value in self.across]  # type: ignore[arg-type]


def _both(x: object, y: object) -> bool:
    return isinstance(x, float) and isinstance(y, float)


BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[object], width: int = 12) -> str:
    """Draw numbers as bars from the least to the most; a gap where there is none.

    More values than ``width`` are thinned out evenly, the first and the last one stay. Values that
    are all alike have no shape, and give no picture.
    """
    shown = [values[at] for at in _places(len(values), width)]
    numbers = [value for value in shown if isinstance(value, float)]
    if len(numbers) < 3 or max(numbers) == min(numbers):  # noqa: PLR2004 - two have no shape
        return ""
    least, most = min(numbers), max(numbers)
    step = most / len(BARS) - least / len(BARS)
    return "".join(_bar(value, least, step) for value in shown)


def _bar(value: object, least: float, step: float) -> str:
    if not isinstance(value, float):
        return " "
    at = int((value - least) / step) if step else 0
    return BARS[min(at, len(BARS) - 1)]


def _places(count: int, width: int) -> list[int]:
    if count <= width:
        return list(range(count))
    return [round(at * (count - 1) / (width - 1)) for at in range(width)]
