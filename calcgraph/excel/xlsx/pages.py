"""Pages of a workbook: cells, links, charts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.core.values import Dim


Cached: TypeAlias = "float | bool | str | None"

OPEN, CLOSE = "\x01", "\x02"


def ref(name: str) -> str:
    """Refer to a defined name within a formula; it is settled when all places are known."""
    return f"{OPEN}{name}{CLOSE}"


@dataclass(frozen=True, slots=True)
class XlsxCell:
    """One cell: a constant, or a formula with the value it gives (an error text for a failure).

    ``link`` leads to a place of the workbook, ``url`` to the web.
    """

    value: Cached = None
    formula: str = ""
    style: str = "text"
    format: str = ""
    link: str = ""
    url: str = ""
    align: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """What an input cell accepts: ``kind`` is decimal, date or list; with a prompt."""

    cells: str
    kind: Literal["decimal", "list"]
    first: str = ""
    second: str = ""
    prompt: str = ""


@dataclass(slots=True)
class Page:
    """A sheet being filled; rows and columns count from 1."""

    name: str
    title: str
    purpose: str
    widths: tuple[float, ...]
    freeze: str = "B5"
    cells: dict[tuple[int, int], XlsxCell] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    marks: list[tuple[str, str]] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    last_printed: int = 0
    periods: int = 0
    labels: str = ""
    row: int = 1

    def put(self, row: int, column: int, cell: XlsxCell) -> None:
        """Fill one cell."""
        self.cells[row, column] = cell

    def at(self, row: int, column: int, *, sheet: bool = False) -> str:
        """Return an address: ``$B$6``, with the sheet in front if requested."""
        local = f"${letters(column)}${row}"
        return f"{quoted(self.name)}!{local}" if sheet else local


@cache
def letters(column: int) -> str:
    """Return a column's letters."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def quoted(sheet: str) -> str:
    """Write a sheet's name as formulas do."""
    return "'" + sheet.replace("'", "''") + "'"


AxisKind: TypeAlias = Literal["text", "date", "number"]
COLORS = ("0072B2", "E69F00", "009E73", "CC79A7", "56B4E9", "D55E00")
"""Told apart by the colour-blind too; a chart has no more lines than these."""
LABELS = 7
"""About so many periods are written below a chart; the others have their place between them."""
SCALES = (("T", 1e12, ",,,,"), ("B", 1e9, ",,,"), ("M", 1e6, ",,"))
LARGEST, BILLION, THOUSANDTH = 1e15, 1e9, 1e-3
SHARE, TENTH = 0.05, 0.1
"""A largest share below 5% is shown with a decimal; a largest number below 0.1 by its exponent."""
COARSE = 5
"""The largest number of an axis has a decimal below this."""
_STEPS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
_DAYS = (1, 2, 7, 14, 28, 91, 182, 365, 730, 3650, 36500)


@dataclass(frozen=True, slots=True)
class Range:
    """Cells of a workbook in a row or column, and what they hold."""

    place: str
    values: tuple[Cached, ...]
    format: str = "General"


@dataclass(frozen=True, slots=True)
class ChartAxis:
    """An axis: its title, the format of its numbers, and whether it goes by powers of ten.

    ``base`` is the unit of a time axis, ``step`` how many of ``unit`` lie between two labels.
    """

    kind: AxisKind
    title: str
    format: str
    is_log: bool = False
    base: str = ""
    unit: str = ""
    step: int = 1


@dataclass(frozen=True, slots=True)
class PlotLine:
    """One line, or one set of columns: its name, and its values against those of ``across``."""

    name: str
    across: Range
    values: Range
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart on a page; ``corners`` are column and row of its first cell, and one past its last.

    ``alt`` says what it shows to those who cannot see it; ``totals`` are shown on top of a stack.
    """

    kind: Literal["line", "column", "stacked", "scatter"]
    title: str
    alt: str
    x: ChartAxis
    y: ChartAxis
    lines: tuple[PlotLine, ...]
    totals: PlotLine | None = None
    corners: tuple[int, int, int, int] = (0, 0, 0, 0)


def axis_format(values: Iterable[object], *, percent: bool) -> str:
    """Choose how an axis shows its numbers: short, by the largest of them, and zero as 0."""
    numbers = [v for v in values if isinstance(v, float) and math.isfinite(v)]
    most = max(map(abs, numbers), default=1.0) or 1.0
    shape = _share(most) if percent else _short(most)
    is_long = "." in shape and min(numbers, default=0.0) >= 0
    return f"[=0]0;{shape}" if is_long else shape


def _share(most: float) -> str:
    return "0%" if most >= SHARE else "0.0%"


def _short(most: float) -> str:
    for letter, scale, commas in SCALES:
        if most >= scale:
            decimals = ".0" if most < COARSE * scale else ""
            return f'#,##0{decimals}{commas}"{letter}"' if most < LARGEST else "0E+00"
    if most >= COARSE:
        return "#,##0"
    if most < TENTH:
        return "0.0E+00"
    return "0.0" if most >= 1 else "0.00"


def log_format(values: Iterable[object], *, percent: bool) -> str:
    """Choose how an axis shows powers of ten."""
    sizes = [abs(value) for value in values if isinstance(value, float) and value]
    if percent:
        return "0.###%"
    least, most = min(sizes, default=1.0), max(sizes, default=1.0)
    if least < THOUSANDTH or most >= BILLION:
        return "0E+00"
    return "#,##0" if least >= 1 else "General"


def time_axis(dim: Dim, *, has_columns: bool = False) -> ChartAxis:
    """Make the axis of a dim of periods: a few of them are written out.

    Columns of quarters and years are side by side: at their dates they would be a month wide.
    """
    is_days = dim.step == "day"
    months = {"month": 1, "quarter": 3, "year": 12}.get(dim.step, 1)
    steps = _DAYS if is_days else tuple(step for step in _STEPS if step % months == 0)
    span = dim.size * (1 if is_days else months)
    step = next((step for step in steps if span / step <= LABELS), steps[-1])
    shape = "d mmm yy" if is_days else "mmm yy"
    if not is_days and all(label.partition("-")[2] in {"", "01"} for label in dim.labels):
        shape = "yyyy"
    if has_columns and dim.step in {"quarter", "year"}:
        return ChartAxis("text", "", shape)
    unit = "days" if is_days else "months"
    return ChartAxis("date", "", shape, base=unit, unit=unit, step=step)
