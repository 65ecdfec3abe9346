"""The dependency graph in networkx, and what is computed on it.

Imported only where it is used: importing networkx takes ten times as long as starting Python.
"""

from __future__ import annotations

from collections import UserDict
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    CellGraph = nx.DiGraph[int]
    NamedGraph = nx.DiGraph[str]
else:
    NamedGraph = nx.DiGraph

Node = TypeVar("Node", int, str)


class NodeAttributes(UserDict[str, Any]):
    """The attributes of a node, each computed when it is first read.

    A pickle, ``dict(attributes)`` and a copy of the graph hold computed values.
    """

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - each attribute has a type of its own
        found = self.data[name]
        if isinstance(found, _Deferred):
            found = self.data[name] = found()
        return found

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[type[NodeAttributes], tuple[dict[str, Any]]]:
        return NodeAttributes, (dict(self),)


class _Deferred(partial[object]):
    """An attribute nobody has read yet."""


class QuantityGraph(NamedGraph):
    """A ``networkx.DiGraph`` over names whose node attributes are computed when they are read."""

    node_attr_dict_factory = NodeAttributes

    def ancestors(self, name: str) -> set[str]:
        """Find the names of all quantities that a quantity depends on."""
        return ancestors(self, name)


def cell_digraph(needs: Sequence[Iterable[int]]) -> CellGraph:
    """Build the graph over cell numbers; edges run from a cell to the cells that read it."""
    digraph: CellGraph = nx.DiGraph()
    digraph.add_nodes_from(range(len(needs)))
    digraph.add_edges_from((need, cell) for cell, others in enumerate(needs) for need in others)
    return digraph


def ancestors(digraph: nx.DiGraph[Node], cell: Node) -> set[Node]:
    """Find all cells that a cell depends on, as numbers or as names."""
    found: set[Node] = nx.ancestors(digraph, cell)
    return found


def named_digraph(
    needs: Sequence[Iterable[int]],
    names: Mapping[int, str],
    attributes: Mapping[str, Callable[[int], object]],
) -> QuantityGraph:
    """Build the graph over the named cells; cells without a name are contracted.

    Edges run from a cell to the cells that read it. ``attributes`` are functions of a cell's
    number, called when the attribute of its node is first read.
    """
    digraph = QuantityGraph()
    for cell, name in names.items():
        deferred = {key: _Deferred(compute, cell) for key, compute in attributes.items()}
        digraph.add_node(name, **deferred)
    for cell, name in names.items():
        digraph.add_edges_from((names[need], name) for need in _named_needs(needs, cell, names))
    nx.freeze(digraph)
    return digraph


def _named_needs(needs: Sequence[Iterable[int]], cell: int, names: Container[int]) -> Iterator[int]:
    """List the named cells that a cell reads, in order, directly or through cells without one."""
    seen = {cell}
    waiting = [*reversed([*needs[cell]])]
    while waiting:
        need = waiting.pop()
        if need in seen:
            continue
        seen.add(need)
        if need in names:
            yield need
        else:
            waiting += reversed([*needs[need]])


def find_circles(needs: Mapping[int, Iterable[int]]) -> list[list[int]]:
    """Find a circle in each strongly connected component; cells that are read come first.

    Of the circles of a component it is always the same one: the walk starts at the least cell
    and goes on to the least that it reads.
    """
    digraph = nx.DiGraph([(cell, need) for cell, others in needs.items() for need in others])
    circles: list[list[int]] = []
    for component in nx.strongly_connected_components(digraph):
        first = min(component)
        if len(component) == 1 and not digraph.has_edge(first, first):
            continue
        walk = nx.DiGraph([(cell, min(component & digraph[cell].keys())) for cell in component])
        circles.append([cell for cell, _ in reversed(nx.find_cycle(walk, first))])
    return sorted(circles)
