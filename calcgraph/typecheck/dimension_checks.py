"""Type-check dimensions: labels, periods, counts and grids."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import MAXYEAR, date
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.core.values import DATE, NUMBER, Dim, Series, Type
from calcgraph.functions.kernels.scalar import from_date, to_date
from calcgraph.functions.spec import call_column, call_row
from calcgraph.graph import CellTarget, DimTarget, SheetTarget, TableTarget, Unresolved, names_in
from calcgraph.graph.name_resolution import dims_seen
from calcgraph.language.ast import EntryExpr
from calcgraph.model import Apply, Cell, Const, Convert, Load, fold_op
from calcgraph.typecheck.literals import WRONG_KIND, TypedValue, read_any, read_as, row_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.values import DimKind, Scalar
    from calcgraph.graph import DeclaredDim, Graph, Table, Target
    from calcgraph.language.ast import Formula
    from calcgraph.model import Op, Step
    from calcgraph.sheet.declarations import DimDecl, GridColumn
    from calcgraph.sheet.yaml_reader import YamlScalar
    from calcgraph.typecheck.formulas import FormulaChecker
    from calcgraph.units import UnitBook


NOT_OF_THE_GRID = Code(
    "CG319",
    "condition of a grid reads more than its columns",
    "Which labels there are is fixed before anything is computed: `where` compares columns of the "
    "grid and constants. A condition that depends on an input belongs in a cell over the grid.",
)
EMPTY_GRID = Code(
    "CG320", "grid has no rows", "The condition of a grid must hold for some of its combinations."
)


@dataclass(frozen=True, slots=True)
class ColumnValues:
    """The values of a grid's column, and their type."""

    name: str
    type: Type
    values: tuple[Scalar, ...]

    def cell(self, number: int, name: str, place: DeclaredDim, values: Sequence[Scalar]) -> Cell:
        """Make the column's cell over the remaining rows."""
        type_ = replace(self.type, dims=(place.name,))
        return Cell(number, name, "axis", type_, None, Series((place.name,), tuple(values)))


def grid_columns(
    decl: DimDecl, book: UnitBook, findings: list[Diagnostic]
) -> list[ColumnValues] | None:
    """Read the columns of a grid; a column takes the type and unit of its first value."""
    found = [_column(column, book, findings) for column in decl.columns]
    kept = [column for column in found if column is not None]
    return kept if len(kept) == len(found) and kept else None


def _column(column: GridColumn, book: UnitBook, findings: list[Diagnostic]) -> ColumnValues | None:
    before = len(findings)
    first = read_any(column.values[0], book) if column.values else None
    if not isinstance(first, TypedValue):
        findings += [first] if first else []
        return None
    values: list[Scalar] = []
    for node in column.values:
        problem, value = _value(node, first.type, book)
        if problem is None and value in values:
            message = f"`{node.text.text.strip()}` occurs twice in `{column.name}`"
            problem = Diagnostic(WRONG_KIND, message, Label(node.span), "remove one")
        findings += [problem] if problem else []
        values.append(value)
    return None if len(findings) > before else ColumnValues(column.name, first.type, tuple(values))


def _value(node: YamlScalar, type_: Type, book: UnitBook) -> tuple[Diagnostic | None, Scalar]:
    read = read_as(node, type_, book)
    if isinstance(read, Diagnostic):
        return read, None
    if read is None:
        message, hint = "a value of a grid cannot be `null`", "remove it"
        return Diagnostic(WRONG_KIND, message, Label(node.span), hint), None
    return None, read


def keep_rows(
    checker: FormulaChecker,
    place: DeclaredDim,
    table: Table,
    columns: Sequence[ColumnValues],
    rows: Sequence[tuple[Scalar, ...]],
) -> Sequence[tuple[Scalar, ...]] | None:
    """Return the rows that meet the condition; ``None`` if it is broken, which is reported."""
    where = place.decl.where
    if where is None:
        return rows
    numbers = [table.columns[column.name] for column in columns]
    for column, number in zip(columns, numbers, strict=True):
        checker.cells[number] = column.cell(number, column.name, place, ())
    op = _condition(checker, place, table, where)
    kept = (
        None
        if op is None
        else _kept(checker, dict(zip(numbers, columns, strict=True)), rows, op, where)
    )
    if kept:
        return kept
    for number in numbers:
        checker.cells[number] = None
    if kept is not None:
        message = f"no row of `{place.decl.name}` meets its condition"
        checker.report(EMPTY_GRID, message, where.expr.span, "compare the values of its columns")
    return None


