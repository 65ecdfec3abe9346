"""Trees of plain functions to Excel text: the third spelling of what Python and numpy run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, assert_never

from calcgraph.core.tree import fold_tree
from calcgraph.excel.applied import applied
from calcgraph.excel.blocks import marked
from calcgraph.excel.expressions import NameRef, operation
from calcgraph.excel.pieces import Piece, capped, constant, guarded
from calcgraph.model import (
    Apply,
    Const,
    Convert,
    Labels,
    Load,
    Op,
    Pick,
    Prev,
    Reduce,
    Scan,
    op_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calcgraph.model import Step


class Names(Protocol):
    """What a formula refers to, seen from the cells it is written for."""

    def load(self, op: Load) -> Piece:
        """Refer to a cell at the current labels."""
        ...

    def labels(self, op: Labels) -> Piece:
        """Refer to what the current label of a dim is."""
        ...

    def pick(self, op: Pick, keys: Sequence[Piece]) -> Piece:
        """Refer to an entry by its keys."""
        ...

    def prev(self, op: Prev) -> Piece:
        """Refer to a cell at the label before."""
        ...

    def reduce(self, op: Reduce, singles: Sequence[Piece]) -> Piece:
        """Spell an aggregation; ``singles`` are its arguments that are no series, in order."""
        ...

    def scan(self, op: Scan) -> Piece:
        """Spell what needs a whole line."""
        ...

    def may_fail(self, op: Op) -> bool:
        """Whether a tree may fail."""
        ...

    def factor(self, step: Step) -> str:
        """Name a conversion factor."""
        ...


def excel_text(op: Op, names: Names) -> str:
    """Spell a tree as an Excel formula, without the ``=``; what is not applicable gives ``""``."""
    return marked(guarded(excel_piece(op, names)).expr)


def excel_piece(op: Op, names: Names) -> Piece:
    """Spell a tree, its tests for what is not applicable apart."""
    speller = _Speller(names)
    return fold_tree(op, _spelled_parts, lambda node, parts: capped(speller.visit(node, parts)))


def single_args(op: Reduce) -> Iterator[Op]:
    """Give the arguments of an aggregation that are single values."""
    return (arg for at, arg in enumerate(op.args) if at in op.function.singles)


def _spelled_parts(op: Op) -> Sequence[Op]:
    """Give the parts that are values at the current labels: a line is referred to as a whole."""
    match op:
        case Prev() | Scan():
            return ()
        case Reduce():
            return tuple(single_args(op))
        case _:
            return op_parts(op)


@dataclass(frozen=True, slots=True)
class _Speller:
    """Spells one node whose parts are spelled."""

    names: Names

    def visit(self, op: Op, parts: Sequence[Piece]) -> Piece:
        """Spell a node."""
        match op:
            case Const(value):
                return constant(value)
            case Convert(steps):
                return self.convert(steps, parts[0])
            case Apply() if op.function.excel_stops and self.names.may_fail(op.args[1]):
                stops = replace(op.function, excel=op.function.excel_stops)
                return applied(replace(op, function=stops), parts)
            case Apply():
                return applied(op, parts)
            case _:
                return self.reference(op, parts)

    def reference(
        self, op: Labels | Load | Pick | Prev | Reduce | Scan, parts: Sequence[Piece]
    ) -> Piece:
        """Spell what hangs on where other cells stand."""
        match op:
            case Labels():
                return self.names.labels(op)
            case Load():
                return self.names.load(op)
            case Pick():
                return self.names.pick(op, parts)
            case Prev():
                return self.names.prev(op)
            case Reduce():
                return self.names.reduce(op, parts)
            case Scan():
                return self.names.scan(op)
            case _:
                assert_never(op)

    def convert(self, steps: Sequence[Step], arg: Piece) -> Piece:
        """Multiply and divide by named factors."""
        expr = arg.expr
        for step in steps:
            expr = operation("/" if step.divides else "*", expr, NameRef(self.names.factor(step)))
        return Piece(expr, arg.tests)
