"""Write branches over arrays, each part as a function of the arrays it is computed from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from calcgraph.model import Apply, Const, Convert, Labels, Load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.model import Op

NAME = re.compile(r"\b[ae]\d+\b")
"""The names that array writers give to arrays over the scope."""
COSTLY = re.compile(r"vec\.(show_|concat|join|each)")
"""Functions that loop in Python over texts."""


def chosen(parts: Sequence[str]) -> str:
    """Write ``condition, value, …, otherwise`` lazily; an empty text if no part needs computing."""
    if not any("(" in part for part in parts):
        return ""
    return f"ar.chosen({', '.join(map(lazy, parts))})"


def caught(first: Op, parts: Sequence[str]) -> str:
    """Write ``x, otherwise``; an ``x`` whose failures numpy may hide raises instead."""
    if "(" not in parts[0]:
        return parts[0]
    if not _shows_failure(first):
        return f"({parts[0]})"
    return f"ar.caught(lambda: {parts[0]}, {lazy(parts[1])})"


def lazy(text: str) -> str:
    """Write a part as a function, its arguments and whether it is costly; keep a bare name."""
    if "(" not in text:
        return text
    names = sorted(set(NAME.findall(text)))
    given = "".join(f"{name}, " for name in names)
    return f"(lambda {', '.join(names)}: {text}, ({given}), {COSTLY.search(text) is not None})"


def _shows_failure(op: Op) -> bool:
    """Whether a tree is arithmetic whose result is not finite wherever a part is not."""
    match op:
        case Const() | Labels() | Load():
            return True
        case Convert(_, (arg,)):
            return _shows_failure(arg)
        case Apply(function, args):
            return bool(function.carries) and all(
                _shows_failure(arg) and (at in function.carries or _is_read(arg))
                for at, arg in enumerate(args)
            )
        case _:
            return False


def _is_read(op: Op) -> bool:
    """Whether a tree only reads a value, perhaps converting its unit."""
    return _is_read(op.args[0]) if isinstance(op, Convert) else not isinstance(op, Apply)
