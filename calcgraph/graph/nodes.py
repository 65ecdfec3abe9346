"""The cells that sheets declare, numbered, and the tables whose columns are cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.graph.names import (
    CellTarget,
    DimTarget,
    ImportPath,
    Scopes,
    SheetTarget,
    TableTarget,
    Target,
    Unresolved,
)
from calcgraph.language.ast import EntryExpr, Name, walk
from calcgraph.sheet.declarations import (
    CalcDecl,
    CheckDecl,
    ColumnDecl,
    DimDecl,
    InputDecl,
    TableDecl,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.language.ast import Expr
    from calcgraph.sheet.imports import Sheets

Declaration: TypeAlias = InputDecl | CalcDecl | ColumnDecl | CheckDecl


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the model: its columns are cells, its labels the keys of its rows.

    A grid is one too; its labels are known once its values are read.
    """

    name: str
    sheet: str
    decl: TableDecl
    columns: dict[str, int]
    labels: tuple[str, ...]
    positions: dict[str, int]
    is_grid: bool = False


@dataclass(frozen=True, slots=True)
class DeclaredDim:
    """A dim as declared, and the sheet that declares it."""

    name: str
    sheet: str
    decl: DimDecl


@dataclass(frozen=True, slots=True)
class Node:
    """A cell: ``kind`` is input, column, axis (of a grid), calc, check, message or helper.

    ``targets`` maps each name in its formula, by its offset, to what the name refers to. ``before``
    are the offsets read at the previous label, ``prior`` the needs that are read only there.
    ``within`` are the variants the cell is computed in. ``binds`` is the input that it overrides in
    the last variant of ``of``, and ``switch`` the input that can override it in turn.
    """

    number: int
    name: str
    kind: str
    sheet: str
    decl: Declaration
    table: str = ""
    needs: tuple[int, ...] = ()
    targets: dict[int, Target] = field(default_factory=dict)
    dims: tuple[str, ...] = ()
    before: frozenset[int] = frozenset()
    previous_label_needs: frozenset[int] = frozenset()
    within: ImportPath = ()
    overrides: int = -1
    of: ImportPath = ()
    override_input: int = -1


@dataclass(slots=True)
class Declared:
    """Everything that the sheets of a model declare."""

    nodes: list[Node] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    dims: dict[str, DeclaredDim] = field(default_factory=dict)
    scopes: Scopes = field(default_factory=dict)


def declare(sheets: Sheets) -> Declared:
    """Number the cells of all sheets and list the names that each sheet declares."""
    declared = Declared()
    nodes, tables, scopes = declared.nodes, declared.tables, declared.scopes
    for key, sheet in sheets.sheets.items():
        variants = {decl.alias for decl in sheet.imports if decl.settings}
        scope: dict[str, Target] = {
            alias: SheetTarget(to, ((key, alias),) if alias in variants else ())
            for alias, to in sheets.imports[key].items()
        }
        for dim in sheet.dims:
            name = full_name(sheets, key, dim.name)
            declared.dims[name] = DeclaredDim(name, key, dim)
            is_grid = dim.kind == "grid"
            scope.setdefault(dim.name, TableTarget(name) if is_grid else DimTarget(name))
            if is_grid:
                tables[name] = _declare_grid(nodes, name, key, dim)
        decls: tuple[InputDecl | CalcDecl, ...] = (*sheet.inputs, *sheet.calcs)
        for decl in decls:
            kind = "input" if isinstance(decl, InputDecl) else "calc"
            scope.setdefault(decl.name, CellTarget(len(nodes)))
            nodes.append(Node(len(nodes), full_name(sheets, key, decl.name), kind, key, decl))
        for table in sheet.tables:
            name = full_name(sheets, key, table.name)
            scope.setdefault(table.name, TableTarget(name))
            tables[name] = _declare_table(nodes, name, key, table)
        _mark_lost(scope, sheets, key)
        scopes[key] = scope
    for key, sheet in sheets.sheets.items():
        for check in sheet.checks:
            name = full_name(sheets, key, check.name)
            nodes.append(Node(len(nodes), f"check: {name}", "check", key, check))
            if check.message is not None:
                nodes.append(Node(len(nodes), f"message: {name}", "message", key, check))
    return declared


def _mark_lost(scope: dict[str, Target], sheets: Sheets, key: str) -> None:
    """Mark names whose declaration could not be read, so that their uses are not reported."""
    lost = Unresolved()
    for decl in sheets.sheets[key].imports:
        to = sheets.imports[key].get(decl.alias)
        if to is None or sheets.sheets[to].unread:
            scope[decl.alias] = lost
    for name in sheets.sheets[key].lost:
        scope.setdefault(name, lost)


def _declare_table(nodes: list[Node], name: str, key: str, decl: TableDecl) -> Table:
    columns: dict[str, int] = {}
    for column in decl.columns:
        columns[column.name] = len(nodes)
        nodes.append(
            Node(len(nodes), f"{name}.{column.name}", "column", key, column, name, dims=(name,))
        )
    labels = tuple(row.label for row in decl.rows)
    return Table(name, key, decl, columns, labels, {label: at for at, label in enumerate(labels)})


def _declare_grid(nodes: list[Node], name: str, key: str, decl: DimDecl) -> Table:
    """Number the columns of a grid; its rows are known once its values are read."""
    columns: dict[str, int] = {}
    shapes: list[ColumnDecl] = []
    for column in decl.columns:
        shape = ColumnDecl(column.name, column.key, None)
        shapes.append(shape)
        columns.setdefault(column.name, len(nodes))
        nodes.append(
            Node(len(nodes), f"{name}.{column.name}", "axis", key, shape, name, dims=(name,))
        )
    table = TableDecl(decl.name, decl.key, tuple(shapes), (), decl.about)
    return Table(name, key, table, columns, (), {}, is_grid=True)


def full_name(sheets: Sheets, sheet: str, name: str) -> str:
    """Name a cell as seen from the evaluated sheet: ``hw.accelerators``."""
    return ".".join((*sheets.paths[sheet], name))


def expressions(node: Node) -> tuple[Expr, ...]:
    """Return the expression a cell computes; empty for inputs and unreadable formulas."""
    match node.decl:
        case CalcDecl(formula=formula) if formula is not None:
            return (formula.expr,)
        case CheckDecl(condition=formula) if node.kind == "check" and formula is not None:
            return (formula.expr,)
        case CheckDecl(message=message) if node.kind == "message" and message is not None:
            return (message,)
        case _:
            return ()


def names_in(expr: Expr) -> Iterator[Name | EntryExpr]:
    """Yield the names and entries of an expression."""
    for part in walk(expr):
        if isinstance(part, Name | EntryExpr):
            yield part
