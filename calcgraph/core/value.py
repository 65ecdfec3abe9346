"""Computed values: scalars, series and failures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a value could not be computed: ``cell``, at label ``at``, is where it started."""

    kind: str
    cell: int
    message: str
    at: str = ""


class Blocked(ArithmeticError):
    """Raised when an upstream value failed; carries that failure to the cell that reads it.

    It is an ``ArithmeticError``, so that ``iferror`` catches the failures of other cells too.
    """

    def __init__(self, failure: Failure) -> None:
        """Wrap a failure."""
        super().__init__(failure.kind)
        self.failure = failure


class Series:
    """The values of a cell along its dims, flat in C order (the last dim varies fastest).

    A value that could not be computed is a ``Failure``. Values are stored as a sequence or as a
    numpy array (``nan`` where not applicable) and converted to the other on first use; treat both
    as read-only.
    """

    __match_args__ = ("dims", "data")
    __slots__ = ("_array", "_data", "_failure", "_is_sound", "_of_truths", "dims")

    def __init__(
        self,
        dims: tuple[str, ...],
        data: Sequence[Scalar | Failure] | None,
        array: NDArray[Any] | None = None,
        *,
        is_sound: bool | None = None,
        of_truths: bool = False,
    ) -> None:
        """Store values as a flat sequence, or as an array in the shape of the dims.

        ``is_sound`` promises that none has failed, which is otherwise found by a scan;
        ``of_truths`` marks the numbers of the array as truths.
        """
        self.dims = dims
        self._data = data
        self._array = array
        self._is_sound = is_sound
        self._of_truths = of_truths
        self._failure: Failure | None = None

    @classmethod
    def sound(cls, dims: tuple[str, ...], data: Sequence[Scalar]) -> Series:
        """Make a series of values, none of which has failed."""
        return cls(dims, data, is_sound=True)

    @classmethod
    def of_array(
        cls, dims: tuple[str, ...], array: NDArray[Any], *, of_truths: bool = False
    ) -> Series:
        """Make a series of an array of values, none of which has failed."""
        return cls(dims, None, array, is_sound=True, of_truths=of_truths)

    @property
    def data(self) -> Sequence[Scalar | Failure]:
        """The values in flat order, failures included."""
        if self._data is None:
            assert self._array is not None, "a series holds one or the other"
            values = plain_values(self._array)
            if self._of_truths:
                values = [None if value is None else bool(value) for value in values]
            self._data = values
        return self._data

    @property
    def failure(self) -> Failure | None:
        """The first failure, if any."""
        if self._is_sound is None:
            failed = (value for value in self.data if isinstance(value, Failure))
            self._failure = next(failed, None)
            self._is_sound = self._failure is None
        return self._failure

    @property
    def whole(self) -> Sequence[Scalar]:
        """The values; raises ``Blocked`` if one has failed."""
        if not self._is_sound and (failure := self.failure):
            raise Blocked(failure)
        return self.data  # type: ignore[return-value]

    def array(self, shape: tuple[int, ...]) -> NDArray[Any]:
        """Return the values as an array of a shape; raise ``Blocked`` if one has failed."""
        if self._array is None:
            self._array = array_of(self.whole)
        return self._array.reshape(shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Series):
            return NotImplemented
        if self.dims != other.dims:
            return False
        mine, theirs = self._array, other._array
        if mine is not None and theirs is not None and mine.dtype == theirs.dtype == float:
            mine, theirs = mine.ravel(), theirs.ravel()  # one may have axes, the other none
            return bool(((mine == theirs) | (mine != mine) & (theirs != theirs)).all())  # noqa: PLR0124 - nan
        return list(self.data) == list(other.data)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Series({self.dims!r}, {self.data!r})"


def array_of(values: Sequence[Scalar]) -> NDArray[Any]:
    """Convert values to a flat array: numbers, truths, or texts (objects); ``nan`` for ``None``."""
    import numpy as np  # deferred: small sheets never need it

    if any(isinstance(value, str) for value in values):
        return np.array(values, dtype=object)
    if values and all(isinstance(value, bool) for value in values):
        return np.array(values, dtype=bool)
    if any(isinstance(value, bool) for value in values):
        return np.array([np.nan if v is None else float(v) for v in values])
    return np.array(values, dtype=float)


def plain_values(array: NDArray[Any]) -> list[Scalar]:
    """Convert an array to a flat list of Python values, with ``None`` for ``nan``."""
    values: list[Scalar] = array.ravel().tolist()
    if array.dtype.kind == "f" and (array != array).any():  # noqa: PLR0124 - nan
        values = [None if value != value else value for value in values]  # noqa: PLR0124 - nan
    return values


Scalar: TypeAlias = float | bool | str | None
"""A number in the cell's unit, truth, text or key, date (Excel serial number); ``None`` is na."""

Value: TypeAlias = Scalar | Series | Failure
