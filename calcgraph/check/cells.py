"""Every cell of a graph checked: inputs read, formulas lowered, recurrences settled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.check.axes import Axes
from calcgraph.check.inputs import Inputs
from calcgraph.check.order import NEEDS_UNIT, WITHIN_A_PERIOD
from calcgraph.check.units import Lowering
from calcgraph.core.dim import is_hidden
from calcgraph.core.type import TEXT, Kind, Type
from calcgraph.functions import FUNCTIONS
from calcgraph.graph import expressions
from calcgraph.lang.expr import Call, Name, fold, walk
from calcgraph.model import Apply, Cell, Load
from calcgraph.sheet.declarations import CalcDecl, CheckDecl, ColumnDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from calcgraph.check.lowered import Lowered
    from calcgraph.core.diagnostic import Diagnostic
    from calcgraph.graph import Graph, Node
    from calcgraph.lang.expr import Expr
    from calcgraph.units import UnitBook


def check_cells(
    graph: Graph, book: UnitBook, findings: list[Diagnostic]
) -> tuple[Graph, list[Cell | None]]:
    """Check all cells; none stands for one that is broken. Helpers come behind the others."""
    graph = replace(graph, dims={}, roots={}, tables=dict(graph.tables))
    cells: list[Cell | None] = [None] * len(graph.nodes)
    lowering = Lowering(graph, book, cells)
    axes = Axes(graph, book, cells, lowering.findings, graph.dims, graph.roots)
    axes.read(lowering)
    inputs = Inputs(graph, book)
    for node in graph.nodes:
        if node.kind == "input" and isinstance(node.decl, InputDecl):
            cells[node.number] = inputs.input(node, node.decl, cells)
        elif node.kind == "column" and isinstance(node.decl, ColumnDecl):
            cells[node.number] = inputs.column(node, node.decl)
    _lower_all(graph, lowering, cells)
    findings.extend(inputs.findings)
    findings.extend(lowering.findings)
    plain = graph.sheets.plain
    for number, node in enumerate(graph.nodes):
        cell = cells[number]
        if cell is not None and (node.within or node.of or node.sheet not in plain):
            cells[number] = replace(cell, is_listed=False)
    nodes = (*graph.nodes, *lowering.helpers.nodes)
    return replace(graph, nodes=nodes), cells


def _lower_all(graph: Graph, lowering: Lowering, cells: list[Cell | None]) -> None:
    """Lower formulas in order; cells that depend on each other are lowered together."""
    knots = {cell: knot for knot in graph.knots for cell in knot}
    # A message has the dims of its check, which the order need not put before it.
    for number in sorted(graph.order, key=lambda number: graph.nodes[number].kind == "message"):
        if graph.nodes[number].switch >= 0:
            cells[number] = _switched(graph.nodes[number], cells)
        elif number not in knots:
            cells[number] = cells[number] or _lowered(graph.nodes[number], lowering, cells)
        elif number == knots[number][0]:
            _lower_knot(graph, lowering, cells, knots[number])


def _lowered(node: Node, lowering: Lowering, cells: list[Cell | None]) -> Cell | None:
    """Lower one formula."""
    match node.decl:
        case CalcDecl(formula=formula) if formula is not None:
            part = lowering.formula(node, formula)
            part = _bound(node, lowering, cells, part)
        case CheckDecl(condition=formula) if node.kind == "check" and formula is not None:
            part = lowering.condition(node, formula)
        case CheckDecl(message=message) if node.kind == "message" and message is not None:
            check = cells[node.number - 1]
            part = None if check is None else lowering.message(node, message, check.type.dims)
        case _:
            return None
    if part is None:
        return None
    type_ = part.operand.type
    if node.kind == "message":
        type_ = replace(TEXT, dims=type_.dims)
    return Cell(node.number, node.name, node.kind, type_, part.op, may_be_na=part.may_be_na)


def _switched(node: Node, cells: list[Cell | None]) -> Cell | None:
    """Take the value set for a variant alone, or the one of the importing model."""
    own, base = cells[node.switch], cells[node.needs[0]]
    if own is None or base is None:
        return None
    asked = Apply(FUNCTIONS["isblank"], (Load(own.number),), (True,))
    dims = base.type.dims
    op = Apply(
        FUNCTIONS["if"],
        (asked, Load(base.number, dims), Load(own.number)),
        (False, base.may_be_na, False),
    )
    type_ = replace(own.type, dims=dims)
    return Cell(node.number, node.name, "calc", type_, op, may_be_na=base.may_be_na)


def _bound(
    node: Node, lowering: Lowering, cells: list[Cell | None], part: Lowered | None
) -> Lowered | None:
    """Let what takes an input's place be what the input is."""
    base = cells[node.binds] if node.binds >= 0 else None
    if part is None or node.binds < 0:
        return part
    return None if base is None else lowering.in_place_of(node, part, base)


