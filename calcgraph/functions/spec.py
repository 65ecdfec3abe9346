"""What a row of the function table holds, and how its function is called."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from calcgraph.functions.kernels import cashflows, scalar, series

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from calcgraph.core.values import Scalar, Type


Spelling: TypeAlias = "str | Callable[[Sequence[str]], str]"
"""A text with places ``{0} {1} {args}``, or for odd shapes a function from texts to a text."""

Draw: TypeAlias = Literal["number", "positive", "share", "whole", "truth", "text", "date", "digits"]
"""Where the tests draw an argument from."""

FailureReach: TypeAlias = Literal["window", "onward", "line"]
"""Which labels of a line one failed label blocks: those whose window holds it (``lines.AT_LABEL``
computes one label), all from it on, or the whole line."""

NaRule: TypeAlias = Literal["any", "all", "always", "never"]


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument as a unit rule sees it.

    ``constant`` is the value where it is known at load; ``bare`` says that it is a plain number
    without a unit, written out, and ``percent`` that it was written as one.
    """

    type: Type
    text: str = ""
    constant: Scalar = None
    bare: bool = False
    percent: bool = False

    @property
    def fits_all(self) -> bool:
        """Whether it is the bare number 0, which fits any unit."""
        return self.bare and self.constant == 0


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function wants of its arguments and gives; ``row`` names a variant to use instead."""

    args: tuple[Type, ...]
    result: Type
    row: str = ""


@dataclass(frozen=True, slots=True)
class Clash:
    """Why arguments do not fit; ``index`` is the one to point at."""

    index: int
    message: str
    hint: str = ""


UnitRule: TypeAlias = "Callable[[Sequence[Operand]], Signature | Clash]"


@dataclass(frozen=True, slots=True)
class Example:
    """A formula and the value it gives, as a user would write both."""

    formula: str
    gives: str


@dataclass(frozen=True, slots=True)
class Function:
    """One function or operator: its meaning, and how Python, numpy and Excel spell it.

    ``python`` is text over finite numbers and the modules of ``functions.runtime``; ``carries``
    are the places of arguments that, when not finite, make the result so: nothing is hidden.
    ``array`` is text over numpy arrays (``np``, and ``vec`` for ``functions.arrays``) in which
    ``nan`` is what is not applicable, and series go along the last axis; it stops where one value
    of many fails, and a row without it is run one by one.

    ``takes_na`` rows treat what is not applicable themselves; for all others it spreads.
    ``gives_na`` says when the result may be that: when any argument may, when all may, always or
    never. ``lazy`` rows need not all of their arguments, ``keyed`` ones compare their first
    argument with keys, ``wants_labels`` ones are given the labels of their series as a last
    argument. ``takes_series`` rows are aggregations: an argument is a sequence of values along the
    dims that go, but those at ``singles`` are single values; ``one_dim`` ones go along one dim.
    ``along`` rows take sequences along one dim and give one of the same length; ``failure_reach``
    says which labels one failed label blocks, ``reads_first`` at which places only an argument's
    first label counts. Both may be given names of dims as last arguments. ``of_dims`` rows take
    names of dims only, and are written out by the check.
    ``excel`` may be a callable: it takes constants as Excel writes them, ``{0?}`` for an argument
    that may be an empty text, and ``{0}`` for any other, and returns a template.
    ``excel_stops`` spells a row that may not look at its second argument, for one that may fail.
    """

    name: str
    params: tuple[str, ...]
    doc: str
    units: UnitRule
    python: Spelling
    excel: Spelling
    array: Spelling = ""
    examples: tuple[Example, ...] = ()
    rejects: tuple[str, ...] = ()
    draws: tuple[Draw, ...] = ()
    carries: frozenset[int] = frozenset()
    takes_na: bool = False
    gives_na: NaRule = "any"
    takes_series: bool = False
    along: bool = False
    failure_reach: FailureReach = "line"
    reads_first: frozenset[int] = frozenset()
    singles: frozenset[int] = frozenset()
    one_dim: bool = False
    of_dims: bool = False
    lazy: bool = False
    keyed: bool = False
    wants_labels: bool = False
    hidden: bool = False
    excel_stops: str = ""

    @property
    def least(self) -> int:
        """How many arguments it needs."""
        return sum(not name.endswith(("?", "…")) for name in self.params)

    @property
    def most(self) -> int | None:
        """How many arguments it takes at most; none for no limit."""
        return None if self.params and self.params[-1] == "…" else len(self.params)

    @property
    def usage(self) -> str:
        """How it is called, for people."""
        return f"{self.name}({', '.join(name.rstrip('?') for name in self.params)})"


def spell(spelling: Spelling, args: Sequence[str]) -> str:
    """Fill a template with the texts of arguments."""
    if callable(spelling):
        return spelling(args)
    return spelling.format(*args, args=", ".join(args))


RUNTIME: dict[str, ModuleType] = {
    "ag": series,
    "fi": cashflows,
    "fn": scalar,
    "ln": series,
    "math": math,
}


def call_row(row: Function, args: Sequence[Scalar]) -> Scalar:
    """Apply a row to single values; "not applicable" propagates unless the row handles it.

    Raises ``ArithmeticError`` or ``ValueError`` where there is no value.
    """
    if not row.takes_na and not row.lazy and any(arg is None for arg in args):
        return None
    if row.lazy:
        return _branch(args) if len(args) % 2 else _called(row, len(args))(*args)
    return _called(row, len(args))(*args)


def call_column(row: Function, columns: Sequence[Sequence[Scalar]]) -> list[Scalar]:
    """Apply a row to arrays of single values; all branches are computed.

    Raises as ``call_row`` does where one of them has no value.
    """
    if row.lazy or not columns or any(None in column for column in columns):
        return [call_row(row, args) for args in zip(*columns, strict=True)]
    return list(map(_called(row, len(columns)), *columns))


def _branch(args: Sequence[Scalar]) -> Scalar:
    """Choose among ``c, v, …, otherwise``."""
    for at in range(0, len(args) - 1, 2):
        if args[at] is None:
            return None
        if args[at]:
            return args[at + 1]
    return args[-1]


@lru_cache(maxsize=512)
def _called(row: Function, count: int) -> Callable[..., Scalar]:
    """Make a function of a row's own spelling: texts of the table, none of a sheet."""
    names = [f"a{at}" for at in range(count)]
    text = f"lambda {', '.join(names)}: {spell(row.python, names)}"
    made: Callable[..., Scalar] = eval(text, dict(RUNTIME))  # noqa: S307 - the table's own text
    return made
