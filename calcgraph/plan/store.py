"""How generated code reads cells: unchecked, or raising where a value has failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


class CellAccess(Protocol):
    """How a writer reads cells.

    ``tests_na_first`` is true where an argument may fail: all are tested for na before that counts.
    """

    tests_na_first: ClassVar[bool]

    def scalar(self, cell: int) -> str:
        """Write the value of a scalar cell."""

    def entries(self, cell: int) -> str:
        """Write the values of a series."""

    def current(self, cell: int) -> str | None:
        """Return the name that holds a cell's value at the current labels, if any."""

    def before(self, cell: int) -> str | None:
        """Return the name that holds a cell's value at the previous label, if any."""

    def once(self, text: str, cells: set[int], loops: Mapping[str, int], where: str) -> str:
        """Compute a part once per value of the loops it varies with."""


@dataclass(slots=True)
class UncheckedAccess:
    """Reads for a function that computes many cells and stops if any fails.

    Each cell read gets a name once; ``lines`` are the statements so far. ``in_loop`` are the cells
    that the loop being written computes. A name in ``loop_names`` holds a cell's value at the
    current label once the cell is ``written``, and at the previous label until then.
    """

    lines: list[str]
    tests_na_first: ClassVar[bool] = False
    scalars: dict[int, str] = field(default_factory=dict)
    series: dict[int, str] = field(default_factory=dict)
    loop_names: dict[int, str] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    in_loop: set[int] = field(default_factory=set)
    parts: int = 0

    def scalar(self, cell: int) -> str:
        """Write the name of a variable that holds the value."""
        if cell not in self.scalars:
            self.scalars[cell] = f"c{cell}"
            self.lines.append(f"c{cell} = v[{cell}]")
        return self.scalars[cell]

    def entries(self, cell: int) -> str:
        """Write the name of the list of values."""
        if cell not in self.series:
            self.series[cell] = f"d{cell}"
            self.lines.append(f"d{cell} = v[{cell}].whole")
        return self.series[cell]

    def current(self, cell: int) -> str | None:
        """Return the name that holds a cell's value at the current labels."""
        return self.loop_names[cell] if cell in self.written and cell in self.loop_names else None

    def before(self, cell: int) -> str | None:
        """Return the name that still holds a cell's value at the previous label."""
        return None if cell in self.written else self.loop_names.get(cell)

    def once(self, text: str, cells: set[int], loops: Mapping[str, int], where: str) -> str:
        """Compute a part before the loops, unless it reads cells that they compute."""
        if cells & self.in_loop:
            return text
        name = f"r{self.parts}"
        self.parts += 1
        inner = " ".join(f"for {index} in range({size})" for index, size in loops.items())
        self.lines.append(f"{name} = [{text} {inner}]" if loops else f"{name} = {text}")
        return f"{name}[{where}]" if loops else name


@dataclass(slots=True)
class GuardedAccess:
    """Reads for a function that computes one value, or raises what failed: ``v`` is checked.

    ``reading`` is the call that returns the values of a series, checked or with failures.
    """

    tests_na_first: ClassVar[bool] = True
    reading: str = "v.entries"
    parts: int = 0

    def scalar(self, cell: int) -> str:
        """Write the checked value."""
        return f"v[{cell}]"

    def entries(self, cell: int) -> str:
        """Write the checked values of a series."""
        return f"{self.reading}({cell})"

    def current(self, cell: int) -> str | None:
        """Return none: each value is read from its cell."""
        del cell
        return None

    def before(self, cell: int) -> str | None:
        """Return none: each value is read from its cell."""
        del cell
        return None

    def once(self, text: str, cells: set[int], loops: Mapping[str, int], where: str) -> str:
        """Compute a part at its first use, and keep the result."""
        del cells, where
        self.parts += 1
        labels = "".join(f"{index}, " for index in loops)
        return f"v.once({self.parts}, ({labels}), lambda: {text})"
