"""Where a number comes from: formula, the numbers put in, the result, down to the inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.core.value import Series
from calcgraph.graph import CellTarget, ColumnTarget, expressions
from calcgraph.lang.expr import Entry, Expr, Name, Text, walk
from calcgraph.sheet.declarations import CalcDecl, CheckDecl, ColumnDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Callable

    from calcgraph.core.type import Type
    from calcgraph.core.value import Value
    from calcgraph.evaluate import Evaluation
    from calcgraph.graph import Node
    from calcgraph.sheet.declarations import Described, Provenance

    Show = Callable[[Value, Type], str]


@dataclass(frozen=True, slots=True)
class Explanation:
    """One value and what it is made of; ``seen`` marks one that is told further up."""

    name: str
    label: str
    result: str
    kind: str
    place: str
    formula: str = ""
    numbers: str = ""
    note: str = ""
    source: str = ""
    seen: bool = False
    parts: tuple[Explanation, ...] = ()


def explain(evaluation: Evaluation, cell: int, show: Show, depth: int | None = None) -> Explanation:
    """Explain a cell down to the inputs, or ``depth`` levels; each cell is told once."""
    return _Explainer(evaluation, show).tell(cell, depth if depth is not None else 10_000)


class _Explainer:
    """Tells cells; remembers which have been told."""

    def __init__(self, evaluation: Evaluation, show: Show) -> None:
        self.evaluation = evaluation
        self.model = evaluation.plan.model
        self.show = show
        self.told: set[str] = set()

    def tell(self, number: int, depth: int) -> Explanation:
        """Tell a cell: parts are told before their wholes, without recursion."""
        found: dict[tuple[int, str], Explanation] = {}
        order: list[tuple[int, int, bool]] = [(number, depth, False)]
        while order:
            current, left, ready = order.pop()
            name = self.model.cells[current].name
            if not ready:
                if name in self.told:
                    continue
                self.told.add(name)
                order.append((current, left, True))
                needs = self.model.graph.nodes[current].needs if left > 0 else ()
                cells = [n for n in needs if self.model.cells[n].kind != "column"]
                order.extend((need, left - 1, False) for need in reversed(cells))
                continue
            found[current, ""] = self.one(current, left, found)
        return found[number, ""]

    def one(self, number: int, left: int, found: dict[tuple[int, str], Explanation]) -> Explanation:
        """Tell one cell whose parts are told; a part told elsewhere is only named."""
        node, cell = self.model.graph.nodes[number], self.model.cells[number]
        decl = node.decl
        about = decl.about if isinstance(decl, InputDecl | CalcDecl) else None
        parts: list[Explanation] = []
        for part in self.parts_of(node) if left > 0 else []:
            if isinstance(part, Explanation):
                parts.append(part)
            elif (part, "") in found:
                parts.append(found.pop((part, "")))
            else:
                parts.append(self.again(part))
        expr = next(iter(expressions(node)), None)
        return Explanation(
            name=cell.name,
            label=about.label if about else "",
            result=self.show(self.evaluation.values[number], cell.type),
            kind=cell.kind,
            place=decl.key.span.file_line,
            formula=formula_text(node),
            numbers=self.numbers(node, expr) if expr is not None else "",
            note=about.note if about else "",
            source=source_text(about.source if about else None),
            parts=tuple(parts),
        )

    def again(self, number: int) -> Explanation:
        """Name a cell that is told elsewhere."""
        node, cell = self.model.graph.nodes[number], self.model.cells[number]
        result = self.show(self.evaluation.values[number], cell.type)
        place = node.decl.key.span.file_line
        about: Described | None = getattr(node.decl, "about", None)
        is_input = isinstance(node.decl, InputDecl)
        return Explanation(
            cell.name,
            about.label if about else "",
            result,
            cell.kind,
            place,
            source=source_text(about.source if about and is_input else None),
            seen=not is_input,
        )

    def parts_of(self, node: Node) -> list[int | Explanation]:
        """List what a formula reads, each once, in its order: cells by number, entries told."""
        found: dict[object, int | Explanation] = {}
        for expr in expressions(node):
            for part in walk(expr):
                target = (
                    node.targets.get(part.span.start) if isinstance(part, Name | Entry) else None
                )
                if isinstance(target, CellTarget):
                    found.setdefault(target.number, target.number)
                elif isinstance(target, ColumnTarget):
                    told = self.entry(node, part, target)
                    found.setdefault(told.name, told)
        return list(found.values())

    def entry(self, node: Node, part: Expr, target: ColumnTarget) -> Explanation:
        """Tell an entry of a table, or a column as a whole."""
        cell, table = self.model.cells[target.number], self.model.table(target.table)
        column = self.model.graph.nodes[target.number].decl
        assert isinstance(column, ColumnDecl), "a column is declared as one"
        key = self.key(node, part) if isinstance(part, Entry) else None
        series = self.evaluation.values[target.number]
        if key is None or key not in table.positions or not isinstance(series, Series):
            text = self.show(series, cell.type)
            return Explanation(
                cell.name, column.about.label, text, "column", column.key.span.file_line
            )
        at = table.positions[key]
        row = table.decl.rows[at]
        entry = row.entries[table.decl.columns.index(column)]
        return Explanation(
            name=f"{table.name}[{key}].{column.name}",
            label=column.about.label,
            result=self.show(series.data[at], cell.type),
            kind="entry",
            place=(entry or row.key).span.file_line,
            note=row.about.note or column.about.note,
            source=source_text(row.about.source or table.decl.about.source),
        )

    def key(self, node: Node, entry: Entry) -> str | None:
        """Give the key an entry is read at, where it is a name or a text."""
        key = entry.args[0]
        if isinstance(key, Text) and not key.holes:
            return key.pieces[0]
        target = node.targets.get(key.span.start) if isinstance(key, Name) else None
        value = self.evaluation.values[target.number] if isinstance(target, CellTarget) else None
        return value if isinstance(value, str) else None

    def numbers(self, node: Node, expr: Expr) -> str:
        """Write the formula with the values in place of the names."""
        text, start = expr.span.text, expr.span.start
        pieces: list[str] = []
        done = start
        for part in walk(expr):
            if not isinstance(part, Name | Entry) or part.span.start < done:
                continue
            target = node.targets.get(part.span.start)
            if not isinstance(target, CellTarget | ColumnTarget):
                continue
            shown = self.value_of(node, part, target)
            pieces += [text[done - start : part.span.start - start], shown]
            done = part.span.end
        pieces.append(text[done - start :])
        return " ".join("".join(pieces).split())

    def value_of(self, node: Node, part: Expr, target: CellTarget | ColumnTarget) -> str:
        """Show what a name stands for; a text in quotes."""
        if isinstance(target, ColumnTarget):
            return self.entry(node, part, target).result
        value = self.evaluation.values[target.number]
        shown = self.show(value, self.model.cells[target.number].type)
        return f'"{shown}"' if isinstance(value, str) else shown


def formula_text(node: Node) -> str:
    """Give a cell's formula as written, on one line, without the ``=``."""
    match node.decl:
        case CalcDecl(text=text) if text is not None:
            return " ".join(text.text.text.lstrip().removeprefix("=").split())
        case CheckDecl(condition=condition) if condition is not None:
            return " ".join(condition.text.split())
        case _:
            return ""


def source_text(source: Provenance | None) -> str:
    """Give a source on one line: title, day it was checked, address."""
    if source is None:
        return ""
    checked = f"checked {source.checked}" if source.checked else ""
    return ", ".join(part for part in (source.title, checked, source.url) if part)
