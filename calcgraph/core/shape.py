"""Convert between flat indices, coordinates and labels of values along dims."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from calcgraph.core.values import Dim


@dataclass(frozen=True, slots=True)
class Shape:
    """Dims in order; the last one varies fastest (C order), as in ``Series.data``.

    A flat index counts values from 0; coordinates are one index per dim; labels are its texts.
    """

    dims: tuple[Dim, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of labels of each dim."""
        return tuple(dim.size for dim in self.dims)

    @property
    def size(self) -> int:
        """The number of values: 1 without dims."""
        return prod(self.sizes)

    @property
    def strides(self) -> tuple[int, ...]:
        """How many flat indices one step along each dim skips."""
        sizes = self.sizes
        return tuple(prod(sizes[at + 1 :]) for at in range(len(sizes)))

    def ravel(self, coordinates: Iterable[int]) -> int:
        """Return the flat index of coordinates."""
        flat_index = 0
        for dim, index in zip(self.dims, coordinates, strict=True):
            flat_index = flat_index * dim.size + index
        return flat_index

    def unravel(self, flat_index: int) -> tuple[int, ...]:
        """Return the coordinates of a flat index; raise ``IndexError`` if it is out of range."""
        if not 0 <= flat_index < self.size:
            message = f"flat index {flat_index} is outside the shape {self.sizes}"
            raise IndexError(message)
        found: list[int] = []
        for dim in reversed(self.dims):
            flat_index, index = divmod(flat_index, dim.size)
            found.append(index)
        return tuple(reversed(found))

    def labels(self, flat_index: int) -> tuple[str, ...]:
        """Return the label along each dim at a flat index."""
        pairs = zip(self.dims, self.unravel(flat_index), strict=True)
        return tuple(dim.labels[index] for dim, index in pairs)

    def all_coordinates(self) -> Iterator[tuple[int, ...]]:
        """Yield the coordinates of every value, in flat order."""
        return product(*map(range, self.sizes))

    def all_labels(self) -> Iterator[tuple[str, ...]]:
        """Yield the labels of every value, in flat order."""
        return product(*(dim.labels for dim in self.dims))

    def select(self, indices: Iterable[Iterable[int]]) -> Iterator[int]:
        """Yield the flat indices of all combinations of some indices along each dim."""
        return map(self.ravel, product(*indices))