def _kept(
    checker: FormulaChecker,
    columns: Mapping[int, ColumnValues],
    rows: Sequence[tuple[Scalar, ...]],
    op: Op,
    where: Formula,
) -> list[tuple[Scalar, ...]] | None:
    """Compute the condition of every row; ``None`` if that fails for one, which is reported."""
    try:
        held = _computed(op, dict(zip(columns, zip(*rows, strict=True), strict=True)), len(rows))
    except (ArithmeticError, ValueError):  # perhaps only in a branch that is not taken
        held = []
    if held:
        return [row for row, is_kept in zip(rows, held, strict=True) if is_kept is True]
    kept: list[tuple[Scalar, ...]] = []
    for row in rows:
        try:
            one = {cell: (value,) for cell, value in zip(columns, row, strict=True)}
            if _computed(op, one, 1)[0] is True:
                kept.append(row)
        except (ArithmeticError, ValueError):
            key = row_key(row, [column.type for column in columns.values()])
            message = f"the condition cannot be computed at `{key}`"
            hint = "avoid dividing by 0, and roots or logarithms of negative numbers"
            checker.report(NOT_OF_THE_GRID, message, where.expr.span, hint)
            return None
    return kept


def _condition(
    checker: FormulaChecker, place: DeclaredDim, table: Table, where: Formula
) -> Op | None:
    """Type a condition whose names are the columns of the grid."""
    targets: dict[int, Target] = {}
    findings = len(checker.findings)
    for part in names_in(where.expr):
        name = part.base if isinstance(part, EntryExpr) else part
        if isinstance(part, EntryExpr) or name.text not in table.columns:
            _report_other(checker, place, table, name.text, part)
            continue
        targets[part.span.start] = CellTarget(table.columns[name.text])
    if len(checker.findings) > findings:
        return None
    number = next(iter(table.columns.values()))
    node = replace(checker.graph.nodes[number], targets=targets, dims=(place.name,))
    mark = checker.helpers.mark()
    checker.graph.dims[place.name] = Dim(
        place.name, "grid", (), (), {}
    )  # a placeholder for typing the condition
    part_found = checker.condition(node, where)
    del checker.graph.dims[place.name]
    checker.helpers.roll_back(mark)
    if part_found is None:
        return None
    if any(not isinstance(op, Const | Load | Apply | Convert) for op in _all(part_found.op)):
        message = "a condition of a grid compares columns row by row"
        checker.report(NOT_OF_THE_GRID, message, where.expr.span, "remove the functions along dims")
        return None
    return part_found.op


def _report_other(
    checker: FormulaChecker, place: DeclaredDim, table: Table, text: str, part: object
) -> None:
    graph = checker.graph
    target = graph.resolve(place.sheet, text.split("."))
    what = "is not a column of this grid"
    hint = did_you_mean(text, table.columns, f"its columns: {', '.join(table.columns)}")
    if isinstance(target, CellTarget):
        is_input = graph.nodes[target.number].kind == "input"
        what = f"is {'an input' if is_input else 'a cell'}, and labels cannot depend on it"
        hint = f"put the condition into a cell: `fits[{place.decl.name}]: = …`"
    elif isinstance(target, TableTarget | SheetTarget):
        hint = f"its columns: {', '.join(table.columns)}"
    checker.report(NOT_OF_THE_GRID, f"`{text}` {what}", part.span, hint)  # type: ignore[attr-defined]


def _all(op: Op) -> list[Op]:
    found: list[Op] = []

    def visit(node: Op, _: Sequence[None]) -> None:
        found.append(node)

    fold_op(op, visit)
    return found


