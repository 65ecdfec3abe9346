"""Some cases of one plan together: a cell is one array operation over all of them.

Where that stops, halves of the cases are tried, and few are computed one by one, to say why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series, plain_values
from calcgraph.evaluate.around import shape_of
from calcgraph.evaluate.careful import FAILURES, compute_unit
from calcgraph.evaluate.values import Guarded, Overlay
from calcgraph.plan.array_runtime import settled

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from calcgraph.core.value import Value
    from calcgraph.model import Model
    from calcgraph.plan import Plan
    from calcgraph.plan.plan import CaseCode, Unit

    Part: TypeAlias = "tuple[Cases, list[Column]]"

Cases: TypeAlias = "NDArray[np.intp]"
"""Numbers of cases."""
FEW = 8
"""So many cases are computed one by one where one of them fails."""
MOST = 8_192
"""So many cases at once: the numbers of a cell stay near the processor."""
ROOM = 8_000_000
"""So many values at once: numbers of a block take 64 MB."""
NARROW = 32
"""Fewer values a label than these a recurrence computes one by one: so many cost what an operation
of numpy costs."""
WIDE = 2 * NARROW
MORE = 4
"""A long recurrence may take so many times as much room, for so many cases at once."""
TEXT = 8
"""A text takes as much room as so many numbers."""
KINDS: dict[Kind, type[np.generic]] = {Kind.TRUTH: np.bool_, Kind.TEXT: np.object_}


@dataclass(slots=True)
class Column:
    """A cell in many cases: an array, cases first, then its dims; ``failed`` cases stand apart.

    Numbers and days have ``nan``, texts ``None`` for what is not applicable; truths become numbers
    where one is. What the array has for a failed case means nothing.
    """

    array: NDArray[Any]
    failed: dict[int, Value] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Model, cell: int, values: Sequence[Value]) -> Column:
        """Make a column of the values of a cell."""
        failed = {case: value for case, value in enumerate(values) if has_failed(value)}
        kind = KINDS.get(model.cells[cell].type.kind, np.float64)
        shape = shape_of(model, cell)
        if not model.cells[cell].type.dims:
            items = [None if case in failed else value for case, value in enumerate(values)]
            has_gaps = kind is np.bool_ and None in items
            return cls(np.array(items, np.float64 if has_gaps else kind), failed)
        gap = np.zeros(shape, kind)
        lines = [
            value.array(shape) if isinstance(value, Series) and case not in failed else gap
            for case, value in enumerate(values)
        ]
        return cls(settled(np.stack(lines)), failed)

    def values(self, model: Model, cell: int) -> list[Value]:
        """Give the value of each case."""
        dims, is_truth = model.cells[cell].type.dims, model.cells[cell].type.kind is Kind.TRUTH
        found: list[Value] = []
        if dims:
            found.extend(Series.of_array(dims, line, of_truths=is_truth) for line in self.array)
        else:
            found.extend(plain_values(self.array))
            if is_truth and self.array.dtype != bool:
                found = [None if value is None else bool(value) for value in found]
        for case, value in self.failed.items():
            found[case] = value
        return found


def block_size(plan: Plan, cells: Collection[int]) -> int:
    """Say how many cases of some cells have room at once; those of recurrences may take more."""
    model = plan.model
    values = sum(
        model.size(cell) * (TEXT if model.cells[cell].type.kind is Kind.TEXT else 1)
        for cell in cells
    )
    room = ROOM // max(values, 1)
    if room < WIDE and not plan.groups.keys().isdisjoint(cells):
        room = min(WIDE, MORE * ROOM // values)
    return max(1, min(MOST, room))


def has_failed(value: Value) -> bool:
    """Whether a value, or one of a series, could not be computed."""
    return value.failure is not None if isinstance(value, Series) else isinstance(value, Failure)


class Taken(dict[int, "NDArray[Any]"]):
    """Arrays in which only some cases are, each made when it is asked for."""

    def __init__(self, arrays: Mapping[int, NDArray[Any]], cases: Cases) -> None:
        """Look at some cases of arrays."""
        super().__init__()
        self.arrays = arrays
        self.cases = cases

    def __missing__(self, cell: int) -> NDArray[Any]:
        """Take the cases of a cell."""
        return self.setdefault(cell, settled(self.arrays[cell][self.cases]))


class Block:
    """Computes the cells that vary, unit by unit, for some cases."""

    def __init__(
        self,
        plan: Plan,
        steady: list[Value],
        codes: Mapping[Unit, CaseCode | None],
        given: Mapping[int, NDArray[Any]],
    ) -> None:
        """``steady`` are the values of what does not vary, ``given`` those of the inputs."""
        self.plan = plan
        self.steady = steady
        self.guarded = Guarded(steady)
        self.codes = codes
        self.arrays = dict(given)
        self.failed: dict[int, dict[int, Value]] = {}
        stale = {cell for unit in codes for cell in unit}
        self.unsound = {n for n, value in enumerate(steady) if n not in stale and has_failed(value)}
        self.count = len(next(iter(self.arrays.values())))
        self.every: Cases = np.arange(self.count)
        self.lists: dict[int, list[Value]] = {}

    def run(self) -> None:
        """Compute all units."""
        with np.errstate(divide="raise", invalid="raise", over="raise"):
            for unit, code in self.codes.items():
                if self.is_narrow(unit):
                    self.with_care(unit, None)
                elif code is None or not self.unsound.isdisjoint(self.plan.reads(unit)):
                    self.with_care(unit, code)
                else:
                    self.together(unit, code)

    def is_narrow(self, unit: Unit) -> bool:
        """Whether a group has so few values a label that loops over numbers are faster."""
        model, dim = self.plan.model, self.plan.group_dims.get(unit)
        if dim is None:
            return False
        values = self.count * max(model.size(cell) for cell in unit)
        return values < NARROW * model.dim(dim).size

    def together(self, unit: Unit, code: CaseCode) -> None:
        """Compute a unit over all cases, with care where that stops."""
        try:
            found = code(self.guarded, self.count, self.arrays)
        except FAILURES:
            self.with_care(unit, code)
        else:
            self.arrays.update(zip(unit, found, strict=True))

    def values(self, cell: int) -> list[Value]:
        """Give the values of a cell that varies, one a case."""
        if cell not in self.lists:
            self.lists[cell] = Column(self.arrays[cell], self.failed.get(cell, {})).values(
                self.plan.model, cell
            )
        return self.lists[cell]

    def with_care(self, unit: Unit, code: CaseCode | None) -> None:
        """Compute a unit over all cases in which what it reads is sound, the others one by one."""
        needs = self.plan.reads(unit)
        if code is None or any(has_failed(self.steady[n]) for n in needs - self.arrays.keys()):
            parts = [(self.every, self.alone(unit, range(self.count)))]
        else:
            failed = sorted(set().union(*(self.failed.get(need, ()) for need in needs)))
            parts = self.halves(unit, code, np.delete(self.every, failed))
            if failed:
                parts.append((np.array(failed), self.alone(unit, failed)))
        for at, cell in enumerate(unit):
            self.join(cell, [(cases, columns[at]) for cases, columns in parts])

    def halves(self, unit: Unit, code: CaseCode, cases: Cases) -> list[Part]:
        """Compute a unit over cases together; where that stops, over halves of them."""
        found: list[Part] = []
        waiting = [cases] if len(cases) else []
        while waiting:
            cases = waiting.pop()
            given = self.arrays if len(cases) == self.count else Taken(self.arrays, cases)
            try:
                arrays = code(self.guarded, len(cases), given)
            except FAILURES:
                if len(cases) > FEW:
                    waiting += np.array_split(cases, 2)
                else:
                    found.append((cases, self.alone(unit, cases.tolist())))
            else:
                found.append((cases, [Column(array) for array in arrays]))
        return found

    def alone(self, unit: Unit, cases: Sequence[int]) -> list[Column]:
        """Compute a unit case by case, with care."""
        needs = self.plan.reads(unit) & self.arrays.keys()
        found: list[list[Value]] = [[] for _ in unit]
        for case in cases:
            values = Overlay(self.steady, {need: self.values(need)[case] for need in needs})
            compute_unit(self.plan, Guarded(values), unit)
            for cell, line in zip(unit, found, strict=True):
                line.append(values[cell])
        model = self.plan.model
        return [Column.of(model, cell, line) for cell, line in zip(unit, found, strict=True)]

    def join(self, cell: int, parts: Sequence[tuple[Cases, Column]]) -> None:
        """Put the cases of a cell together."""
        arrays = [column.array for _, column in parts]
        whole = arrays[0]
        if len(parts) > 1:
            kind = np.result_type(*(array.dtype for array in arrays))
            whole = np.zeros((self.count, *whole.shape[1:]), kind)
            for cases, column in parts:
                whole[cases] = column.array
        self.arrays[cell] = settled(whole)
        failed = {
            int(cases[at]): value for cases, column in parts for at, value in column.failed.items()
        }
        if failed:
            self.failed[cell] = failed
            self.unsound.add(cell)
