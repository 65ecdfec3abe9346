"""One plan for many cases: what does not vary is computed once, the rest over arrays of cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series
from calcgraph.evaluate.careful import FAILURES
from calcgraph.evaluate.run import Evaluation, evaluate, recompute
from calcgraph.evaluate.values import Guarded, Overlay
from calcgraph.model import Change
from calcgraph.plan.cases import CaseCode, compile_cases, stale_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from calcgraph.core.value import Scalar, Value
    from calcgraph.model import Cell, Model
    from calcgraph.plan import Plan

BLOCK = 8_192
"""So many cases at once: their numbers stay near the processor."""
FEW = 16
"""So many cases are computed one by one."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Cells in many cases: of each an array, cases first, then its dims.

    Numbers and days have ``nan``, texts ``None`` for what is not applicable or failed; truths
    become numbers where one is. ``failures`` say by cell and case what failed, and why.
    """

    values: dict[int, NDArray[Any]]
    failures: dict[int, dict[int, Failure]] = field(default_factory=dict)


def evaluate_cases(plan: Plan, cases: Sequence[Sequence[Change]]) -> list[Evaluation]:
    """Compute every cell in some cases, each with changes of its own; what they share once."""
    base = evaluate(plan)
    return [recompute(base, case) for case in cases]


def sweep(base: Evaluation, inputs: Mapping[int, ArrayLike], wanted: Sequence[int]) -> Sweep:
    """Compute cells for arrays of values of inputs that do not vary over dims: one a case.

    All else is as in ``base``. Cases that fail are computed one by one, to say why.
    """
    cells = base.plan.model.cells
    given = {cell: _typed(cells[cell], values) for cell, values in inputs.items()}
    return _Sweeper(base, given, tuple(dict.fromkeys(wanted))).run()


class _Sweeper:
    """Fills the arrays of a sweep, block by block."""

    def __init__(
        self, base: Evaluation, given: dict[int, NDArray[Any]], wanted: tuple[int, ...]
    ) -> None:
        """Make room for all cases."""
        self.base = base
        self.given = given
        self.count = min(map(len, given.values()))
        stale = stale_cells(base.plan, given, wanted)
        self.wanted = [cell for cell in wanted if cell in given or cell in set(stale)]
        model = base.plan.model
        self.code: CaseCode | None = None
        if self.count > FEW:
            self.code = compile_cases(base.plan, given, stale, self.wanted)
        self.values = Guarded(Overlay.over(base.values))
        self.found = {cell: _room(model, cell, self.count) for cell in wanted}
        self.failures: dict[int, dict[int, Failure]] = {}

    def run(self) -> Sweep:
        """Run all blocks; a cell that does not vary is the same in all cases."""
        for cell in self.found:
            if cell not in self.wanted:
                for case in range(self.count):
                    self.put(cell, case, self.base.values[cell])
        for start in range(0, self.count, BLOCK):
            self.block(start, min(start + BLOCK, self.count))
        return Sweep(self.found, self.failures)

    def block(self, start: int, stop: int) -> None:
        """Run cases together; where that stops, halves of them."""
        if self.code is None or stop - start <= FEW:
            for case in range(start, stop):
                self.single(case)
            return
        given = {cell: values[start:stop] for cell, values in self.given.items()}
        try:
            arrays = self.code(self.values, stop - start, given)
        except FAILURES:
            middle = (start + stop) // 2
            self.block(start, middle)
            self.block(middle, stop)
            return
        for cell, array in zip(self.wanted, arrays, strict=True):
            self.place(cell, array)[start:stop] = array

    def place(self, cell: int, array: NDArray[Any]) -> NDArray[Any]:
        """Give the array of a cell; truths that may be na need numbers."""
        if self.found[cell].dtype == bool and array.dtype != bool:
            self.found[cell] = self.found[cell].astype(float)
        return self.found[cell]

    def single(self, case: int) -> None:
        """Run one case as an edit."""
        changes = [Change(cell, None, _plain(array[case])) for cell, array in self.given.items()]
        evaluation = recompute(self.base, changes)
        for cell in self.wanted:
            self.put(cell, case, evaluation.values[cell])

    def put(self, cell: int, case: int, value: Value) -> None:
        """Put the value of a cell in a case, a gap where it failed."""
        data = list(value.data) if isinstance(value, Series) else [value]
        failed = next((one for one in data if isinstance(one, Failure)), None)
        if failed is not None:
            self.failures.setdefault(cell, {})[case] = failed
        import numpy as np

        gaps = [None if isinstance(one, Failure) else one for one in data]
        if self.found[cell].dtype != object and None in gaps:
            array = np.array([np.nan if one is None else one for one in gaps], float)
        else:
            array = np.array(gaps, self.found[cell].dtype)
        place = self.place(cell, array)
        place[case] = array.reshape(place.shape[1:])


def _typed(cell: Cell, values: ArrayLike) -> NDArray[Any]:
    """Make an array of the values of an input."""
    import numpy as np

    assert not cell.type.dims, "an input along dims does not vary with cases"
    kinds = {Kind.TRUTH: np.bool_, Kind.TEXT: np.object_}
    return np.asarray(values, kinds.get(cell.type.kind, np.float64))


def _room(model: Model, cell: int, count: int) -> NDArray[Any]:
    import numpy as np

    shape = (count, *(model.dim(name).size for name in model.cells[cell].type.dims))
    kinds = {Kind.TRUTH: np.bool_, Kind.TEXT: np.object_}
    return np.empty(shape, kinds.get(model.cells[cell].type.kind, np.float64))


def _plain(value: Any) -> Scalar:  # noqa: ANN401
    """Give a value of an array as Python has it."""
    found: Scalar = value.item() if hasattr(value, "item") else value
    return None if found != found else found  # noqa: PLR0124 - nan
