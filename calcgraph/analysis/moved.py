"""Overridden inputs to the cells that depend on them; entries of tables count one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.reach import reached
from calcgraph.core.value import Failure, Series
from calcgraph.model import Const, Load, Pick, walk_op

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.core.value import Value
    from calcgraph.evaluate import Evaluation
    from calcgraph.model import Model

Place = tuple[int, ...]
"""The position of an entry along each dim of its cell."""


def moved_cells(evaluation: Evaluation) -> set[int]:
    """Find the cells that depend on an input whose value differs from the sheet's."""
    model, users = evaluation.plan.model, evaluation.plan.users
    readers: list[int] = []
    for cell in evaluation.touched:
        value, start = evaluation.values[cell], model.cells[cell].start
        if value == start:
            continue
        places = _changed(model, value, start)
        readers += [user for user in users[cell] if _reads(evaluation, user, cell, places)]
    return reached(readers, users.__getitem__)


def _changed(model: Model, value: Value, start: Value) -> list[Place]:
    """List the coordinates at which a value differs from the sheet's; ``()`` for a scalar."""
    if not isinstance(value, Series) or not isinstance(start, Series):
        return [()]
    shape = model.shape(value.dims)
    pairs = enumerate(zip(value.data, start.data, strict=True))
    return [shape.unravel(at) for at, (now, before) in pairs if now != before]


def _reads(evaluation: Evaluation, user: int, cell: int, places: Sequence[Place]) -> bool:
    """Whether a cell may read one of some entries of another."""
    root = evaluation.plan.model.cells[user].op
    return root is not None and any(
        (isinstance(op, Load) and op.cell == cell)
        or (isinstance(op, Pick) and op.cell == cell and _picks(evaluation, op, places))
        for op in walk_op(root)
    )


def _picks(evaluation: Evaluation, op: Pick, places: Iterable[Place]) -> bool:
    """Whether a lookup may hit one of some entries: none differs in a key that is known."""
    model, keys = evaluation.plan.model, iter(op.args)
    known: dict[int, int] = {}
    for axis, (name, same) in enumerate(zip(model.cells[op.cell].type.dims, op.at, strict=True)):
        key = None if same else next(keys)
        if isinstance(key, Const):
            value: Value = key.value
        elif isinstance(key, Load) and not key.dims:
            value = evaluation.values[key.cell]
        else:
            continue
        if not isinstance(value, Series | Failure):
            known[axis] = model.dim(name).positions.get(value, -1)
    return any(all(place[axis] == at for axis, at in known.items()) for place in places)
