"""Op trees to Python source."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, assert_never

from calcgraph.core.traversal import fold_tree
from calcgraph.engine.fragments import (
    Fragment,
    as_expression,
    is_call,
    line,
    parenthesised,
    place,
    strides,
    term,
    weights,
    with_finite_check,
)
from calcgraph.functions.spec import spell
from calcgraph.model import (
    Apply,
    Const,
    Convert,
    LabelFact,
    Load,
    Lookup,
    Model,
    Op,
    Previous,
    Reduce,
    Scan,
    free_dims,
    walk_op,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.values import Scalar
    from calcgraph.engine.fragments import CellAccess


LONG = 60
ATTEMPT = " := v.attempt(lambda: "
"""Defers an exception until the value is used."""
CHAINS = {"+": "+", "-": "+", "*": "*", "/": "*"}


class Writer:
    """Writes trees as Python; constants that are not numbers are collected and referred to."""

    def __init__(
        self, model: Model, constants: list[object], access: CellAccess, names: Mapping[str, str]
    ) -> None:
        """``access`` writes how cells are read; ``names`` has the loop variable of each dim."""
        self.model = model
        self.constants = constants
        self.access = access
        self.names = names
        self.temporaries = 0

    def write(self, op: Op) -> str:
        """Write a whole tree as one expression."""
        return as_expression(fold_tree(op, inner_parts, self.visit))

    def visit(self, op: Op, parts: Sequence[Fragment]) -> Fragment:
        """Write one node whose operands are written."""
        match op:  # the most frequent first
            case Apply():
                return self.apply(op, parts)
            case Load(cell, dims):
                return self.load(cell, dims)
            case Const(value):
                return self.constant(value)
            case Convert():
                return self.convert(op, parts[0])
            case LabelFact(dim, what):
                column = self.constant(labels(self.model, dim, what)).text
                return Fragment(f"{column}[{self.names[dim]}]", is_atom=True)
            case Lookup():
                return pick(self, op, parts)
            case Previous():
                return prev(self, op, parts)
            case Reduce():
                return reduce(self, op, parts)
            case Scan():
                raise AssertionError("a scan is written line by line")
            case _:
                assert_never(op)

    def load(self, cell: int, dims: tuple[str, ...]) -> Fragment:
        """Write the value of a cell at the current labels."""
        if not dims:
            return Fragment(self.access.scalar(cell), is_atom=True)
        if (current := self.access.current(cell)) is not None:
            return Fragment(current, is_atom=True)
        where = place(weights(self.model, cell, dims), self.names)
        return Fragment(f"{self.access.entries(cell)}[{where}]", is_atom=True)

    def constant(self, value: object) -> Fragment:
        """Write a number by its digits, any other constant by reference."""
        if value is None or isinstance(value, bool):
            return Fragment(repr(value), is_atom=True)
        if isinstance(value, float):
            return Fragment(repr(value) if value >= 0 else f"({value!r})", is_atom=True)
        self.constants.append(value)
        return Fragment(f"k[{len(self.constants) - 1}]", is_atom=True)

    def may_be_na(self, op: Op) -> bool:
        """Whether the value of a tree may be not applicable."""
        match op:
            case Load(cell):
                return self.model.cells[cell].may_be_na
            case Const(value):
                return value is None
            case _:
                return True

    def convert(self, op: Convert, arg: Fragment) -> Fragment:
        """Write a conversion to another unit, step by step."""
        tail = "".join(
            f" {'/' if step.divides else '*'} {float(step.factor)!r}" for step in op.steps
        )
        if op.may_be_na:
            name, prelude = self.named(arg)
            text = f"(None if {name} is None else {name}{tail})"
            return Fragment(
                text, is_atom=True, size=arg.size + 1, prelude=prelude, may_overflow=True
            )
        text = f"{parenthesised(arg, '*')}{tail}"
        size = arg.size + 1
        return Fragment(
            text, is_atom=False, size=size, prelude=arg.prelude, chain="*", may_overflow=True
        )

    def apply(self, op: Apply, parts: Sequence[Fragment]) -> Fragment:
        """Write a function call: tests spread na, lazy arguments are written in place."""
        row = op.function
        if row.lazy:
            return self.branches(op, parts)
        if any(op.may_be_na) and not row.takes_na:
            return self.guarded(op, parts)
        flags = op.may_be_na or (False,) * len(parts)
        parts = [
            part if at in row.carries else with_finite_check(part, flag)
            for at, (part, flag) in enumerate(zip(parts, flags, strict=True))
        ]
        prelude = tuple(name for part in parts for name in part.prelude)
        size = sum(part.size for part in parts) + 1
        chain = row.name if row.name in CHAINS else ""
        left = parenthesised(parts[0], chain) if chain else ""
        rest = [parenthesised(part, "") for part in (parts[1:] if chain else parts)]
        text = spell(row.python, [left, *rest] if chain else rest)
        grows = bool(chain) or any(part.may_overflow for part in parts)
        return self.shortened(
            Fragment(text, is_call(row), size, prelude, CHAINS.get(chain, ""), grows)
        )

    def shortened(self, fragment: Fragment) -> Fragment:
        """Name an expression that has grown long: Python's parser recurses over long chains."""
        if fragment.size <= LONG:
            return fragment
        name, prelude = self.named(fragment)
        return Fragment(name, is_atom=True, prelude=prelude, may_overflow=fragment.may_overflow)

    def named(self, fragment: Fragment) -> tuple[str, tuple[str, ...]]:
        """Name a fragment; return the name and the prelude that assigns it."""
        self.temporaries += 1
        name = f"t{self.temporaries}"
        return name, (*fragment.prelude, f"({name} := {fragment.text})")

    def guarded(self, op: Apply, parts: Sequence[Fragment]) -> Fragment:
        """Write a call whose result is na where one of its arguments is."""
        if self.access.tests_na_first:
            return self.asking(op, parts)
        prelude: list[str] = []
        texts: list[Fragment] = []
        tests: list[str] = []
        for part, flag in zip(parts, op.may_be_na, strict=True):
            if not flag:
                prelude.extend(part.prelude)
                texts.append(replace(part, prelude=()))
                continue
            if part.text.isidentifier() and not part.prelude:
                name = part.text
            else:
                name, assignments = self.named(part)
                prelude.extend(assignments)
            tests.append(f"{name} is None")
            texts.append(Fragment(name, is_atom=True, may_overflow=part.may_overflow))
        inner = self.apply(Apply(op.function, op.args, (False,) * len(op.args)), texts)
        inner_text = as_expression(inner)
        text = f"(None if {' or '.join(tests)} else {inner_text})"
        size = sum(part.size for part in parts) + 2
        return self.shortened(
            Fragment(text, True, size, tuple(prelude), may_overflow=inner.may_overflow)  # noqa: FBT003
        )

    def asking(self, op: Apply, parts: Sequence[Fragment]) -> Fragment:
        """Write a guarded call whose result is na even where another argument fails."""
        texts, prelude = list(parts), []
        asked: dict[str, str] = {}
        for at, flag in enumerate(op.may_be_na):
            safe = [text for text in parts[at].prelude if ATTEMPT in text]
            rest = [text for text in parts[at].prelude if ATTEMPT not in text]
            prelude.extend(safe)
            texts[at] = replace(parts[at], prelude=tuple(rest))
            if flag:
                self.temporaries += 1
                name = f"t{self.temporaries}"
                asked[name] = as_expression(texts[at])
                texts[at] = Fragment(name, is_atom=True, may_overflow=parts[at].may_overflow)
        inner = as_expression(
            self.apply(Apply(op.function, op.args, (False,) * len(op.args)), texts)
        )
        text = asking(asked, inner)
        size = sum(part.size for part in parts) + 2
        if size <= LONG:
            return Fragment(text, is_atom=True, size=size, prelude=tuple(prelude))
        self.temporaries += 1
        name = f"t{self.temporaries}"
        return Fragment(f"v.value_of({name})", True, 1, (*prelude, f"({name}{ATTEMPT}{text}))"))  # noqa: FBT003

    def branches(self, op: Apply, parts: Sequence[Fragment]) -> Fragment:
        """Write ``condition, value, …, otherwise`` so that only the chosen value is computed."""
        row = op.function
        size = sum(part.size for part in parts) + 1
        grows = any(part.may_overflow for part in parts)
        if len(parts) % 2 == 0:
            text = spell(row.python, [as_expression(part) for part in parts])
            return Fragment(text, is_atom=True, size=size, may_overflow=grows)
        text, prelude = as_expression(parts[-1]), parts[0].prelude
        for index in range(len(parts) - 3, -1, -2):
            # The first condition is needed in any case: its assignments need no nesting.
            test = parts[0].text if index == 0 else as_expression(parts[index])
            if op.may_be_na[index]:
                name, assignments = self.named(Fragment(test, is_atom=False))
                text = f"None if {name} is None else {text}"
                test = name if index == 0 else assignments[0]
                prelude = (*prelude, *assignments) if index == 0 else prelude
            text = f"{as_expression(parts[index + 1])} if {test} else {text}"
        return Fragment(f"({text})", is_atom=True, size=size, prelude=prelude, may_overflow=grows)


