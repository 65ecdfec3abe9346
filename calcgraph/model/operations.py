"""The small tree of plain functions that computes a cell, and how it is walked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from calcgraph.core.traversal import fold_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from calcgraph.core.values import Scalar
    from calcgraph.functions.spec import Function

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """One exact, named factor, ``s_per_day``; a divisor if ``divides`` is set."""

    name: str
    factor: int
    divides: bool = False


@dataclass(frozen=True, slots=True)
class Const:
    """A value known at load."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class LabelFact:
    """What the current label of a dim is: its key, its position from 0, its period's end or length.

    ``end`` is the day after the last one; ``length`` is in days.
    """

    dim: str
    what: Literal["key", "index", "end", "length"] = "key"


@dataclass(frozen=True, slots=True)
class Load:
    """The value of a cell at the current labels: of ``dims``, one for each dim of the cell."""

    cell: int
    dims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lookup:
    """An entry of a cell along dims.

    ``at`` has for each dim of the cell the one whose current label is taken, or ``""`` where the
    next of ``args`` is the key.
    """

    cell: int
    at: tuple[str, ...]
    args: tuple[Op, ...]


@dataclass(frozen=True, slots=True)
class Previous:
    """The first of ``args``, a ``Load``, at the previous label; at the first label, the second."""

    dim: str
    args: tuple[Op, Op]


@dataclass(frozen=True, slots=True)
class Reduce:
    """An aggregation: arguments taken along ``dims``, which the result does not vary over.

    Arguments are ``Load``, ``LabelFact`` or ``Const``: what is computed has a helper cell. Those at
    the function's ``singles`` are single values instead, and may be any tree.
    """

    function: Function
    dims: tuple[str, ...]
    args: tuple[Op, ...]
    may_be_na: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Scan:
    """A function whose every value depends on the whole line along ``dim``.

    It is always all of a cell's tree, so it is computed line by line.
    """

    function: Function
    dim: str
    args: tuple[Op, ...]
    may_be_na: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Apply:
    """A function applied to arguments; ``may_be_na`` tells which can be not applicable."""

    function: Function
    args: tuple[Op, ...]
    may_be_na: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Convert:
    """A number converted to another unit, step by step, in Python as in Excel."""

    steps: tuple[Step, ...]
    args: tuple[Op]
    may_be_na: bool = False


Op: TypeAlias = Const | LabelFact | Load | Lookup | Previous | Reduce | Scan | Apply | Convert


def op_parts(op: Op) -> tuple[Op, ...]:
    """Return the children of a node, in order."""
    return () if isinstance(op, Const | LabelFact | Load) else op.args


def fold_op(op: Op, visit: Callable[[Op, Sequence[T]], T]) -> T:
    """Fold a tree from the leaves up, iteratively."""
    return fold_tree(op, op_parts, visit)


def walk_op(op: Op) -> Iterator[Op]:
    """Yield all nodes of a tree, the root first, iteratively."""
    waiting = [op]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(op_parts(found))


def free_dims(op: Op) -> set[str]:
    """Return the dims whose current label a tree depends on."""
    return fold_op(op, _free)


def _free(op: Op, parts: Sequence[set[str]]) -> set[str]:
    inner = set[str]().union(*parts)
    match op:
        case Load(_, dims):
            return set(dims)
        case LabelFact(dim):
            return {dim}
        case Lookup(_, at):
            return inner | {name for name in at if name}
        case Reduce(function, dims, args):  # it takes dims from its series, not from single values
            kept = (parts[at] for at in range(len(args)) if at in function.singles)
            return (inner - set(dims)).union(*kept)
        case Previous(dim) | Scan(_, dim):
            return inner | {dim}
        case _:
            return inner
