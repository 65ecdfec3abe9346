"""A plan to values: whole, or only what a change reaches."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any

from calcgraph.core.value import Failure, Series
from calcgraph.functions.scalar import NoEntry, Unfinished, finite
from calcgraph.plan import compile_part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.core.value import Value
    from calcgraph.model import Change, Op
    from calcgraph.plan import Plan
    from calcgraph.plan.plan import Single


class Blocked(ArithmeticError):
    """A cell that is needed has failed; carries the failure to who needs it.

    It is arithmetic's error too, so that ``iferror`` catches what other cells failed at.
    """

    def __init__(self, failure: Failure) -> None:
        """Carry a failure."""
        super().__init__(failure.kind)
        self.failure = failure


class Guarded:
    """A view of values in which a failed cell cannot be read by mistake."""

    __slots__ = ("values",)

    def __init__(self, values: list[Value]) -> None:
        """Look at values, which may change."""
        self.values = values

    def __getitem__(self, cell: int) -> Value:
        """Give a value, or stop with the failure that stands in its place."""
        value = self.values[cell]
        if isinstance(value, Failure):
            raise Blocked(value)
        return value

    def __setitem__(self, cell: int, value: Value) -> None:
        """Put a value in its place."""
        self.values[cell] = value


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value of every cell; ``computed`` are the cells that were run, in order."""

    plan: Plan
    values: list[Value]
    computed: tuple[int, ...]
    changes: tuple[Change, ...] = ()
    touched: frozenset[int] = field(default_factory=frozenset)

    @property
    def failures(self) -> dict[int, Failure]:
        """The cells that failed, with why."""
        return {n: value for n, value in enumerate(self.values) if isinstance(value, Failure)}


def evaluate(plan: Plan, changes: Iterable[Change] = ()) -> Evaluation:
    """Compute every cell; a later change of the same input wins."""
    changes = tuple(changes)
    values = [cell.start for cell in plan.model.cells]
    touched = _apply(values, changes)
    _run_all(plan, values)
    return Evaluation(plan, values, plan.order, changes, frozenset(touched))


def recompute(before: Evaluation, changes: Iterable[Change]) -> Evaluation:
    """Compute what the changes reach, and no further than values really change."""
    changes = tuple(changes)
    plan = before.plan
    values = list(before.values)
    touched = _apply(values, changes)
    stale = [cell for cell in touched if not _equal(values, before.values, cell)]
    computed = _spread(plan, values, stale)
    return Evaluation(plan, values, computed, (*before.changes, *changes), before.touched | touched)


def _apply(values: list[Value], changes: Iterable[Change]) -> set[int]:
    touched: set[int] = set()
    for change in changes:
        touched.add(change.cell)
        if change.row is None:
            values[change.cell] = change.value
            continue
        column = values[change.cell]
        assert isinstance(column, Series), "only a column has rows"
        data = (*column.data[: change.row], change.value, *column.data[change.row + 1 :])
        values[change.cell] = Series(column.dims, data)
    return touched


def _equal(values: list[Value], before: list[Value], cell: int) -> bool:
    new, old = values[cell], before[cell]
    return type(new) is type(old) and bool(new == old)


def _run_all(plan: Plan, values: list[Value]) -> None:
    """Run chunk by chunk; a chunk that stops is run again cell by cell to find who failed."""
    guarded = Guarded(values)
    target: Any = values
    for index, cells in enumerate(plan.chunks):
        try:
            plan.chunk(index)(target)
        except (ArithmeticError, ValueError, LookupError):
            target = guarded
            for cell in cells:
                values[cell] = _run_one(plan, guarded, cell)


def _run_one(plan: Plan, values: Guarded, cell: int) -> Value:
    """Compute one cell, or say why it failed and who is to blame."""
    return _run(plan.single(cell), values, cell)


def compute_part(evaluation: Evaluation, cell: int, op: Op) -> Value:
    """Compute a part of a cell's tree on its own, from the values of an evaluation."""
    code = compile_part(evaluation.plan.model, op)
    return _run(code, Guarded(evaluation.values), cell)


def _run(code: Single, values: Guarded, cell: int) -> Value:
    try:
        value = code(values)
        if isinstance(value, float):
            finite(value)
    except Blocked as blocked:
        return blocked.failure
    except ZeroDivisionError:
        return Failure("div0", cell, "division by zero")
    except (OverflowError, Unfinished):
        return Failure("overflow", cell, "the result is beyond all numbers (about 1.8e308)")
    except NoEntry as error:
        return Failure("key", cell, f"the table has no row `{error.args[0]}`")
    except (ValueError, ArithmeticError) as error:
        return Failure("domain", cell, _domain(str(error)))
    return value


def _domain(text: str) -> str:
    if "math domain" in text or "positive input" in text or "nonnegative" in text:
        return "a logarithm or root of a number that has none"
    return text or "the function has no value here"


def _spread(plan: Plan, values: list[Value], changed: list[int]) -> tuple[int, ...]:
    """Walk the order from what changed; an equal value stops the change."""
    places, users, order = plan.places, plan.users, plan.order
    waiting = list({places[user] for cell in changed for user in users[cell]})
    heapify(waiting)
    queued = set(waiting)
    computed: list[int] = []
    guarded = Guarded(values)
    while waiting:
        cell = order[heappop(waiting)]
        computed.append(cell)
        old = values[cell]
        new = _run_one(plan, guarded, cell)
        if type(new) is type(old) and new == old:
            continue
        values[cell] = new
        for user in users[cell]:
            place = places[user]
            if place not in queued:
                queued.add(place)
                heappush(waiting, place)
    return tuple(computed)
