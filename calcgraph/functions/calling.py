"""Rows of the table called on values: for what must be known before there is a plan."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.functions.runtime import RUNTIME
from calcgraph.functions.spec import spell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.core.value import Scalar
    from calcgraph.functions.spec import Function


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
