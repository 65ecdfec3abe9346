"""Small random sheets over dims, with what the plain interpreter needs to know of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import product
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from calcgraph.core.source import Slice, Source
from calcgraph.language.ast import Formula
from calcgraph.language.parser import parse_formula
from properties.label_formulas import SeriesGrammar
from properties.labels import Axis, Labels, Line
from properties.pipeline import formula

EPOCH = date(1899, 12, 30)
MONTHS = [(2025 + at // 12, at % 12 + 1) for at in range(11, 17)]


def serial(year: int, month: int) -> float:
    return float((date(year, month, 1) - EPOCH).days)


def time_axis(name: str, months: Sequence[tuple[int, int]], root: str, step: int) -> Axis:
    ends = [
        (year + (month + step - 1) // 12, (month + step - 1) % 12 + 1) for year, month in months
    ]
    return Axis(
        name,
        "time",
        tuple(serial(*month) for month in months),
        tuple(f"{year}-{month:02}" for year, month in months),
        root,
        tuple(serial(*month) for month in ends),
    )


def text_axis(name: str, kind: str, keys: Sequence[str], root: str = "") -> Axis:
    return Axis(name, kind, tuple(keys), tuple(f'"{key}"' for key in keys), root or name)


@dataclass(repr=False)
class RandomSeries:
    """A sheet being drawn: its dims, the cells so far, and their texts."""

    axes: dict[str, Axis]
    lines: dict[str, Line] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    head: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    calcs: list[str] = field(default_factory=list)
    gaps: dict[str, tuple[str, dict[tuple[int, ...], Any]]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.text()

    def text(self) -> str:
        return "\n".join([*self.head, "inputs:", *self.inputs, "calc:", *self.calcs, ""])

    def interpreter(self) -> Labels:
        return Labels(self.axes, self.lines)

    def add_input(self, name: str, dims: tuple[str, ...], given: dict[Any, Any], fill: str) -> None:
        """Add an input with gaps, which hold none in ``given``."""
        bracket = f"[{', '.join(dims)}]" if dims else ""
        shown = nested(self.axes, dims, given)
        value = f"values: {shown}" if dims else f"value: {shown}"
        self.inputs.append(
            f"  {name}{bracket}: {{unit: 1, fill: {fill}, {value}}}".replace("fill: , ", "")
        )
        self.gaps[name] = fill, given
        self.lines[name] = Line(name, dims, None, filled(self.axes, dims, given, fill))
        self.kinds[name] = "number"

    def add_calc(self, name: str, dims: tuple[str, ...], text: str, kind: str, unit: str) -> None:
        bracket = f"[{', '.join(dims)}]" if dims else ""
        self.calcs.append(f"  {name}{bracket}: {formula(text + unit)}")
        parsed = parse_formula(Slice(Source("formula", text), text, 0))
        assert isinstance(parsed, Formula), text
        self.lines[name] = Line(name, dims, parsed.expr)
        self.kinds[name] = kind


def nested(axes: dict[str, Axis], dims: Sequence[str], given: dict[Any, Any]) -> str:
    """Write values level by level, and gaps not at all."""
    if not dims:
        return "null" if given[()] is None else f"{given[()]:g}"
    parts = []
    for at, label in enumerate(axes[dims[0]].written):
        inner = {key[1:]: value for key, value in given.items() if key[0] == at}
        if any(value is not None for value in inner.values()):
            parts.append(f"{label}: {nested(axes, dims[1:], inner)}")
    return f"{{{', '.join(parts)}}}"


def filled(
    axes: dict[str, Axis], dims: tuple[str, ...], given: dict[Any, Any], fill: str
) -> dict[Any, Any]:
    """Fill gaps along the only time axis, else along the last dim: label by label."""
    if not dims:
        return given
    times = [dim for dim in dims if axes[dim].kind == "time"]
    along = times[0] if len(times) == 1 else dims[-1]
    place, axis = dims.index(along), axes[along]
    days = axis.keys if axis.kind == "time" else range(axis.size)
    found = dict(given)
    for key, value in given.items():
        line = {at: given[(*key[:place], at, *key[place + 1 :])] for at in range(axis.size)}
        known = [at for at, other in line.items() if other is not None]
        before = [at for at in known if at <= key[place]]
        after = [at for at in known if at >= key[place]]
        if value is not None:
            continue
        if fill == "zero":
            found[key] = 0.0
        elif fill == "previous" and before:
            found[key] = line[before[-1]]
        elif fill == "linear" and known:
            low, high = (
                (before or after)[-1 if before else 0],
                (after or before)[0 if after else -1],
            )
            share = (days[key[place]] - days[low]) / (days[high] - days[low]) if low != high else 0
            found[key] = line[low] + (line[high] - line[low]) * share
    return found


EIGHTHS = st.integers(-16, 40).map(lambda n: n / 8)


@st.composite
def series_sheets(draw: st.DrawFn) -> RandomSeries:
    sheet = RandomSeries(drawn_axes(draw))
    sheet.head = heads(draw, sheet)
    for at in range(draw(st.integers(3, 5))):
        dims = drawn_dims(draw)
        places = product(*(range(sheet.axes[dim].size) for dim in dims))
        entry = EIGHTHS | st.sampled_from([0.0, 1.0, 1.0, 2.0])
        fill = draw(st.sampled_from(["zero", "previous", "linear", "blank"])) if dims else ""
        some = entry | st.none() if fill or draw(st.integers(0, 3)) == 0 else entry
        given = {key: draw(some) for key in places}
        if dims and all(value is None for value in given.values()):
            given[next(iter(given))] = 1.0
        sheet.add_input(f"i{at}", dims, given, fill)
    for at in range(draw(st.integers(4, 8))):
        grammar = SeriesGrammar(draw, sheet.axes, sheet.lines, sheet.kinds)
        dims = drawn_dims(draw)
        text, kind = grammar.cell(f"c{at}", dims)
        sheet.add_calc(f"c{at}", dims, text, kind, " -> 1" if kind == "number" else "")
    note(sheet.text())  # so that what fails is kept
    return sheet


def drawn_axes(draw: st.DrawFn) -> dict[str, Axis]:
    months = MONTHS[: draw(st.integers(2, 5))]
    stages = draw(st.integers(1, 4))
    regions = ["us", "eu", "ap"][: draw(st.integers(1, 3))]
    grid = [f"{a}/{b}" for a, b in product([1, 2, 4], ["x", "y"]) if a < 4 or b == "y"]
    numbers = tuple(float(at) for at in range(stages))
    axes = [
        text_axis("region", "labels", regions),
        text_axis("area", "labels", regions, "region"),
        Axis("stage", "count", numbers, tuple(map(str, range(stages))), "stage"),
        time_axis("month", months, "month", 1),
        time_axis("vintage", months, "month", 1),
        time_axis("quarter", [(2025, 11), (2026, 2), (2026, 5)], "quarter", 3),
        text_axis("plan", "grid", grid),
        text_axis("tab", "table", ["r1", "r2", "r3"]),
    ]
    return {axis.name: axis for axis in axes}


def drawn_dims(draw: st.DrawFn) -> tuple[str, ...]:
    names = st.sampled_from(["month", "month", "stage", "region", "plan", "tab", "vintage", "area"])
    return tuple(draw(st.lists(names, max_size=2, unique=True)))


def heads(draw: st.DrawFn, sheet: RandomSeries) -> list[str]:
    """Write the dims and the table, whose columns and those of the grid become known cells."""
    axes = sheet.axes
    plan = axes["plan"].keys
    sheet.lines["plan.a"] = Line(
        "plan.a", ("plan",), None, {(at,): float(key[0]) for at, key in enumerate(plan)}
    )
    sheet.lines["plan.b"] = Line(
        "plan.b", ("plan",), None, {(at,): key[-1] for at, key in enumerate(plan)}
    )
    u = [draw(EIGHTHS | st.none()) for _ in range(3)]
    steps = sorted(draw(st.lists(EIGHTHS, min_size=3, max_size=3, unique=True)))
    for name, column in (("u", u), ("step", steps)):
        values = {(at,): value for at, value in enumerate(column)}
        sheet.lines[f"tab.{name}"] = Line(f"tab.{name}", ("tab",), None, values)
        sheet.kinds[f"tab.{name}"] = "number"
    sheet.kinds |= {"plan.a": "number", "plan.b": "text"}
    shown = ["null" if value is None else f"{value:g}" for value in u]
    rows = [f"      r{at + 1}: [{shown[at]}, {steps[at]:g}]" for at in range(3)]
    return [
        "dims:",
        f"  region: [{', '.join(axes['region'].keys)}]",
        "  area: {like: region}",
        f"  stage: {{count: {axes['stage'].size}}}",
        f"  month: {{from: {axes['month'].written[0]}, to: {axes['month'].written[-1]}}}",
        "  vintage: {like: month}",
        "  quarter: {from: 2025-11, to: 2026-07, step: quarter}",
        "  plan: {grid: {a: [1, 2, 4], b: [x, y]}, where: '= a < 4 or b == \"y\"'}",
        "tables:",
        "  tab:\n    columns: {u: 1, step: 1}\n    rows:",
        *rows,
    ]
