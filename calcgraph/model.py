"""The checked model: every cell's type, and the small tree of plain functions that computes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from calcgraph.core.tree import fold_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.core.dimension import Unit
    from calcgraph.core.source import Span
    from calcgraph.core.type import Type
    from calcgraph.core.value import Scalar, Value
    from calcgraph.functions.spec import Function
    from calcgraph.graph import Graph, Table
    from calcgraph.sheet.declarations import Expectation
    from calcgraph.units import UnitBook

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """One exact factor with a name, ``s_per_day``; divided by where ``divides`` holds."""

    name: str
    factor: int
    divides: bool = False


@dataclass(frozen=True, slots=True)
class Const:
    """A value known at load."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Labels:
    """The keys of a table, in order."""

    table: str


@dataclass(frozen=True, slots=True)
class Load:
    """The value of a cell."""

    cell: int


@dataclass(frozen=True, slots=True)
class Pick:
    """The entry of a column, a cell, at a key of its table."""

    cell: int
    table: str
    args: tuple[Op]


@dataclass(frozen=True, slots=True)
class Apply:
    """A function over its arguments; ``may_be_na`` says which arguments can be not applicable."""

    function: Function
    args: tuple[Op, ...]
    may_be_na: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Convert:
    """A number in another unit: multiplied and divided step by step, in Python as in Excel."""

    steps: tuple[Step, ...]
    args: tuple[Op]
    may_be_na: bool = False


Op: TypeAlias = Const | Labels | Load | Pick | Apply | Convert


def op_parts(op: Op) -> tuple[Op, ...]:
    """Give the parts of a tree, in order."""
    return () if isinstance(op, Const | Labels | Load) else op.args


def fold_op(op: Op, visit: Callable[[Op, Sequence[T]], T]) -> T:
    """Build a result from the leaves up, without recursion."""
    return fold_tree(op, op_parts, visit)


@dataclass(frozen=True, slots=True)
class Uncertain:
    """How uncertain an input is: a shape and its numbers, in the input's unit."""

    shape: str
    numbers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an input may be: in its unit; ``choices`` are the values or keys allowed."""

    least: float | None = None
    most: float | None = None
    choices: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A checked cell.

    ``op`` is none for an input or column, which start at ``start``; ``may_be_na`` says whether it
    can be not applicable. ``shown`` is the unit text its author wrote.
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


@dataclass(frozen=True, slots=True)
class Figure:
    """An expected value: in the unit it was written in, and in its cell's.

    ``tolerance`` is absolute, in the cell's unit; ``depends`` are the inputs the cell stands on.
    """

    cell: int
    expected: Scalar
    tolerance: float
    decl: Expectation
    shown: str
    place: Span


@dataclass(frozen=True, slots=True)
class Change:
    """A new value for an input, or for one row of a column."""

    cell: int
    row: int | None
    value: Scalar


@dataclass(frozen=True, slots=True)
class Scenario:
    """Changes under a name, those of what it extends first."""

    name: str
    changes: tuple[Change, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A test: changes, and the figures expected then."""

    name: str
    changes: tuple[Change, ...]
    figures: tuple[Figure, ...]
    place: Span


@dataclass(frozen=True, slots=True)
class Model:
    """A sheet whose units are settled: only this can become a plan."""

    graph: Graph
    book: UnitBook
    cells: tuple[Cell, ...]
    figures: tuple[Figure, ...] = ()
    scenarios: dict[str, Scenario] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()
    outputs: tuple[int, ...] = ()

    def cell(self, name: str) -> Cell | None:
        """Find a cell by its full name."""
        number = self.graph.names.get(name)
        return None if number is None else self.cells[number]

    def table(self, name: str) -> Table:
        """Find a table by its full name."""
        return self.graph.tables[name]


def unit_text(unit: Unit) -> str:
    """Give the unit as JSON says it: ``1`` for a pure number, percent included."""
    text = str(unit)
    if unit.percent:
        return str(unit.symbol)
    return text
