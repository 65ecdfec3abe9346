"""Where a number comes from: formula, numbers substituted, result, down to the inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.analysis.described import source_text
from calcgraph.analysis.labels import blame_name, places_at
from calcgraph.analysis.reading import Place, Reading, place_name, value_at
from calcgraph.core.value import Failure, Series
from calcgraph.graph import expressions
from calcgraph.lang.expr import Call, Entry, Expr, Name, Text, fold
from calcgraph.lang.unparse import unparse
from calcgraph.sheet.declarations import CalcDecl, CheckDecl, ColumnDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.analysis.labels import Spot
    from calcgraph.core.type import Type
    from calcgraph.core.value import Value
    from calcgraph.evaluate import Evaluation
    from calcgraph.graph import Node
    from calcgraph.model import Model
    from calcgraph.sheet.declarations import Described

    Show = Callable[[Value, Type], str]


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
    evaluation: Evaluation, spot: Spot, show: Show, depth: int | None = None
) -> Explanation:
    """Explain a cell or an entry down to the inputs, or ``depth`` levels; each cell once."""
    model, cell = evaluation.plan.model, spot.cell
    at: tuple[int | None, ...] = (None,) * len(cell.type.dims)
    if spot.row is not None:
        at = places_at(model, cell, spot.row)
    explainer = _Explainer(evaluation, show)
    return explainer.explain_cell(Place(cell.number, at), depth if depth is not None else 10_000)


class _Explainer:
    """Explains cells at labels; remembers which it has explained."""

    def __init__(self, evaluation: Evaluation, show: Show) -> None:
        self.evaluation = evaluation
        self.model = evaluation.plan.model
        self.show = show
        self.explained: set[Place] = set()

    def explain_cell(self, first: Place, depth: int) -> Explanation:
        """Explain a cell and its parts, depth first and iteratively.

        A part is explained under the first cell that reads it, in reading order.
        """
        found: dict[tuple[Place, Place], Explanation] = {}
        order: list[tuple[Place, Place, int, bool]] = [(first, first, depth, False)]
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

    def is_leaf(self, place: Place) -> bool:
        """Whether it has no parts: an entry of a table, or what is read at a previous label."""
        return self.model.cells[place.cell].kind in {"column", "axis"} or place.is_before

    def explanation(
        self, place: Place, left: int, found: dict[tuple[Place, Place], Explanation]
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

    def back_reference(self, place: Place) -> Explanation:
        """Name a cell that is explained elsewhere, or is the same one at the previous label."""
        cell, decl = self.model.cells[place.cell], self.model.graph.nodes[place.cell].decl
        about: Described | None = getattr(decl, "about", None)
        label, where = about.label if about else "", decl.key.span.file_line
        name, result = place_name(self.model, place), self.result(place)
        note = "the label before" if place.is_before else ""
        return Explanation(
            name, label, result, cell.kind, where, note=note, seen=not place.is_before
        )

    def value(self, place: Place) -> Value:
        """Return the value that is read."""
        return value_at(self.model, self.evaluation.values, place)

    def result(self, place: Place) -> str:
        """Format a value; for a failure, also say why."""
        value = self.value(place)
        shown = self.show(value, self.model.cells[place.cell].type)
        if not isinstance(value, Failure):
            return shown
        is_own = value.cell == place.cell or self.model.cells[value.cell].owner == place.cell
        why = value.message if is_own else f"because of `{blame_name(self.model, value)}`"
        return f"{shown} ({why})"

    def reading(self, place: Place) -> Reading:
        """Find at which labels the names in a cell's formula are read."""
        node, cell = self.model.graph.nodes[place.cell], self.model.cells[place.cell]
        at = {n: p for n, p in zip(cell.type.dims, place.at, strict=True) if p is not None}
        reading = Reading(self.model, node, self.evaluation.values, at)
        for expr in expressions(node):
            reading.read(expr)
        return reading

    def parts_of(self, place: Place) -> list[Place]:
        """List what a formula reads, each once, in reading order."""
        return list(dict.fromkeys(self.reading(place).places.values()))

    def entry(self, place: Place) -> Explanation:
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

    def numbers(self, place: Place) -> str:
        """Write the formula with values in place of names; empty for a whole series."""
        node = self.model.graph.nodes[place.cell]
        expr = next(iter(expressions(node)), None)
        if expr is None or not node.targets or not place.is_one:
            return ""
        reading = self.reading(place)

        def put_in(part: Expr, args: Sequence[Expr]) -> Expr:
            read = reading.places.get(part.span.start) if isinstance(part, Name | Entry) else None
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

    def value_of(self, place: Place) -> str:
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
