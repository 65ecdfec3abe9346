"""Values of cells: their types, series along dimensions, and failures."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from calcgraph.core.units import PURE, Unit

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


class UpstreamFailure(ArithmeticError):
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
        """The values; raises ``UpstreamFailure`` if one has failed."""
        if not self._is_sound and (failure := self.failure):
            raise UpstreamFailure(failure)
        return self.data  # type: ignore[return-value]

    def array(self, shape: tuple[int, ...]) -> NDArray[Any]:
        """Return the values as an array of a shape; raise ``UpstreamFailure`` if one has failed."""
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


class Kind(Enum):
    """The kinds of values; ``ANY`` is the kind of ``na()``, which fits everywhere."""

    NUMBER = "number"
    TRUTH = "truth"
    TEXT = "text"
    DATE = "date"
    ANY = "not applicable"


@dataclass(frozen=True, slots=True)
class Type:
    """A kind, with the unit of a number, the table of a key, and the dims it varies over."""

    kind: Kind
    unit: Unit = PURE
    table: str = ""
    dims: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Describe the type to a user: ``USD/gpu/hour``, ``a pure number``, ``a text``."""
        if self.kind is Kind.NUMBER:
            if self.unit.is_pure:
                return "a pure number"
            return str(self.unit)
        if self.table:
            return f"a key of `{self.table}`"
        return {"truth": "true or false", "date": "a date"}.get(
            self.kind.value, f"a {self.kind.value}"
        )


NUMBER = Type(Kind.NUMBER)
TRUTH = Type(Kind.TRUTH)
TEXT = Type(Kind.TEXT)
DATE = Type(Kind.DATE)
ANY = Type(Kind.ANY)


DimKind: TypeAlias = Literal["labels", "count", "time", "table", "grid"]
HIDDEN_SEPARATOR = ":"
"""Separator in the name of a hidden (broadcast) dim, which a variant's sheets do not see."""


@dataclass(frozen=True, slots=True)
class Dim:
    """The labels of a dim, in order.

    ``keys`` are what cells compute with: a text; for a count, the index as a float; for a period,
    its first day as an Excel serial number. ``labels`` are what people read: ``us``, ``3``,
    ``2026-01``, ``8/4/1/full``. ``ends`` holds the day after the last day of each period.
    ``positions`` maps keys to indices.
    """

    name: str
    kind: DimKind
    keys: tuple[Scalar, ...]
    labels: tuple[str, ...]
    positions: dict[Scalar, int]
    ends: tuple[float, ...] = ()
    step: str = ""
    _places: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def place(self, label: str) -> int | None:
        """Return the index of a label, or ``None``; the lookup table is built on first use."""
        if not self._places:
            self._places.update({text: at for at, text in enumerate(self.labels)})
        return self._places.get(label)

    @property
    def size(self) -> int:
        """The number of labels."""
        return len(self.keys)

    @property
    def type(self) -> Type:
        """The type of its keys."""
        if self.kind == "time":
            return Type(Kind.DATE, PURE, self.name)
        if self.kind == "count":
            return Type(Kind.NUMBER, PURE, self.name)
        return Type(Kind.TEXT, PURE, self.name)


def visible_dim(name: str) -> str:
    """Return the visible name of a dim: a hidden name without the variant in front."""
    return name.rpartition(HIDDEN_SEPARATOR)[2]


def is_hidden(name: str) -> bool:
    """Whether a variant is broadcast along this dim without its sheets seeing it."""
    return HIDDEN_SEPARATOR in name
