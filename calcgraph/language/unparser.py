"""A syntax tree back to text: the canonical spelling of a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, assert_never

from calcgraph.language.ast import (
    Call,
    EntryExpr,
    Expr,
    Formula,
    Name,
    Number,
    Period,
    Text,
    Truth,
    fold,
)
from calcgraph.language.parser import BINARY, NEGATIVE, NOT, POWER

if TYPE_CHECKING:
    from collections.abc import Sequence

_ATOM = 9
_WORDS = {"and": 2, "or": 2, "not": 1}
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "{": "\\{", "}": "\\}"})


class _Piece(NamedTuple):
    text: str
    rank: int


def unparse(expr: Expr) -> str:
    """Write an expression so that reading it again gives the same tree."""
    return fold(expr, _piece).text


def unparse_formula(formula: Formula) -> str:
    """Write a formula with its arrow, without the leading ``=``."""
    text = unparse(formula.expr)
    return f"{text} -> {formula.unit.text}" if formula.unit else text


def _piece(node: Expr, parts: Sequence[_Piece]) -> _Piece:
    match node:
        case Number(text=text, unit=unit):
            return _Piece(f"{text} [{unit.text}]" if unit else text, _ATOM)
        case Truth(value=value):
            return _Piece("true" if value else "false", _ATOM)
        case Period(text=text):
            return _Piece(text, _ATOM)
        case Name():
            return _Piece(node.text, _ATOM)
        case EntryExpr(base=base, column=column):
            keys = ", ".join(part.text for part in parts)
            return _Piece(f"{base.text}[{keys}]" + (f".{column.text}" if column else ""), _ATOM)
        case Text():
            return _Piece(_text(node, parts), _ATOM)
        case Call():
            return _call(node.function, parts)
        case _:
            assert_never(node)


def _call(function: str, parts: Sequence[_Piece]) -> _Piece:
    if function in _WORDS and len(parts) != _WORDS[function]:
        return _Piece(f"{function.upper()}({', '.join(part.text for part in parts)})", _ATOM)
    if function == "neg":
        return _Piece(f"-{_inside(parts[0], _ATOM)}", NEGATIVE)
    if function == "not":
        return _Piece(f"not {_inside(parts[0], NOT)}", NOT)
    rank = BINARY.get(function)
    if rank is None:
        return _Piece(f"{function}({', '.join(part.text for part in parts)})", _ATOM)
    if rank == POWER:
        is_signed = parts[1].rank == NEGATIVE
        right = parts[1].text if is_signed else _inside(parts[1], _ATOM)
        return _Piece(f"{_inside(parts[0], _ATOM)}^{right}", rank)
    chains = function in {"+", "-", "*", "/", "and", "or"}
    left = _inside(parts[0], rank if chains else rank + 1)
    return _Piece(f"{left} {function} {_inside(parts[1], rank + 1)}", rank)


def _inside(piece: _Piece, least: int) -> str:
    return piece.text if piece.rank >= least else f"({piece.text})"


def _text(node: Text, parts: Sequence[_Piece]) -> str:
    written = [node.pieces[0].translate(_ESCAPES)]
    for hole, part, after in zip(node.holes, parts, node.pieces[1:], strict=True):
        unit = f" -> {hole.unit.text}" if hole.unit else ""
        decimals = f", {hole.decimals}" if hole.decimals is not None else ""
        written.append("{" + part.text + unit + decimals + "}" + after.translate(_ESCAPES))
    return '"' + "".join(written) + '"'
