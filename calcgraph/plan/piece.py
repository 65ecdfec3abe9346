"""A piece of generated Python, and how pieces are put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calcgraph.functions.spec import Function


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of Python; ``size`` counts its parts, ``first`` are assignments made before it.

    ``may_overflow`` says that its value can be beyond all numbers, and has not been tested yet.
    """

    text: str
    is_atom: bool
    size: int = 1
    first: tuple[str, ...] = ()
    chain: str = ""
    may_overflow: bool = False


def closed(piece: Piece) -> str:
    """Put a piece and the assignments before it into one expression."""
    if not piece.first:
        return piece.text
    return f"({', '.join(piece.first)}, {piece.text})[-1]"


def is_call(row: Function) -> bool:
    """Whether a row is spelled as one call or in parentheses, which bind by themselves."""
    return callable(row.python) or row.python.startswith(("fn.", "ag.", "ln.", "fi.", "math."))


def tested(piece: Piece, may_be_na: bool) -> Piece:  # noqa: FBT001 - a fact of the argument
    """Stop at a number beyond all numbers where it would be hidden by what follows."""
    if not piece.may_overflow:
        return piece
    test = "fn.finite_or_na" if may_be_na else "fn.finite"
    return Piece(f"{test}({piece.text})", is_atom=True, size=piece.size + 1, first=piece.first)


def inside(piece: Piece, chain: str) -> str:
    """Write an argument: in parentheses unless it is whole, or the left end of a like chain."""
    if piece.is_atom:
        return piece.text
    joins = {"+": {"+", "*"}, "-": {"+", "*"}, "*": {"*"}, "/": {"*"}, "": set()}[chain]
    return piece.text if piece.chain in joins else f"({piece.text})"
