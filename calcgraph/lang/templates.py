"""Texts with holes, ``{x -> GiB, 1}``, to their pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.lang import codes
from calcgraph.lang.expr import Expr, Hole, Text
from calcgraph.lang.wrong import Wrong

if TYPE_CHECKING:
    from collections.abc import Callable

    from calcgraph.core.source import Slice

    ReadHole = Callable[[Slice], tuple[Expr, Hole]]

_ESCAPES = {"n": "\n", '"': '"', "\\": "\\", "{": "{", "}": "}"}


def read_template(text: Slice, read_hole: ReadHole, *, escapes: bool) -> Text:
    """Cut a text at its holes; raises ``Wrong`` with a finding."""
    pieces: list[str] = []
    holes: list[Hole] = []
    args: list[Expr] = []
    piece: list[str] = []
    position, raw = 0, text.text
    while position < len(raw):
        char = raw[position]
        if char == "\\" and escapes:
            piece.append(_escape(text, position))
            position += 2
        elif char == "{":
            end = _closing(text, position)
            if not raw[position + 1 : end].strip():
                _fail(text, position, "`{}` is empty", "write what to show, as in `{x}`")
            arg, hole = read_hole(text.part(position + 1, end))
            args.append(arg)
            holes.append(hole)
            pieces.append("".join(piece))
            piece = []
            position = end + 1
        elif char == "}":
            _fail(
                text,
                position,
                "`}` closes nothing",
                "write `\\}` in a quoted text, or leave it out",
            )
        else:
            piece.append(char)
            position += 1
    pieces.append("".join(piece))
    return Text(text.whole, tuple(pieces), tuple(holes), tuple(args))


def _escape(text: Slice, position: int) -> str:
    char = text.text[position + 1]
    if char not in _ESCAPES:
        _fail(text, position, f"`\\{char}` means nothing", 'known are \\n, \\" and \\\\')
    return _ESCAPES[char]


def _closing(text: Slice, position: int) -> int:
    end = text.text.find("}", position)
    if end < 0:
        _fail(text, position, "`{` is not closed", "add `}` behind the formula")
    return end


def _fail(text: Slice, position: int, message: str, hint: str) -> NoReturn:
    label = Label(text.span(position, position + 1))
    raise Wrong(Diagnostic(codes.SYNTAX, message, label, hint))
