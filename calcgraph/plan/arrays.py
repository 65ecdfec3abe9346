"""Trees of plain functions to Python text over numpy arrays: one axis a dim, cases first."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, assert_never

from calcgraph.core.tree import fold_tree
from calcgraph.functions.spec import spell
from calcgraph.model import (
    Apply,
    Const,
    Convert,
    Labels,
    Load,
    Op,
    Pick,
    Prev,
    Reduce,
    Scan,
)
from calcgraph.plan.along import inner_parts, labels
from calcgraph.plan.array_branches import caught, chosen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.value import Scalar
    from calcgraph.model import Model
    from calcgraph.plan.array_statements import ArrayAccess

LONG = 600
"""Characters; a longer text gets a name, since Python itself recurses over deep ones."""


class NoArray(Exception):
    """A tree that cannot be computed over arrays."""


class ArrayWriter:
    """Writes trees over the axes of a scope; ``fixed`` gives the variable of a dim's loop.

    Each text is an array with the scope's axes, of which the first may be missing and any may have
    the length 1, or a single value; one that varies with cases has all axes behind theirs. What is
    not computed value by value has a name, so that a branch can be computed of some values only.
    """

    def __init__(
        self, model: Model, store: ArrayAccess, scope: Sequence[str], fixed: Mapping[str, str]
    ) -> None:
        """Write for cells of a scope."""
        self.model = model
        self.store = store
        self.scope = tuple(scope)
        self.fixed = fixed
        self.temporaries = 0

    def write(self, op: Op) -> str:
        """Write a whole tree as one expression."""
        return self.scan(op) if isinstance(op, Scan) else self.tree(op)

    def tree(self, op: Op) -> str:
        """Write a tree of values at current labels."""
        return fold_tree(op, inner_parts, self.shortened)

    def shortened(self, op: Op, parts: Sequence[str]) -> str:
        """Write one node; what has grown long is computed before."""
        text = self.visit(op, parts)
        return text if len(text) <= LONG else self.store.named(text)

    def once(self, text: str) -> str:
        """Name a part: it is computed before all loops, unless one of them changes it."""
        is_fixed = any(name in text for name in self.fixed.values())
        return self.store.named(text) if is_fixed else self.store.once(text)

    def visit(self, op: Op, parts: Sequence[str]) -> str:
        """Write one node whose parts are written."""
        match op:
            case Const(value):
                return self.constant(value)
            case Labels(dim, what):
                return self.labels(dim, what)
            case Load(cell, dims):
                return self.expanded(cell, dims)
            case Pick():
                return self.pick(op, parts)
            case Prev():
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
        return self.store.constant(value) if isinstance(value, str) else self.store.number(value)

    def labels(self, name: str, what: str, over: Sequence[str] = ()) -> str:
        """Refer to what the labels of a dim are, along its axis."""
        column = labels(self.model, name, what)
        if name in self.fixed and name not in over:
            return f"ar.single({self.store.constant(column)}[{self.fixed[name]}])"
        behind = len(over) + len(self.scope) - self.scope.index(name) - 1
        return self.once(self.store.array(column, (len(column),) + (1,) * behind))

    def expanded(self, cell: int, dims: Sequence[str], over: Sequence[str] = ()) -> str:
        """Write a cell with its axes where those of the scope are, and of ``over`` behind them."""
        return self.placed(cell, [self.axis(name, over) for name in dims], over)

    def axis(self, name: str, over: Sequence[str]) -> str:
        """Give the dim of an axis, or the variable that fixes it."""
        return name if name in over else self.fixed.get(name, name)

    def placed(self, cell: int, axes: Sequence[str], over: Sequence[str] = ()) -> str:
        """Write a cell whose axes are dims to place, or variables and numbers that fix them."""
        target = [*self.scope, *over]
        if not axes:
            return self.store.single(cell, len(target))
        places = {name: at for at, name in enumerate(target)}  # those of ``over`` come last
        left = [places[name] for name in axes if name in places]
        if len(set(left)) < len(left):
            raise NoArray
        has_cases = self.store.has_cases(cell)
        first = [":"] if has_cases else []
        text = self.store.series(cell)
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

    def pick(self, op: Pick, parts: Sequence[str]) -> str:
        """Write entries by key: places known at load are indices, others are looked up."""
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
                axes.append(f"ar.positions({self.store.constant(dim)}, {text})")
        if is_known:
            return self.placed(op.cell, axes)
        indices = [self.steps(axis) if axis in self.scope else axis for axis in axes]
        if self.store.has_cases(op.cell):
            indices.insert(0, self.once(f"ar.cases(n, {len(self.scope)})"))
        return f"ar.pick({self.store.whole(op.cell)}, ({', '.join(indices)},))"

    def steps(self, name: str) -> str:
        """Refer to the positions along an axis of the scope."""
        size, at = self.model.dim(name).size, self.scope.index(name)
        return self.once(self.store.positions(size, len(self.scope) - at - 1))

    def prev(self, op: Prev, initial: str) -> str:
        """Write a cell at the label before."""
        load = op.args[0]
        assert isinstance(load, Load), "only a cell has a label before"
        if op.dim in self.fixed:
            index = self.fixed[op.dim]
            axes = [f"{index} - 1" if name == op.dim else self.axis(name, ()) for name in load.dims]
            return f"({self.placed(load.cell, axes)} if {index} else {initial})"
        axis = self.scope.index(op.dim) - len(self.scope)
        size = self.model.dim(op.dim).size
        text = f"ar.before({self.expanded(load.cell, load.dims)}, {initial}, {axis}, {size})"
        return self.store.named(text)

    def reduce(self, op: Reduce, parts: Sequence[str]) -> str:
        """Write an aggregation over a last axis."""
        singles = iter(parts)
        texts = [
            next(singles) if at in op.function.singles else self.line(arg, op.dims)
            for at, arg in enumerate(op.args)
        ]
        if op.function.wants_labels:
            keys = self.model.dim(op.dims[0]).keys
            texts.append(self.store.array(keys, (len(keys),)))
        flags = op.may_be_na if not op.function.takes_na else ()
        named = [at for at in op.function.singles if flags and flags[at]]
        return self.store.named(self.with_na(op.function.array, texts, named))

    def line(self, arg: Op, over: Sequence[str]) -> str:
        """Write an argument along dims, which become the last axis."""
        sizes = tuple(self.model.dim(name).size for name in over)
        match arg:
            case Load(cell, dims):
                text = self.expanded(cell, dims, over)
                if len(over) == 1 and over[0] in dims:
                    return text
                return self.once(f"ar.line({text}, {sizes})")
            case Labels(dim, what) if dim in over:
                column = labels(self.model, dim, what)
                before = prod(sizes[: list(over).index(dim)])
                times = prod(sizes) // max(before * len(column), 1)
                every = [value for value in column for _ in range(times)] * before
                return self.store.array(every, (len(every),))
            case Labels(dim, what) if dim in self.scope:
                return self.once(f"ar.line({self.labels(dim, what, over)}, {sizes})")
            case Const(value):
                return self.store.array([value] * prod(sizes), (prod(sizes),))
            case _:
                raise NoArray

    def scan(self, op: Scan) -> str:
        """Write a scan: the line comes last, and goes back to where its axis was."""
        at = self.scope.index(op.dim)
        scope, self.scope = self.scope, (*self.scope[:at], *self.scope[at + 1 :])
        texts = [self.line(arg, (op.dim,)) for arg in op.args]
        self.scope = scope
        text = self.spelled(op.function.array, texts)
        behind = len(scope) - at - 1
        return f"ar.moved({text}, {behind})" if behind else text

    def apply(self, op: Apply, parts: Sequence[str]) -> str:
        """Write a function; what is lazy may fail where it is not needed."""
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
        """Write a call that is not applicable where one of some arguments is."""
        texts, names = list(parts), []
        for at in named:
            if not texts[at].isidentifier():
                self.temporaries += 1
                texts[at] = f"(t{self.temporaries} := {texts[at]})"
            names.append(texts[at].partition(" ")[0].lstrip("("))
        text = self.spelled(spelling, texts)
        return f"vec.with_na({', '.join([text, *names])})" if names else text

    def spelled(self, spelling: object, texts: Sequence[str]) -> str:
        """Put texts into a spelling; stops where there is none."""
        if not spelling:
            raise NoArray
        return f"({spell(spelling, texts)})"  # type: ignore[arg-type]
