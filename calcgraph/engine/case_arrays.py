"""Cases as a hidden leading dim: a cell that varies is one array, computed by the array code.

Where a cell has no array code, or a case fails, the guarded code computes that cell's cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from calcgraph.core.traversal import reachable
from calcgraph.core.values import Kind, Series
from calcgraph.engine.array_runtime import settled
from calcgraph.engine.case_values import CaseValues, has_failed, joined, typed
from calcgraph.engine.evaluation import Evaluation, changed_inputs, recompute
from calcgraph.engine.failures import FAILURES, compute_unit
from calcgraph.engine.value_stores import CheckedValues, OverlayValues

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from calcgraph.core.values import Value
    from calcgraph.engine.plan import CaseCode, Plan, Step
    from calcgraph.model import Change

    Part: TypeAlias = "tuple[Cases, list[CaseValues]]"

Array: TypeAlias = "NDArray[Any]"
Cases: TypeAlias = "NDArray[np.intp]"
"""Indices of cases."""

FEW = 8
"""So few cases are not split further to find those that fail."""
LEAST = 4
"""Blocks of fewer cases do not repay the making of arrays."""
MOST = 8_192
"""Cases in a block: the values of a cell stay in the processor's cache."""
ROOM = 8_000_000
"""Values in a block: numbers take 64 MB."""
NARROW = 32
"""A step of a recurrence over fewer values is faster as a loop over numbers than in numpy."""
WIDE = 2 * NARROW
MORE = 4
"""A long recurrence may take so many times ``ROOM``, up to ``WIDE`` cases at once."""
TEXT = 8
"""A text takes as much room as so many numbers."""


