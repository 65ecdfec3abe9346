"""At which labels a formula reads each of its names, or whether it reads them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.analysis.labels import address_text, dims_of
from calcgraph.core.dim import is_hidden, plain_dim
from calcgraph.core.value import Failure, Series
from calcgraph.functions import FUNCTIONS
from calcgraph.graph import CellTarget, ColumnTarget, DimTarget, TableTarget
from calcgraph.lang.expr import Call, Entry, Expr, Name, Number, Period, Text, children
from calcgraph.model import Prev, fold_op

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.dim import Dim
    from calcgraph.core.value import Scalar, Value
    from calcgraph.graph import Node
    from calcgraph.model import Model, Op

Labels: TypeAlias = "Mapping[str, int]"
"""The index of the current label of each dim, by the dim's name."""


@dataclass(frozen=True, slots=True)
class Place:
    """A cell as it is read: ``at`` has an index for each dim, ``None`` if all labels are read.

    ``is_before`` says that it is read by ``prev``, at the label before.
    """

    cell: int
    at: tuple[int | None, ...] = ()
    is_before: bool = field(default=False, compare=False)

    @property
    def is_one(self) -> bool:
        """Whether it is a scalar."""
        return None not in self.at


def current(at: Labels, name: str) -> int | None:
    """Return the index of the current label of a dim, or of the dim it hides in a variant."""
    if name in at:
        return at[name]
    if is_hidden(name):
        return at.get(plain_dim(name))
    return next((place for other, place in at.items() if plain_dim(other) == name), None)


def rows_of(model: Model, place: Place) -> list[int]:
    """List the indices, in ``Series.data``, of the values that are read."""
    shape = model.shape(model.cells[place.cell].type.dims)
    pairs = zip(shape.sizes, place.at, strict=True)
    return list(shape.select(range(size) if at is None else (at,) for size, at in pairs))


def place_name(model: Model, place: Place) -> str:
    """Format the address of what is read: ``cash[2026-03]``, or a cell as a whole."""
    cell = model.cells[place.cell]
    known = [
        dim.labels[at]
        for dim, at in zip(dims_of(model, cell), place.at, strict=True)
        if at is not None
    ]
    return address_text(cell, known)


def value_at(model: Model, values: Sequence[Value], place: Place) -> Value:
    """Return the value, or the values, that are read."""
    value = values[place.cell]
    if not isinstance(value, Series):
        return value
    if place.is_one:
        return value.data[rows_of(model, place)[0]]
    if all(at is None for at in place.at):
        return value
    left = tuple(dim for dim, at in zip(value.dims, place.at, strict=True) if at is None)
    return Series(left, [value.data[row] for row in rows_of(model, place)])


