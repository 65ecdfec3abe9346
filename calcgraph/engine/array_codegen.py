"""Op trees to numpy source."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING, TypeAlias, assert_never

from calcgraph.core.traversal import fold_tree
from calcgraph.core.values import Kind, array_of
from calcgraph.engine.scalar_codegen import inner_parts, labels
from calcgraph.functions.spec import spell
from calcgraph.model import (
    Apply,
    Const,
    Convert,
    LabelFact,
    Load,
    Lookup,
    Op,
    Previous,
    Reduce,
    Scan,
    walk_op,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.values import Scalar
    from calcgraph.model import Model


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
        case Const() | LabelFact() | Load():
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


LONG = 600
"""Characters from which an expression gets a name: Python's parser recurses over deep ones."""


class NoArray(Exception):
    """Raised for a tree that cannot be computed over arrays."""


class ArrayWriter:
    """Writes trees over the axes of a scope; ``fixed`` has the loop variables of dims.

    Each expression is a scalar or an array with the scope's axes, of which leading ones may be
    missing and any may have length 1; one that varies with cases has cases first, then all axes.
    A part that is not elementwise has a name, so that a branch can be computed for some elements.
    """

    def __init__(
        self, model: Model, access: ArrayAccess, scope: Sequence[str], fixed: Mapping[str, str]
    ) -> None:
        """Write for cells that vary over ``scope``."""
        self.model = model
        self.access = access
        self.scope = tuple(scope)
        self.fixed = fixed
        self.temporaries = 0

    def write(self, op: Op) -> str:
        """Write a whole tree as one expression."""
        return self.scan(op) if isinstance(op, Scan) else self.tree(op)

    def tree(self, op: Op) -> str:
        """Write a tree evaluated at the current labels."""
        return fold_tree(op, inner_parts, self.shortened)

    def shortened(self, op: Op, parts: Sequence[str]) -> str:
        """Write one node; an expression that has grown long is computed beforehand."""
        text = self.visit(op, parts)
        return text if len(text) <= LONG else self.access.named(text)

    def once(self, text: str) -> str:
        """Name a part, which is computed before all loops unless it varies with one."""
        is_fixed = any(name in text for name in self.fixed.values())
        return self.access.named(text) if is_fixed else self.access.once(text)

    def visit(self, op: Op, parts: Sequence[str]) -> str:
        """Write one node whose operands are written."""
        match op:
            case Const(value):
                return self.constant(value)
            case LabelFact(dim, what):
                return self.labels(dim, what)
            case Load(cell, dims):
                return self.expanded(cell, dims)
            case Lookup():
                return self.pick(op, parts)
            case Previous():
                return self.prev(op, parts[0])
            case Reduce():
                return self.reduce(op, parts)
            case Convert():
                tail = (f"{'/' if s.divides else '*'} {float(s.factor)!r}" for s in op.steps)
                return f"({' '.join([parts[0], *tail])})"
            case Apply():
                return self.apply(op, parts)
            case Scan():
                raise NoArray
            case _:
                assert_never(op)

    def constant(self, value: Scalar) -> str:
        """Refer to a single value."""
        if isinstance(value, bool):
            return repr(value)
        return self.access.constant(value) if isinstance(value, str) else self.access.number(value)

    def labels(self, name: str, what: str, over: Sequence[str] = ()) -> str:
        """Refer to facts about the labels of a dim, along its axis."""
        column = labels(self.model, name, what)
        if name in self.fixed and name not in over:
            return f"ar.single({self.access.constant(column)}[{self.fixed[name]}])"
        behind = len(over) + len(self.scope) - self.scope.index(name) - 1
        return self.once(self.access.array(column, (len(column),) + (1,) * behind))

    def expanded(self, cell: int, dims: Sequence[str], over: Sequence[str] = ()) -> str:
        """Write a cell with its axes aligned to the scope, followed by those of ``over``."""
        return self.placed(cell, [self.axis(name, over) for name in dims], over)

    def axis(self, name: str, over: Sequence[str]) -> str:
        """Return the dim of an axis, or the loop variable that fixes it."""
        return name if name in over else self.fixed.get(name, name)

    def placed(self, cell: int, axes: Sequence[str], over: Sequence[str] = ()) -> str:
        """Write a cell; ``axes`` are dims to align, or loop variables and indices that fix them."""
        target = [*self.scope, *over]
        if not axes:
            return self.access.single(cell, len(target))
        places = {name: at for at, name in enumerate(target)}  # those of ``over`` come last
        left = [places[name] for name in axes if name in places]
        if len(set(left)) < len(left):
            raise NoArray
        has_cases = self.access.has_cases(cell)
        first = [":"] if has_cases else []
        text = self.access.series(cell)
        if len(left) < len(axes):
            index = [":" if name in places else name for name in axes]
            text += f"[{', '.join([*first, *index])}]"
        order = sorted(range(len(left)), key=left.__getitem__)
        if order != list(range(len(left))):
            moved = [0, *(at + 1 for at in order)] if has_cases else order
            text += f".transpose({', '.join(map(str, moved))})"
        shown = [":" if at in left else "None" for at in range(len(target))]
        if not has_cases:
            shown = shown[next((at for at, mark in enumerate(shown) if mark == ":"), 0) :]
            shown = shown if left else []
        if "None" in shown:
            text += f"[{', '.join([*first, *shown])}]"
        return self.once(text)

    def pick(self, op: Lookup, parts: Sequence[str]) -> str:
        """Write lookups by key: keys known at load become indices, others are searched for."""
        own = self.model.cells[op.cell].type.dims
        keys = iter(zip(op.args, parts, strict=True))
        axes: list[str] = []
        is_known = True
        for name, dim_name in zip(op.at, own, strict=True):
            if name:
                axes.append(self.axis(name, ()))
                continue
            arg, text = next(keys)
            dim = self.model.dim(dim_name)
            if isinstance(arg, Const) and arg.value in dim.positions:
                axes.append(str(dim.positions[arg.value]))
            else:
                is_known = False
                axes.append(f"ar.positions({self.access.constant(dim)}, {text})")
        if is_known:
            return self.placed(op.cell, axes)
        indices = [self.steps(axis) if axis in self.scope else axis for axis in axes]
        if self.access.has_cases(op.cell):
            indices.insert(0, self.once(f"ar.cases(n, {len(self.scope)})"))
        return f"ar.pick({self.access.whole(op.cell)}, ({', '.join(indices)},))"

    def steps(self, name: str) -> str:
        """Refer to the indices along an axis of the scope."""
        size, at = self.model.dim(name).size, self.scope.index(name)
        return self.once(self.access.positions(size, len(self.scope) - at - 1))

    def prev(self, op: Previous, initial: str) -> str:
        """Write a cell at the previous label."""
        load = op.args[0]
        assert isinstance(load, Load), "only a cell has a label before"
        if op.dim in self.fixed:
            index = self.fixed[op.dim]
            axes = [f"{index} - 1" if name == op.dim else self.axis(name, ()) for name in load.dims]
            return f"({self.placed(load.cell, axes)} if {index} else {initial})"
        axis = self.scope.index(op.dim) - len(self.scope)
        size = self.model.dim(op.dim).size
        text = f"ar.before({self.expanded(load.cell, load.dims)}, {initial}, {axis}, {size})"
        return self.access.named(text)

    def reduce(self, op: Reduce, parts: Sequence[str]) -> str:
        """Write an aggregation over the last axis."""
        singles = iter(parts)
        texts = [
            next(singles) if at in op.function.singles else self.line(arg, op.dims)
            for at, arg in enumerate(op.args)
        ]
        if op.function.wants_labels:
            keys = self.model.dim(op.dims[0]).keys
            texts.append(self.access.array(keys, (len(keys),)))
        flags = op.may_be_na if not op.function.takes_na else ()
        named = [at for at in op.function.singles if flags and flags[at]]
        return self.access.named(self.with_na(op.function.array, texts, named))

    def line(self, arg: Op, over: Sequence[str]) -> str:
        """Write an argument along dims, which become the last axis."""
        sizes = tuple(self.model.dim(name).size for name in over)
        match arg:
            case Load(cell, dims):
                text = self.expanded(cell, dims, over)
                if len(over) == 1 and over[0] in dims:
                    return text
                return self.once(f"ar.line({text}, {sizes})")
            case LabelFact(dim, what) if dim in over:
                column = labels(self.model, dim, what)
                before = prod(sizes[: list(over).index(dim)])
                times = prod(sizes) // max(before * len(column), 1)
                every = [value for value in column for _ in range(times)] * before
                return self.access.array(every, (len(every),))
            case LabelFact(dim, what) if dim in self.scope:
                return self.once(f"ar.line({self.labels(dim, what, over)}, {sizes})")
            case Const(value):
                return self.access.array([value] * prod(sizes), (prod(sizes),))
            case _:
                raise NoArray

    def scan(self, op: Scan) -> str:
        """Write a scan: its axis is moved to the end and back."""
        at = self.scope.index(op.dim)
        scope, self.scope = self.scope, (*self.scope[:at], *self.scope[at + 1 :])
        texts = [self.line(arg, (op.dim,)) for arg in op.args]
        self.scope = scope
        text = self.spelled(op.function.array, texts)
        behind = len(scope) - at - 1
        return f"ar.moved({text}, {behind})" if behind else text

    def apply(self, op: Apply, parts: Sequence[str]) -> str:
        """Write a function call; a lazy argument may fail where it is not needed."""
        row = op.function
        flags = op.may_be_na or (False,) * len(parts)
        if row.name == "iferror":
            if flags[0]:
                raise NoArray
            return caught(op.args[0], parts)
        if row.lazy:
            return chosen(parts) or self.spelled(row.array, parts)
        is_plain = isinstance(row.array, str) and "vec." not in row.array
        named = [at for at, flag in enumerate(flags) if flag and not (row.takes_na or is_plain)]
        return self.with_na(row.array, parts, named)

    def with_na(self, spelling: object, parts: Sequence[str], named: Sequence[int]) -> str:
        """Write a call whose result is na wherever one of the named arguments is."""
        texts, names = list(parts), []
        for at in named:
            if not texts[at].isidentifier():
                self.temporaries += 1
                texts[at] = f"(t{self.temporaries} := {texts[at]})"
            names.append(texts[at].partition(" ")[0].lstrip("("))
        text = self.spelled(spelling, texts)
        return f"vec.with_na({', '.join([text, *names])})" if names else text

    def spelled(self, spelling: object, texts: Sequence[str]) -> str:
        """Fill in a spelling; raise ``NoArray`` if there is none."""
        if not spelling:
            raise NoArray
        return f"({spell(spelling, texts)})"  # type: ignore[arg-type]


