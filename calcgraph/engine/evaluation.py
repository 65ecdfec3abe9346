"""A plan to values: whole, or only what a change reaches."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any

from calcgraph.core.values import Failure, Series
from calcgraph.engine.failures import FAILURES, compute_unit, run
from calcgraph.engine.plan import compile_part
from calcgraph.engine.value_stores import CheckedValues, OverlayValues
from calcgraph.functions.kernels.series import fill_gaps

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from calcgraph.core.values import Scalar, Value
    from calcgraph.engine.plan import Plan
    from calcgraph.model import Cell, Change, Model, Op


def changed_inputs(
    model: Model, before: Sequence[Change], changes: Iterable[Change]
) -> dict[int, Value]:
    """Return the new values of the inputs in ``changes``, applied after ``before``."""
    changes = tuple(changes)
    found: dict[int, Value] = {}
    rows: dict[int, list[Change]] = {}
    for change in changes:
        if model.cells[change.cell].type.dims:
            rows[change.cell] = []
        else:
            found[change.cell] = change.value
    for change in (*before, *changes) if rows else ():
        if change.cell in rows:
            rows[change.cell].append(change)
    for number, own in rows.items():
        found[number] = _changed_series(model, model.cells[number], own)
    return found


def _changed_series(model: Model, cell: Cell, changes: Iterable[Change]) -> Series:
    """Set entries of a series, and fill its gaps again."""
    given = cell.given if cell.given is not None else cell.start
    assert isinstance(given, Series), "a cell along dims starts as a series"
    data: list[Scalar] = list(given.whole)
    for change in changes:
        if change.row is None:
            data = [change.value] * len(data)
        else:
            data[change.row] = change.value
    return Series.sound(given.dims, filled(model, cell, data))


def filled(model: Model, cell: Cell, data: Sequence[Scalar]) -> Sequence[Scalar]:
    """Fill the gaps in the given values of a cell."""
    return fill_gaps(data, model.shape(cell.type.dims), cell.fill)


LARGE = 250
MOST = 4
"""A change that reaches more than one in so many cells of a large sheet evaluates all of them."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value of every cell; ``computed`` are the cells that were run, in order.

    ``values`` are a list, or the differences from one.
    """

    plan: Plan
    values: Sequence[Value]
    computed: tuple[int, ...]
    changes: tuple[Change, ...] = ()
    touched: frozenset[int] = field(default_factory=frozenset)

    @property
    def failures(self) -> dict[int, Failure]:
        """The first failure of each cell that failed."""
        found: dict[int, Failure] = {}
        for number, value in enumerate(self.values):
            if isinstance(value, Failure):
                found[number] = value
            elif isinstance(value, Series) and (failure := value.failure) is not None:
                found[number] = failure
        return found


def evaluate(plan: Plan, changes: Iterable[Change] = ()) -> Evaluation:
    """Evaluate every cell; the last change of an input wins."""
    changes = tuple(changes)
    values = [cell.start for cell in plan.model.cells]
    touched = changed_inputs(plan.model, (), changes)
    for cell, value in touched.items():
        values[cell] = value
    _run_all(plan, values)
    return Evaluation(plan, values, plan.order, changes, frozenset(touched))


def recompute(before: Evaluation, changes: Iterable[Change]) -> Evaluation:
    """Evaluate the cells that changes reach, stopping where values stay the same."""
    changes = tuple(changes)
    plan = before.plan
    touched = changed_inputs(plan.model, before.changes, changes)
    values = OverlayValues.over(before.values)
    stale = [cell for cell, value in touched.items() if not _equal(value, values[cell])]
    for cell, value in touched.items():
        values[cell] = value
    every = (*before.changes, *changes)
    if _reaches_much(plan, stale):
        whole = list(values)
        _run_all(plan, whole)
        return Evaluation(plan, whole, plan.order, every, before.touched | touched.keys())
    computed = _spread(plan, values, stale)
    return Evaluation(plan, values, computed, every, before.touched | touched.keys())


def compute_part(
    evaluation: Evaluation, cell: int, op: Op, at: Mapping[str, int] | None = None
) -> Value:
    """Compute a part of a cell's tree from the values of an evaluation.

    ``at`` holds the position of the current label of each dim that the part varies over.
    """
    at = at or {}
    code = compile_part(evaluation.plan.model, op, tuple(at))
    found: Value = run(
        code, CheckedValues(OverlayValues.over(evaluation.values)), cell, tuple(at.values())
    )
    return found


def _equal(new: Value, old: Value) -> bool:
    return type(new) is type(old) and bool(new == old)


def _run_all(plan: Plan, values: list[Value]) -> None:
    """Run all chunks; one that fails is run again unit by unit, guarded."""
    guarded = CheckedValues(values)
    target: Any = values
    for index, units in enumerate(plan.chunks):
        try:
            plan.chunk_codes[index](target)
        except FAILURES:
            target = guarded
            for unit in units:
                compute_unit(plan, guarded, unit)


def _reaches_much(plan: Plan, changed: Iterable[int]) -> bool:
    """Whether changes reach so many cells that evaluating all cells is faster."""
    most = max(LARGE, len(plan.order) // MOST)
    seen = set(changed)
    waiting = list(seen)
    while waiting and len(seen) <= most:
        new = [user for user in plan.users[waiting.pop()] if user not in seen]
        seen.update(new)
        waiting.extend(new)
    return len(seen) > most


def _spread(plan: Plan, values: OverlayValues, changed: list[int]) -> tuple[int, ...]:
    """Walk the order from the changed cells; an equal value stops the change."""
    places, users, order = plan.places, plan.users, plan.order
    waiting = list({places[user] for cell in changed for user in users[cell]})
    heapify(waiting)
    queued = set(waiting)
    computed: list[int] = []
    guarded = CheckedValues(values)
    while waiting:
        unit = plan.unit(order[heappop(waiting)])
        computed.extend(unit)
        old = [values[cell] for cell in unit]
        compute_unit(plan, guarded, unit)
        for cell, before in zip(unit, old, strict=True):
            new = values[cell]
            if type(new) is type(before) and new == before:
                values[cell] = before
                continue
            for user in users[cell]:
                place = places[user]
                if place not in queued:
                    queued.add(place)
                    heappush(waiting, place)
    return tuple(computed)
