"""What a cell can hold once it is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Failure:
    """A number that could not be computed: ``cell`` is the first one to blame, ``at`` its label."""

    kind: str
    cell: int
    message: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one cell along its dims, in the order of their labels (last dim fastest).

    Where a value could not be computed, a ``Failure`` stands in its place.
    """

    dims: tuple[str, ...]
    data: Sequence[Scalar | Failure]


Scalar: TypeAlias = float | bool | str | None
"""A number in the cell's unit, a truth, a text or key, a day (its Excel number); ``None`` is na."""

Value: TypeAlias = Scalar | Series | Failure
