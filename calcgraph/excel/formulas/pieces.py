"""Pieces of Excel formulas: literals, references, calls."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.excel.layout.defined_names import utf16_length
from calcgraph.excel.xlsx.expressions import (
    EMPTY,
    Constant,
    ExcelExpr,
    Group,
    Operation,
    call,
    fill,
    is_ref,
    parse_template,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


LITERAL = 255
DIGITS = 15
_BEFORE_CODE = re.compile(r"(?<=_)(?=x[0-9A-Fa-f]{4}_)")


def number_text(value: float) -> str:
    """Write a number so that Excel, which reads 15 digits, gets the same double."""
    if value == int(value) and abs(value) < 10.0**DIGITS:
        return str(int(value))
    short = f"{value:.15g}"
    if float(short) == value:
        return short.upper()
    rest = value - float(short)
    sign = "+" if rest > 0 else "-"
    return f"({short.upper()}{sign}{abs(rest):.15g})".replace("e", "E")


def literal(text: str) -> str:
    """Write a text constant: at most 255 characters each, line ends as CHAR(10)."""
    pieces: list[str] = []
    for at, line in enumerate(text.split("\n")):
        if at:
            pieces.append("CHAR(10)")
        pieces.extend(quoted(piece) for piece in _short_pieces(line))
    return "&".join(pieces) or '""'


def _short_pieces(line: str) -> Iterator[str]:
    """Cut a line so that no piece is too long or contains what Excel reads as a character code."""
    for part in _BEFORE_CODE.split(line):
        start = 0
        for at in range(1, len(part) + 1):
            if at == len(part) or utf16_length(quoted(part[start : at + 1])) > LITERAL:
                yield part[start:at]
                start = at


def quoted(text: str) -> str:
    """Write a short text in quotation marks, those within doubled."""
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


NOTHING = '""'
FAR_TOO_LONG = 3 * 8_192


@dataclass(frozen=True, slots=True)
class FormulaPiece:
    """A piece of a formula; it is not applicable where one of ``tests`` is empty.

    With ``gives_empty`` the piece itself is an empty text then.
    """

    expr: ExcelExpr
    tests: tuple[ExcelExpr, ...] = ()
    gives_empty: bool = False


def own(expr: ExcelExpr) -> FormulaPiece:
    """Make a piece that is an empty text by itself where it is not applicable."""
    return FormulaPiece(expr, (expr,), gives_empty=True)


def capped(piece: FormulaPiece) -> FormulaPiece:
    """Stop a formula from growing: a repeated operand doubles it at every level.

    Replace what is too long for Excel by digits that are too long as well.
    """
    return piece if piece.expr.size <= FAR_TOO_LONG else FormulaPiece(Constant("9" * FAR_TOO_LONG))


def guarded(piece: FormulaPiece) -> FormulaPiece:
    """Return ``""`` where one of the tests is empty."""
    tests = unique(piece.tests)
    if not tests or piece.gives_empty:
        return FormulaPiece(piece.expr)
    if EMPTY in tests:
        return FormulaPiece(EMPTY)
    return FormulaPiece(call("IF", one_is_empty(tests), EMPTY, piece.expr))


def unique(tests: Sequence[ExcelExpr]) -> list[ExcelExpr]:
    """List each test once; compare instead of hashing, which walks the whole expression."""
    found: list[ExcelExpr] = []
    for test in tests:
        if test not in found:
            found.append(test)
    return found


def one_is_empty(tests: Sequence[ExcelExpr]) -> ExcelExpr:
    """Test whether one of some values is empty; it is an error where one of them is."""
    asked = [Operation("=", test, EMPTY) for test in tests]
    return asked[0] if len(asked) == 1 else call("OR", *asked)


def is_plain(part: FormulaPiece) -> bool:
    """Whether a value is always applicable, or is a cell, which Excel skips if empty."""
    return not part.tests or is_ref(part.expr)


def constant(value: object) -> FormulaPiece:
    """Write a value known at load."""
    if value is None:
        return FormulaPiece(EMPTY, (EMPTY,))
    if isinstance(value, bool):
        return FormulaPiece(Constant("TRUE" if value else "FALSE"))
    if isinstance(value, float):
        text = number_text(value)
        expr = parse_template(text)
        return FormulaPiece(Group(expr) if text.startswith("(") else expr)
    return FormulaPiece(fill(literal(str(value))))
