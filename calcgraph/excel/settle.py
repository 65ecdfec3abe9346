"""References within formulas to names and addresses, once everything has its place."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.excel.grid import CLOSE, OPEN, letters, quoted

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
        found = list(parts)
        for at in range(1, len(parts), 2):
            found[at] = self._one(parts[at], row, column, page)
        return "".join(found)

    def _one(self, name: str, row: int, column: int, page: str) -> str:
        if name[0] == "#":
            return self._cells(name[1:].split(";"), row, column, page)
        if name[0] == "@":
            return self._head(name[1:].split(";"), row, column)
        assert name in self.places, f"{name} has a place"
        is_named = self.as_names and not name.startswith(INTERNAL)
        return name if is_named else self.places[name]

    def _cells(self, parts: list[str], row: int, column: int, page: str) -> str:
        """Give the address of cells of a block."""
        there = self.blocks[int(parts[1])]
        here = self.blocks.get(int(parts[0]))
        moved = (row - here.row, column - here.column) if here else (0, 0)
        top, bottom = _span(parts[2], moved[0], there.height)
        left, right = _span(parts[3], moved[1], there.width)
        fixed_row = _dollar(parts[2], here.height if here else 0)
        fixed_column = _dollar(parts[3], here.width if here else 0)

        def address(down: int, across: int) -> str:
            letter = letters(there.column + across)
            return f"{fixed_column}{letter}{fixed_row}{there.row + down}"

        found = address(top, left)
        if (top, left) != (bottom, right):
            found += f":{address(bottom, right)}"
        return found if there.page == page else f"{_sheet(there.page)}!{found}"

    def _head(self, parts: list[str], row: int, column: int) -> str:
        """Give the address of a label, or of a fact of it, beside the current cell."""
        number, dim, what, at = parts
        here = self.blocks[int(number)]
        head = here.heads[dim, what]
        if dim == here.frame.column:
            across = here.column + int(at[1:]) if at[0] == "#" else column
            return f"{letters(across)}${head}"
        down = here.row + int(at[1:]) if at[0] == "#" else row
        return f"${letters(head)}{down}"


def _sheet(page: str) -> str:
    return page if _BARE.fullmatch(page) and not _reads_as_address(page) else quoted(page)


def _reads_as_address(page: str) -> bool:
    from calcgraph.excel.names import reads_otherwise

    return reads_otherwise(page)


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
def _split(formula: str) -> tuple[str, ...]:
    """Cut a formula at its references, which stand at the odd places."""
    return tuple(_REFERENCE.split(formula))
