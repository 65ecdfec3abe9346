"""Which cells Excel computes less exactly than the engine does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.model import Reduce, walk_op

if TYPE_CHECKING:
    from calcgraph.model import Model, Op

SEARCHED = {"irr"}
"""Excel looks for these by trial, and stops at 1e-7."""


def rough_cells(model: Model) -> set[int]:
    """Find the cells that hang on what Excel finds by trial."""
    found = {cell.number for cell in model.cells if cell.op is not None and searched(cell.op)}
    if not found:
        return found
    for number in model.order:
        if any(need in found for need in model.needs[number]):
            found.add(number)
    return found


def searched(root: Op) -> list[Reduce]:
    """List what a tree holds that is found by trial."""
    return [op for op in walk_op(root) if isinstance(op, Reduce) and op.function.name in SEARCHED]
