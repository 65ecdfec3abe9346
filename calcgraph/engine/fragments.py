"""Fragments of generated Python, and how generated code reads cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.functions.spec import Function
    from calcgraph.model import Model


@dataclass(frozen=True, slots=True)
class Fragment:
    """A fragment of Python; ``size`` counts its parts, ``prelude`` are assignments made before it.

    ``may_overflow`` says that its value can be beyond all numbers, and has not been tested yet.
    """

    text: str
    is_atom: bool
    size: int = 1
    prelude: tuple[str, ...] = ()
    chain: str = ""
    may_overflow: bool = False


def as_expression(fragment: Fragment) -> str:
    """Return a fragment and its prelude as one expression."""
    if not fragment.prelude:
        return fragment.text
    return f"({', '.join(fragment.prelude)}, {fragment.text})[-1]"


def is_call(row: Function) -> bool:
    """Whether a function is spelled as one call, which needs no parentheses."""
    return callable(row.python) or row.python.startswith(("fn.", "ag.", "ln.", "fi.", "math."))


def with_finite_check(fragment: Fragment, may_be_na: bool) -> Fragment:  # noqa: FBT001 - a fact of the argument
    """Add a check for overflow where the enclosing expression could hide it."""
    if not fragment.may_overflow:
        return fragment
    test = "fn.finite_or_na" if may_be_na else "fn.finite"
    return Fragment(
        f"{test}({fragment.text})", is_atom=True, size=fragment.size + 1, prelude=fragment.prelude
    )


def parenthesised(fragment: Fragment, chain: str) -> str:
    """Parenthesise an operand, unless it is an atom or the left end of the same chain."""
    if fragment.is_atom:
        return fragment.text
    joins = {"+": {"+", "*"}, "-": {"+", "*"}, "*": {"*"}, "/": {"*"}, "": set()}[chain]
    return fragment.text if fragment.chain in joins else f"({fragment.text})"


class CellAccess(Protocol):
    """How a writer reads cells.

    ``tests_na_first`` is true where an argument may fail: all are tested for na before that counts.
    """

    tests_na_first: ClassVar[bool]

    def scalar(self, cell: int) -> str:
        """Write the value of a scalar cell."""

    def entries(self, cell: int) -> str:
        """Write the values of a series."""

    def current(self, cell: int) -> str | None:
        """Return the name that holds a cell's value at the current labels, if any."""

    def before(self, cell: int) -> str | None:
        """Return the name that holds a cell's value at the previous label, if any."""

    def once(self, text: str, cells: set[int], loops: Mapping[str, int], where: str) -> str:
        """Compute a part once per value of the loops it varies with."""


@dataclass(slots=True)
class UncheckedAccess:
    """Reads for a function that computes many cells and stops if any fails.

    Each cell read gets a name once; ``lines`` are the statements so far. ``in_loop`` are the cells
    that the loop being written computes. A name in ``loop_names`` holds a cell's value at the
    current label once the cell is ``written``, and at the previous label until then.
    """

    lines: list[str]
    tests_na_first: ClassVar[bool] = False
    scalars: dict[int, str] = field(default_factory=dict)
    series: dict[int, str] = field(default_factory=dict)
    loop_names: dict[int, str] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    in_loop: set[int] = field(default_factory=set)
    parts: int = 0

    def scalar(self, cell: int) -> str:
        """Write the name of a variable that holds the value."""
        if cell not in self.scalars:
            self.scalars[cell] = f"c{cell}"
            self.lines.append(f"c{cell} = v[{cell}]")
        return self.scalars[cell]

    def entries(self, cell: int) -> str:
        """Write the name of the list of values."""
        if cell not in self.series:
            self.series[cell] = f"d{cell}"
            self.lines.append(f"d{cell} = v[{cell}].whole")
        return self.series[cell]

    def current(self, cell: int) -> str | None:
        """Return the name that holds a cell's value at the current labels."""
        return self.loop_names[cell] if cell in self.written and cell in self.loop_names else None

    def before(self, cell: int) -> str | None:
        """Return the name that still holds a cell's value at the previous label."""
        return None if cell in self.written else self.loop_names.get(cell)

    def once(self, text: str, cells: set[int], loops: Mapping[str, int], where: str) -> str:
        """Compute a part before the loops, unless it reads cells that they compute."""
        if cells & self.in_loop:
            return text
        name = f"r{self.parts}"
        self.parts += 1
        inner = " ".join(f"for {index} in range({size})" for index, size in loops.items())
        self.lines.append(f"{name} = [{text} {inner}]" if loops else f"{name} = {text}")
        return f"{name}[{where}]" if loops else name


