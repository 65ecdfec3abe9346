"""Write guarded functions that compute one element each, for use where a chunk fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.functions.spec import spell
from calcgraph.model import Load, Scan
from calcgraph.plan.along import sequence
from calcgraph.plan.statements import index_names, op_of
from calcgraph.plan.store import GuardedAccess
from calcgraph.plan.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.model import Model, Op


def write_single(model: Model, number: int, constants: list[object]) -> str:
    """Write the function that computes one element of a cell, or the lines of a scan."""
    op, dims = op_of(model, number), model.cells[number].type.dims
    if isinstance(op, Scan):
        return _write_scan(model, number, op, constants)
    return write_part(model, op, constants, dims, f"c{number}")


def _write_scan(model: Model, number: int, op: Scan, constants: list[object]) -> str:
    """Write a function that returns the arguments of a line, and one that runs the scan on it.

    Arguments are lambdas, since one that does not vary along the line may fail as a whole.
    """
    others = [name for name in model.cells[number].type.dims if name != op.dim]
    over = {op.dim: model.dim(op.dim).size}
    lines = ", ".join(
        f"lambda: {sequence(_arg_writer(model, arg, constants, others), arg, over)}"
        for arg in op.args
    )
    names = [f"a{at}" for at in range(len(op.args))]
    return (
        f"{_head(f'c{number}', others)}\n    return [{lines}]\n"
        f"def f{number}({', '.join(names)}):\n    return {spell(op.function.python, names)}"
    )


def _arg_writer(model: Model, arg: Op, constants: list[object], others: Sequence[str]) -> Writer:
    """Make a writer of values as they are, failures included, or of guarded computations."""
    reading = "v.with_failures" if isinstance(arg, Load) else "v.entries"
    return Writer(model, constants, GuardedAccess(reading), index_names(others))


def write_part(
    model: Model, op: Op, constants: list[object], dims: Sequence[str], name: str
) -> str:
    """Write the guarded function that computes a tree at labels of dims."""
    text = Writer(model, constants, GuardedAccess(), index_names(dims)).write(op)
    return f"{_head(name, dims)}\n    return {text}"


def _head(name: str, dims: Sequence[str]) -> str:
    return f"def {name}({', '.join(['v', *index_names(dims).values()])}):"
