"""Dims: the labels that cells vary over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from calcgraph.core.dimension import PURE
from calcgraph.core.type import Kind, Type

if TYPE_CHECKING:
    from calcgraph.core.value import Scalar

DimKind: TypeAlias = Literal["labels", "count", "time", "table", "grid"]
HIDDEN = ":"
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


def plain_dim(name: str) -> str:
    """Return the visible name of a dim: a hidden name without the variant in front."""
    return name.rpartition(HIDDEN)[2]


def is_hidden(name: str) -> bool:
    """Whether a variant is broadcast along this dim without its sheets seeing it."""
    return HIDDEN in name
