"""The values of a model: in which a failed one cannot be read by mistake, or as differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from calcgraph.core.value import Blocked, Failure, Series

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from calcgraph.core.value import Scalar, Value

FLATTEN = 8


class OverlayValues(Sequence["Value"]):
    """Values that differ from others in few places; nobody changes them once they are given out."""

    __slots__ = ("base", "changed")

    def __init__(self, base: list[Value], changed: dict[int, Value]) -> None:
        """Take ``base`` as it is but where it is ``changed``."""
        self.base = base
        self.changed = changed

    @classmethod
    def over(cls, values: Sequence[Value]) -> OverlayValues:
        """Start from values; many differences become a new base."""
        if not isinstance(values, OverlayValues):
            return cls(values if isinstance(values, list) else list(values), {})
        if len(values.changed) * FLATTEN > len(values.base):
            return cls(list(values), {})
        return cls(values.base, dict(values.changed))

    @overload
    def __getitem__(self, cell: int) -> Value: ...
    @overload
    def __getitem__(self, cell: slice) -> list[Value]: ...
    def __getitem__(self, cell: int | slice) -> Value | list[Value]:
        """Give a value."""
        if isinstance(cell, slice):
            return list(self)[cell]
        if cell < 0:
            cell += len(self.base)
        return self.changed[cell] if cell in self.changed else self.base[cell]

    def __setitem__(self, cell: int, value: Value) -> None:
        """Put a value in its place, while these are being computed."""
        self.changed[cell] = value

    def __len__(self) -> int:
        return len(self.base)

    def __iter__(self) -> Iterator[Value]:
        if not self.changed:
            return iter(self.base)
        values = self.base.copy()
        for cell, value in self.changed.items():
            values[cell] = value
        return iter(values)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def kept(values: Sequence[Value], cells: Collection[int]) -> Sequence[Value]:
    """Let go of what differs from the base, but in the cells that will be read."""
    if not isinstance(values, OverlayValues):
        return values
    return OverlayValues(values.base, {n: v for n, v in values.changed.items() if n in cells})


class CheckedSeries(Sequence["Scalar"]):
    """The values of a series, of which a failed one cannot be read by mistake."""

    __slots__ = ("data",)

    def __init__(self, data: Sequence[Scalar | Failure]) -> None:
        """Look at values, of which more may come."""
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    @overload
    def __getitem__(self, at: int) -> Scalar: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Scalar]: ...
    def __getitem__(self, at: int | slice) -> Scalar | Sequence[Scalar]:
        """Give a value or some, or stop with the failure that stands in its place."""
        found = self.data[at]
        for value in found if isinstance(at, slice) else (found,):  # type: ignore[union-attr]
            if isinstance(value, Failure):
                raise Blocked(value)
        return found  # type: ignore[return-value]


class CheckedValues:
    """A view of values in which a failed one cannot be read by mistake.

    ``open`` holds the values of cells that are being computed label by label.
    """

    __slots__ = ("memory", "open", "values")

    def __init__(self, values: list[Value] | OverlayValues) -> None:
        """Look at values, which may change."""
        self.values = values
        self.open: dict[int, list[Any]] = {}
        self.memory: dict[tuple[int, tuple[int, ...]], Scalar | Exception] = {}

    def __getitem__(self, cell: int) -> Value:
        """Give a value, or stop with the failure that stands in its place."""
        value = self.values[cell]
        if isinstance(value, Failure):
            raise Blocked(value)
        return value

    def __setitem__(self, cell: int, value: Value) -> None:
        """Put a value in its place."""
        self.values[cell] = value

    def raw(self, cell: int) -> Sequence[Any]:
        """Give the values of a series, with failures in their places."""
        if cell in self.open:
            return self.open[cell]
        series = self.values[cell]
        assert isinstance(series, Series), "only a series has entries"
        return series.data

    def entries(self, cell: int) -> Sequence[Scalar]:
        """Give the values of a series, of which a failed one stops who reads it."""
        if cell in self.open:
            return CheckedSeries(self.open[cell])
        series = self.values[cell]
        assert isinstance(series, Series), "only a series has entries"
        return series.whole if series.failure is None else CheckedSeries(series.data)

    def applied(self, compute: Callable[..., Scalar], *parts: Callable[[], Scalar]) -> Scalar:
        """Compute from values: nothing where one is not applicable, though another one failed."""
        found = [self.tried(part) for part in parts]
        return None if None in found else compute(*map(self.found, found))

    def tried(self, compute: Callable[[], Scalar]) -> Scalar | Exception:
        """Give a value, or why there is none."""
        try:
            return compute()
        except (ArithmeticError, ValueError, LookupError) as error:
            return error

    def found(self, tried: Scalar | Exception) -> Scalar:
        """Give a value, or fail as it did."""
        if isinstance(tried, Exception):
            raise tried
        return tried

    def once(self, part: int, labels: tuple[int, ...], compute: Callable[[], Scalar]) -> Scalar:
        """Compute a part at the first need; later give the same again, or fail in the same way."""
        key = part, labels
        if key not in self.memory:
            self.memory[key] = self.tried(compute)
        return self.found(self.memory[key])
