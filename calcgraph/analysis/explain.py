"""Where a number comes from: formula, the numbers put in, the result, down to the inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series
from calcgraph.graph import CellTarget, ColumnTarget, expressions
from calcgraph.lang.expr import Call, Entry, Expr, Name, Text, fold, walk
from calcgraph.lang.unparse import unparse
from calcgraph.sheet.declarations import CalcDecl, CheckDecl, ColumnDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.core.type import Type
    from calcgraph.core.value import Value
    from calcgraph.evaluate import Evaluation
    from calcgraph.graph import Node
    from calcgraph.sheet.declarations import Described, Provenance

    Show = Callable[[Value, Type], str]


@dataclass(frozen=True, slots=True)
class Explanation:
    """One value and what it is made of.

    ``numbers`` is the formula with values in place of names, ``row_note`` what is said of the row
    of a table; ``seen`` marks a cell that is told further up.
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


def explain(evaluation: Evaluation, spot, show: Show, depth: int | None = None) -> Explanation:
    """Explain a cell down to the inputs, or ``depth`` levels; each cell is told once."""
    return _Explainer(evaluation, show).tell(spot.cell.number, depth if depth is not None else 10_000)


class _Explainer:
    """Tells cells; remembers which have been told."""

    def __init__(self, evaluation: Evaluation, show: Show) -> None:
        self.evaluation = evaluation
        self.model = evaluation.plan.model
        self.show = show
        self.told: set[str] = set()

    def tell(self, number: int, depth: int) -> Explanation:
        """Tell a cell: parts are told before their wholes, without recursion.

        Each is told under the cell that names it first, in the order in which people read.
        """
        found: dict[tuple[int, int], Explanation] = {}
        order: list[tuple[int, int, int, bool]] = [(number, number, depth, False)]
        while order:
            current, parent, left, ready = order.pop()
            name = self.model.cells[current].name
            if not ready:
                if name in self.told:
                    continue
                self.told.add(name)
                order.append((current, parent, left, True))
                needs = self.model.graph.nodes[current].needs if left > 0 else ()
                cells = [n for n in needs if self.model.cells[n].kind != "column"]
                order.extend((need, current, left - 1, False) for need in reversed(cells))
                continue
            found[parent, current] = self.one(current, left, found)
        return found[number, number]

    def one(self, number: int, left: int, found: dict[tuple[int, int], Explanation]) -> Explanation:
        """Tell one cell whose parts are told; a part told elsewhere is only named."""
        node, cell = self.model.graph.nodes[number], self.model.cells[number]
        decl = node.decl
        about = decl.about if isinstance(decl, InputDecl | CalcDecl) else None
        parts: list[Explanation] = []
        for part in self.parts_of(node) if left > 0 else []:
            if isinstance(part, Explanation):
                parts.append(part)
            elif (number, part) in found:
                parts.append(found.pop((number, part)))
            else:
                parts.append(self.again(part))
        expr = next(iter(expressions(node)), None)
        return Explanation(
            name=cell.name,
            label=about.label if about else "",
            result=self.result(number),
            kind=cell.kind,
            place=decl.key.span.file_line,
            formula=formula_text(node),
            numbers=self.numbers(node, expr) if expr is not None and node.targets else "",
            note=about.note if about else "",
            source=source_text(about.source if about else None),
            parts=tuple(parts),
        )

    def again(self, number: int) -> Explanation:
        """Name a cell that is told elsewhere."""
        cell, decl = self.model.cells[number], self.model.graph.nodes[number].decl
        about: Described | None = getattr(decl, "about", None)
        label, place = about.label if about else "", decl.key.span.file_line
        return Explanation(cell.name, label, self.result(number), cell.kind, place, seen=True)

    def result(self, number: int) -> str:
        """Show a cell's value; of a failure also why."""
        value = self.evaluation.values[number]
        shown = self.show(value, self.model.cells[number].type)
        if not isinstance(value, Failure):
            return shown
        blamed = self.model.cells[value.cell].name
        return f"{shown} ({value.message if value.cell == number else f'because of `{blamed}`'})"

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
            note=column.about.note,
            row_note=row.about.note,
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

        def put_in(part: Expr, args: Sequence[Expr]) -> Expr:
            target = node.targets.get(part.span.start) if isinstance(part, Name | Entry) else None
            if isinstance(target, CellTarget | ColumnTarget):
                return Name(part.span, (self.value_of(node, part, target),))
            if isinstance(part, Call):
                return replace(part, args=tuple(_bracketed(part.function, args)))
            return replace(part, args=tuple(args)) if isinstance(part, Text) else part

        return unparse(fold(expr, put_in))

    def value_of(self, node: Node, part: Expr, target: CellTarget | ColumnTarget) -> str:
        """Show what a name stands for; a text in quotes."""
        cell, value = self.model.cells[target.number], self.evaluation.values[target.number]
        if isinstance(target, CellTarget):
            shown = self.show(value, cell.type)
            return f'"{shown}"' if isinstance(value, str) else shown
        shown = self.entry(node, part, target).result
        is_text = cell.type.kind is Kind.TEXT and isinstance(part, Entry)
        return f'"{shown}"' if is_text and shown != self.show(None, cell.type) else shown


def _bracketed(function: str, args: Sequence[Expr]) -> list[Expr]:
    """Put values in brackets where their units or signs would be read with the operator."""
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
    """Give a cell's formula as written, on one line, without the ``=``."""
    match node.decl:
        case CalcDecl(text=text) if text is not None:
            return " ".join(text.text.text.lstrip().removeprefix("=").split())
        case CheckDecl(condition=condition) if condition is not None:
            return " ".join(condition.text.split())
        case _:
            return ""


def source_text(source: Provenance | None) -> str:
    """Give a source on one line: title, day it was checked, whose it is, address."""
    if source is None:
        return ""
    checked = f"checked {source.checked}" if source.checked else ""
    owner = f"owner {source.owner}" if source.owner else ""
    return ", ".join(part for part in (source.title, checked, owner, source.url) if part)
