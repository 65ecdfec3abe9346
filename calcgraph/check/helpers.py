"""Helper cells: parts of formulas that need a cell of their own, in the engine and in Excel."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from calcgraph.check.lowered import TypedExpr
from calcgraph.model import Cell, Const, Labels, Load, Scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.graph import Node
    from calcgraph.model import Op


@dataclass(slots=True)
class HelperCells:
    """Appends helper cells to the others; formulas with a part in common share one.

    ``texts`` maps each helper to the text of its part in the formula.
    """

    cells: list[Cell | None]
    nodes: list[Node] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    found: dict[tuple[Op, tuple[str, ...]], int] = field(default_factory=dict)
    owner: Node | None = None
    count: int = 0

    def enter(self, owner: Node) -> None:
        """Make helpers for this cell from now on."""
        self.owner, self.count = owner, 0

    def as_cell(self, part: TypedExpr, last: Sequence[str] = ()) -> TypedExpr:
        """Make a part readable as a cell; ``last`` dims vary fastest in its helper."""
        if isinstance(part.op, Load | Labels | Const):
            return part
        return self.add_cell(part, last)

    def add_cell(self, part: TypedExpr, last: Sequence[str] = ()) -> TypedExpr:
        """Put a part into a helper cell and read it from there."""
        dims = part.operand.type.dims
        dims = (*(dim for dim in dims if dim not in last), *(dim for dim in last if dim in dims))
        number = self.found.get((part.op, dims))
        if number is None:
            number = self._append_cell(part, dims)
        return replace(part, op=Load(number, dims))

    def _append_cell(self, part: TypedExpr, dims: tuple[str, ...]) -> int:
        assert self.owner is not None, "a formula was entered"
        owner, number = self.owner, len(self.cells)
        self.count += 1
        name = f"{owner.name}~{self.count}"
        type_ = replace(part.operand.type, dims=dims)
        cell = Cell(
            number, name, "helper", type_, part.op, may_be_na=part.may_be_na, owner=owner.number
        )
        self.cells.append(cell)
        self.nodes.append(replace(owner, number=number, name=name, kind="helper", dims=dims))
        self.texts[number] = part.operand.text
        self.found[part.op, dims] = number
        return number

    def cell_expr(self, part: TypedExpr, dims: tuple[str, ...]) -> TypedExpr:
        """Return the tree of a cell along dims; a scan that is the whole formula needs no helper.

        Only the last helper, and only if this formula made it, is removed again: other formulas
        read the helpers they made.
        """
        if not dims and not part.operand.type.dims:
            return part
        typed = replace(
            part, operand=replace(part.operand, type=replace(part.operand.type, dims=dims))
        )
        op, last = part.op, len(self.cells) - 1
        if not isinstance(op, Load) or op.cell != last or op.dims != dims:
            return typed
        helper = self.cells[last]
        if helper is None or helper.kind != "helper" or not isinstance(helper.op, Scan):
            return typed
        if self.owner is None or helper.owner != self.owner.number:
            return typed
        self.cells.pop()
        self.nodes.pop()
        del self.found[helper.op, helper.type.dims]
        return replace(typed, op=helper.op)

    def mark(self) -> int:
        """Return a mark to roll back to."""
        return len(self.cells)

    def roll_back(self, mark: int) -> None:
        """Remove the helpers made since a mark."""
        extra = len(self.cells) - mark
        if extra:
            del self.cells[mark:]
            del self.nodes[-extra:]
            self.found = {key: number for key, number in self.found.items() if number < mark}
