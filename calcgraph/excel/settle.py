"""References within formulas to names and addresses, once everything has its place."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.excel.grid import CLOSE, OPEN, letters, quoted
from calcgraph.excel.names import reads_otherwise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calcgraph.excel.blocks import Block

INTERNAL = ("cg.live.", "cg.changes")
"""Places that no defined name stands for."""
_REFERENCE = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Settled:
    """Turns references within formulas into names, or into addresses for houses that ban names.

    Those to blocks become addresses as seen from the cell that the formula stands in.
    """

    def __init__(
        self, places: dict[str, str], blocks: Mapping[int, Block], *, as_names: bool
    ) -> None:
        """Know every place."""
        self.places = places
        self.blocks = blocks
        self.as_names = as_names

    def text(self, formula: str, row: int = 0, column: int = 0, page: str = "") -> str:
        """Settle a formula that stands at a row and column."""
        parts = _split(formula)
        if len(parts) == 1:
            return formula
        return "".join(
            part if isinstance(part, str) else self._one(part, row, column, page) for part in parts
        )

    def _one(self, mark: tuple[str, ...], row: int, column: int, page: str) -> str:
        if mark[0] == "#":
            return self._cells(mark, row, column, page)
        if mark[0] == "@":
            return self._head(mark, row, column)
        name = mark[0]
        assert name in self.places, f"{name} has a place"
        is_named = self.as_names and not name.startswith(INTERNAL)
        return name if is_named else self.places[name]

    def _cells(self, parts: tuple[str, ...], row: int, column: int, page: str) -> str:
        """Give the address of cells of a block."""
        _, current, meant, rows, columns = parts
        there, here = self.blocks[int(meant)], self.blocks.get(int(current))
        moved = (row - here.row, column - here.column) if here else (0, 0)
        top, bottom = _span(rows, moved[0], there.height)
        left, right = _span(columns, moved[1], there.width)
        fixed_row = _dollar(rows, here.height if here else 0)
        fixed_column = _dollar(columns, here.width if here else 0)

        def address(down: int, across: int) -> str:
            letter = letters(there.column + across)
            return f"{fixed_column}{letter}{fixed_row}{there.row + down}"

        found = address(top, left)
        if (top, left) != (bottom, right):
            found += f":{address(bottom, right)}"
        return found if there.page == page else f"{_sheet(there.page)}!{found}"

    def _head(self, parts: tuple[str, ...], row: int, column: int) -> str:
        """Give the address of a label, or of a fact of it, beside the current cell."""
        _, number, dim, what, at = parts
        here = self.blocks[int(number)]
        head = here.heads[dim, what]
        if dim == here.frame.column:
            across = here.column + int(at[1:]) if at[0] == "#" else column
            return f"{letters(across)}${head}"
        down = here.row + int(at[1:]) if at[0] == "#" else row
        return f"${letters(head)}{down}"


@lru_cache(maxsize=1024)
def _sheet(page: str) -> str:
    return page if _BARE.fullmatch(page) and not reads_otherwise(page) else quoted(page)


def _span(code: str, moved: int, size: int) -> tuple[int, int]:
    """Give the first and last of what is meant, from the first value on."""
    match code[0]:
        case "=":
            at = moved + int(code[1:] or 0)
            return at, at
        case "#":
            return int(code[1:]), int(code[1:])
        case "<":
            return -1, size - 1
        case _:
            return 0, size - 1


def _dollar(code: str, size: int) -> str:
    """Fix what stays the same in all cells of a block: nothing where there is one only."""
    return "" if code[0] == "=" or size == 1 else "$"


@lru_cache(maxsize=4096)
def _split(formula: str) -> tuple[str | tuple[str, ...], ...]:
    """Cut a formula at its references, each taken apart."""
    parts = _REFERENCE.split(formula)
    return tuple(_parsed(part) if at % 2 else part for at, part in enumerate(parts))


def _parsed(mark: str) -> tuple[str, ...]:
    return (mark[0], *mark[1:].split(";")) if mark[0] in "#@" else (mark,)
