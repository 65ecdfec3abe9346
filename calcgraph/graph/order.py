"""The order of cells, what is needed first; and the circle that forbids one."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

import networkx as nx

from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.graph.cells import Node, expressions, names_in
from calcgraph.graph.names import CellTarget, ColumnTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.source import Span

CYCLE = Code(
    "CG302",
    "circular reference",
    "A cell depends on itself. The check is static: a branch that is never taken counts too, since "
    "a workbook would show a circular reference.",
)


def find_order(digraph: nx.DiGraph[int]) -> tuple[tuple[int, ...], list[int]]:
    """Put cells behind what they need; where that fails, read a circle off what is left."""
    order: list[int] = []
    with suppress(nx.NetworkXUnfeasible):
        order.extend(nx.topological_sort(digraph))
    if len(order) == len(digraph):
        return tuple(order), []
    placed = set(order)
    left = sorted(set(digraph) - placed)
    return tuple(order), _circle(digraph, left)


def _circle(digraph: nx.DiGraph[int], left: list[int]) -> list[int]:
    """Walk back from an unplaced cell: each has an unplaced need, so the walk must close."""
    unplaced = set(left)
    trail: dict[int, int] = {}
    current = left[0]
    while current not in trail:
        trail[current] = len(trail)
        current = min(need for need in digraph.predecessors(current) if need in unplaced)
    walked = list(trail)[trail[current] :]
    walked.reverse()
    first = walked.index(min(walked))
    return walked[first:] + walked[:first]


def circle_finding(nodes: Sequence[Node], circle: list[int]) -> Diagnostic:
    """Print the whole circle, each cell with its place.

    The circle runs from what is needed to who needs it; people read it the other way round.
    """
    path = [circle[0], *reversed(circle[1:]), circle[0]]
    names = [nodes[number].name for number in path]
    labels = [
        Label(_reference(nodes[here], there), f"`{nodes[here].name}` needs `{nodes[there].name}`")
        for here, there in pairwise(path)
    ]
    shown = names if len(names) <= 12 else [*names[:6], "…", *names[-5:]]  # noqa: PLR2004 - one line
    return Diagnostic(
        CYCLE,
        f"circular reference: {' -> '.join(shown)}",
        labels[0],
        "compute one of them from inputs only",
        tuple(labels[1:12]),
    )


def _reference(node: Node, need: int) -> Span:
    for expr in expressions(node):
        for part in names_in(expr):
            target = node.targets.get(part.span.start)
            if isinstance(target, CellTarget | ColumnTarget) and target.number == need:
                return part.span
    return node.decl.key.span
