"""The checked model: every cell with its type and its tree, figures, cases, charts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from calcgraph.core.shape import Shape
from calcgraph.core.values import visible_dim

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.core.source import Span
    from calcgraph.core.units import Unit
    from calcgraph.core.values import Dim, Scalar, Series, Type, Value
    from calcgraph.graph import Graph, Table
    from calcgraph.model.operations import Op
    from calcgraph.sheet.declarations import ExpectationDecl
    from calcgraph.units import UnitBook

BASE = "base"
"""The name of the sheet as written, without scenarios."""


@dataclass(frozen=True, slots=True)
class Uncertain:
    """The distribution of an uncertain input: its shape and parameters, in the input's unit."""

    shape: str
    numbers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The values an input allows, in its unit; ``choices`` are the only values or keys."""

    least: float | None = None
    most: float | None = None
    choices: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A checked cell.

    ``op`` is ``None`` for an input or column, whose value is ``start``; ``may_be_na`` tells whether
    it can be not applicable. An input along dims starts at ``given``, with gaps, which ``fill``
    fills along its time axis. ``kind`` is input, column, calc, check, message, helper (a part of
    ``owner``), or axis: the fixed column of a grid.
    """

    number: int
    name: str
    kind: str
    type: Type
    op: Op | None = None
    start: Value = None
    bounds: Bounds = field(default_factory=Bounds)
    may_be_na: bool = False
    uncertain: Uncertain | None = None
    fill: str = ""
    given: Series | None = None
    owner: int = -1
    is_listed: bool = True


@dataclass(frozen=True, slots=True)
class ExpectedValue:
    """An expected value: in the unit it was written in, and in its cell's.

    ``tolerance`` is absolute, in the cell's unit. ``row`` is the index of the entry
    that it is about, for a series, and ``at`` the name of that entry.
    """

    cell: int
    expected: Scalar
    tolerance: float
    decl: ExpectationDecl
    shown: str
    place: Span
    row: int | None = None
    at: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A new value for an input, or for one entry of a column or series.

    ``row`` is the entry's index in ``Series.data``.
    """

    cell: int
    row: int | None
    value: Scalar


@dataclass(frozen=True, slots=True)
class Scenario:
    """Named changes, those of the scenarios it extends first."""

    name: str
    changes: tuple[Change, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class SheetTest:
    """A test: changes, and the values expected after them."""

    name: str
    changes: tuple[Change, ...]
    figures: tuple[ExpectedValue, ...]
    place: Span


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of series along ``dim``, its plain name.

    ``x`` is the series on the x axis, ``None`` for the labels; each of ``y`` has a line for every
    label of its other dims. ``log`` lists the logarithmic axes.
    """

    kind: Literal["line", "column", "stacked", "scatter"]
    title: str
    dim: str
    x: int | None
    y: tuple[int, ...]
    log: tuple[str, ...] = ()

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells whose values are drawn."""
        return self.y if self.x is None else (self.x, *self.y)


@dataclass(frozen=True, slots=True)
class Model:
    """A type-checked sheet: only this can become a plan.

    ``order`` are the cells to compute, in topological order; ``needs`` lists what each cell's tree
    reads. ``groups`` are recurrences, cells that depend on each other through the previous label:
    they are adjacent in the order and are computed label by label. The cells of a group vary over
    one dim, that of their ``Prev``, and read each other at the current label, or by ``Prev``.
    """

    graph: Graph
    book: UnitBook
    cells: tuple[Cell, ...]
    figures: tuple[ExpectedValue, ...] = ()
    scenarios: dict[str, Scenario] = field(default_factory=dict)
    cases: tuple[SheetTest, ...] = ()
    outputs: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    needs: tuple[tuple[int, ...], ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    charts: tuple[Chart, ...] = ()

    def dim(self, name: str) -> Dim:
        """Find a dim by its name in a cell's type."""
        return self.graph.dims[visible_dim(name)]

    def shape(self, names: Iterable[str]) -> Shape:
        """Return the shape of values along dims, by the names under which a cell varies over them.

        ``model.shape(cell.type.dims)`` maps a cell's flat indices to coordinates and labels.
        """
        return Shape(tuple(map(self.dim, names)))

    def size(self, cell: int) -> int:
        """Count the values of a cell."""
        return self.shape(self.cells[cell].type.dims).size

    def cell(self, name: str) -> Cell | None:
        """Find a cell by its full name."""
        number = self.graph.names.get(name)
        return None if number is None else self.cells[number]

    def table(self, name: str) -> Table:
        """Find a table by its full name."""
        return self.graph.tables[name]


def unit_text(unit: Unit) -> str:
    """Format a unit for JSON: ``1`` for a pure number, percent included."""
    text = str(unit)
    if unit.percent:
        return str(unit.symbol)
    return text
