"""Pieces of formulas: expressions, and what must be there for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.excel.expressions import (
    EMPTY,
    Constant,
    Expr,
    Group,
    Operation,
    call,
    fill,
    is_ref,
    parse_template,
)
from calcgraph.excel.literals import literal, number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTHING = '""'
FAR_TOO_LONG = 3 * 8_192


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a formula; ``tests`` are expressions, empty where it is not applicable.

    ``gives_empty`` says that the piece itself is an empty text then.
    """

    expr: Expr
    tests: tuple[Expr, ...] = ()
    gives_empty: bool = False


def own(expr: Expr) -> Piece:
    """Make a piece that is an empty text by itself where it is not applicable."""
    return Piece(expr, (expr,), gives_empty=True)


def capped(piece: Piece) -> Piece:
    """Stop a formula from growing: an operand that it repeats doubles it at every level.

    What Excel never takes is replaced by digits that are as surely too long for it.
    """
    return piece if piece.expr.size <= FAR_TOO_LONG else Piece(Constant("9" * FAR_TOO_LONG))


def guarded(piece: Piece) -> Piece:
    """Result in ``""`` where a part that is needed is not applicable."""
    tests = unique(piece.tests)
    if not tests or piece.gives_empty:
        return Piece(piece.expr)
    if EMPTY in tests:
        return Piece(EMPTY)
    return Piece(call("IF", one_is_empty(tests), EMPTY, piece.expr))


def unique(tests: Sequence[Expr]) -> list[Expr]:
    """List each test once, compared and not hashed: a hash walks all of an expression."""
    found: list[Expr] = []
    for test in tests:
        if test not in found:
            found.append(test)
    return found


def one_is_empty(tests: Sequence[Expr]) -> Expr:
    """Test whether one of some values is empty; it is an error where one of them is."""
    asked = [Operation("=", test, EMPTY) for test in tests]
    return asked[0] if len(asked) == 1 else call("OR", *asked)


def is_plain(part: Piece) -> bool:
    """Whether a value is always there, or is a cell, which Excel skips where it is empty."""
    return not part.tests or is_ref(part.expr)


def constant(value: object) -> Piece:
    """Write a value known at load."""
    if value is None:
        return Piece(EMPTY, (EMPTY,))
    if isinstance(value, bool):
        return Piece(Constant("TRUE" if value else "FALSE"))
    if isinstance(value, float):
        text = number_text(value)
        expr = parse_template(text)
        return Piece(Group(expr) if text.startswith("(") else expr)
    return Piece(fill(literal(str(value))))