def inner_parts(op: Op) -> tuple[Op, ...]:
    """Return the operands of a node that are evaluated at the current labels."""
    match op:  # the most frequent first
        case Apply():
            return op.args
        case Const() | Load() | LabelFact() | Scan():
            return ()
        case Reduce():
            return tuple(op.args[at] for at in sorted(op.function.singles) if at < len(op.args))
        case Previous():
            return op.args[1:]
        case _:
            return op.args


def labels(model: Model, name: str, what: str) -> tuple[Scalar, ...]:
    """Return the value of a ``LabelFact`` node at each label of a dim."""
    dim = model.dim(name)
    match what:
        case "index":
            return tuple(float(at) for at in range(dim.size))
        case "end":
            return dim.ends
        case "length":
            starts = (float(key) for key in dim.keys if key is not None)
            return tuple(end - start for start, end in zip(starts, dim.ends, strict=True))
        case _:
            return dim.keys


def cells_in(op: Op) -> set[int]:
    """Return the cells that a tree reads."""
    return {part.cell for part in walk_op(op) if isinstance(part, Load | Lookup)}


def pick(writer: Writer, op: Lookup, parts: Sequence[Fragment]) -> Fragment:
    """Write a lookup by key: a key known at load becomes an index, any other is searched for."""
    model, constant = writer.model, 0
    dims = model.cells[op.cell].type.dims
    keys = iter(zip(op.args, parts, strict=True))
    terms: list[str] = []
    tests: list[str] = []
    prelude: list[str] = []
    asked: dict[str, str] = {}
    for name, own, stride in zip(op.at, dims, strides(model, op.cell), strict=True):
        if name:
            terms.append(term(writer.names[name], stride))
            continue
        arg, part = next(keys)
        dim = model.dim(own)
        if isinstance(arg, Const) and arg.value in dim.positions:
            constant += dim.positions[arg.value] * stride
            continue
        flag = writer.may_be_na(arg)
        part = with_finite_check(part, flag)
        if flag:
            key, assignments = writer.named(part)
            prelude.extend(assignments)
            tests.append(f"{key} is None")
            asked[key] = as_expression(part)
        else:
            key = as_expression(part)
        reference = writer.constant(dim).text
        terms.append(term(f"rt.position({reference}, {key})", stride))
    where = " + ".join([*terms, *([str(constant)] if constant or not terms else [])])
    text = f"{writer.access.entries(op.cell)}[{where}]"
    size = sum(part.size for part in parts) + 1
    if asked and writer.access.tests_na_first:
        return Fragment(asking(asked, text), is_atom=True, size=size)
    if tests:
        text = f"(None if {' or '.join(tests)} else {text})"
    return Fragment(text, is_atom=True, size=size, prelude=tuple(prelude))


