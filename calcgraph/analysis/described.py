"""What people call a cell: its label, heading and source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.sheet.declarations import CalcDecl, ColumnDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Container

    from calcgraph.model import Cell, Model
    from calcgraph.sheet.declarations import Described, Provenance

DRAWN = ("input", "column", "calc")
"""The kinds of cells that the dependency graph shows."""


def label_of(model: Model, cell: Cell) -> str:
    """Return a cell's label, or its name in words if it has none."""
    about = _about(model, cell)
    return about.label if about and about.label else cell.name.rpartition(".")[2].replace("_", " ")


def heading_of(model: Model, cell: Cell) -> str:
    """Return the heading above a cell; empty if there is none."""
    decl = model.graph.nodes[cell.number].decl
    return decl.heading if isinstance(decl, InputDecl | CalcDecl) else ""


def is_own(model: Model, cell: Cell) -> bool:
    """Whether a cell is declared in the evaluated sheet itself."""
    return model.graph.nodes[cell.number].sheet == model.graph.sheets.root


def source_of(model: Model, cell: Cell) -> str:
    """Return a cell's source on one line; empty if none is given."""
    about, node = _about(model, cell), model.graph.nodes[cell.number]
    if about is not None and about.source is None and node.table:
        about = model.table(node.table).decl.about
    return source_text(about.source if about else None)


def is_drawn(cell: Cell, computed: Container[int]) -> bool:
    """Whether a graph shows a cell: it is listed, or a cell of a variant that something reads."""
    return cell.kind in DRAWN and (cell.is_listed or cell.number in computed)


def _about(model: Model, cell: Cell) -> Described | None:
    decl = model.graph.nodes[cell.number].decl
    return decl.about if isinstance(decl, InputDecl | CalcDecl | ColumnDecl) else None


def source_text(source: Provenance | None) -> str:
    """Format a source on one line: title, day it was checked, owner, address."""
    if source is None:
        return ""
    checked = f"checked {source.checked}" if source.checked else ""
    owner = f"owner {source.owner}" if source.owner else ""
    return ", ".join(part for part in (source.title, checked, owner, source.url) if part)
