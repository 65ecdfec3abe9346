"""How a value came about: formula, numbers put in, sources."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.analysis.addresses import address_text, blame_name, coordinates_at, dims_of
from calcgraph.analysis.descriptions import source_text
from calcgraph.core.values import Failure, Series, is_hidden, visible_dim
from calcgraph.functions import FUNCTIONS
from calcgraph.graph import CellTarget, ColumnTarget, DimTarget, TableTarget, expressions
from calcgraph.language.ast import Call, EntryExpr, Expr, Name, Number, Period, Text, children, fold
from calcgraph.language.unparser import unparse
from calcgraph.model import Previous, fold_op
from calcgraph.sheet.declarations import CalcDecl, CheckDecl, ColumnDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from calcgraph.analysis.addresses import CellAddress
    from calcgraph.core.values import Dim, Scalar, Type, Value
    from calcgraph.engine import Evaluation
    from calcgraph.graph import Node
    from calcgraph.model import Model, Op
    from calcgraph.sheet.declarations import Metadata

    Show = Callable[[Value, Type], str]


Labels: TypeAlias = "Mapping[str, int]"
"""The index of the current label of each dim, by the dim's name."""


@dataclass(frozen=True, slots=True)
class ExplainedPlace:
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
        return at.get(visible_dim(name))
    return next((place for other, place in at.items() if visible_dim(other) == name), None)


def rows_of(model: Model, place: ExplainedPlace) -> list[int]:
    """List the indices, in ``Series.data``, of the values that are read."""
    shape = model.shape(model.cells[place.cell].type.dims)
    pairs = zip(shape.sizes, place.at, strict=True)
    return list(shape.select(range(size) if at is None else (at,) for size, at in pairs))


def place_name(model: Model, place: ExplainedPlace) -> str:
    """Format the address of what is read: ``cash[2026-03]``, or a cell as a whole."""
    cell = model.cells[place.cell]
    known = [
        dim.labels[at]
        for dim, at in zip(dims_of(model, cell), place.at, strict=True)
        if at is not None
    ]
    return address_text(cell, known)