def asking(asked: Mapping[str, str], text: str) -> str:
    """Write a call of named arguments that tests all of them for na first."""
    parts = ", ".join(f"lambda: {part}" for part in asked.values())
    return f"v.unless_na(lambda {', '.join(asked)}: {text}, {parts})"


def prev(writer: Writer, op: Previous, parts: Sequence[Fragment]) -> Fragment:
    """Write a cell's value at the previous label, or the initial value at the first label."""
    load = op.args[0]
    assert isinstance(load, Load), "only a cell has a label before"
    text = writer.access.before(load.cell)
    if text is None and not load.dims:
        text = writer.access.scalar(load.cell)
    elif text is None:
        steps = weights(writer.model, load.cell, load.dims)
        where = place(steps, writer.names, -steps.get(op.dim, 0))
        text = f"{writer.access.entries(load.cell)}[{where}]"
    whole = f"({text} if {writer.names[op.dim]} else {as_expression(parts[0])})"
    return Fragment(whole, is_atom=True, size=parts[0].size + 1, may_overflow=parts[0].may_overflow)


def reduce(writer: Writer, op: Reduce, parts: Sequence[Fragment]) -> Fragment:
    """Write an aggregation, outside the loops if it does not vary with all of them."""
    over = {name: writer.model.dim(name).size for name in op.dims}
    text, prelude = called(writer, op, parts, over)
    free = free_dims(op)
    if writer.names and not free >= writer.names.keys():
        inner = [name for name in writer.names if name in free]
        sizes = [writer.model.dim(name).size for name in inner]
        steps = {name: prod(sizes[at + 1 :]) for at, name in enumerate(inner)}
        loops = {writer.names[name]: size for name, size in zip(inner, sizes, strict=True)}
        text = as_expression(Fragment(text, is_atom=True, prelude=prelude))
        text = writer.access.once(text, cells_in(op), loops, place(steps, writer.names))
        return Fragment(text, is_atom=True)
    size = sum(part.size for part in parts) + 1
    return Fragment(text, is_atom=True, size=size, prelude=prelude)