def block_size(plan: Plan, cells: Collection[int]) -> int:
    """Return how many cases to compute at once; recurrences may take more room."""
    model = plan.model
    values = sum(
        model.size(cell) * (TEXT if model.cells[cell].type.kind is Kind.TEXT else 1)
        for cell in cells
    )
    room = ROOM // max(values, 1)
    if room < WIDE and not plan.groups.keys().isdisjoint(cells):
        room = min(WIDE, MORE * ROOM // values)
    return max(1, min(MOST, room))


def evaluate_blocks(base: Evaluation, cases: Sequence[Sequence[Change]]) -> Iterator[Evaluation]:
    """Evaluate cases block by block; what any case changes is an array in all of them.

    Cells so large that only few cases have room are computed one by one.
    """
    plan = base.plan
    inputs = sorted({change.cell for case in cases for change in case})
    units = plan.reached_units(inputs)
    size = block_size(plan, [*inputs, *(cell for unit in units for cell in unit)])
    if not inputs or size < LEAST:
        yield from (recompute(base, case) for case in cases)
        return
    for start in range(0, len(cases), size):
        yield from _evaluate_block(base, cases[start : start + size], inputs, units)


def _evaluate_block(
    base: Evaluation,
    cases: Sequence[Sequence[Change]],
    inputs: Sequence[int],
    units: Sequence[Step],
) -> Iterator[Evaluation]:
    plan, steady = base.plan, list(base.values)
    changed = [changed_inputs(plan.model, base.changes, case) for case in cases]
    given = {
        cell: CaseValues.of(plan.model, cell, [own.get(cell, steady[cell]) for own in changed])
        for cell in inputs
    }
    block = CaseBlock(plan, steady, {cell: values.array for cell, values in given.items()})
    block.run(units)
    columns = {cell: block.values(cell) for cell in block.arrays}
    for at, (case, own) in enumerate(zip(cases, changed, strict=True)):
        yield Evaluation(
            plan,
            OverlayValues(steady, {cell: column[at] for cell, column in columns.items()}),
            tuple(block.computed),
            (*base.changes, *case),
            base.touched | own.keys(),
        )


def sweep_blocks(
    base: Evaluation, inputs: Mapping[int, ArrayLike], wanted: Sequence[int]
) -> dict[int, CaseValues]:
    """Compute the wanted cells for arrays of input values, block by block."""
    plan, steady = base.plan, list(base.values)
    given = {cell: typed(plan.model, cell, values) for cell, values in inputs.items()}
    needed = reachable(wanted, plan.needs.__getitem__)
    units = [unit for unit in plan.reached_units(given) if not needed.isdisjoint(unit)]
    spent = _spent(plan, units, wanted)
    size = block_size(plan, [*given, *(cell for unit in units for cell in unit)])
    count = min(map(len, given.values()))
    found: dict[int, list[CaseValues]] = {cell: [] for cell in wanted}
    for start in range(0, count, size):
        stop = min(start + size, count)
        block = CaseBlock(
            plan, steady, {n: settled(array[start:stop]) for n, array in given.items()}
        )
        block.run(units, spent)
        for cell, parts in found.items():
            parts.append(block.result(cell))
    return {cell: joined(parts) for cell, parts in found.items()}


def _spent(plan: Plan, units: Sequence[Step], wanted: Collection[int]) -> dict[Step, list[int]]:
    """Return after which unit the arrays of cells are not needed any more."""
    last = {need: unit for unit in units for need in (*plan.reads(unit), *unit)}
    found: dict[Step, list[int]] = {}
    for cell, unit in last.items():
        if cell not in wanted:
            found.setdefault(unit, []).append(cell)
    return found


class CaseBlock:
    """Computes the units that vary, one after the other, for some cases."""

    def __init__(self, plan: Plan, steady: list[Value], given: dict[int, Array]) -> None:
        """``steady`` are the values of what does not vary, ``given`` the arrays of the inputs."""
        self.plan = plan
        self.steady = steady
        self.checked = CheckedValues(steady)
        self.arrays = given
        self.failed: dict[int, dict[int, Value]] = {}
        self.count = len(next(iter(given.values())))
        self.every: Cases = np.arange(self.count)
        self.lists: dict[int, list[Value]] = {}
        self.computed: list[int] = []

    def run(self, units: Sequence[Step], spent: Mapping[Step, Sequence[int]] | None = None) -> None:
        """Compute units in order; ``spent`` lists the cells to free after each."""
        with np.errstate(divide="raise", invalid="raise", over="raise"):
            for unit in units:
                varied = self.plan.reads(unit) & self.arrays.keys()
                if varied:  # all else kept its value in every case
                    self.compute(unit, varied)
                for cell in spent.get(unit, ()) if spent else ():
                    self.arrays.pop(cell, None)

    def compute(self, unit: Step, varied: set[int]) -> None:
        """Compute a unit in all cases; the cells that are as in the base do not vary."""
        failed = set().union(*(self.failed.get(need, ()) for need in varied))
        code = self.code(unit, varied)
        parts: list[Part] = []
        alone = sorted(failed)
        if code is None:
            alone = list(range(self.count))
        elif len(alone) < self.count:
            cases = np.delete(self.every, alone) if alone else self.every
            parts, more = self.together(code, varied, cases)
            alone = sorted([*alone, *more])
        if alone:
            parts.append((np.array(alone), self.one_by_one(unit, varied, alone)))
        for at, cell in enumerate(unit):
            self.join(cell, [(cases, columns[at]) for cases, columns in parts])
        self.computed.extend(unit)

    def code(self, unit: Step, varied: set[int]) -> CaseCode | None:
        """Return the array code of a unit, unless the guarded code is needed or faster."""
        if self.is_narrow(unit) or any(
            has_failed(self.steady[need]) for need in self.plan.reads(unit) - varied
        ):
            return None
        return self.plan.case_code(unit, varied)

    def is_narrow(self, unit: Step) -> bool:
        """Whether a step of a recurrence has so few values that loops over numbers are faster."""
        model, dim = self.plan.model, self.plan.group_dims.get(unit)
        if dim is None:
            return False
        values = self.count * max(model.size(cell) for cell in unit)
        return values < NARROW * model.dim(dim).size

    def together(
        self, code: CaseCode, varied: set[int], cases: Cases
    ) -> tuple[list[Part], list[int]]:
        """Compute cases at once, in halves where that fails; also return the few that remain."""
        parts: list[Part] = []
        failing: list[int] = []
        waiting = [cases]
        while waiting:
            cases = waiting.pop()
            given = self.arrays
            if len(cases) < self.count:
                given = {need: settled(self.arrays[need][cases]) for need in varied}
            try:
                arrays = code(self.checked, len(cases), given)
            except FAILURES:
                if len(cases) > FEW:
                    waiting += np.array_split(cases, 2)
                else:
                    failing.extend(cases.tolist())
            else:
                parts.append((cases, [CaseValues(array) for array in arrays]))
        return parts, failing

    def one_by_one(self, unit: Step, varied: set[int], cases: Sequence[int]) -> list[CaseValues]:
        """Compute cases by the guarded code."""
        found: list[list[Value]] = [[] for _ in unit]
        for case in cases:
            values = OverlayValues(self.steady, {need: self.values(need)[case] for need in varied})
            compute_unit(self.plan, CheckedValues(values), unit)
            for cell, line in zip(unit, found, strict=True):
                line.append(values[cell])
        model = self.plan.model
        return [CaseValues.of(model, cell, line) for cell, line in zip(unit, found, strict=True)]

    def join(self, cell: int, parts: Sequence[tuple[Cases, CaseValues]]) -> None:
        """Store the array of a cell, unless it is as in the base in every case."""
        arrays = [column.array for _, column in parts]
        whole = arrays[0]
        if len(parts) > 1:
            kind = np.result_type(*(array.dtype for array in arrays))
            whole = np.zeros((self.count, *whole.shape[1:]), kind)
            for cases, column in parts:
                whole[cases] = column.array
            whole = settled(whole)
        failed = {
            int(cases[at]): value for cases, column in parts for at, value in column.failed.items()
        }
        if failed:
            self.failed[cell] = failed
        if failed or not _is_all(whole, self.steady[cell]):
            self.arrays[cell] = whole

    def values(self, cell: int) -> list[Value]:
        """Return the values of a cell that varies, one a case."""
        if cell not in self.lists:
            self.lists[cell] = self.result(cell).values(self.plan.model, cell)
        return self.lists[cell]

    def result(self, cell: int) -> CaseValues:
        """Return a cell in all cases, whether it varies or not."""
        if cell in self.arrays:
            return CaseValues(self.arrays[cell], self.failed.get(cell, {}))
        one = CaseValues.of(self.plan.model, cell, [self.steady[cell]])
        failed = dict.fromkeys(range(self.count), self.steady[cell]) if one.failed else {}
        return CaseValues(np.broadcast_to(one.array, (self.count, *one.array.shape[1:])), failed)


def _is_all(array: Array, value: Value) -> bool:
    """Whether the values of all cases are this one."""
    if has_failed(value):
        return False
    base: Any = value.array(array.shape[1:]) if isinstance(value, Series) else value
    start = base.item(0) if isinstance(value, Series) else value
    first = array.item(0)
    if first != start and first == first:  # noqa: PLR0124 - most differ at once; nan says nothing
        return False
    if base is None and array.dtype != object:
        base = np.nan
    same = np.equal(array, base) | (np.not_equal(array, array) & np.not_equal(base, base))
    return bool(np.all(same))
