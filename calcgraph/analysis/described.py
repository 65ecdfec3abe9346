"""What people call a cell, and where it stands in its sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.sheet.declarations import CalcDecl, ColumnDecl, InputDecl

if TYPE_CHECKING:
    from calcgraph.model import Cell, Model


def label_of(model: Model, cell: Cell) -> str:
    """Give a cell's label; its name in words where it has none."""
    decl = model.graph.nodes[cell.number].decl
    about = decl.about if isinstance(decl, InputDecl | CalcDecl | ColumnDecl) else None
    return about.label if about and about.label else cell.name.rpartition(".")[2].replace("_", " ")


def heading_of(model: Model, cell: Cell) -> str:
    """Give the heading a cell stands under."""
    decl = model.graph.nodes[cell.number].decl
    return decl.heading if isinstance(decl, InputDecl | CalcDecl) else ""


def is_own(model: Model, cell: Cell) -> bool:
    """Whether a cell stands in the evaluated sheet itself."""
    return model.graph.nodes[cell.number].sheet == model.graph.sheets.root
