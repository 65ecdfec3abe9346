"""Trees of plain functions to Excel text: the third spelling of what Python and numpy run."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from calcgraph.excel.grid import CLOSE, OPEN, ref
from calcgraph.excel.literals import literal, number_text, quoted
from calcgraph.excel.tidy import without_needless
from calcgraph.functions.spec import spell
from calcgraph.model import Apply, Const, Convert, Labels, Load, Op, Pick, fold_op

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.model import Step

ATOM, NEGATIVE, POWER, TIMES, JOINED = 9, 7, 6, 5, 3
FAR_TOO_LONG = 3 * 8_192
NOTHING = '""'
_INFIX = re.compile(r"\{0\}[-+*/^=<>]{1,2}\{1\}|-\{0\}")
_CELL = re.compile(f"{OPEN}[^{CLOSE}]*{CLOSE}")
_PLACE = re.compile(r"(.?)\{(\d+|args)\}(.?)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a formula; ``tests`` are texts that are empty where it is not applicable.

    ``gives_empty`` says that the piece itself is an empty text then.
    """

    text: str
    rank: int = ATOM
    tests: tuple[str, ...] = ()
    gives_empty: bool = False


def _own(text: str, rank: int = ATOM) -> Piece:
    """Give a piece that is an empty text by itself where it is not applicable."""
    return Piece(text, rank, (text,), gives_empty=True)


@dataclass(frozen=True, slots=True)
class Names:
    """What formulas refer to: cells, columns and keys of tables, rows in use, factors."""

    cell: Callable[[int], str]
    may_be_na: Callable[[int], bool]
    is_series: Callable[[int], bool]
    keys: Callable[[str], str]
    row_of: Callable[[str, int], str]
    factor: Callable[[Step], str]


def excel_text(op: Op, names: Names) -> str:
    """Spell a tree as an Excel formula, without the ``=``; what is not applicable gives ``""``."""
    return without_needless(_guarded(excel_piece(op, names)).text)


def excel_piece(op: Op, names: Names) -> Piece:
    """Spell a tree, its tests for what is not applicable apart."""
    speller = _Speller(names)
    return fold_op(op, lambda node, parts: _capped(speller.visit(node, parts)))


def _capped(piece: Piece) -> Piece:
    """Stop a formula from growing: parts that stand in it twice double it at every level.

    What Excel never takes is replaced by digits that are as surely too long for it.
    """
    return piece if len(piece.text) <= FAR_TOO_LONG else Piece("9" * FAR_TOO_LONG)


def _guarded(piece: Piece) -> Piece:
    """Give ``""`` where a part that is needed is not applicable."""
    tests = tuple(dict.fromkeys(piece.tests))
    if not tests or piece.gives_empty:
        return Piece(piece.text, piece.rank)
    if NOTHING in tests:
        return Piece(NOTHING)
    blank = [f'{test}=""' for test in tests]
    condition = blank[0] if len(blank) == 1 else f"OR({','.join(blank)})"
    return Piece(f'IF({condition},"",{piece.text})')


@dataclass(frozen=True, slots=True)
class _Speller:
    """Spells one node whose parts are spelled."""

    names: Names

    def visit(self, op: Op, parts: Sequence[Piece]) -> Piece:
        """Spell a node."""
        match op:
            case Const(value):
                return _constant(value)
            case Labels(table):
                return Piece(ref(self.names.keys(table)))
            case Load(cell):
                name = ref(self.names.cell(cell))
                is_one = self.names.may_be_na(cell) and not self.names.is_series(cell)
                return Piece(name, ATOM, (name,) if is_one else ())
            case Pick():
                return self.pick(op, parts[0])
            case Convert(steps):
                return self.convert(steps, parts[0])
            case Apply():
                return _apply(op, parts)
            case _:
                assert_never(op)

    def pick(self, op: Pick, key: Piece) -> Piece:
        """Look an entry up by its key; an input's row is found once, in a cell of its own."""
        column, source = ref(self.names.cell(op.cell)), op.args[0]
        if isinstance(source, Load):
            position = ref(self.names.row_of(op.table, source.cell))
        else:
            position = f"MATCH({key.text},{ref(self.names.keys(op.table))},0)"
        text = f"INDEX({column},{position})"
        own = (text,) if self.names.may_be_na(op.cell) else ()
        return Piece(text, ATOM, (*key.tests, *own))

    def convert(self, steps: Sequence[Step], arg: Piece) -> Piece:
        """Multiply and divide by named factors."""
        tail = "".join(f"{'/' if s.divides else '*'}{ref(self.names.factor(s))}" for s in steps)
        return Piece(_wrapped(arg, TIMES) + tail, TIMES, arg.tests)