@dataclass(slots=True)
class GuardedAccess:
    """Reads for a function that computes one value, or raises what failed: ``v`` is checked.

    ``reading`` is the call that returns the values of a series, checked or with failures.
    """

    tests_na_first: ClassVar[bool] = True
    reading: str = "v.entries"
    parts: int = 0

    def scalar(self, cell: int) -> str:
        """Write the checked value."""
        return f"v[{cell}]"

    def entries(self, cell: int) -> str:
        """Write the checked values of a series."""
        return f"{self.reading}({cell})"

    def current(self, cell: int) -> str | None:
        """Return none: each value is read from its cell."""
        del cell
        return None

    def before(self, cell: int) -> str | None:
        """Return none: each value is read from its cell."""
        del cell
        return None

    def once(self, text: str, cells: set[int], loops: Mapping[str, int], where: str) -> str:
        """Compute a part at its first use, and keep the result."""
        del cells, where
        self.parts += 1
        labels = "".join(f"{index}, " for index in loops)
        return f"v.once({self.parts}, ({labels}), lambda: {text})"


def strides(model: Model, cell: int) -> tuple[int, ...]:
    """Return the stride of each dim of a cell."""
    sizes = [model.dim(name).size for name in model.cells[cell].type.dims]
    return tuple(prod(sizes[at + 1 :]) for at in range(len(sizes)))


def weights(model: Model, cell: int, dims: Sequence[str]) -> dict[str, int]:
    """Return how many values a step along each current dim skips in a cell read at ``dims``."""
    found: dict[str, int] = {}
    for name, stride in zip(dims, strides(model, cell), strict=True):
        found[name] = found.get(name, 0) + stride
    return found


def place(steps: Mapping[str, int], names: Mapping[str, str], constant: int = 0) -> str:
    """Write a flat index: ``i0 * 36 + i1``."""
    terms = [term(names[name], step) for name, step in steps.items() if step]
    text = " + ".join(terms)
    if not text:
        return str(constant)
    return text if not constant else f"{text} {'-' if constant < 0 else '+'} {abs(constant)}"


def term(text: str, step: int) -> str:
    """Write a term of a flat index."""
    return text if step == 1 else f"{text} * {step}"


def line(
    entries: str, steps: Mapping[str, int], over: Mapping[str, int], names: Mapping[str, str]
) -> str:
    """Write the values of a cell along dims ``over``; other dims are at the current label."""
    outer = {name: step for name, step in steps.items() if name not in over}
    count = prod(over.values())
    if not count:
        return "()"
    apart = steps.get(list(over)[-1], 0)
    if apart and _is_even(steps, over, apart):
        if apart == 1 and not outer:
            return entries
        return f"{entries}{span(place(outer, names), count, apart)}"
    inner = {name: f"j{at}" for at, name in enumerate(over)}
    loops = " ".join(f"for {inner[name]} in range({size})" for name, size in over.items())
    return f"[{entries}[{place(steps, {**names, **inner})}] {loops}]"


def span(first: str, count: int, apart: int) -> str:
    """Write the slice of values a fixed distance apart."""
    length = apart * (count - 1) + 1
    if first == "0":
        return f"[:{length}]" if apart == 1 else f"[:{length}:{apart}]"
    return (
        f"[{first} : {first} + {length}]"
        if apart == 1
        else (f"[{first} : {first} + {length} : {apart}]")
    )


def _is_even(steps: Mapping[str, int], over: Mapping[str, int], apart: int) -> bool:
    """Whether values along the dims are a fixed distance apart, as along one dim."""
    expected = apart
    for name, size in reversed(list(over.items())):
        if steps.get(name, 0) != expected:
            return False
        expected *= size
    return True
