"""Values that are not applicable in arrays, and elementwise calls of scalar functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

Numbers: TypeAlias = "NDArray[np.float64]"
Truths: TypeAlias = "NDArray[np.bool_]"
Values: TypeAlias = "NDArray[Any]"

_NOTHING: Any = None


def values(given: ArrayLike | None) -> Values:
    """Return an array of numbers, truths or, as objects, texts; also of a single Python value."""
    if given is None:
        return np.asarray(np.nan)
    array = np.asarray(given)
    return array.astype(object) if array.dtype.kind == "U" else array


def texts(given: ArrayLike | None) -> Values:
    """Return an array of texts as objects; an array of numbers holds only values that are na."""
    array = values(given)
    return array if array.dtype == object else np.full(array.shape, None, object)


def truths(given: ArrayLike | None) -> Truths:
    """Return an array of truths; what is not applicable is false."""
    array = values(given)
    return array if array.dtype == np.bool_ else np.equal(array, 1.0)


def is_na(given: ArrayLike | None) -> Truths:
    """Whether values are not applicable: ``nan``, and ``None`` among texts."""
    array = values(given)
    if array.dtype == np.bool_:
        return np.zeros(array.shape, np.bool_)
    if array.dtype == object:
        return np.asarray(np.equal(array, None), np.bool_)  # type: ignore[call-overload]
    return np.isnan(array)


def with_na(result: ArrayLike, *args: ArrayLike | None) -> Values:
    """Make a result not applicable where one of its arguments is; truths become 1.0 and 0.0."""
    missing: Truths = np.zeros((), np.bool_)
    for arg in args:
        missing = missing | is_na(arg)
    return blanked(values(result), missing)


def blanked(array: Values, missing: ArrayLike) -> Values:
    """Make values not applicable where ``missing``; truths become 1.0 and 0.0."""
    return np.where(missing, _NOTHING if array.dtype == object else np.nan, array)


def strict() -> Any:  # noqa: ANN401 - numpy's own type changes its name with its version
    """Let numpy raise at a result that is not finite."""
    return np.errstate(divide="raise", invalid="raise", over="raise")


def each(function: Callable[..., float], *args: ArrayLike) -> Numbers:
    """Call a function of numbers element by element; what is not applicable stays so."""
    arrays = np.broadcast_arrays(*(np.asarray(arg, np.float64) for arg in args))
    known = ~np.isnan(arrays[0])
    for array in arrays[1:]:
        known &= ~np.isnan(array)
    found: Numbers = np.full(arrays[0].shape, np.nan)
    if known.any():
        found[known] = np.frompyfunc(function, len(arrays), 1)(*(array[known] for array in arrays))
    return found


def each_text(function: Callable[..., str | None], *args: ArrayLike | None) -> Values:
    """Call a function that returns texts element by element; ``None`` is passed for na."""
    arrays = [np.where(is_na(arg), _NOTHING, values(arg)) for arg in args]
    return np.asarray(np.frompyfunc(function, len(arrays), 1)(*arrays), object)
