"""Functions that generated numpy code calls, besides those of the function table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from calcgraph.core.values import plain_values
from calcgraph.engine.runtime import position
from calcgraph.functions.kernels.array_scalar import truths, values
from calcgraph.functions.kernels.arrays import choose, is_na, with_na
from calcgraph.functions.kernels.scalar import NonFinite

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from calcgraph.core.values import Dim, Scalar

Array: TypeAlias = "NDArray[Any]"
Part: TypeAlias = "Any | tuple[Callable[..., Any], tuple[Any, ...], bool]"
"""A value, or a function that computes it, its arguments, and whether it is costly."""


def single(value: Scalar) -> Any:  # noqa: ANN401 - a number as numpy has it, any other as it is
    """Wrap a value that does not vary, so that numpy's error checks apply to its arithmetic."""
    if value is None:
        return np.float64(np.nan)
    return np.float64(value) if isinstance(value, float) else value


def checked(found: Any, shape: tuple[int, ...], kind: str, may_be_na: bool) -> Array:  # noqa: ANN401, FBT001
    """Broadcast a result to its full shape; raise ``NonFinite`` at a number that may not occur."""
    array = np.asarray(found)
    if kind in {"number", "date"}:
        array = np.asarray(array, np.float64)
        fine = not np.isinf(array).any() if may_be_na else np.isfinite(array).all()
        if not fine:
            raise NonFinite
    elif kind == "text" and array.dtype != object:
        array = array.astype(object) if array.dtype.kind == "U" else _no_texts(array)
    return array if array.shape == shape else np.array(np.broadcast_to(array, shape))


def _no_texts(array: Array) -> Array:
    return np.full(array.shape, None, object)


def empty(shape: tuple[int, ...], axis: int, kind: str, may_be_na: bool) -> Array:  # noqa: FBT001
    """Allocate an array to fill label by label: the values of each label are contiguous."""
    sizes = (shape[axis], *shape[1:axis], *shape[axis + 1 :], *shape[: min(axis, 1)])
    if kind == "text":
        array: Array = np.full(sizes, None, object)
    else:
        array = np.empty(sizes, bool if kind == "truth" and not may_be_na else np.float64)
    return np.moveaxis(np.moveaxis(array, -1, 0), 1, axis) if axis else array


def settled(array: Array) -> Array:
    """Lay out an array with cases first in memory: cases innermost where there are many."""
    many = len(array) * len(array) >= array.size
    return innermost(array) if many else np.ascontiguousarray(array)


def innermost(array: Array) -> Array:
    """Copy an array so that its first axis is innermost in memory."""
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 0, -1)), -1, 0)


def line(array: Any, sizes: tuple[int, ...]) -> Array:  # noqa: ANN401
    """Merge the last axes, broadcast to their full sizes, into one."""
    array = np.asarray(array)
    outer = array.shape[: max(array.ndim - len(sizes), 0)]
    return np.broadcast_to(array, (*outer, *sizes)).reshape(*outer, -1)


def before(array: Any, initial: Any, axis: int, size: int) -> Array:  # noqa: ANN401
    """Return the values at the previous label along an axis, counted from the last."""
    shape = np.broadcast_shapes(np.shape(array), (size,) + (1,) * (-axis - 1))
    moved = np.roll(np.broadcast_to(array, shape), 1, axis)
    is_first = (np.arange(size) == 0).reshape((size,) + (1,) * (-axis - 1))
    if moved.dtype == object or isinstance(initial, str):
        initial = np.asarray(initial, object)
    return np.where(is_first, initial, moved)


def positions(dim: Dim, keys: Any) -> Any:  # noqa: ANN401 - a number, or an array of them
    """Find the indices of labels by their keys; -1 for a key that is not applicable."""

    def find(key: Scalar) -> int:
        return -1 if key is None or key != key else position(dim, key)  # noqa: PLR0124 - nan

    if not isinstance(keys, np.ndarray) or not keys.ndim:
        return find(keys.item() if isinstance(keys, np.generic | np.ndarray) else keys)
    wanted = keys.ravel().tolist()
    found = [dim.positions.get(key) for key in wanted]
    if None in found:
        found = [find(key) for key in wanted]
    return np.array(found, dtype=np.intp).reshape(keys.shape)


