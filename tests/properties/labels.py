"""Formulas over dims a second time: trees walked one label at a time, over plain dictionaries.

Nothing here is fast, and nothing is shared with the engine but the parser. A value that the
language leaves open, such as what is both not applicable and failed, is a ``Fail`` with several
kinds, ``na`` among them; one that hangs on such a value is ``OPEN``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from calcgraph.language.ast import Call, EntryExpr, Expr, Name, Number, Period, Text, Truth
from properties.label_meanings import (
    MEANING,
    OPEN,
    SCANS,
    SEEN,
    Fail,
    blocked,
    called,
    compared,
    passing,
)

At = Mapping[str, int]
"""The position of the current label of each dim."""
AGGREGATIONS = {
    *("sum", "mean", "product", "count", "any", "all", "first", "last"),
    *("min", "max", "argmin", "argmax", "first_where", "npv", "lookup"),
}
KEYED = {"argmin", "argmax", "first_where"}


@dataclass(frozen=True)
class Axis:
    """The labels of a dim: what cells compute with, how a formula writes them, where they end.

    ``root`` is the dim whose labels these are; ``days`` are the lengths of periods.
    """

    name: str
    kind: str
    keys: tuple[Any, ...]
    written: tuple[str, ...]
    root: str = ""
    ends: tuple[float, ...] = ()

    @property
    def size(self) -> int:
        return len(self.keys)


@dataclass(frozen=True)
class Line:
    """A cell or column: its dims, and its formula or its values by positions of labels."""

    name: str
    dims: tuple[str, ...]
    expr: Expr | None = None
    values: Mapping[tuple[int, ...], Any] = field(default_factory=dict)


@dataclass
class Labels:
    """Gives the value of any cell at any labels."""

    axes: Mapping[str, Axis]
    lines: Mapping[str, Line]
    known: dict[tuple[str, tuple[int, ...]], Any] = field(default_factory=dict)

    def everywhere(self, name: str) -> list[Any]:
        """Give the values of a cell in order, its last dim fastest."""
        dims = self.lines[name].dims
        return [self.cell(name, at) for at in self.combinations(dims)]

    def combinations(self, dims: Sequence[str]) -> Iterator[dict[str, int]]:
        for places in product(*(range(self.axes[dim].size) for dim in dims)):
            yield dict(zip(dims, places, strict=True))

    def cell(self, name: str, at: At) -> Any:  # noqa: ANN401
        line = self.lines[name]
        places = tuple(at[dim] for dim in line.dims)
        if line.expr is None:
            return line.values[places]
        if (name, places) not in self.known:
            own = dict(zip(line.dims, places, strict=True))
            self.known[name, places] = self.value(line.expr, own)
        return self.known[name, places]

    def dims(self, expr: Expr) -> tuple[str, ...]:
        """Give the dims over which an expression varies."""
        match expr:
            case Name(text=text):
                return (text,) if text in self.axes else self.lines[text].dims
            case Call(function="prev", args=args):
                return self.union(args[:2])
            case Call(function=name, args=args) if self.is_aggregation(name, args):
                _, series, over = self.aggregated(name, args)
                left = [dim for arg in series for dim in self.dims(arg) if dim not in over]
                singles = [arg for arg in args[: self.cut(args)] if arg not in series]
                return tuple(dict.fromkeys((*left, *self.union(singles))))
            case Call(args=args):
                return self.union(args)
            case EntryExpr(args=args):
                picked = self.fixed(expr)
                left = [dim for dim in self.lines[self.base(expr)].dims if dim not in picked]
                return tuple(dict.fromkeys((*left, *self.union(args))))
            case _:
                return ()

    def union(self, exprs: Sequence[Expr]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(dim for expr in exprs for dim in self.dims(expr)))

    def is_dim(self, expr: Expr) -> bool:
        return isinstance(expr, Name) and expr.text in self.axes

    def is_aggregation(self, name: str, args: Sequence[Expr]) -> bool:
        """Tell ``min(x, month)`` from the least of several values."""
        return name in AGGREGATIONS and (name not in {"min", "max"} or self.cut(args) == 1)

    def cut(self, args: Sequence[Expr]) -> int:
        """Count the arguments before the dims named last."""
        count = len(args)
        while count > 1 and self.is_dim(args[count - 1]):
            count -= 1
        return count

    def aggregated(
        self, name: str, args: Sequence[Expr]
    ) -> tuple[Sequence[Expr], Sequence[Expr], tuple[str, ...]]:
        """Give the single values of an aggregation, its series, and the dims that go."""
        cut = self.cut(args)
        singles = 1 if name in {"npv", "lookup"} else 0
        named = tuple(arg.text for arg in args[cut:] if isinstance(arg, Name))
        series = args[singles:cut]
        return args[:singles], series, named or self.dims(series[0])

    def value(self, expr: Expr, at: At) -> Any:  # noqa: ANN401
        match expr:
            case Number(value=value) | Truth(value=value):
                return value
            case Text(pieces=(text,)):
                return text
            case Name(text=text) if text in self.axes:
                return self.axes[text].keys[at[text]]
            case Name(text=text):
                return self.cell(text, at)
            case EntryExpr():
                return self.entry(expr, at)
            case Call(function=name, args=args):
                return self.call(name, args, at)
            case _:
                raise AssertionError(expr)

    def base(self, expr: EntryExpr) -> str:
        """Name the cell or column that an entry is one of."""
        column = f".{expr.column.text}" if expr.column else ""
        return expr.base.text + column

    def fixed(self, expr: EntryExpr) -> dict[str, Expr]:
        """Say which dims of a cell the keys of an entry fix."""
        roots = {self.axes[dim].root: dim for dim in self.lines[self.base(expr)].dims}
        return {roots[self.root(key)]: key for key in expr.args}

    def root(self, key: Expr) -> str:
        """Give the dim whose labels a key is one of."""
        match key:
            case Name(text=text) if text in self.axes:
                return self.axes[text].root
            case Name(text=text):
                return self.root(self.lines[text].expr)  # type: ignore[arg-type]
            case Call(function=name, args=args) if name in KEYED:
                return self.axes[self.aggregated(name, args)[2][0]].root
            case Call(function="if", args=args):
                return self.root(args[1])
            case Period() | Text():
                return next(
                    axis.root for axis in self.axes.values() if written(key) in axis.written
                )
            case _:
                return "stage"

    def entry(self, expr: EntryExpr, at: At) -> Any:  # noqa: ANN401
        places = dict(at)
        keys: list[Any] = []
        missing = False
        for dim, key in self.fixed(expr).items():
            axis = self.axes[dim]
            if isinstance(key, Period | Text):
                places[dim] = axis.written.index(written(key))
                continue
            found = self.value(key, at)
            keys.append(found)
            missing |= found not in axis.keys
            places[dim] = axis.keys.index(found) if found in axis.keys else 0
        stopped, why = blocked(keys)
        if stopped:
            return why
        return Fail.of("key") if missing else self.cell(self.base(expr), places)

    def call(self, name: str, args: Sequence[Expr], at: At) -> Any:  # noqa: ANN401
        if self.is_aggregation(name, args):
            return self.aggregate(name, args, at)
        if name in SCANS:
            return self.scan(name, args, at)
        match name:
            case "if":
                condition = self.value(args[0], at)
                stopped, why = blocked([condition])
                return why if stopped else self.value(args[1] if condition else args[2], at)
            case "iferror":
                first = self.value(args[0], at)
                if isinstance(first, Fail):
                    return OPEN if "na" in first.kinds else self.value(args[1], at)
                return first
            case "index":
                return float(at[self.dim(args[0])])
            case "duration":
                axis = self.axes[self.dim(args[0])]
                return axis.ends[at[axis.name]] - axis.keys[at[axis.name]]
            case "within":
                short, long = (self.axes[self.dim(arg)] for arg in args)
                day = short.keys[at[short.name]]
                return long.keys[at[long.name]] <= day < long.ends[at[long.name]]
            case "prev":
                return self.prev(args, at)
        given = [self.value(arg, at) for arg in args]
        return compared(name, *given) if name in SEEN else called(name, given)

    def dim(self, expr: Expr) -> str:
        assert isinstance(expr, Name)
        return expr.text

    def prev(self, args: Sequence[Expr], at: At) -> Any:  # noqa: ANN401
        dim = self.along(args[:1]) if len(args) == 2 else self.dim(args[2])
        if at[dim] == 0:
            return self.value(args[1], at)
        return self.value(args[0], {**at, dim: at[dim] - 1})

    def along(self, args: Sequence[Expr]) -> str:
        """Find the only time axis, else the only dim with an order, else the only one."""
        dims = self.union(args)
        ordered = [dim for dim in dims if self.axes[dim].kind != "labels"]
        times = [dim for dim in dims if self.axes[dim].kind == "time"]
        return next(choice[0] for choice in (times, ordered, dims) if len(choice) == 1)

    def aggregate(self, name: str, args: Sequence[Expr], at: At) -> Any:  # noqa: ANN401
        singles, series, over = self.aggregated(name, args)
        lines = [
            [self.value(arg, {**at, **own}) for own in self.combinations(over)] for arg in series
        ]
        given = [self.value(arg, at) for arg in singles]
        failing = [value for line in lines for value in line if isinstance(value, Fail)]
        stopped, why = blocked([*([passing(failing)] if failing else []), *given])
        if stopped:
            return why
        keys = [self.axes[over[0]].keys] if name in KEYED else []
        meaning: Callable[..., Any] = MEANING[f"{name} of a series"]
        return called("", [*given, *lines, *keys], meaning)

    def scan(self, name: str, args: Sequence[Expr], at: At) -> Any:  # noqa: ANN401
        cut = self.cut(args)
        dim = self.dim(args[cut]) if cut < len(args) else self.along(args[:1])
        lines = [
            [self.value(arg, {**at, dim: place}) for place in range(self.axes[dim].size)]
            for arg in args[:cut]
        ]
        return SCANS[name](at[dim], *lines)


def written(key: Expr) -> str:
    return key.span.text
