"""Trees of plain functions to Python text over ``v``, the values by cell number."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from calcgraph.core.tree import fold_tree
from calcgraph.functions.spec import spell
from calcgraph.model import (
    Apply,
    Const,
    Convert,
    Labels,
    Load,
    Model,
    Op,
    Pick,
    Prev,
    Reduce,
    Scan,
)
from calcgraph.plan import along
from calcgraph.plan.piece import Piece, closed, inside, is_call, tested
from calcgraph.plan.places import place, weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.plan.store import Store

LONG = 60
TRIED = " := v.tried(lambda: "
"""What does not fail when it is computed, but when it is used."""
CHAINS = {"+": "+", "-": "+", "*": "*", "/": "*"}


class Writer:
    """Writes trees as Python; constants that are not numbers are put aside and referred to."""

    def __init__(
        self, model: Model, constants: list[object], store: Store, names: Mapping[str, str]
    ) -> None:
        """``store`` says how cells are read, ``names`` the variable of each current label."""
        self.model = model
        self.constants = constants
        self.store = store
        self.names = names
        self.temporaries = 0

    def write(self, op: Op) -> str:
        """Write a whole tree as one expression."""
        return closed(fold_tree(op, along.inner_parts, self.visit))

    def visit(self, op: Op, parts: Sequence[Piece]) -> Piece:
        """Write one node whose parts are written."""
        match op:  # the most frequent first
            case Apply():
                return self.apply(op, parts)
            case Load(cell, dims):
                return self.load(cell, dims)
            case Const(value):
                return self.constant(value)
            case Convert():
                return self.convert(op, parts[0])
            case Labels(dim, what):
                column = self.constant(along.labels(self.model, dim, what)).text
                return Piece(f"{column}[{self.names[dim]}]", is_atom=True)
            case Pick():
                return along.pick(self, op, parts)
            case Prev():
                return along.prev(self, op, parts)
            case Reduce():
                return along.reduce(self, op, parts)
            case Scan():
                raise AssertionError("a scan is written line by line")
            case _:
                assert_never(op)

    def load(self, cell: int, dims: tuple[str, ...]) -> Piece:
        """Write the value of a cell at the current labels."""
        if not dims:
            return Piece(self.store.scalar(cell), is_atom=True)
        if (current := self.store.current(cell)) is not None:
            return Piece(current, is_atom=True)
        where = place(weights(self.model, cell, dims), self.names)
        return Piece(f"{self.store.entries(cell)}[{where}]", is_atom=True)

    def constant(self, value: object) -> Piece:
        """Write a number by its digits, anything else by reference."""
        if value is None or isinstance(value, bool):
            return Piece(repr(value), is_atom=True)
        if isinstance(value, float):
            return Piece(repr(value) if value >= 0 else f"({value!r})", is_atom=True)
        self.constants.append(value)
        return Piece(f"k[{len(self.constants) - 1}]", is_atom=True)

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
        text = f"{inside(arg, '*')}{tail}"
        size = arg.size + 1
        return Piece(text, is_atom=False, size=size, first=arg.first, chain="*", may_overflow=True)

    def apply(self, op: Apply, parts: Sequence[Piece]) -> Piece:
        """Write a function: na spreads by tests, lazy arguments stay where they are."""
        row = op.function
        if row.lazy:
            return self.branches(op, parts)
        if any(op.may_be_na) and not row.takes_na:
            return self.guarded(op, parts)
        flags = op.may_be_na or (False,) * len(parts)
        parts = [
            part if at in row.carries else tested(part, flag)
            for at, (part, flag) in enumerate(zip(parts, flags, strict=True))
        ]
        first = tuple(name for part in parts for name in part.first)
        size = sum(part.size for part in parts) + 1
        chain = row.name if row.name in CHAINS else ""
        left = inside(parts[0], chain) if chain else ""
        rest = [inside(part, "") for part in (parts[1:] if chain else parts)]
        text = spell(row.python, [left, *rest] if chain else rest)
        grows = bool(chain) or any(part.may_overflow for part in parts)
        return self.shortened(Piece(text, is_call(row), size, first, CHAINS.get(chain, ""), grows))

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
        if self.store.asks_first:
            return self.asking(op, parts)
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
        inner_text = closed(inner)
        text = f"(None if {' or '.join(tests)} else {inner_text})"
        size = sum(part.size for part in parts) + 2
        return self.shortened(
            Piece(text, True, size, tuple(first), may_overflow=inner.may_overflow)  # noqa: FBT003
        )

    def asking(self, op: Apply, parts: Sequence[Piece]) -> Piece:
        """Write what is not applicable even where another argument fails."""
        texts, first = list(parts), []
        asked: dict[str, str] = {}
        for at, flag in enumerate(op.may_be_na):
            safe = [text for text in parts[at].first if TRIED in text]
            rest = [text for text in parts[at].first if TRIED not in text]
            first.extend(safe)
            texts[at] = replace(parts[at], first=tuple(rest))
            if flag:
                self.temporaries += 1
                name = f"t{self.temporaries}"
                asked[name] = closed(texts[at])
                texts[at] = Piece(name, is_atom=True, may_overflow=parts[at].may_overflow)
        inner = closed(self.apply(Apply(op.function, op.args, (False,) * len(op.args)), texts))
        text = along.asking(asked, inner)
        size = sum(part.size for part in parts) + 2
        if size <= LONG:
            return Piece(text, is_atom=True, size=size, first=tuple(first))
        self.temporaries += 1
        name = f"t{self.temporaries}"
        return Piece(f"v.found({name})", True, 1, (*first, f"({name}{TRIED}{text}))"))  # noqa: FBT003

    def branches(self, op: Apply, parts: Sequence[Piece]) -> Piece:
        """Write ``c, v, …, o`` so that only what is needed is computed."""
        row = op.function
        size = sum(part.size for part in parts) + 1
        grows = any(part.may_overflow for part in parts)
        if len(parts) % 2 == 0:
            text = spell(row.python, [closed(part) for part in parts])
            return Piece(text, is_atom=True, size=size, may_overflow=grows)
        text, first = closed(parts[-1]), parts[0].first
        for index in range(len(parts) - 3, -1, -2):
            # The first condition is needed in any case: its assignments need no nesting.
            test = parts[0].text if index == 0 else closed(parts[index])
            if op.may_be_na[index]:
                name, assignments = self.named(Piece(test, is_atom=False))
                text = f"None if {name} is None else {text}"
                test = name if index == 0 else assignments[0]
                first = (*first, *assignments) if index == 0 else first
            text = f"{closed(parts[index + 1])} if {test} else {text}"
        return Piece(f"({text})", is_atom=True, size=size, first=first, may_overflow=grows)
