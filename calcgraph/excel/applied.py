"""One function over pieces: its template filled in, and its rule for what is not applicable."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.excel.pieces import (
    ATOM,
    NOTHING,
    POWER,
    Piece,
    capped,
    guarded,
    is_plain,
    own,
    wrapped,
)
from calcgraph.functions.spec import spell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.model import Apply, Reduce

_INFIX = re.compile(r"\{0\}[-+*/^=<>]{1,2}\{1\}|-\{0\}")
_PLACE = re.compile(r"(.?)\{(\d+|args)\}(.?)")


def applied(op: Apply | Reduce, parts: Sequence[Piece]) -> Piece:
    """Spell a function whose arguments are spelled."""
    row = op.function
    if row.lazy:
        return _branches(op, _needed(op, parts))
    if row.takes_na:
        return _taking_na(op, parts)
    tests = tuple(
        test for part, flag in zip(parts, op.may_be_na, strict=True) if flag for test in part.tests
    )
    if isinstance(row.excel, str) and _INFIX.fullmatch(row.excel):
        return Piece(_infix(row.excel, row.excel_rank, parts), row.excel_rank, tests)
    text = _spelled(op, parts)
    if row.gives_na == "always":
        return own(guarded(Piece(text, ATOM, tests)).text)
    return Piece(text, row.excel_rank or ATOM, tests)


def _infix(template: object, rank: int, parts: Sequence[Piece]) -> str:
    assert isinstance(template, str), "operators are spelled by templates"
    if len(parts) == 1:
        return template.format(wrapped(parts[0], rank + 1))
    left = wrapped(parts[0], rank)
    if rank == POWER:
        left = wrapped(parts[0], ATOM)
    return template.format(left, wrapped(parts[1], rank + 1))


def _spelled(op: Apply | Reduce, parts: Sequence[Piece]) -> str:
    """Put arguments into a row's template: in parentheses where an operator stands beside them."""
    template = op.function.excel
    texts = [part.text for part in parts]
    closed = [wrapped(part, ATOM) for part in parts]
    if callable(template):
        return spell(template, closed)

    def place(hit: re.Match[str]) -> str:
        before, which, after = hit.groups()
        if which == "args":
            return before + ",".join(texts) + after
        is_free = before in {"(", ","} and after in {")", ","}
        chosen = texts if is_free or hit.group() == template else closed
        return before + chosen[int(which)] + after

    return _PLACE.sub(place, template)


def _taking_na(op: Apply | Reduce, parts: Sequence[Piece]) -> Piece:
    """Spell a row that treats what is not applicable itself."""
    row = op.function
    if row.gives_na == "all" and len(parts) > 1 and any(op.may_be_na):
        return _least_or_largest(row.name.upper(), parts)
    asks = isinstance(row.excel, str) and f"={NOTHING}" in row.excel  # of a cell as it stands
    text = _spelled(op, [part if asks and is_plain(part) else guarded(part) for part in parts])
    rank = row.excel_rank or ATOM
    may_be_na = row.gives_na == "always" or (row.gives_na != "never" and any(op.may_be_na))
    return own(text, rank) if may_be_na else Piece(text, rank)


def _least_or_largest(name: str, parts: Sequence[Piece]) -> Piece:
    """Spell the least or largest of values some of which may be empty; Excel skips empty cells."""
    if not all(is_plain(part) for part in parts):
        return _pairwise(name, parts)
    arguments = ",".join(part.text for part in parts)
    text = f"{name}({arguments})"
    if all(part.tests for part in parts):
        return own(f'IF(COUNT({arguments})=0,"",{text})')
    return Piece(text)


def _pairwise(name: str, parts: Sequence[Piece]) -> Piece:
    """Spell the least or largest of values some of which are computed and may be empty."""
    found = parts[0]
    for part in parts[1:]:
        found = capped(found)
        left, right = guarded(found).text, guarded(part).text
        if not part.tests:
            text = (
                f'IF({left}="",{right},{name}({left},{right}))'
                if found.tests
                else f"{name}({left},{right})"
            )
            found = Piece(text)
        elif not found.tests:
            found = Piece(f'IF({right}="",{left},{name}({left},{right}))')
        else:
            both = f'IF({left}="",{right},IF({right}="",{left},{name}({left},{right})))'
            found = own(both)
    return found


def _needed(op: Apply | Reduce, parts: Sequence[Piece]) -> list[Piece]:
    """Leave out the tests of what is known to be applicable where a branch is reached."""
    asked = parts[0].text.removesuffix(f"={NOTHING}") if len(parts) == 3 else ""  # noqa: PLR2004 - c, v, o
    last = len(parts) - 1
    kept: list[Piece] = []
    for at, (part, may_be_na) in enumerate(zip(parts, op.may_be_na, strict=True)):
        tests = tuple(
            test for test in part.tests if may_be_na and not (at == last and test == asked)
        )
        kept.append(replace(part, tests=tests, gives_empty=part.gives_empty and bool(tests)))
    return kept


def _branches(op: Apply | Reduce, parts: Sequence[Piece]) -> Piece:
    """Spell ``c, v, …, o`` as nested IF; each branch is guarded by itself."""
    if len(parts) % 2 == 0:
        text = spell(op.function.excel, [guarded(part).text for part in parts])
        return own(text) if any(part.tests for part in parts) else Piece(text)
    found = guarded(parts[-1]).text
    may_be_na = op.may_be_na[-1]
    for index in range(len(parts) - 3, -1, -2):
        condition, value = parts[index], parts[index + 1]
        inner = f"IF({condition.text},{guarded(value).text},{found})"
        found = guarded(Piece(inner, ATOM, condition.tests)).text
        may_be_na = may_be_na or op.may_be_na[index] or op.may_be_na[index + 1]
    return own(found) if may_be_na else Piece(found)


def counted(text: str, series: str, *, may_be_na: bool) -> str:
    """Let an aggregation of what is computed fail with it, where Excel's counts pass over errors.

    Where every value is there, nothing needs to be counted.
    """
    there = f"SUMPRODUCT(--({series}<>{NOTHING}))"
    for count in (f"COUNT({series})", f"COUNTIF({series},TRUE)+COUNTIF({series},FALSE)"):
        guard = f"IF({count}=0,{NOTHING},"
        if text.startswith(guard) and text.endswith(")"):
            return text.replace(count, there) if may_be_na else text[len(guard) : -1]
        if text == count:
            return there
    trues = f"COUNTIF({series},TRUE)"
    if text == trues or text.startswith(f"IF({trues}=0,"):
        return text.replace(trues, f"SUMPRODUCT(--({series}=TRUE))")
    return text


def failing_with(lines: Sequence[str], text: str) -> str:
    """Let a formula that passes over errors of lines fail where one of them holds any."""
    return f"IF(ISERROR(SUM({','.join(lines)})),NA(),{text})" if lines else text
