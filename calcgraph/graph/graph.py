"""Sheets to one acyclic graph of cells: names tied, order found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic
from calcgraph.graph.cells import Node, Table, declare, expressions, names_in
from calcgraph.graph.names import (
    NOT_A_VALUE,
    Scopes,
    Target,
    entry_target,
    resolve,
    single_target,
    unknown_name,
)
from calcgraph.graph.order import circle_finding, find_order
from calcgraph.lang.expr import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import networkx as nx

    from calcgraph.sheet.imports import Sheets


@dataclass(frozen=True)
class Graph:
    """The cells of a model, and who needs whom; ``order`` puts what is needed first.

    ``nodes`` and their needs are the record; ``digraph`` is the same as a networkx graph, made at
    its first use, since importing networkx alone takes ten times as long as starting Python.
    """

    sheets: Sheets
    nodes: tuple[Node, ...]
    names: dict[str, int]
    tables: dict[str, Table]
    scopes: Scopes
    order: tuple[int, ...]

    @cached_property
    def digraph(self) -> nx.DiGraph[int]:
        """The dependency graph over cell numbers: edges go to who needs a cell."""
        import networkx as nx

        digraph: nx.DiGraph[int] = nx.DiGraph()
        digraph.add_nodes_from(range(len(self.nodes)))
        digraph.add_edges_from((need, node.number) for node in self.nodes for need in node.needs)
        return digraph

    def resolve(self, sheet: str, path: Iterable[str]) -> Target | None:
        """Find what a dotted name stands for in a sheet; none where it stands for nothing."""
        return resolve(self.scopes, self.tables, sheet, path)

    def ancestors(self, number: int) -> set[int]:
        """Give all cells that a cell depends on."""
        found: set[int] = set()
        waiting = [number]
        while waiting:
            needs = [need for need in self.nodes[waiting.pop()].needs if need not in found]
            found.update(needs)
            waiting.extend(needs)
        return found


def named_digraph(graph: Graph, facts: Mapping[int, Mapping[str, str]]) -> nx.DiGraph[str]:
    """Draw the cells that ``facts`` speak of by their names, each with its facts."""
    import networkx as nx

    named: nx.DiGraph[str] = nx.DiGraph()
    for number, known in facts.items():
        named.add_node(graph.nodes[number].name, **known)
    for number in facts:
        needs = (need for need in graph.nodes[number].needs if need in facts)
        named.add_edges_from((graph.nodes[need].name, graph.nodes[number].name) for need in needs)
    return named


def build_graph(sheets: Sheets) -> tuple[Graph, list[Diagnostic]]:
    """Number the cells, tie names to them, and put them in order.

    Cells of a circle, and formulas with unknown names, keep their place but tie nothing.
    """
    nodes, tables, scopes = declare(sheets)
    findings: list[Diagnostic] = []
    tied = [_tie(node, scopes, tables, findings) for node in nodes]
    order, circles = find_order(tied)
    findings.extend(circle_finding(tied, circle) for circle in circles)
    names = {node.name: node.number for node in tied}
    graph = Graph(sheets, tuple(tied), names, tables, scopes, order)
    return graph, findings


def _tie(
    node: Node,
    scopes: Scopes,
    tables: dict[str, Table],
    findings: list[Diagnostic],
) -> Node:
    targets: dict[int, Target] = {}
    needs: dict[int, None] = {}
    mute = 0
    for expr in expressions(node):
        for part in names_in(expr):
            if part.span.start < mute:
                continue
            name = part.base if isinstance(part, Entry) else part
            target = resolve(scopes, tables, node.sheet, name.path)
            if target is None:
                findings.append(unknown_name(scopes, tables, node.sheet, name))
                continue
            found = (
                entry_target(part, target, tables)
                if isinstance(part, Entry)
                else single_target(name, target)
            )
            if isinstance(found, Diagnostic):
                findings.append(found)
                mute = part.span.end if found.code is NOT_A_VALUE else mute
            if found is None or isinstance(found, Diagnostic):
                continue
            targets[part.span.start] = found
            needs[found.number] = None
    return replace(node, needs=tuple(needs), targets=targets)
