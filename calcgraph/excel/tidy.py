"""A formula to the same formula without what says nothing.

Templates put every argument into parentheses, so that no operator beside it can reach into it. Here
those go that stand around a whole argument, a single name or a single call; and so does ``*1``,
which gives a unit in YAML, where Excel knows none.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r'"(?:[^"]|"")*"|\x01[^\x02]*\x02|[A-Za-z0-9_.:$!]+|.', re.DOTALL)
_OPERATORS = frozenset("+-*/^=<>&%")


def without_needless(formula: str) -> str:
    """Take away what changes nothing."""
    pieces = _without_ones(_PIECE.findall(formula))
    partner = _partners(pieces)
    needless: set[int] = set()
    for start, end in partner.items():
        if _is_needless(pieces, partner, start, end):
            needless |= {start, end}
    return "".join(piece for at, piece in enumerate(pieces) if at not in needless)


def _without_ones(pieces: list[str]) -> list[str]:
    """Leave out each ``*1`` and ``/1``, but not of ``*1^2``."""
    found: list[str] = []
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        if piece == "1" and found and found[-1] in {"*", "/"} and after not in {"^", "%"}:
            found.pop()
        else:
            found.append(piece)
    return found


def _partners(pieces: list[str]) -> dict[int, int]:
    """Match the parentheses: where each one that opens is closed."""
    found: dict[int, int] = {}
    open_: list[int] = []
    for at, piece in enumerate(pieces):
        if piece == "(":
            open_.append(at)
        elif piece == ")" and open_:
            found[open_.pop()] = at
    return found


def _is_needless(pieces: list[str], partner: dict[int, int], start: int, end: int) -> bool:
    before = pieces[start - 1] if start else "("
    after = pieces[end + 1] if end + 1 < len(pieces) else ")"
    if before[-1].isalnum() or before[-1] in "_.\x02":
        return False  # of a call
    return (before in {"(", ","} and after in {")", ","}) or _is_single(pieces, partner, start, end)


def _is_single(pieces: list[str], partner: dict[int, int], start: int, end: int) -> bool:
    """Whether all between is one name, number, text or call: no operator outside of a call."""
    at = start + 1
    if pieces[at] == "(":
        return False  # these go by themselves, if they may
    while at < end:
        if pieces[at] in _OPERATORS or pieces[at] == ",":
            return False
        at = partner.get(at, at) + 1
    return True