@dataclass(slots=True)
class Reading:
    """Finds where one formula reads its names; ``at`` are the labels it is computed at.

    ``places`` are those of names and entries, by where they stand; ``first`` are the calls of
    ``prev`` at the first label, which give their second argument.
    """

    model: Model
    node: Node
    values: Sequence[Value]
    at: Labels
    places: dict[int, Place] = field(default_factory=dict)
    first: set[int] = field(default_factory=set)

    def read(self, expr: Expr) -> None:
        """Walk a formula iteratively, in reading order."""
        todo: list[tuple[Expr, Labels, bool]] = [(expr, self.at, False)]
        while todo:
            part, at, before = todo.pop()
            if isinstance(part, Name | Entry):
                self.place(part, at, is_before=before)
            following = self.prev(part, at) if _is_prev(part) else self.parts(part, at)
            todo.extend(reversed([(arg, labels, before or b) for arg, labels, b in following]))

    def parts(self, part: Expr, at: Labels) -> list[tuple[Expr, Labels, bool]]:
        """List the parts of an expression, each with the labels it is read at."""
        if not isinstance(part, Call):
            return [(arg, at, False) for arg in children(part)]
        row = FUNCTIONS.get(part.function)
        dims = [self.dim_named(arg) for arg in part.args]
        count = sum(dim is None for dim in dims)
        many = row is not None and row.takes_series and not (row.params[-1] == "…" and count > 1)
        many = many or (part.function == "join" and count < len(dims))
        if row is None or not (many or row.along):
            return [(arg, at, False) for arg in part.args]
        named = {dim for dim in dims if dim}
        inner = {
            name: place
            for name, place in at.items()
            if (name not in named if named else is_hidden(name))
        }
        return [
            (arg, at if number in row.singles else inner, False)
            for number, arg in enumerate(part.args)
        ]

    def prev(self, part: Expr, at: Labels) -> list[tuple[Expr, Labels, bool]]:
        """List the arguments of ``prev``, the first at the previous label."""
        args = children(part)
        named = self.dim_named(args[-1]) if len(args) > 2 else None  # noqa: PLR2004 - x, initial, dim
        dim = named or self.prev_dim(at)
        if dim is None or dim not in at:
            return [(args[0], {}, True), (args[1], at, False)]
        if at[dim] == 0:
            self.first.add(part.span.start)
            return [(args[1], at, False)]
        return [(args[0], {**at, dim: at[dim] - 1}, True)]

    def prev_dim(self, at: Labels) -> str | None:
        """Return the dim along which the formula reads the previous label."""
        op = self.model.cells[self.node.number].op
        found = [] if op is None else _prev_dims(op)
        return next((dim for dim in found if dim in at), None)

    def of_dim(self, part: Call) -> str:
        """Format the position or the length of the current label, if a call asks for it."""
        name = self.dim_named(part.args[0]) if part.args else None
        if name is None or name not in self.at or part.function not in {"index", "duration"}:
            return ""
        dim, at = self.model.dim(name), self.at[name]
        if part.function == "index":
            return str(at)
        start = dim.keys[at]
        assert isinstance(start, float), "only periods have a length"
        return f"{dim.ends[at] - start:.0f} day"

    def dim_named(self, part: Expr) -> str | None:
        """Return the dim that a name refers to, if it is one."""
        target = self.node.targets.get(part.span.start) if isinstance(part, Name) else None
        if isinstance(target, DimTarget):
            return target.dim
        return target.table if isinstance(target, TableTarget) else None

    def place(self, part: Name | Entry, at: Labels, *, is_before: bool) -> None:
        """Find where a name or an entry is read."""
        target = self.node.targets.get(part.span.start)
        if not isinstance(target, CellTarget | ColumnTarget):
            return
        cell = self.model.cells[target.number]
        found = [current(at, name) for name in cell.type.dims]
        if isinstance(part, Entry):
            self.put_keys(part, at, dims_of(self.model, cell), found)
        self.places[part.span.start] = Place(target.number, tuple(found), is_before)

    def put_keys(
        self, part: Entry, at: Labels, dims: Sequence[Dim], found: list[int | None]
    ) -> None:
        """Replace current labels by those that keys name."""
        taken: set[int] = set()
        for arg in part.args:
            key = self.key(arg, at)
            text = key if isinstance(key, str) else ""
            for number, dim in enumerate(dims):
                place = dim.positions.get(key)
                if place is None and text in dim.labels:
                    place = dim.labels.index(text)
                if number not in taken and place is not None:
                    found[number] = place
                    taken.add(number)
                    break
            else:
                free = [n for n in range(len(dims)) if n not in taken]
                if len(free) == 1:  # a key that is computed: which label it is, nobody knows here
                    found[free[0]] = None

    def key(self, arg: Expr, at: Labels) -> Scalar:
        """Return a key that is a literal, a cell, or a dim's own name."""
        match arg:
            case Text(pieces=(text,), holes=()) | Period(text=text):
                return text
            case Number(value=value):
                return value
            case Name():
                dim = self.dim_named(arg)
                if dim is not None:
                    return self.model.dim(dim).keys[at[dim]] if dim in at else None
                target = self.node.targets.get(arg.span.start)
                if isinstance(target, CellTarget):
                    cell = self.model.cells[target.number]
                    spots = tuple(current(at, name) for name in cell.type.dims)
                    found = value_at(self.model, self.values, Place(target.number, spots))
                    return None if isinstance(found, Series | Failure) else found
                return None
            case _:
                return None


def _is_prev(part: Expr) -> bool:
    return isinstance(part, Call) and part.function == "prev" and len(part.args) > 1


def _prev_dims(op: Op) -> list[str]:
    found: list[str] = []

    def visit(part: Op, _: Sequence[None]) -> None:
        if isinstance(part, Prev):
            found.append(part.dim)

    fold_op(op, visit)
    return found
