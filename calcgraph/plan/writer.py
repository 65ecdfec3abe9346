"""Trees of plain functions to Python text over ``v``, the values by cell number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from calcgraph.functions.spec import spell
from calcgraph.model import Apply, Const, Convert, Labels, Load, Model, Op, Pick, fold_op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.functions.spec import Function

LONG = 60
CHAINS = {"+": "+", "-": "+", "*": "*", "/": "*"}


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


class Writer:
    """Writes trees as Python; constants that are not numbers are put aside and referred to."""

    def __init__(self, model: Model, constants: list[object], local: dict[int, str]) -> None:
        """``local`` gives the names of cells computed in the same function."""
        self.model = model
        self.constants = constants
        self.local = local
        self.temporaries = 0

    def write(self, op: Op) -> str:
        """Write a whole tree as one expression."""
        return _closed(fold_op(op, self.visit))

    def visit(self, op: Op, parts: Sequence[Piece]) -> Piece:
        """Write one node whose parts are written."""
        match op:
            case Const(value):
                return self.constant(value)
            case Labels(table):
                return self.constant(self.model.table(table).labels)
            case Load(cell):
                return self.load(cell)
            case Pick():
                return self.pick(op, parts[0])
            case Convert():
                return self.convert(op, parts[0])
            case Apply():
                return self.apply(op, parts)
            case _:
                assert_never(op)

    def load(self, cell: int) -> Piece:
        """Write the value of a cell; of a series its entries."""
        text = self.local.get(cell) or f"v[{cell}]"
        is_series = bool(self.model.cells[cell].type.dims)
        return Piece(f"{text}.data" if is_series else text, is_atom=True)

    def constant(self, value: object) -> Piece:
        """Write a number by its digits, anything else by reference."""
        if value is None or isinstance(value, bool):
            return Piece(repr(value), is_atom=True)
        if isinstance(value, float):
            return Piece(repr(value) if value >= 0 else f"({value!r})", is_atom=True)
        self.constants.append(value)
        return Piece(f"k[{len(self.constants) - 1}]", is_atom=True)

    def pick(self, op: Pick, key: Piece) -> Piece:
        """Write the entry of a column; a key known at load is a position."""
        column = self.load(op.cell).text
        positions = self.model.table(op.table).positions
        constant = op.args[0]
        if isinstance(constant, Const) and isinstance(constant.value, str):
            return Piece(f"{column}[{positions[constant.value]}]", is_atom=True)
        reference = self.constant(positions).text
        if self.may_be_na(constant):
            name, first = self.named(key)
            text = f"(None if {name} is None else fn.entry({column}, {reference}, {name}))"
            return Piece(text, is_atom=True, size=key.size + 1, first=first)
        text = f"fn.entry({column}, {reference}, {_closed(key)})"
        return Piece(text, is_atom=True, size=key.size + 1)

    def may_be_na(self, op: Op) -> bool:
        """Whether the value of a tree can be not applicable."""
        match op:
            case Load(cell):
                return self.model.cells[cell].may_be_na
            case Const(value):
                return value is None
            case _:
                return True

    def convert(self, op: Convert, arg: Piece) -> Piece:
        """Write the steps to another unit, in order."""
        tail = "".join(
            f" {'/' if step.divides else '*'} {float(step.factor)!r}" for step in op.steps
        )
        if op.may_be_na:
            name, first = self.named(arg)
            text = f"(None if {name} is None else {name}{tail})"
            return Piece(text, is_atom=True, size=arg.size + 1, first=first, may_overflow=True)
        text = f"{_inside(arg, '*')}{tail}"
        size = arg.size + 1
        return Piece(text, is_atom=False, size=size, first=arg.first, chain="*", may_overflow=True)

    def apply(self, op: Apply, parts: Sequence[Piece]) -> Piece:
        """Write a function: na spreads by tests, lazy arguments stay where they are."""
        row = op.function
        if row.lazy:
            return self.branches(op, parts)
        if any(op.may_be_na) and not row.takes_na:
            return self.guarded(op, parts)
        if not row.carries:
            flags = op.may_be_na or (False,) * len(parts)
            parts = [_tested(part, flag) for part, flag in zip(parts, flags, strict=True)]
        first = tuple(name for part in parts for name in part.first)
        size = sum(part.size for part in parts) + 1
        chain = row.name if row.name in CHAINS else ""
        left = _inside(parts[0], chain) if chain else ""
        rest = [_inside(part, "") for part in (parts[1:] if chain else parts)]
        text = spell(row.python, [left, *rest] if chain else rest)
        grows = bool(chain) or any(part.may_overflow for part in parts)
        return self.shortened(Piece(text, _is_call(row), size, first, CHAINS.get(chain, ""), grows))

    def shortened(self, piece: Piece) -> Piece:
        """Give a name to what has grown long: Python itself recurses over long chains."""
        if piece.size <= LONG:
            return piece
        name, first = self.named(piece)
        return Piece(name, is_atom=True, first=first, may_overflow=piece.may_overflow)

    def named(self, piece: Piece) -> tuple[str, tuple[str, ...]]:
        """Give a piece a name of its own; the assignment comes before all that uses it."""
        self.temporaries += 1
        name = f"t{self.temporaries}"
        return name, (*piece.first, f"({name} := {piece.text})")

    def guarded(self, op: Apply, parts: Sequence[Piece]) -> Piece:
        """Write a function that is not applicable where one of its arguments is."""
        first: list[str] = []
        texts: list[Piece] = []
        tests: list[str] = []
        for part, flag in zip(parts, op.may_be_na, strict=True):
            if not flag:
                first.extend(part.first)
                texts.append(replace(part, first=()))
                continue
            if part.text.isidentifier() and not part.first:
                name = part.text
            else:
                name, assignments = self.named(part)
                first.extend(assignments)
            tests.append(f"{name} is None")
            texts.append(Piece(name, is_atom=True, may_overflow=part.may_overflow))
        inner = self.apply(Apply(op.function, op.args, (False,) * len(op.args)), texts)
        inner_text = _closed(inner)
        text = f"(None if {' or '.join(tests)} else {inner_text})"
        size = sum(part.size for part in parts) + 2
        return self.shortened(
            Piece(text, True, size, tuple(first), may_overflow=inner.may_overflow)  # noqa: FBT003
        )

    def branches(self, op: Apply, parts: Sequence[Piece]) -> Piece:
        """Write ``c, v, …, o`` so that only what is needed is computed."""
        row = op.function
        size = sum(part.size for part in parts) + 1
        grows = any(part.may_overflow for part in parts)
        if len(parts) % 2 == 0:
            text = spell(row.python, [_closed(part) for part in parts])
            return Piece(text, is_atom=True, size=size, may_overflow=grows)
        text, first = _closed(parts[-1]), parts[0].first
        for index in range(len(parts) - 3, -1, -2):
            # The first condition is needed in any case: its assignments need no nesting.
            test = parts[0].text if index == 0 else _closed(parts[index])
            if op.may_be_na[index]:
                name, assignments = self.named(Piece(test, is_atom=False))
                text = f"None if {name} is None else {text}"
                test = name if index == 0 else assignments[0]
                first = (*first, *assignments) if index == 0 else first
            text = f"{_closed(parts[index + 1])} if {test} else {text}"
        return Piece(f"({text})", is_atom=True, size=size, first=first, may_overflow=grows)


def _closed(piece: Piece) -> str:
    """Put a piece and the assignments before it into one expression."""
    if not piece.first:
        return piece.text
    return f"({', '.join(piece.first)}, {piece.text})[-1]"


def _is_call(row: Function) -> bool:
    """Whether a row is spelled as one call or in parentheses, which bind by themselves."""
    return callable(row.python) or row.python.startswith(("fn.", "ag.", "math."))


def _tested(piece: Piece, may_be_na: bool) -> Piece:  # noqa: FBT001 - a fact of the argument
    """Stop at a number beyond all numbers where it would be hidden by what follows."""
    if not piece.may_overflow:
        return piece
    test = "fn.finite_or_na" if may_be_na else "fn.finite"
    return Piece(f"{test}({piece.text})", is_atom=True, size=piece.size + 1, first=piece.first)


def _inside(piece: Piece, chain: str) -> str:
    """Write an argument: in parentheses unless it is whole, or the left end of a like chain."""
    if piece.is_atom:
        return piece.text
    joins = {"+": {"+", "*"}, "-": {"+", "*"}, "*": {"*"}, "/": {"*"}, "": set()}[chain]
    return piece.text if piece.chain in joins else f"({piece.text})"
