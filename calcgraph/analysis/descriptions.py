"""What is known about cells and charts: labels, notes, sources."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from calcgraph.core.values import Kind, visible_dim
from calcgraph.sheet.declarations import CalcDecl, ColumnDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from calcgraph.core.values import Type, Value
    from calcgraph.model import Cell, Chart, Model
    from calcgraph.sheet.declarations import Metadata, Provenance


DRAWN = ("input", "column", "calc")
"""The kinds of cells that the dependency graph shows."""


def label_of(model: Model, cell: Cell) -> str:
    """Return a cell's label, or its name in words if it has none."""
    about = _about(model, cell)
    return about.label if about and about.label else cell.name.rpartition(".")[2].replace("_", " ")


def heading_of(model: Model, cell: Cell) -> str:
    """Return the heading above a cell; empty if there is none."""
    decl = model.graph.nodes[cell.number].decl
    return decl.heading if isinstance(decl, InputDecl | CalcDecl) else ""


def is_own(model: Model, cell: Cell) -> bool:
    """Whether a cell is declared in the evaluated sheet itself."""
    return model.graph.nodes[cell.number].sheet == model.graph.sheets.root


def source_of(model: Model, cell: Cell) -> str:
    """Return a cell's source on one line; empty if none is given."""
    about, node = _about(model, cell), model.graph.nodes[cell.number]
    if about is not None and about.source is None and node.table:
        about = model.table(node.table).decl.about
    return source_text(about.source if about else None)


def is_drawn(cell: Cell, computed: Container[int]) -> bool:
    """Whether a graph shows a cell: it is listed, or a cell of a variant that something reads."""
    return cell.kind in DRAWN and (cell.is_listed or cell.number in computed)


def _about(model: Model, cell: Cell) -> Metadata | None:
    decl = model.graph.nodes[cell.number].decl
    return decl.about if isinstance(decl, InputDecl | CalcDecl | ColumnDecl) else None


def source_text(source: Provenance | None) -> str:
    """Format a source on one line: title, day it was checked, owner, address."""
    if source is None:
        return ""
    checked = f"checked {source.checked}" if source.checked else ""
    owner = f"owner {source.owner}" if source.owner else ""
    return ", ".join(part for part in (source.title, checked, owner, source.url) if part)


KINDS = {
    "line": "Lines",
    "column": "Columns",
    "stacked": "Stacked columns",
    "scatter": "Points",
}


@dataclass(frozen=True, slots=True)
class PlottedLine:
    """One line: a cell, its name in the legend, and the indices of its values."""

    cell: Cell
    name: str
    places: tuple[int, ...]


def lines_of(model: Model, chart: Chart) -> list[PlottedLine]:
    """List the lines of a chart: a series has one for each label of its other dims."""
    return [
        line
        for number in chart.y
        for line in _lines(model, model.cells[number], chart.dim, is_only=len(chart.y) == 1)
    ]


def line_of(model: Model, chart: Chart) -> PlottedLine | None:
    """Return the series on the x axis; ``None`` if the labels are."""
    if chart.x is None:
        return None
    return next(_lines(model, model.cells[chart.x], chart.dim, is_only=False))


def _lines(model: Model, cell: Cell, along: str, *, is_only: bool) -> Iterator[PlottedLine]:
    dims = [(visible_dim(name), model.dim(name)) for name in cell.type.dims]
    label = label_of(model, cell)
    others = [dim.labels for name, dim in dims if name != along]
    for at in product(*(range(len(labels)) for labels in others)):
        read = [labels[place] for labels, place in zip(others, at, strict=True)]
        name = " ".join(", ".join(read if is_only and read else (label, *read)).split())
        fixed = iter(at)
        indices = [range(dim.size) if plain == along else (next(fixed),) for plain, dim in dims]
        yield PlottedLine(cell, name, tuple(model.shape(cell.type.dims).select(indices)))


def title_of(model: Model, chart: Chart) -> str:
    """Return the title as written, or the labels of what is shown."""
    labels = dict.fromkeys(label_of(model, model.cells[number]) for number in chart.y)
    title = chart.title or " ".join(", ".join(labels).split())
    return title[:1].upper() + title[1:]


def y_title(model: Model, chart: Chart) -> str:
    """Name the y axis: the unit, and the series if there is only one."""
    cell = model.cells[chart.y[0]]
    label = label_of(model, cell) if len(chart.y) == 1 else ""
    repeats = label.casefold() == title_of(model, chart).casefold()
    return _with_unit("" if repeats else label, cell)


def x_title(model: Model, chart: Chart) -> str:
    """Name the x axis; periods need no name."""
    if chart.x is not None:
        cell = model.cells[chart.x]
        return _with_unit(label_of(model, cell), cell)
    dim = model.graph.dims[chart.dim]
    if dim.kind == "time":
        return ""
    table, place = model.graph.tables.get(chart.dim), model.graph.places.get(chart.dim)
    about = place.decl.about if place else table.decl.about if table else None
    name = (about.label if about else "") or chart.dim.rpartition(".")[2].replace("_", " ")
    columns = list(table.columns.values()) if table is not None and table.is_grid else []
    own = model.cells[columns[0]] if len(columns) == 1 else None
    return _with_unit(name, own) if own else name[:1].upper() + name[1:]


def _with_unit(label: str, cell: Cell) -> str:
    unit = axis_unit(cell.type)
    unit = "" if unit.casefold() == label.casefold() else unit
    label = " ".join(label.split())
    label = label[:1].upper() + label[1:]
    return ", ".join(part for part in (label, unit) if part)


def axis_unit(type_: Type) -> str:
    """Return the unit for an axis; empty for shares and pure numbers."""
    unit = type_.unit
    if type_.kind is not Kind.NUMBER or unit.percent or unit.is_pure:
        return ""
    return str(unit)


def described(model: Model, chart: Chart) -> str:
    """Describe a chart for readers who cannot see it."""
    names = ", ".join(line.name for line in lines_of(model, chart))
    unit = axis_unit(model.cells[chart.y[0]].type)
    across = x_title(model, chart) or chart.dim.rpartition(".")[2].replace("_", " ")
    over = ", ".join(
        part for part in (f"{names}{f' in {unit}' if unit else ''}", f"against {across}") if part
    )
    return f"{KINDS[chart.kind]}: {title_of(model, chart)}. {over}."


def entries(value: Value, line: PlottedLine) -> list[object]:
    """Return the values of a line, label by label."""
    data = getattr(value, "data", None)
    return [value] * len(line.places) if data is None else [data[place] for place in line.places]