Snapshot: TypeAlias = "tuple[int, set[int], set[int], dict[str, str]]"
"""A snapshot of the writing: the number of lines, and what has a name."""


class ArrayAccess:
    """What array writers share: the names of cells and of common parts, and the constants.

    ``lines`` are the statements so far, ``body`` those of the loop being written. ``varied`` are
    the cells with a leading dim of cases.
    """

    def __init__(
        self, model: Model, constants: list[object], lines: list[str], varied: frozenset[int]
    ) -> None:
        """Write the statements that come before any loop to ``lines``."""
        self.model = model
        self.constants = constants
        self.lines = lines
        self.body = lines
        self.varied = varied
        self.arrays: set[int] = set()
        self.wholes: set[int] = set()
        self.known: dict[str, str] = {}

    def snapshot(self) -> Snapshot:
        """Take a snapshot."""
        return len(self.lines), set(self.arrays), set(self.wholes), dict(self.known)

    def restore(self, snapshot: Snapshot) -> None:
        """Undo what was written since a snapshot."""
        count, self.arrays, self.wholes, self.known = snapshot
        del self.lines[count:]
        self.body = self.lines

    def constant(self, value: object) -> str:
        """Refer to a constant."""
        self.constants.append(value)
        return f"k[{len(self.constants) - 1}]"

    def number(self, value: Scalar) -> str:
        """Refer to a number as a numpy scalar."""
        import numpy as np

        return self.constant(np.float64(np.nan if value is None else value))

    def array(self, values: Sequence[Scalar], shape: tuple[int, ...]) -> str:
        """Refer to a constant array."""
        return self.constant(array_of(values).reshape(shape))

    def positions(self, size: int, behind: int) -> str:
        """Refer to the indices along an axis that ``behind`` axes follow."""
        import numpy as np

        return self.constant(np.arange(size).reshape((size,) + (1,) * behind))

    def shape(self, cell: int) -> str:
        """Write the shape of a cell."""
        sizes = [str(self.model.dim(name).size) for name in self.model.cells[cell].type.dims]
        sizes = ["n", *sizes] if cell in self.varied else sizes
        return f"({', '.join(sizes)},)" if sizes else "()"

    def has_cases(self, cell: int) -> bool:
        """Whether a cell has a leading dim of cases."""
        return cell in self.varied

    def single(self, cell: int, rank: int) -> str:
        """Write a cell without dims so that it broadcasts with arrays of a rank."""
        if cell not in self.varied:
            return self.once(f"ar.single(v[{cell}])")
        return self.once(f"{self.series(cell)}[:{', None' * rank}]") if rank else self.series(cell)

    def series(self, cell: int) -> str:
        """Write the name of a cell's array."""
        if cell not in self.arrays:
            self.arrays.add(cell)
            varied = cell in self.varied
            text = f"given[{cell}]" if varied else f"v[{cell}].array({self.shape(cell)})"
            self.lines.append(f"a{cell} = {text}")
        return f"a{cell}"

    def whole(self, cell: int) -> str:
        """Write a name for a cell's array that branches use whole: they index it themselves."""
        name = self.series(cell)
        if cell not in self.wholes:
            self.wholes.add(cell)
            self.lines.append(f"w{cell} = {name}")
        return f"w{cell}"

    def once(self, text: str) -> str:
        """Name a part that is computed before all loops."""
        if text.isidentifier():
            return text
        if text not in self.known:
            self.known[text] = f"e{len(self.known)}"
            self.lines.append(f"{self.known[text]} = {text}")
        return self.known[text]

    def named(self, text: str) -> str:
        """Name a part that is computed right before its use."""
        name = f"e{len(self.known)}"
        self.known[name] = name
        self.body.append(f"{name} = {text}")
        return name

    def unit(self, members: Sequence[int], dim: str | None) -> None:
        """Write a cell, or a recurrence along ``dim``; raises ``NoArray`` where that cannot be."""
        if dim is None:
            self.cell(members[0])
        else:
            self.group(members, dim)

    def cell(self, number: int) -> None:
        """Write a cell; raises ``NoArray`` where that cannot be."""
        text = ArrayWriter(self.model, self, self.model.cells[number].type.dims, {}).write(
            self.op(number)
        )
        self.arrays.add(number)
        self.lines.append(f"a{number} = {self.settled(number, self.checked(number, text))}")

    def settled(self, number: int, text: str) -> str:
        """Write the choice of memory layout for a cell with cases and dims."""
        has_both = number in self.varied and self.model.cells[number].type.dims
        return f"ar.settled({text})" if has_both else text

    def op(self, number: int) -> Op:
        """Return the tree of a cell."""
        op = self.model.cells[number].op
        assert op is not None, "only calculated cells are in the order"
        return op

    def checked(self, number: int, text: str) -> str:
        """Write the check of a cell's result, unless the result cannot be invalid.

        Plain arithmetic raises by itself at a result that is not finite.
        """
        cell = self.model.cells[number]
        if cell.type.kind is Kind.NUMBER and self.is_plain(number):
            return text
        kind = cell.type.kind.value
        return f"ar.checked({text}, {self.shape(number)}, {kind!r}, {cell.may_be_na})"

    def is_plain(self, number: int) -> bool:
        """Whether a tree is arithmetic of the cell's full shape, and na only if the cell may be."""
        cell, is_full = self.model.cells[number], False
        for op in walk_op(self.op(number)):
            match op:
                case Apply(row) if isinstance(row.array, str) and "vec." not in row.array:
                    if row.lazy or row.takes_na:
                        return False
                case Load(part, dims):
                    has_all = set(dims) == set(cell.type.dims)
                    is_full |= has_all and self.has_cases(part) == self.has_cases(number)
                    if self.model.cells[part].may_be_na and not cell.may_be_na:
                        return False
                case Convert() | Const():
                    continue
                case _:
                    return False
        return is_full

    def group(self, members: Sequence[int], dim: str) -> None:
        """Write a recurrence: a loop over its dim, arrays over all other dims."""
        self.arrays.update(members)
        self.body = []
        for number in members:
            dims = self.model.cells[number].type.dims
            scope = [name for name in dims if name != dim]
            text = ArrayWriter(self.model, self, scope, {dim: "i0"}).write(self.op(number))
            marks = ["i0" if name == dim else ":" for name in dims]
            marks = [":", *marks] if number in self.varied else marks
            self.lines.append(f"a{number} = {self.empty(number, marks.index('i0'))}")
            self.body.append(f"a{number}[{', '.join(marks)}] = {text}")
        self.lines.append(f"for i0 in range({self.model.dim(dim).size}):")
        self.lines.extend(f"    {line}" for line in self.body)
        self.body = self.lines
        self.wholes.difference_update(members)
        self.lines.extend(f"a{n} = {self.settled(n, self.checked(n, f'a{n}'))}" for n in members)

    def empty(self, number: int, axis: int) -> str:
        """Write the allocation of a cell that is computed label by label along an axis."""
        cell = self.model.cells[number]
        kind, shape = cell.type.kind.value, self.shape(number)
        return f"ar.empty({shape}, {axis}, {kind!r}, {cell.may_be_na})"
