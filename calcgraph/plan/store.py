"""How generated code reads cells: plainly where nothing has failed, else with care."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


class CellAccess(Protocol):
    """What a writer asks about cells.

    ``asks_first`` says that arguments may fail, and that all are asked whether they are applicable.
    """

    asks_first: ClassVar[bool]

    def scalar(self, cell: int) -> str:
        """Write the value of a cell that does not vary."""

    def entries(self, cell: int) -> str:
        """Write the values of a series."""

    def current(self, cell: int) -> str | None:
        """Give the name that holds a cell's value at the current labels, if one does."""

    def before(self, cell: int) -> str | None:
        """Give the name that holds a cell's value at the label before, if one does."""

    def once(self, text: str, cells: set[int], loops: Mapping[str, int], where: str) -> str:
        """Compute a part that not all loops change only as often as need be."""


@dataclass(slots=True)
class UncheckedAccess:
    """For a function that computes many cells, of which none may fail.

    What is read is given a name once; ``lines`` are the statements so far. ``open`` are the cells
    that the loop being written computes; of those that ``held`` gives a name, it has the value at
    the current label, or at the one before until the cell is ``written``.
    """

    lines: list[str]
    asks_first: ClassVar[bool] = False
    scalars: dict[int, str] = field(default_factory=dict)
    series: dict[int, str] = field(default_factory=dict)
    held: dict[int, str] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    open: set[int] = field(default_factory=set)
    parts: int = 0

    def scalar(self, cell: int) -> str:
        """Write a name, which from then on holds the value."""
        if cell not in self.scalars:
            self.scalars[cell] = f"c{cell}"
            self.lines.append(f"c{cell} = v[{cell}]")
        return self.scalars[cell]

    def entries(self, cell: int) -> str:
        """Write the name of a list."""
        if cell not in self.series:
            self.series[cell] = f"d{cell}"
            self.lines.append(f"d{cell} = v[{cell}].whole")
        return self.series[cell]

    def current(self, cell: int) -> str | None:
        """Give the name that holds a cell's value at the current labels."""
        return self.held[cell] if cell in self.written and cell in self.held else None

    def before(self, cell: int) -> str | None:
        """Give the name that still holds a cell's value at the label before."""
        return None if cell in self.written else self.held.get(cell)

    def once(self, text: str, cells: set[int], loops: Mapping[str, int], where: str) -> str:
        """Compute a part before the loops, unless it needs what they compute."""
        if cells & self.open:
            return text
        name = f"r{self.parts}"
        self.parts += 1
        inner = " ".join(f"for {index} in range({size})" for index, size in loops.items())
        self.lines.append(f"{name} = [{text} {inner}]" if loops else f"{name} = {text}")
        return f"{name}[{where}]" if loops else name


@dataclass(slots=True)
class GuardedAccess:
    """For a function that computes one value, or stops with what failed: ``v`` is guarded.

    ``reading`` gives the values of a series: guarded ones, or with failures in their places.
    """

    asks_first: ClassVar[bool] = True
    reading: str = "v.entries"
    parts: int = 0

    def scalar(self, cell: int) -> str:
        """Write the place among all values."""
        return f"v[{cell}]"

    def entries(self, cell: int) -> str:
        """Write the guarded values of a series."""
        return f"{self.reading}({cell})"

    def current(self, cell: int) -> str | None:
        """Give none: each value is read where it lies."""
        del cell
        return None

    def before(self, cell: int) -> str | None:
        """Give none: each value is read where it lies."""
        del cell
        return None

    def once(self, text: str, cells: set[int], loops: Mapping[str, int], where: str) -> str:
        """Compute a part when it is needed first, and remember it."""
        del cells, where
        self.parts += 1
        labels = "".join(f"{index}, " for index in loops)
        return f"v.once({self.parts}, ({labels}), lambda: {text})"
