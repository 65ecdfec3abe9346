"""A large cell some of whose arguments failed: only the labels that read those need care."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from calcgraph.core.value import Series
from calcgraph.model import Load, Pick, Prev, Reduce, Scan, op_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from calcgraph.core.value import Scalar, Value
    from calcgraph.evaluate.values import Guarded
    from calcgraph.model import Model, Op
    from calcgraph.plan import Plan


class Gapped:
    """A view of values in which what failed in a series is a gap."""

    def __init__(self, model: Model, values: Guarded) -> None:
        """Look at values; what is computed over them is held apart."""
        self.model = model
        self.values = values
        self.found: dict[int, Value] = {}

    def __getitem__(self, cell: int) -> Value:
        """Give a value; of a series one in which none has failed."""
        value = self.values[cell]
        if not isinstance(value, Series) or value.failure is None:
            return value
        return Series.of_array(value.dims, value.with_gaps(shape_of(self.model, cell))[0])

    def __setitem__(self, cell: int, value: Value) -> None:
        """Hold what was computed."""
        self.found[cell] = value


def compute_quickly(plan: Plan, values: Guarded, cell: int) -> list[Scalar] | None:
    """Compute a cell as if what failed were not applicable; none where that cannot be."""
    code = plan.with_gaps((cell,))
    if code is None:
        return None
    view = Gapped(plan.model, values)
    code(view)
    series = view.found[cell]
    assert isinstance(series, Series), "a cell along dims is a series"
    return list(series.whole)


def affected(model: Model, cell: int, values: Guarded) -> list[int]:
    """Give the places of a cell whose labels may read what failed."""
    dims = model.cells[cell].type.dims
    total = np.zeros(shape_of(model, cell), bool)
    op = model.cells[cell].op
    assert op is not None, "only calculated cells are computed"
    for number, axes in _reads(op, frozenset()):
        series = values.values[number]
        if isinstance(series, Series) and series.failure is not None:
            mask = series.with_gaps(shape_of(model, number))[1]
            total |= _spread(mask, axes, dims)
    return [int(at) for at in np.flatnonzero(total)]


def shape_of(model: Model, cell: int) -> tuple[int, ...]:
    """Give how many labels a cell has along each of its dims."""
    return tuple(model.dim(name).size for name in model.cells[cell].type.dims)


def _reads(op: Op, bound: frozenset[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Give the cells of a tree, and of each axis the dim it is read at; none for any label."""
    waiting = [(op, bound)]
    while waiting:
        part, over = waiting.pop()
        match part:
            case Load(cell, axes) | Pick(cell, axes):
                yield cell, ["" if name in over else name for name in axes]
            case Reduce(_, dims):
                over |= frozenset(dims)
            case Scan(_, dim) | Prev(dim):
                over |= {dim}
            case _:
                pass
        waiting.extend((inner, over) for inner in op_parts(part))


def _spread(mask: NDArray[Any], axes: Sequence[str], dims: Sequence[str]) -> NDArray[Any]:
    """Bring a mask to the axes of a cell: along an axis that is read at any label, if at all."""
    gone = tuple(at for at, name in enumerate(axes) if name not in dims)
    left = [name for name in axes if name in dims]
    found = np.asarray(mask.any(axis=gone))
    order = sorted(range(len(left)), key=lambda at: dims.index(left[at]))
    present = sorted(left, key=list(dims).index)
    shape = iter(found.transpose(order).shape)
    sizes = [next(shape) if name in present else 1 for name in dims]
    return found.transpose(order).reshape(sizes)
