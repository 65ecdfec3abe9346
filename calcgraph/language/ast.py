"""The few shapes a formula is made of; an operator is a call with a mark for a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from calcgraph.core.traversal import fold_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.core.source import Span

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class UnitText:
    """A unit as written, between brackets or after an arrow."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number with its unit, if it has one; ``text`` is how it was written, without the unit."""

    span: Span
    value: float
    text: str
    unit: UnitText | None = None


@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``."""

    span: Span
    value: bool


@dataclass(frozen=True, slots=True)
class Period:
    """A date or month written out, as a key may be: ``2026-07``."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A name with its dots: ``gpus``, ``hw.accelerators``, ``offers.price``."""

    span: Span
    path: tuple[str, ...]

    @property
    def text(self) -> str:
        """The name as written."""
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Call:
    """A function or operator applied to arguments; ``mark`` is the span of its name."""

    span: Span
    function: str
    args: tuple[Expr, ...]
    mark: Span


@dataclass(frozen=True, slots=True)
class EntryExpr:
    """One entry: ``table[key].column``, or of a series: ``series[key]``."""

    span: Span
    base: Name
    args: tuple[Expr, ...]
    column: Name | None


@dataclass(frozen=True, slots=True)
class Text:
    """A text; ``pieces`` surround the holes, so there is one more piece than holes."""

    span: Span
    pieces: tuple[str, ...]
    holes: tuple[Hole, ...] = ()
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Hole:
    """How a hole of a text shows its value: in which unit, with how many decimals."""

    span: Span
    unit: UnitText | None = None
    decimals: int | None = None


Expr: TypeAlias = Number | Truth | Period | Name | Call | EntryExpr | Text


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression, and the unit after the arrow."""

    expr: Expr
    unit: UnitText | None
    text: str


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct subexpressions, in order."""
    match expr:
        case Call(args=args) | EntryExpr(args=args) | Text(args=args):
            return args
        case _:
            return ()


def fold(expr: Expr, visit: Callable[[Expr, Sequence[T]], T]) -> T:
    """Build a result from the leaves up, without recursion: formulas may be long chains."""
    return fold_tree(expr, children, visit)


def walk(expr: Expr) -> list[Expr]:
    """List every node in preorder, as written."""
    found: list[Expr] = []
    todo = [expr]
    while todo:
        node = todo.pop()
        found.append(node)
        todo.extend(reversed(children(node)))
    return found
