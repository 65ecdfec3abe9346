"""Many cases of one plan: what varies is computed over arrays of cases, block by block."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from calcgraph.core.value import Failure, Series
from calcgraph.evaluate.around import shape_of
from calcgraph.evaluate.block import KINDS, Block, block_size
from calcgraph.evaluate.careful import FAILURES
from calcgraph.evaluate.values import Guarded
from calcgraph.plan.array_runtime import settled
from calcgraph.plan.cases import compile_cases, compile_units, stale_cells

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from calcgraph.core.value import Value
    from calcgraph.evaluate.run import Evaluation
    from calcgraph.model import Model


@dataclass(frozen=True, slots=True)
class Sweep:
    """Cells in many cases: of each an array, cases first, then its dims.

    Numbers and days have ``nan``, texts ``None`` for what is not applicable or failed; truths
    become numbers where one is. ``failures`` say by cell and case what failed, and why.
    """

    values: dict[int, NDArray[Any]]
    failures: dict[int, dict[int, Failure]] = field(default_factory=dict)


class Sweeper:
    """Fills the arrays of a sweep, block by block."""

    def __init__(
        self, base: Evaluation, given: dict[int, NDArray[Any]], wanted: tuple[int, ...]
    ) -> None:
        """Make room for all cases."""
        self.plan = base.plan
        self.steady = list(base.values)
        self.given = given
        self.count = min(map(len, given.values()))
        self.stale = stale_cells(base.plan, given, wanted)
        self.wanted = [cell for cell in wanted if cell in {*given, *self.stale}]
        self.code = compile_cases(base.plan, given, self.stale, self.wanted)
        model = base.plan.model
        self.values = Guarded(self.steady)
        self.found = {cell: _room(model, cell, self.count) for cell in wanted}
        self.failures: dict[int, dict[int, Failure]] = {}

    def run(self) -> Sweep:
        """Run all blocks; a cell that does not vary is the same in all cases."""
        for cell in self.found:
            if cell not in self.wanted:
                self.same(cell)
        size = block_size(self.plan, [*self.given, *self.stale])
        for start in range(0, self.count, size):
            self.block(start, min(start + size, self.count))
        return Sweep(self.found, self.failures)

    def block(self, start: int, stop: int) -> None:
        """Run cases together; where that stops, unit by unit."""
        given = {cell: settled(values[start:stop]) for cell, values in self.given.items()}
        if self.code is not None:
            try:
                arrays = self.code(self.values, stop - start, given)
            except FAILURES:
                pass
            else:
                for cell, array in zip(self.wanted, arrays, strict=True):
                    self.place(cell, array)[start:stop] = array
                return
        block = Block(self.plan, self.steady, compile_units(self.plan, given, self.stale), given)
        block.run()
        for cell in self.wanted:
            array = block.arrays[cell]
            self.place(cell, array)[start:stop] = array
            for case, value in block.failed.get(cell, {}).items():
                self.put(cell, start + case, value)

    def same(self, cell: int) -> None:
        """Put the value of a cell that does not vary in all cases."""
        self.put(cell, 0, self.steady[cell])
        self.found[cell][1:] = self.found[cell][0]
        for failure in self.failures.get(cell, {}).copy().values():
            self.failures[cell] = dict.fromkeys(range(self.count), failure)

    def place(self, cell: int, array: NDArray[Any]) -> NDArray[Any]:
        """Give the array of a cell; truths that may be na need numbers."""
        if self.found[cell].dtype == bool and array.dtype != bool:
            self.found[cell] = self.found[cell].astype(float)
        return self.found[cell]

    def put(self, cell: int, case: int, value: Value) -> None:
        """Put the value of a cell in a case, a gap where it failed."""
        data = list(value.data) if isinstance(value, Series) else [value]
        failed = next((one for one in data if isinstance(one, Failure)), None)
        if failed is not None:
            self.failures.setdefault(cell, {})[case] = failed
        gaps = [None if isinstance(one, Failure) else one for one in data]
        if self.found[cell].dtype != object and None in gaps:
            array = np.array([np.nan if one is None else one for one in gaps], float)
        else:
            array = np.array(gaps, self.found[cell].dtype)
        place = self.place(cell, array)
        place[case] = array.reshape(place.shape[1:])


def typed(model: Model, cell: int, values: ArrayLike) -> NDArray[Any]:
    """Make an array of the values of an input."""
    array = np.asarray(values, KINDS.get(model.cells[cell].type.kind, np.float64))
    return array.reshape(-1, *shape_of(model, cell))


def _room(model: Model, cell: int, count: int) -> NDArray[Any]:
    kind = KINDS.get(model.cells[cell].type.kind, np.float64)
    return np.empty((count, *shape_of(model, cell)), kind)
