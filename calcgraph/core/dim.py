"""A dim: the labels that cells vary over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from calcgraph.core.dimension import PURE
from calcgraph.core.type import Kind, Type

if TYPE_CHECKING:
    from calcgraph.core.value import Scalar

DimKind: TypeAlias = Literal["labels", "count", "time", "table", "grid"]
HIDDEN = ":"
"""Stands in the names of dims that a variant was lifted along, which its sheets do not see."""


@dataclass(frozen=True, slots=True)
class Dim:
    """The labels of a dim, in order.

    ``keys`` are what cells compute with: a text; of a count its position, 0.0 and so on; of a
    period its first day, as an Excel number. ``labels`` are what people read: ``us``, ``3``,
    ``2026-01``, ``8/4/1/full``. ``ends`` hold of each period the day behind its last one.
    ``positions`` find a label by its key.
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
        """Find a label as people read it; they are numbered when one is looked for first."""
        if not self._places:
            self._places.update({text: at for at, text in enumerate(self.labels)})
        return self._places.get(label)

    @property
    def size(self) -> int:
        """How many labels there are."""
        return len(self.keys)

    @property
    def type(self) -> Type:
        """What its keys are."""
        if self.kind == "time":
            return Type(Kind.DATE, PURE, self.name)
        if self.kind == "count":
            return Type(Kind.NUMBER, PURE, self.name)
        return Type(Kind.TEXT, PURE, self.name)


def plain_dim(name: str) -> str:
    """Give the dim behind a name under which a variant was lifted along it."""
    return name.rpartition(HIDDEN)[2]


def is_hidden(name: str) -> bool:
    """Whether the sheets of a variant do not see this dim."""
    return HIDDEN in name