def value_at(model: Model, values: Sequence[Value], place: ExplainedPlace) -> Value:
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

    ``places`` are those of names and entries, by their offset in the source; ``first`` are the
    calls of ``prev`` at the first label, which take their second argument.
    """

    model: Model
    node: Node
    values: Sequence[Value]
    at: Labels
    places: dict[int, ExplainedPlace] = field(default_factory=dict)
    first: set[int] = field(default_factory=set)

    def read(self, expr: Expr) -> None:
        """Walk a formula iteratively, in reading order."""
        todo: list[tuple[Expr, Labels, bool]] = [(expr, self.at, False)]
        while todo:
            part, at, before = todo.pop()
            if isinstance(part, Name | EntryExpr):
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

    def place(self, part: Name | EntryExpr, at: Labels, *, is_before: bool) -> None:
        """Find where a name or an entry is read."""
        target = self.node.targets.get(part.span.start)
        if not isinstance(target, CellTarget | ColumnTarget):
            return
        cell = self.model.cells[target.number]
        found = [current(at, name) for name in cell.type.dims]
        if isinstance(part, EntryExpr):
            self.put_keys(part, at, dims_of(self.model, cell), found)
        self.places[part.span.start] = ExplainedPlace(target.number, tuple(found), is_before)

    def put_keys(
        self, part: EntryExpr, at: Labels, dims: Sequence[Dim], found: list[int | None]
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
                    found = value_at(self.model, self.values, ExplainedPlace(target.number, spots))
                    return None if isinstance(found, Series | Failure) else found
                return None
            case _:
                return None


def _is_prev(part: Expr) -> bool:
    return isinstance(part, Call) and part.function == "prev" and len(part.args) > 1


def _prev_dims(op: Op) -> list[str]:
    found: list[str] = []

    def visit(part: Op, _: Sequence[None]) -> None:
        if isinstance(part, Previous):
            found.append(part.dim)

    fold_op(op, visit)
    return found


@dataclass(frozen=True, slots=True)
class Explanation:
    """One value and what it is made of.

    ``numbers`` is the formula with values in place of names, ``row_note`` the note of a table's
    row, ``variant`` the variants it is computed in; ``seen`` marks a cell explained further up.
    """

    name: str
    label: str
    result: str
    kind: str
    place: str
    formula: str = ""
    numbers: str = ""
    note: str = ""
    row_note: str = ""
    source: str = ""
    seen: bool = False
    parts: tuple[Explanation, ...] = ()
    variant: str = ""


def explain(
    evaluation: Evaluation, spot: CellAddress, show: Show, depth: int | None = None
) -> Explanation:
    """Explain a cell or an entry down to the inputs, or ``depth`` levels; each cell once."""
    model, cell = evaluation.plan.model, spot.cell
    at: tuple[int | None, ...] = (None,) * len(cell.type.dims)
    if spot.row is not None:
        at = coordinates_at(model, cell, spot.row)
    explainer = _Explainer(evaluation, show)
    return explainer.explain_cell(
        ExplainedPlace(cell.number, at), depth if depth is not None else 10_000
    )


class _Explainer:
    """Explains cells at labels; remembers which it has explained."""

    def __init__(self, evaluation: Evaluation, show: Show) -> None:
        self.evaluation = evaluation
        self.model = evaluation.plan.model
        self.show = show
        self.explained: set[ExplainedPlace] = set()

    def explain_cell(self, first: ExplainedPlace, depth: int) -> Explanation:
        """Explain a cell and its parts, depth first and iteratively.

        A part is explained under the first cell that reads it, in reading order.
        """
        found: dict[tuple[ExplainedPlace, ExplainedPlace], Explanation] = {}
        order: list[tuple[ExplainedPlace, ExplainedPlace, int, bool]] = [
            (first, first, depth, False)
        ]
        while order:
            current, parent, left, ready = order.pop()
            if not ready:
                if current in self.explained:
                    continue
                self.explained.add(current)
                order.append((current, parent, left, True))
                parts = self.parts_of(current) if left > 0 else []
                wanted = [part for part in parts if not self.is_leaf(part)]
                order.extend((part, current, left - 1, False) for part in reversed(wanted))
                continue
            found[parent, current] = self.explanation(current, left, found)
        return found[first, first]

    def is_leaf(self, place: ExplainedPlace) -> bool:
        """Whether it has no parts: an entry of a table, or what is read at a previous label."""
        return self.model.cells[place.cell].kind in {"column", "axis"} or place.is_before

    def explanation(
        self,
        place: ExplainedPlace,
        left: int,
        found: dict[tuple[ExplainedPlace, ExplainedPlace], Explanation],
    ) -> Explanation:
        """Explain one cell from its explained parts; a part explained elsewhere is only named."""
        node, cell = self.model.graph.nodes[place.cell], self.model.cells[place.cell]
        if cell.kind in {"column", "axis"}:
            return self.entry(place)
        decl = node.decl
        about = decl.about if isinstance(decl, InputDecl | CalcDecl) else None
        parts: list[Explanation] = []
        for part in self.parts_of(place) if left > 0 else []:
            if self.model.cells[part.cell].kind in {"column", "axis"}:
                parts.append(self.entry(part))
            elif (place, part) in found and not part.is_before:
                parts.append(found.pop((place, part)))
            else:
                parts.append(self.back_reference(part))
        return Explanation(
            name=place_name(self.model, place),
            label=about.label if about else "",
            result=self.result(place),
            kind=cell.kind,
            place=decl.key.span.file_line,
            formula=formula_text(node),
            numbers=self.numbers(place),
            note=about.note if about else "",
            source=source_text(about.source if about else None),
            parts=tuple(parts),
            variant=variant_text(self.model, node),
        )

    def back_reference(self, place: ExplainedPlace) -> Explanation:
        """Name a cell that is explained elsewhere, or is the same one at the previous label."""
        cell, decl = self.model.cells[place.cell], self.model.graph.nodes[place.cell].decl
        about: Metadata | None = getattr(decl, "about", None)
        label, where = about.label if about else "", decl.key.span.file_line
        name, result = place_name(self.model, place), self.result(place)
        note = "the label before" if place.is_before else ""
        return Explanation(
            name, label, result, cell.kind, where, note=note, seen=not place.is_before
        )

    def value(self, place: ExplainedPlace) -> Value:
        """Return the value that is read."""
        return value_at(self.model, self.evaluation.values, place)

    def result(self, place: ExplainedPlace) -> str:
        """Format a value; for a failure, also say why."""
        value = self.value(place)
        shown = self.show(value, self.model.cells[place.cell].type)
        if not isinstance(value, Failure):
            return shown
        is_own = value.cell == place.cell or self.model.cells[value.cell].owner == place.cell
        why = value.message if is_own else f"because of `{blame_name(self.model, value)}`"
        return f"{shown} ({why})"

    def reading(self, place: ExplainedPlace) -> Reading:
        """Find at which labels the names in a cell's formula are read."""
        node, cell = self.model.graph.nodes[place.cell], self.model.cells[place.cell]
        at = {n: p for n, p in zip(cell.type.dims, place.at, strict=True) if p is not None}
        reading = Reading(self.model, node, self.evaluation.values, at)
        for expr in expressions(node):
            reading.read(expr)
        return reading

    def parts_of(self, place: ExplainedPlace) -> list[ExplainedPlace]:
        """List what a formula reads, each once, in reading order."""
        return list(dict.fromkeys(self.reading(place).places.values()))

    def entry(self, place: ExplainedPlace) -> Explanation:
        """Explain an entry of a table or a grid, or a column as a whole."""
        node = self.model.graph.nodes[place.cell]
        table, column = self.model.table(node.table), node.decl
        assert isinstance(column, ColumnDecl), "a column is declared as one"
        result = self.result(place)
        is_row = place.is_one and not table.is_grid
        if not is_row:
            kind = "entry" if place.is_one else "column"
            where = column.key.span.file_line
            return Explanation(
                place_name(self.model, place), column.about.label, result, kind, where
            )
        row = table.decl.rows[place.at[0] or 0]
        found = row.entries[table.decl.columns.index(column)]
        return Explanation(
            name=place_name(self.model, place),
            label=column.about.label,
            result=result,
            kind="entry",
            place=(found or row.key).span.file_line,
            note=column.about.note,
            row_note=row.about.note,
            source=source_text(row.about.source or table.decl.about.source),
        )

    def numbers(self, place: ExplainedPlace) -> str:
        """Write the formula with values in place of names; empty for a whole series."""
        node = self.model.graph.nodes[place.cell]
        expr = next(iter(expressions(node)), None)
        if expr is None or not node.targets or not place.is_one:
            return ""
        reading = self.reading(place)

        def put_in(part: Expr, args: Sequence[Expr]) -> Expr:
            read = (
                reading.places.get(part.span.start) if isinstance(part, Name | EntryExpr) else None
            )
            if read is not None:
                return Name(part.span, (self.value_of(read),))
            dim = reading.dim_named(part)
            if dim is not None and dim in reading.at:
                return Name(part.span, (self.model.dim(dim).labels[reading.at[dim]],))
            if isinstance(part, Call) and (text := reading.of_dim(part)):
                return Name(part.span, (text,))
            if isinstance(part, Call) and part.function == "prev":
                return args[1 if part.span.start in reading.first else 0]
            if isinstance(part, Call):
                return replace(part, args=tuple(_bracketed(part.function, args)))
            return replace(part, args=tuple(args)) if isinstance(part, Text) else part

        return unparse(fold(expr, put_in))

    def value_of(self, place: ExplainedPlace) -> str:
        """Format the value of a name: a text in quotes, a series by its length."""
        cell, value = self.model.cells[place.cell], self.value(place)
        if isinstance(value, Series):
            return f"{len(value.data):,} value{'' if len(value.data) == 1 else 's'}"
        shown = self.show(value, cell.type)
        return f'"{shown}"' if isinstance(value, str) else shown


