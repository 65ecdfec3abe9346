"""Limit the number of values of cells, so that no product of dims exhausts memory."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.dim import plain_dim
from calcgraph.sheet.codes import LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.dim import Dim
    from calcgraph.graph import Node
    from calcgraph.model import Cell

MOST = 5_000_000
MOST_IN_ALL = 50_000_000


def size_finding(
    node: Node, dims: Sequence[str], known: Mapping[str, Dim], what: str = ""
) -> Diagnostic | None:
    """Report a cell along dims, or ``what`` of it, with too many values."""
    size = prod(known[plain_dim(dim)].size for dim in dims)
    if size <= MOST:
        return None
    over = " and ".join(f"`{plain_dim(dim)}`" for dim in dims)
    message = f"{what}`{node.name}` varies over {over}: {size:,} values; {MOST:,} is the most"
    hint = "leave labels out, or aggregate earlier"
    return Diagnostic(LIMIT, message, Label(node.decl.key.span), hint)


def size_findings(
    nodes: Sequence[Node], cells: Sequence[Cell | None], known: Mapping[str, Dim]
) -> list[Diagnostic]:
    """Report cells or helpers with too many values, or too many values in total."""
    found: dict[int, Diagnostic] = {}
    total, largest = 0, (0, 0)
    for number, cell in enumerate(cells):
        if cell is None or not cell.type.dims:
            continue
        owner = cell.owner if cell.owner >= 0 else number
        what = "" if owner == number else "a part of "
        finding = size_finding(nodes[owner], cell.type.dims, known, what)
        if finding:
            found.setdefault(owner, finding)
        size = prod(known[plain_dim(dim)].size for dim in cell.type.dims)
        total, largest = total + size, max(largest, (size, owner))
    if total > MOST_IN_ALL and not found:
        node = nodes[largest[1]]
        message = f"the cells along dims have {total:,} values; {MOST_IN_ALL:,} is the most"
        label = Label(node.decl.key.span, "the largest")
        return [Diagnostic(LIMIT, message, label, "leave labels out, or aggregate earlier")]
    return list(found.values())
