"""The order of cells, what is needed first; and the circle that forbids one."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TYPE_CHECKING

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


def find_order(nodes: Sequence[Node]) -> tuple[tuple[int, ...], list[int]]:
    """Put cells behind what they need; where that fails, give a circle too.

    Cells of circles, and those behind them, are left out of the order.
    """
    sorter = TopologicalSorter({node.number: node.needs for node in nodes})
    circle: list[int] = []
    try:
        sorter.prepare()
    except CycleError as error:
        circle = list(error.args[1][:-1])
    order: list[int] = []
    while ready := sorter.get_ready():
        order.extend(ready)
        sorter.done(*ready)
    return tuple(order), circle


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
