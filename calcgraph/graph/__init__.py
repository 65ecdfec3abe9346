"""Sheets to one acyclic graph of cells. The only package that knows networkx."""

from calcgraph.graph.cells import (
    Declaration,
    DimPlace,
    Node,
    Table,
    expressions,
    full_name,
    names_in,
)
from calcgraph.graph.graph import Graph, build_graph
from calcgraph.graph.names import (
    CellTarget,
    ColumnTarget,
    DimTarget,
    LostTarget,
    SheetTarget,
    TableTarget,
    Target,
    Variant,
    Via,
)

__all__ = [
    "CellTarget",
    "ColumnTarget",
    "Declaration",
    "DimPlace",
    "DimTarget",
    "Graph",
    "LostTarget",
    "Node",
    "SheetTarget",
    "Table",
    "TableTarget",
    "Target",
    "Variant",
    "Via",
    "build_graph",
    "expressions",
    "full_name",
    "names_in",
]