def _lower_knot(
    graph: Graph, lowering: Lowering, cells: list[Cell | None], knot: tuple[int, ...]
) -> None:
    """Lower cells that depend on each other: first as if none were hidden or not applicable.

    Where that proves wrong they are lowered again, knowing it.
    """
    through = next((n for n in knot if graph.nodes[n].binds >= 0), None)
    if through is not None:
        node, names = graph.nodes[through], [graph.nodes[number].name for number in knot]
        message = f"a variant sets `{node.name}` from its own results: {', '.join(names)}"
        hint = "put what reads the label before into one sheet"
        lowering.say(WITHIN_A_PERIOD, message, node.decl.key.span, hint)
        return
    before = {need for number in knot for need in graph.nodes[number].prior}
    members = [graph.nodes[number] for number in knot]
    types = {
        node.number: _type_before(node, members, lowering)
        for node in members
        if node.number in before
    }
    if any(type_ is None for type_ in types.values()):
        return
    hidden: tuple[str, ...] = ()
    may_be_na = False
    findings, helpers = len(lowering.findings), lowering.helpers.mark()
    for _ in range(4):
        for node in members:  # what is read at the label before is known by its unit or beginning
            known = types.get(node.number)
            assumed = None if known is None else replace(known, dims=(*hidden, *node.dims))
            cells[node.number] = assumed and Cell(
                node.number, node.name, node.kind, assumed, may_be_na=may_be_na
            )
        made = dict[int, Cell | None]()
        for node in members:  # in the order of what they need at the same label
            made[node.number] = _lowered(node, lowering, cells)
            if node.number not in types:
                cells[node.number] = made[node.number]
        found = [cell for cell in made.values() if cell is not None]
        now = tuple(dict.fromkeys(d for cell in found for d in cell.type.dims if is_hidden(d)))
        na = any(cell.may_be_na for cell in found)
        if (now == hidden and na <= may_be_na) or len(found) < len(made):
            break
        hidden, may_be_na = now, na or may_be_na
        del lowering.findings[findings:]
        lowering.helpers.back_to(helpers)
    for number, cell in made.items():
        dims = (*hidden, *graph.nodes[number].dims)
        cells[number] = cell and replace(
            cell, type=replace(cell.type, dims=dims), may_be_na=may_be_na or cell.may_be_na
        )


def _type_before(node: Node, members: Sequence[Node], lowering: Lowering) -> Type | None:
    """Find what a cell is that depends on itself: by its unit, or by what it begins with."""
    decl = node.decl
    if not isinstance(decl, CalcDecl) or decl.formula is None:
        return None
    if not lowering.graph.dims.keys() >= set(node.dims):
        return None  # a dim is broken, which was said
    if decl.formula.unit is not None:
        unit = lowering.unit(decl.formula.unit)
        return None if unit is None else Type(Kind.NUMBER, unit)
    for reader, initial in _initials_of(node, members):
        lowering.enter(reader)
        mark = len(lowering.findings)
        part = fold(initial, lowering.visit)
        del lowering.findings[mark:]
        if part is not None and part.operand.type.kind is not Kind.NUMBER:
            return replace(part.operand.type, dims=())
    message = f"`{node.decl.name}` depends on itself, and does not say its unit"
    lowering.say(NEEDS_UNIT, message, decl.key.span, "write `-> unit` behind its formula")
    return None


def _initials_of(node: Node, members: Iterable[Node]) -> Iterator[tuple[Node, Expr]]:
    """Find what a cell is before the first label: the second argument of each ``prev`` of it."""
    for reader in members:
        for part in (part for expr in expressions(reader) for part in walk(expr)):
            if not isinstance(part, Call) or part.function != "prev" or len(part.args) < 2:  # noqa: PLR2004 - x and its initial
                continue
            x, initial = part.args[:2]
            target = reader.targets.get(x.span.start) if isinstance(x, Name) else None
            if getattr(target, "number", -1) == node.number:
                yield reader, initial
