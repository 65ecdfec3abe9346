"""The cells that sheets declare, numbered, and the tables whose columns are cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.graph.names import CellTarget, LostTarget, Scopes, SheetTarget, TableTarget, Target
from calcgraph.lang.expr import Entry, Name, walk
from calcgraph.sheet.declarations import CalcDecl, CheckDecl, ColumnDecl, InputDecl, TableDecl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.lang.expr import Expr
    from calcgraph.sheet.imports import Sheets

Declaration: TypeAlias = InputDecl | CalcDecl | ColumnDecl | CheckDecl


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the model: its columns are cells, its labels the keys of its rows."""

    name: str
    sheet: str
    decl: TableDecl
    columns: dict[str, int]
    labels: tuple[str, ...]
    positions: dict[str, int]


@dataclass(frozen=True, slots=True)
class Node:
    """A cell: ``kind`` is input, column, calc, check or message.

    ``targets`` ties each name of its formula, by where it stands, to what it stands for.
    """

    number: int
    name: str
    kind: str
    sheet: str
    decl: Declaration
    table: str = ""
    needs: tuple[int, ...] = ()
    targets: dict[int, Target] = field(default_factory=dict)


def declare(sheets: Sheets) -> tuple[list[Node], dict[str, Table], Scopes]:
    """Number the cells of all sheets, and list what names each sheet bears."""
    nodes: list[Node] = []
    tables: dict[str, Table] = {}
    scopes: Scopes = {}
    for key, sheet in sheets.sheets.items():
        scope: dict[str, Target] = {
            alias: SheetTarget(to) for alias, to in sheets.imports[key].items()
        }
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
    return nodes, tables, scopes


def _mark_lost(scope: dict[str, Target], sheets: Sheets, key: str) -> None:
    """Let names stand for nothing known where what they stand for could not be read."""
    lost = LostTarget()
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
        nodes.append(Node(len(nodes), f"{name}.{column.name}", "column", key, column, name))
    labels = tuple(row.label for row in decl.rows)
    return Table(name, key, decl, columns, labels, {label: at for at, label in enumerate(labels)})


def full_name(sheets: Sheets, sheet: str, name: str) -> str:
    """Name a cell from the evaluated sheet: ``hw.accelerators``."""
    return ".".join((*sheets.paths[sheet], name))


def expressions(node: Node) -> tuple[Expr, ...]:
    """Give what a cell computes; nothing for inputs and for formulas that could not be read."""
    match node.decl:
        case CalcDecl(formula=formula) if formula is not None:
            return (formula.expr,)
        case CheckDecl(condition=formula) if node.kind == "check" and formula is not None:
            return (formula.expr,)
        case CheckDecl(message=message) if node.kind == "message" and message is not None:
            return (message,)
        case _:
            return ()


def names_in(expr: Expr) -> Iterator[Name | Entry]:
    """Give the names and entries of an expression."""
    for part in walk(expr):
        if isinstance(part, Name | Entry):
            yield part
