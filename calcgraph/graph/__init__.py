"""Sheets in, one acyclic graph of cells out. The only package that imports networkx."""

from calcgraph.graph.graph import Graph, build_graph
from calcgraph.graph.names import (
    CellTarget,
    ColumnTarget,
    DimTarget,
    ImportPath,
    SheetTarget,
    TableTarget,
    Target,
    Unresolved,
    Variant,
)
from calcgraph.graph.nodes import (
    Declaration,
    DeclaredDim,
    Node,
    Table,
    expressions,
    full_name,
    names_in,
)

__all__ = [
    "CellTarget",
    "ColumnTarget",
    "Declaration",
    "DeclaredDim",
    "DimTarget",
    "Graph",
    "ImportPath",
    "Node",
    "SheetTarget",
    "Table",
    "TableTarget",
    "Target",
    "Unresolved",
    "Variant",
    "build_graph",
    "expressions",
    "full_name",
    "names_in",
]
