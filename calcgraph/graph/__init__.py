"""Sheets to one acyclic graph of cells. The only package that knows networkx."""

from calcgraph.graph.cells import Declaration, Node, Table, expressions, full_name, names_in
from calcgraph.graph.graph import Graph, build_graph, named_digraph
from calcgraph.graph.names import (
    CellTarget,
    ColumnTarget,
    LostTarget,
    SheetTarget,
    TableTarget,
    Target,
)

__all__ = [
    "CellTarget",
    "ColumnTarget",
    "Declaration",
    "Graph",
    "LostTarget",
    "Node",
    "SheetTarget",
    "Table",
    "TableTarget",
    "Target",
    "build_graph",
    "expressions",
    "full_name",
    "named_digraph",
    "names_in",
]
