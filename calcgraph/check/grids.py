"""Read grids: the values of their columns, filtered by their condition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.check.values import WRONG_KIND, TypedValue, read_any, read_as, row_key
from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.dim import Dim
from calcgraph.core.nearest import did_you_mean
from calcgraph.core.type import Type
from calcgraph.core.value import Series
from calcgraph.functions.calling import call_column, call_row
from calcgraph.graph import CellTarget, SheetTarget, TableTarget, names_in
from calcgraph.lang.expr import Entry
from calcgraph.model import Apply, Cell, Const, Convert, Load, fold_op

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.check.units import FormulaChecker
    from calcgraph.core.value import Scalar as ScalarValue
    from calcgraph.graph import DimPlace, Table, Target
    from calcgraph.lang.expr import Formula
    from calcgraph.model import Op, Step
    from calcgraph.sheet.declarations import DimDecl, GridColumn
    from calcgraph.sheet.yaml_tree import Scalar
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
    values: tuple[ScalarValue, ...]

    def cell(self, number: int, name: str, place: DimPlace, values: Sequence[ScalarValue]) -> Cell:
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
    values: list[ScalarValue] = []
    for node in column.values:
        problem, value = _value(node, first.type, book)
        if problem is None and value in values:
            message = f"`{node.text.text.strip()}` occurs twice in `{column.name}`"
            problem = Diagnostic(WRONG_KIND, message, Label(node.span), "remove one")
        findings += [problem] if problem else []
        values.append(value)
    return None if len(findings) > before else ColumnValues(column.name, first.type, tuple(values))


def _value(node: Scalar, type_: Type, book: UnitBook) -> tuple[Diagnostic | None, ScalarValue]:
    read = read_as(node, type_, book)
    if isinstance(read, Diagnostic):
        return read, None
    if read is None:
        message, hint = "a value of a grid cannot be `null`", "remove it"
        return Diagnostic(WRONG_KIND, message, Label(node.span), hint), None
    return None, read


def keep_rows(
    checker: FormulaChecker,
    place: DimPlace,
    table: Table,
    columns: Sequence[ColumnValues],
    rows: Sequence[tuple[ScalarValue, ...]],
) -> Sequence[tuple[ScalarValue, ...]] | None:
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
    rows: Sequence[tuple[ScalarValue, ...]],
    op: Op,
    where: Formula,
) -> list[tuple[ScalarValue, ...]] | None:
    """Compute the condition of every row; ``None`` if that fails for one, which is reported."""
    try:
        held = _computed(op, dict(zip(columns, zip(*rows, strict=True), strict=True)), len(rows))
    except (ArithmeticError, ValueError):  # perhaps only in a branch that is not taken
        held = []
    if held:
        return [row for row, is_kept in zip(rows, held, strict=True) if is_kept is True]
    kept: list[tuple[ScalarValue, ...]] = []
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


def _condition(checker: FormulaChecker, place: DimPlace, table: Table, where: Formula) -> Op | None:
    """Type a condition whose names are the columns of the grid."""
    targets: dict[int, Target] = {}
    findings = len(checker.findings)
    for part in names_in(where.expr):
        name = part.base if isinstance(part, Entry) else part
        if isinstance(part, Entry) or name.text not in table.columns:
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
    checker: FormulaChecker, place: DimPlace, table: Table, text: str, part: object
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


def _computed(
    op: Op, columns: Mapping[int, Sequence[ScalarValue]], size: int
) -> Sequence[ScalarValue]:
    def visit(node: Op, parts: Sequence[Sequence[ScalarValue]]) -> Sequence[ScalarValue]:
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


def _converted(value: ScalarValue, steps: Sequence[Step]) -> ScalarValue:
    for step in steps:
        if isinstance(value, float):
            value = value / step.factor if step.divides else value * step.factor
    return value
