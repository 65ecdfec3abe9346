"""Sheets in, one acyclic graph of cells out. The only package that imports networkx."""

from calcgraph.graph.graph import Graph, build_graph
from calcgraph.graph.names import (
    CellTarget,
    ColumnTarget,
    DimTarget,
    ImportPath,
    LostTarget,
    SheetTarget,
    TableTarget,
    Target,
    Variant,
)
from calcgraph.graph.nodes import (
    Declaration,
    DimPlace,
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
    "DimPlace",
    "DimTarget",
    "Graph",
    "ImportPath",
    "LostTarget",
    "Node",
    "SheetTarget",
    "Table",
    "TableTarget",
    "Target",
    "Variant",
    "build_graph",
    "expressions",
    "full_name",
    "names_in",
]