def cases(count: int, rank: int) -> Array:
    """Number the cases along the first axis of an array with ``rank`` more axes."""
    return np.arange(count).reshape((-1,) + (1,) * rank)


def pick(array: Array, indices: Sequence[Any]) -> Array:
    """Take entries by indices along each axis; -1 gives a value that is not applicable."""
    missing: Any = np.zeros((), bool)
    for index in indices:
        missing = missing | (np.asarray(index) < 0)
    found = array[tuple(indices)]
    if not missing.any():
        return np.asarray(found)
    if array.dtype == object:
        return np.where(missing, np.array(None, object), found)
    return np.where(missing, np.nan, found)


def chosen(*parts: Part) -> Array:
    """Choose by ``condition, value, …, otherwise``; not applicable where the condition is.

    All parts are computed whole; if that is costly or fails, each only where it is needed.
    """
    try:
        return choose(*map(_whole, parts))
    except (ArithmeticError, ValueError, LookupError, TooCostly):
        return _chosen_where_needed(parts)


class TooCostly(Exception):
    """Raised for a costly part, which is computed only where it is needed."""


def _whole(part: Part) -> Any:  # noqa: ANN401
    """Compute all of a part."""
    if not isinstance(part, tuple):
        return part
    compute, given, is_costly = part
    if is_costly:
        raise TooCostly
    return compute(*given)


def _chosen_where_needed(parts: Sequence[Part]) -> Array:
    taken: list[tuple[Array, Array | None]] = []
    is_open: Array = np.asarray(True)  # noqa: FBT003 - an array of one
    for condition, value in zip(parts[:-1:2], parts[1::2], strict=True):
        found = needed(condition, is_open)
        holds = truths(found)
        taken.append((found, _taken(value, holds & is_open)))
        is_open = is_open & ~holds
        if found.dtype != np.bool_:
            is_open = is_open & ~is_na(found)
        if not is_open.any():
            break
    return _put_together(taken, _taken(parts[-1], is_open))


def _put_together(taken: Sequence[tuple[Array, Array | None]], last: Array | None) -> Array:
    """Combine the values of branches; ``None`` marks one that no condition chooses."""
    for condition, value in reversed(taken):
        if value is not None:
            last = value if last is None else choose(condition, value, last)
        elif last is None:
            last = np.asarray(np.nan)
        if condition.dtype != np.bool_:
            last = with_na(last, condition)
    assert last is not None, "what is open somewhere has a value"
    return last


def _taken(part: Part, where: Array) -> Array | None:
    return needed(part, where) if where.any() else None


def needed(part: Part, where: Array) -> Array:
    """Compute a part; one that fails or is costly only where it is needed."""
    if not isinstance(part, tuple):
        return values(part)
    compute, given, is_costly = part
    is_whole = bool(where.all())
    if is_whole or not is_costly:
        try:
            return values(compute(*given))
        except (ArithmeticError, ValueError, LookupError):
            if is_whole:
                raise
    shape = np.broadcast_shapes(where.shape, *(np.shape(one) for one in given))
    where = np.broadcast_to(where, shape)
    few = (np.broadcast_to(one, shape)[where] if np.ndim(one) else one for one in given)
    found = values(compute(*few))
    whole = np.full(shape, np.nan if found.dtype.kind == "f" else None, found.dtype)
    whole[where] = found
    return whole


def caught(compute: Callable[[], Any], otherwise: Part) -> Array:
    """Return numbers, and ``otherwise`` where they are not finite."""
    with np.errstate(all="ignore"):
        found = np.asarray(compute())
    failed = ~np.isfinite(found)
    return np.where(failed, needed(otherwise, failed), found) if failed.any() else found


def moved(array: Array, behind: int) -> Array:
    """Move the last axis so that ``behind`` axes follow it."""
    if array.ndim <= behind:
        array = array.reshape((1,) * (behind + 1 - array.ndim) + array.shape)
    return np.moveaxis(array, -1, -1 - behind)


def value(array: Array, is_truth: bool) -> Scalar:  # noqa: FBT001
    """Return the only value of an array as a Python value."""
    found = plain_values(array)[0]
    return found if found is None or not is_truth else bool(found)
