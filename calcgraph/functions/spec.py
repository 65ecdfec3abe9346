"""What a row of the function table holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.core.type import Type
    from calcgraph.core.value import Scalar

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
    names of dims only, and are written out by the check. ``excel_rank`` is Excel's precedence of an
    operator, 0 for a call;
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
    excel_rank: int = 0
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
    """Put argument texts into a spelling."""
    if callable(spelling):
        return spelling(args)
    return spelling.format(*args, args=", ".join(args))