def _computed(op: Op, columns: Mapping[int, Sequence[Scalar]], size: int) -> Sequence[Scalar]:
    def visit(node: Op, parts: Sequence[Sequence[Scalar]]) -> Sequence[Scalar]:
        match node:
            case Const(value):
                return [value] * size
            case Load(cell):
                return columns[cell]
            case Convert(steps):
                return [_converted(value, steps) for value in parts[0]]
            case Apply(function) if parts:
                return call_column(function, parts)
            case Apply(function):
                return [call_row(function, ())] * size
            case _:
                raise AssertionError(node)

    return fold_op(op, visit)


def _converted(value: Scalar, steps: Sequence[Step]) -> Scalar:
    for step in steps:
        if isinstance(value, float):
            value = value / step.factor if step.divides else value * step.factor
    return value


BAD_DIM = Code(
    "CG318",
    "dim cannot be read",
    "`dims:` declares labels, `[us, eu]`; positions, `{count: 64}`; periods, `{from: 2026-01, to: "
    "2028-12}`; the labels of another, `{like: month}`; or a grid of all combinations.",
)
MONTHS = {"month": 1, "quarter": 3, "year": 12}
MOST = 200_000


@dataclass(slots=True)
class DimensionReader:
    """Reads the dims of a model; ``roots`` maps each dim to the one it is ``like``."""

    graph: Graph
    book: UnitBook
    cells: list[Cell | None]
    findings: list[Diagnostic]
    dims: dict[str, Dim] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)

    def read(self, checker: FormulaChecker) -> None:
        """Read all dims; the columns of grids become cells."""
        for name, table in self.graph.tables.items():
            if not table.is_grid and table.labels:
                self.dims[name] = make_dim(name, "table", table.labels, table.labels)
                self.done.add(name)
        for name in self.graph.places:
            self.dim(name, checker)

    def dim(self, name: str, checker: FormulaChecker) -> Dim | None:
        """Read one dim; ``None`` if it is broken, which is reported once."""
        if name in self.done or name not in self.graph.places or name in self.open:
            return self.dims.get(name)
        self.open.add(name)
        place = self.graph.places[name]
        decl = place.decl
        found: Dim | None = None
        match decl.kind:
            case "labels":
                texts = tuple(label.text.text.strip() for label in decl.labels)
                found = make_dim(name, "labels", texts, texts) if texts else None
            case "count" if decl.count is not None:
                found = self.count(name, decl.count)
            case "time" if decl.start is not None and decl.end is not None:
                found = self.periods(name, decl.start, decl.end, decl.step)
            case "like" if decl.like is not None:
                found = self.like(place, decl.like, checker)
            case "grid":
                found = self.grid(place, checker)
            case _:
                pass
        self.open.discard(name)
        self.done.add(name)
        if found is not None:
            self.dims[name] = found
        return found

    def count(self, name: str, node: YamlScalar) -> Dim | None:
        """Read ``{count: 64}``: positions from 0."""
        read = read_as(node, NUMBER, self.book)
        hint = (
            "labels cannot depend on an input: write the largest count, and a condition in a cell"
        )
        if isinstance(read, Diagnostic):
            is_name = not any(char.isdigit() for char in node.text.text[:1])
            self.findings.append(replace(read, hint=hint) if is_name else read)
            return None
        if not isinstance(read, float) or read != int(read) or not 1 <= read <= MOST:
            self.report(f"a count is a whole number from 1 to {MOST:,}", node, hint)
            return None
        keys = tuple(float(at) for at in range(int(read)))
        return make_dim(name, "count", keys, tuple(map(str, range(int(read)))))

    def periods(
        self, name: str, start: YamlScalar, end: YamlScalar, step: YamlScalar | None
    ) -> Dim | None:
        """Read a time axis: the periods from one date to another."""
        days = [read_as(node, DATE, self.book) for node in (start, end)]
        self.findings += [day for day in days if isinstance(day, Diagnostic)]
        first, last = days
        if not isinstance(first, float) or not isinstance(last, float):
            return None
        word = step.text.text.strip() if step is not None else "month"
        if word != "day" and to_date(first).day != 1:
            self.report(f"a {word} begins on the first of a month", start, "write `2026-01`")
            return None
        if last < first:
            self.report(f"`to` is before `from` ({start.text.text.strip()})", end, "swap them")
            return None
        if to_date(last).year == MAXYEAR:
            self.report(
                f"`to` is in the last possible year, {MAXYEAR}", end, "write an earlier one"
            )
            return None
        starts = _starts(to_date(first), last, word)
        if starts is None:
            self.report(f"more than {MOST:,} periods", end, "take a longer step")
            return None
        keys, after = starts[:-1], starts[1:]
        shown = tuple(_label(day, word) for day in keys)
        return replace(make_dim(name, "time", keys, shown), ends=tuple(after), step=word)

    def like(self, place: DeclaredDim, node: YamlScalar, checker: FormulaChecker) -> Dim | None:
        """Read ``{like: month}``: the same labels as a separate dim."""
        text = node.text.text.strip()
        target = self.graph.resolve(place.sheet, text.split("."))
        if isinstance(target, Unresolved):
            return None
        if not isinstance(target, DimTarget | TableTarget):
            seen = [name for name in dims_seen(self.graph, place.sheet) if name != place.decl.name]
            hint = did_you_mean(text, seen, "name another dim, or a table")
            self.report(f"`{text}` is not a dim", node, hint)
            return None
        other = target.dim if isinstance(target, DimTarget) else target.table
        if other in self.open:
            self.report(f"`{place.decl.name}` is like itself", node, "give one of them labels")
            return None
        found = self.dim(other, checker)
        if found is None:
            return None
        self.roots[place.name] = self.roots.get(other, other)
        kind: DimKind = "labels" if found.kind in {"table", "grid"} else found.kind
        return replace(found, name=place.name, kind=kind)

    def grid(self, place: DeclaredDim, checker: FormulaChecker) -> Dim | None:
        """Read a grid: all combinations, first column slowest, filtered by its condition."""
        table = self.graph.tables[place.name]
        columns = grid_columns(place.decl, self.book, self.findings)
        if columns is None:
            return None
        size = prod(len(column.values) for column in columns)
        if size > MOST:
            label = Label(place.decl.key.span)
            message = f"a grid of {size:,} rows before its condition; {MOST:,} is the most"
            hint = "leave some values out"
            self.findings.append(Diagnostic(BAD_DIM, message, label, hint))
            return None
        rows: Sequence[tuple[Scalar, ...]] = list(product(*(c.values for c in columns)))
        kept = keep_rows(checker, place, table, columns, rows)
        if kept is None:
            return None
        types = [column.type for column in columns]
        labels = tuple(row_key(row, types) for row in kept)
        for column, values in zip(columns, zip(*kept, strict=True), strict=True):
            number = table.columns[column.name]
            self.cells[number] = column.cell(number, self.graph.nodes[number].name, place, values)
        return make_dim(place.name, "grid", labels, labels)

    def report(self, message: str, node: YamlScalar, hint: str) -> None:
        """Report a finding."""
        self.findings.append(Diagnostic(BAD_DIM, message, Label(node.span), hint))


def make_dim(name: str, kind: DimKind, keys: Sequence[Scalar], labels: Sequence[str]) -> Dim:
    """Build a dim from keys and labels."""
    positions = {key: at for at, key in enumerate(keys)}
    return Dim(name, kind, tuple(keys), tuple(labels), positions)


def _starts(first: date, last: float, step: str) -> list[float] | None:
    """Return the first days of the periods up to ``last``, and the day after the last period."""
    start = from_date(first)
    if step == "day":
        count = int(last - start) + 1
        return None if count > MOST else [start + at for at in range(count + 1)]
    found = [start]
    year, month = first.year, first.month
    while found[-1] <= last and len(found) <= MOST:
        month += MONTHS[step]
        year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
        found.append(from_date(date(year, month, 1)))
    return found if len(found) <= MOST else None


def _label(day: float, step: str) -> str:
    text = to_date(day).isoformat()
    return text if step == "day" else text[:7]