def variant_text(model: Model, node: Node) -> str:
    """Name the variants a cell is computed in: ```cand` (planner.yaml:12)``."""
    found = []
    sheets = model.graph.sheets
    for sheet, alias in node.of or node.within:
        decl = next(decl for decl in sheets.sheets[sheet].imports if decl.alias == alias)
        found.append(f"`{alias}` ({decl.key.span.file_line})")
    return ", ".join(found)


def _bracketed(function: str, args: Sequence[Expr]) -> list[Expr]:
    """Parenthesise values whose unit or sign would bind to the operator."""
    found: list[Expr] = []
    for at, arg in enumerate(args):
        text = arg.text if isinstance(arg, Name) else ""
        signed = text.startswith("-") and (at > 0 or function in {"neg", "^"})
        united = function == "^" and (" " in text or text.endswith("%"))
        divided = function == "/" and at > 0 and ("/" in text or "*" in text)
        is_mark = not function[0].isalpha() or function == "neg"
        wanted = is_mark and (signed or united or divided) and isinstance(arg, Name)
        found.append(Name(arg.span, (f"({text})",)) if wanted else arg)
    return found


def formula_text(node: Node) -> str:
    """Return a cell's formula as written, on one line, without the ``=``."""
    match node.decl:
        case CalcDecl(text=text) if text is not None:
            return " ".join(text.text.text.lstrip().removeprefix("=").split())
        case CheckDecl(condition=condition) if condition is not None:
            return " ".join(condition.text.split())
        case _:
            return ""
