"""Pieces of formulas: texts that know how tight they bind, and what must be there for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.excel.grid import CLOSE, OPEN
from calcgraph.excel.literals import literal, number_text, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

ATOM, NEGATIVE, POWER, TIMES, JOINED = 9, 7, 6, 5, 3
FAR_TOO_LONG = 3 * 8_192
NOTHING = '""'
_CELL = re.compile(f"{OPEN}[^{CLOSE}]*{CLOSE}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a formula; ``tests`` are texts that are empty where it is not applicable.

    ``gives_empty`` says that the piece itself is an empty text then.
    """

    text: str
    rank: int = ATOM
    tests: tuple[str, ...] = ()
    gives_empty: bool = False


def own(text: str, rank: int = ATOM) -> Piece:
    """Give a piece that is an empty text by itself where it is not applicable."""
    return Piece(text, rank, (text,), gives_empty=True)


def capped(piece: Piece) -> Piece:
    """Stop a formula from growing: parts that stand in it twice double it at every level.

    What Excel never takes is replaced by digits that are as surely too long for it.
    """
    return piece if len(piece.text) <= FAR_TOO_LONG else Piece("9" * FAR_TOO_LONG)


def guarded(piece: Piece) -> Piece:
    """Give ``""`` where a part that is needed is not applicable."""
    tests = tuple(dict.fromkeys(piece.tests))
    if not tests or piece.gives_empty:
        return Piece(piece.text, piece.rank)
    if NOTHING in tests:
        return Piece(NOTHING)
    return Piece(f'IF({one_is_empty(tests)},"",{piece.text})')


def one_is_empty(tests: Sequence[str]) -> str:
    """Ask whether one of some texts is empty; it is an error where one of them is."""
    asked = [f"{test}={NOTHING}" for test in tests]
    return asked[0] if len(asked) == 1 else f"OR({','.join(asked)})"


def is_plain(part: Piece) -> bool:
    """Whether a value is always there, or is a cell, which Excel skips where it is empty."""
    return not part.tests or _CELL.fullmatch(part.text) is not None


def wrapped(piece: Piece, least: int) -> str:
    """Put parentheses around what binds less tight than what stands beside it."""
    return piece.text if piece.rank >= least else f"({piece.text})"


def constant(value: object) -> Piece:
    """Spell a value known at load."""
    if value is None:
        return Piece(NOTHING, ATOM, (NOTHING,))
    if isinstance(value, bool):
        return Piece("TRUE" if value else "FALSE")
    if isinstance(value, float):
        return Piece(number_text(value), ATOM if value >= 0 else NEGATIVE)
    text = literal(str(value))
    return Piece(text, ATOM if text == quoted(str(value)) else JOINED)