def _apply(op: Apply, parts: Sequence[Piece]) -> Piece:
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
        return _own(_guarded(Piece(text, ATOM, tests)).text)
    return Piece(text, row.excel_rank or ATOM, tests)


def _infix(template: object, rank: int, parts: Sequence[Piece]) -> str:
    assert isinstance(template, str), "operators are spelled by templates"
    if len(parts) == 1:
        return template.format(_wrapped(parts[0], rank + 1))
    left = _wrapped(parts[0], rank)
    if rank == POWER:
        left = _wrapped(parts[0], ATOM)
    return template.format(left, _wrapped(parts[1], rank + 1))


def _spelled(op: Apply, parts: Sequence[Piece]) -> str:
    """Put arguments into a row's template: in parentheses where an operator stands beside them."""
    template = op.function.excel
    texts = [part.text for part in parts]
    closed = [_wrapped(part, ATOM) for part in parts]
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


def _taking_na(op: Apply, parts: Sequence[Piece]) -> Piece:
    """Spell a row that treats what is not applicable itself."""
    row = op.function
    if row.gives_na == "all" and len(parts) > 1 and any(op.may_be_na):
        return _least_or_largest(row.name.upper(), parts)
    asks = isinstance(row.excel, str) and f"={NOTHING}" in row.excel  # of a cell as it stands
    text = _spelled(op, [part if asks and _is_plain(part) else _guarded(part) for part in parts])
    rank = row.excel_rank or ATOM
    may_be_na = row.gives_na == "always" or (row.gives_na != "never" and any(op.may_be_na))
    return _own(text, rank) if may_be_na else Piece(text, rank)


def _least_or_largest(name: str, parts: Sequence[Piece]) -> Piece:
    """Spell the least or largest of values some of which may be empty; Excel skips empty cells."""
    if not all(_is_plain(part) for part in parts):
        return _pairwise(name, parts)
    arguments = ",".join(part.text for part in parts)
    text = f"{name}({arguments})"
    if all(part.tests for part in parts):
        return _own(f'IF(COUNT({arguments})=0,"",{text})')
    return Piece(text)


def _is_plain(part: Piece) -> bool:
    """Whether a value is always there, or is a cell, which Excel skips where it is empty."""
    return not part.tests or _CELL.fullmatch(part.text) is not None


def _pairwise(name: str, parts: Sequence[Piece]) -> Piece:
    """Spell the least or largest of values some of which are computed and may be empty."""
    found = parts[0]
    for part in parts[1:]:
        found = _capped(found)
        left, right = _guarded(found).text, _guarded(part).text
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
            found = _own(both)
    return found


def _needed(op: Apply, parts: Sequence[Piece]) -> list[Piece]:
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


def _branches(op: Apply, parts: Sequence[Piece]) -> Piece:
    """Spell ``c, v, …, o`` as nested IF; each branch is guarded by itself."""
    if len(parts) % 2 == 0:
        text = spell(op.function.excel, [_guarded(part).text for part in parts])
        return _own(text) if any(part.tests for part in parts) else Piece(text)
    found = _guarded(parts[-1]).text
    may_be_na = op.may_be_na[-1]
    for index in range(len(parts) - 3, -1, -2):
        condition, value = parts[index], parts[index + 1]
        inner = f"IF({condition.text},{_guarded(value).text},{found})"
        found = _guarded(Piece(inner, ATOM, condition.tests)).text
        may_be_na = may_be_na or op.may_be_na[index] or op.may_be_na[index + 1]
    return _own(found) if may_be_na else Piece(found)


def _wrapped(piece: Piece, least: int) -> str:
    return piece.text if piece.rank >= least else f"({piece.text})"


def _constant(value: object) -> Piece:
    if value is None:
        return Piece(NOTHING, ATOM, (NOTHING,))
    if isinstance(value, bool):
        return Piece("TRUE" if value else "FALSE")
    if isinstance(value, float):
        return Piece(number_text(value), ATOM if value >= 0 else NEGATIVE)
    text = literal(str(value))
    return Piece(text, ATOM if text == quoted(str(value)) else JOINED)
