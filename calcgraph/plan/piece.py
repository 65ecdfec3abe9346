"""Fragments of generated Python, and how they combine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calcgraph.functions.spec import Function


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
    """Put an operand in parentheses, unless it is an atom or the left end of the same chain."""
    if fragment.is_atom:
        return fragment.text
    joins = {"+": {"+", "*"}, "-": {"+", "*"}, "*": {"*"}, "/": {"*"}, "": set()}[chain]
    return fragment.text if fragment.chain in joins else f"({fragment.text})"
