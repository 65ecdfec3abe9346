"""The values of a cell in many cases: an array with cases first, and the cases that failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from calcgraph.core.values import Failure, Kind, Series, array_of, plain_values
from calcgraph.engine.array_runtime import settled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from calcgraph.core.values import Value
    from calcgraph.model import Model

Array: TypeAlias = "NDArray[Any]"

KINDS: dict[Kind, type[np.generic]] = {Kind.TRUTH: np.bool_, Kind.TEXT: np.object_}


@dataclass(slots=True)
class CaseValues:
    """The values of a cell in many cases: an array, cases first, then the cell's dims.

    Numbers and days have ``nan``, texts ``None`` for what is not applicable or failed; truths
    become numbers where one is. ``failed`` holds the values of the cases that failed.
    """

    array: Array
    failed: dict[int, Value] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Model, cell: int, values: Sequence[Value]) -> CaseValues:
        """Make an array of the values of a cell."""
        failed = {case: value for case, value in enumerate(values) if has_failed(value)}
        kind = KINDS.get(model.cells[cell].type.kind, np.float64)
        if model.cells[cell].type.dims:
            shape = model.shape(model.cells[cell].type.dims).sizes
            return cls(settled(np.stack([_line(value, shape, kind) for value in values])), failed)
        items = [None if case in failed else value for case, value in enumerate(values)]
        has_gaps = kind is np.bool_ and None in items
        return cls(np.array(items, np.float64 if has_gaps else kind), failed)

    def values(self, model: Model, cell: int) -> list[Value]:
        """Return the value of each case."""
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


def _line(value: Value, shape: tuple[int, ...], kind: type[np.generic]) -> Array:
    """Make an array of a series, with gaps for what failed."""
    assert isinstance(value, Series), "a cell along dims is a series"
    if value.failure is None:
        array = value.array(shape)
    else:
        gaps = [None if isinstance(one, Failure) else one for one in value.data]
        array = array_of(gaps).reshape(shape)
    is_lost = kind is np.object_ and array.dtype != np.object_
    return np.full(shape, None, np.object_) if is_lost else array


def has_failed(value: Value) -> bool:
    """Whether a value, or one of a series, could not be computed."""
    return value.failure is not None if isinstance(value, Series) else isinstance(value, Failure)


def typed(model: Model, cell: int, values: ArrayLike) -> Array:
    """Make an array of the values of an input."""
    array = np.asarray(values, KINDS.get(model.cells[cell].type.kind, np.float64))
    return array.reshape(-1, *model.shape(model.cells[cell].type.dims).sizes)


def joined(parts: Sequence[CaseValues]) -> CaseValues:
    """Concatenate blocks of cases."""
    failed: dict[int, Value] = {}
    start = 0
    for part in parts:
        failed.update({start + case: value for case, value in part.failed.items()})
        start += len(part.array)
    return CaseValues(np.concatenate([part.array for part in parts]), failed)
