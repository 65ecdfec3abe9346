"""What a cell can hold once it is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Failure:
    """A number that could not be computed: ``cell`` is the first one to blame."""

    kind: str
    cell: int
    message: str


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one cell along its dims, in the order of their labels (last dim fastest)."""

    dims: tuple[str, ...]
    data: tuple[Scalar, ...]


Scalar: TypeAlias = float | bool | str | None
"""A number in the cell's unit, a truth, a text or key, a day (its Excel number); ``None`` is na."""

Value: TypeAlias = Scalar | Series | Failure
