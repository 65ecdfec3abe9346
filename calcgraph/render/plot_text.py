"""Points to lines of text: a grid of marks with its axes, and bars beside their labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Point: TypeAlias = tuple[float, float]
    Run: TypeAlias = tuple[str, int]
    Spot: TypeAlias = tuple[int, int]

PLAIN = -1
"""Stands for no line: axes and labels have no colour."""
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
    """What is to be drawn: lines of points, how wide, and how numbers at the axes read.

    ``joined`` draws from point to point; ``log`` are axes that go by powers of ten. ``names``
    stand beside the points of each line, where there is room.
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
