"""Views of the values of a model: copy-on-write, or raising where a failed value is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from calcgraph.core.values import Failure, Series, UpstreamFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from calcgraph.core.values import Scalar, Value

FLATTEN = 8


class OverlayValues(Sequence["Value"]):
    """Copy-on-write values: those of a base, but for a few cells; read-only once evaluated."""

    __slots__ = ("base", "changed")

    def __init__(self, base: list[Value], changed: dict[int, Value]) -> None:
        """Read the values of ``base``, except those in ``changed``."""
        self.base = base
        self.changed = changed

    @classmethod
    def over(cls, values: Sequence[Value]) -> OverlayValues:
        """Start from values; a base with many changes is copied into a new one."""
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
        """Return a value."""
        if isinstance(cell, slice):
            return list(self)[cell]
        if cell < 0:
            cell += len(self.base)
        return self.changed[cell] if cell in self.changed else self.base[cell]

    def __setitem__(self, cell: int, value: Value) -> None:
        """Store a value, while the evaluation is running."""
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


def restrict_to(values: Sequence[Value], cells: Collection[int]) -> Sequence[Value]:
    """Drop the values that differ from the base, except those of some cells."""
    if not isinstance(values, OverlayValues):
        return values
    return OverlayValues(values.base, {n: v for n, v in values.changed.items() if n in cells})


class CheckedSeries(Sequence["Scalar"]):
    """The values of a series; reading a failed one raises ``UpstreamFailure``."""

    __slots__ = ("data",)

    def __init__(self, data: Sequence[Scalar | Failure]) -> None:
        """View values, to which more may be added."""
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    @overload
    def __getitem__(self, at: int) -> Scalar: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Scalar]: ...
    def __getitem__(self, at: int | slice) -> Scalar | Sequence[Scalar]:
        """Return a value or a slice; raise ``UpstreamFailure`` where one has failed."""
        found = self.data[at]
        for value in found if isinstance(at, slice) else (found,):  # type: ignore[union-attr]
            if isinstance(value, Failure):
                raise UpstreamFailure(value)
        return found  # type: ignore[return-value]


class CheckedValues:
    """A view of values for guarded code; reading a failed one raises ``UpstreamFailure``.

    ``in_progress`` holds the values so far of cells that are being computed label by label,
    ``results`` those of parts that are computed once.
    """

    __slots__ = ("in_progress", "results", "values")

    def __init__(self, values: list[Value] | OverlayValues) -> None:
        """View values, which may change."""
        self.values = values
        self.in_progress: dict[int, list[Any]] = {}
        self.results: dict[tuple[int, tuple[int, ...]], Scalar | Exception] = {}

    def __getitem__(self, cell: int) -> Value:
        """Return a value; raise ``UpstreamFailure`` if it has failed."""
        value = self.values[cell]
        if isinstance(value, Failure):
            raise UpstreamFailure(value)
        return value

    def __setitem__(self, cell: int, value: Value) -> None:
        """Store a value."""
        self.values[cell] = value

    def with_failures(self, cell: int) -> Sequence[Any]:
        """Return the values of a series, failures included."""
        if cell in self.in_progress:
            return self.in_progress[cell]
        series = self.values[cell]
        assert isinstance(series, Series), "only a series has entries"
        return series.data

    def entries(self, cell: int) -> Sequence[Scalar]:
        """Return the values of a series; reading a failed one raises ``UpstreamFailure``."""
        if cell in self.in_progress:
            return CheckedSeries(self.in_progress[cell])
        series = self.values[cell]
        assert isinstance(series, Series), "only a series has entries"
        return series.whole if series.failure is None else CheckedSeries(series.data)

    def unless_na(self, compute: Callable[..., Scalar], *parts: Callable[[], Scalar]) -> Scalar:
        """Compute from arguments; not applicable if one of them is, even where another failed."""
        found = [self.attempt(part) for part in parts]
        return None if None in found else compute(*map(self.value_of, found))

    def attempt(self, compute: Callable[[], Scalar]) -> Scalar | Exception:
        """Return a value, or the exception that its computation raised."""
        try:
            return compute()
        except (ArithmeticError, ValueError, LookupError) as error:
            return error

    def value_of(self, attempted: Scalar | Exception) -> Scalar:
        """Return a value, or raise the exception in its place."""
        if isinstance(attempted, Exception):
            raise attempted
        return attempted

    def once(self, part: int, labels: tuple[int, ...], compute: Callable[[], Scalar]) -> Scalar:
        """Compute a part at its first use; later return the same, or raise the same exception."""
        key = part, labels
        if key not in self.results:
            self.results[key] = self.attempt(compute)
        return self.value_of(self.results[key])
