"""The order of cells, what is needed first; and the circle that forbids one."""

from __future__ import annotations

from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.graph.cells import Node, expressions, names_in
from calcgraph.graph.names import CellTarget, ColumnTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.source import Span

LONGEST = 100
PLACES = 12
CYCLE = Code(
    "CG302",
    "circular reference",
    "A cell depends on itself. The check is static: a branch that is never taken counts too, since "
    "a workbook would show a circular reference.",
)


def find_order(nodes: Sequence[Node]) -> tuple[tuple[int, ...], list[list[int]]]:
    """Put cells behind what they need; where that fails, give the circles too.

    Cells of circles, and those behind them, are left out of the order.
    """
    sorter = TopologicalSorter({node.number: node.needs for node in nodes})
    with suppress(CycleError):
        sorter.prepare()
    order: list[int] = []
    while ready := sorter.get_ready():
        order.extend(ready)
        sorter.done(*ready)
    return tuple(order), _circles(nodes, set(order)) if len(order) < len(nodes) else []


def _circles(nodes: Sequence[Node], placed: set[int]) -> list[list[int]]:
    """Give one circle of each knot among the cells that have no place."""
    import networkx as nx  # a sheet without circles needs none of it

    left = [node for node in nodes if node.number not in placed]
    digraph: nx.DiGraph[int] = nx.DiGraph(
        [(need, node.number) for node in left for need in node.needs if need not in placed]
    )
    knots = (set(knot) for knot in nx.strongly_connected_components(digraph))
    return sorted(
        _circle(nodes, knot)
        for knot in knots
        if len(knot) > 1 or any(number in nodes[number].needs for number in knot)
    )


def _circle(nodes: Sequence[Node], knot: set[int]) -> list[int]:
    """Walk from need to need within a knot until the walk closes; needed cells come first."""
    trail: dict[int, int] = {}
    current = min(knot)
    while current not in trail:
        trail[current] = len(trail)
        current = min(need for need in nodes[current].needs if need in knot)
    return list(trail)[trail[current] :][::-1]


def circle_finding(nodes: Sequence[Node], circle: list[int]) -> Diagnostic:
    """Print the whole circle, each cell with its place.

    The circle runs from what is needed to who needs it; people read it the other way round, from
    the cell that stands first.
    """
    first = circle.index(min(circle))
    turned = circle[first:] + circle[:first]
    path = [turned[0], *reversed(turned[1:]), turned[0]]
    names = [nodes[number].name for number in path]
    labels = [
        Label(_reference(nodes[here], there), f"`{nodes[here].name}` needs `{nodes[there].name}`")
        for here, there in pairwise(path)
    ]
    half = LONGEST // 2
    shown = names if len(names) <= LONGEST else [*names[:half], "…", *names[-half:]]
    hint = "compute one of them from inputs only"
    if len(circle) == 1:
        hint = "use another cell; one that a person sets stands under `inputs`"
    message = f"circular reference: {' -> '.join(shown)}"
    return Diagnostic(CYCLE, message, labels[0], hint, tuple(labels[1:PLACES]))


def _reference(node: Node, need: int) -> Span:
    for expr in expressions(node):
        for part in names_in(expr):
            target = node.targets.get(part.span.start)
            if isinstance(target, CellTarget | ColumnTarget) and target.number == need:
                return part.span
    return node.decl.key.span