def called(
    writer: Writer, op: Reduce | Scan, parts: Sequence[Fragment], over: Mapping[str, int]
) -> tuple[str, tuple[str, ...]]:
    """Write the call of a function over sequences; also return its prelude."""
    row, singles = op.function, iter(parts)
    texts: list[str] = []
    tests: list[str] = []
    prelude: list[str] = []
    for at, arg in enumerate(op.args):
        if at not in row.singles:
            texts.append(sequence(writer, arg, over))
            continue
        flag = bool(op.may_be_na) and op.may_be_na[at]
        part = with_finite_check(next(singles), flag)
        if not flag or row.takes_na:
            texts.append(as_expression(part))
            continue
        name, assignments = writer.named(part)
        prelude.extend(assignments)
        tests.append(f"{name} is None")
        texts.append(name)
    if row.wants_labels:
        texts.append(writer.constant(writer.model.dim(next(iter(over))).keys).text)
    text = spell(row.python, texts)
    text = f"(None if {' or '.join(tests)} else {text})" if tests else f"({text})"
    return text, tuple(prelude)


def sequence(writer: Writer, arg: Op, over: Mapping[str, int]) -> str:
    """Write the values of an argument along dims; the last dim varies fastest."""
    count = prod(over.values())
    match arg:
        case Load(cell, dims) if not over.keys().isdisjoint(dims):
            return line(
                writer.access.entries(cell), weights(writer.model, cell, dims), over, writer.names
            )
        case LabelFact(dim, what) if dim in over:
            column = labels(writer.model, dim, what)
            before = prod(list(over.values())[: list(over).index(dim)])
            times = count // max(before * len(column), 1)
            every = tuple(value for value in column for _ in range(times)) * before
            return writer.constant(every).text
        case _:
            single = fold_tree(arg, inner_parts, writer.visit)
            return f"[{as_expression(single)}] * {count}"
