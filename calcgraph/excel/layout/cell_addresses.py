"""Marks of references in formulas to names and addresses, once all cells are placed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias
from xml.sax.saxutils import escape

from calcgraph.excel.layout.defined_names import reads_otherwise
from calcgraph.excel.xlsx.pages import CLOSE, OPEN, letters, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.excel.layout.blocks import Block

INTERNAL = ("cg.live.", "cg.changes")
"""Prefixes of places without a defined name."""
_REFERENCE = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Shift:
    """A row or column of a reference, relative to the cell of the formula."""

    is_column: bool
    by: int


Piece: TypeAlias = "str | Shift"


@dataclass(frozen=True, slots=True)
class Template:
    """A formula resolved for all cells that share it: texts, and the shifts between them."""

    texts: tuple[str, ...]
    shifts: tuple[Shift, ...]
    order: tuple[int, ...]

    def at(self, row: int, column: int) -> str:
        """Print the formula of the cell at a row and column."""
        known = [
            letters(column + shift.by) if shift.is_column else str(row + shift.by)
            for shift in self.shifts
        ]
        if len(known) <= 1:
            return "".join(known).join(self.texts)
        between = [known[at] for at in self.order]
        return "".join(chain.from_iterable(zip(self.texts, [*between, ""], strict=True)))


class ResolvedAddresses:
    """Resolves references in formulas to names, or to addresses where names are not wanted.

    References to blocks become addresses relative to the cell of the formula.
    """

    def __init__(
        self, places: dict[str, str], blocks: Mapping[int, Block], *, as_names: bool
    ) -> None:
        """Store the addresses of names and the blocks."""
        self.places = places
        self.blocks = blocks
        self.as_names = as_names
        self._templates: dict[tuple[str, str], Template] = {}

    def text(self, formula: str) -> str:
        """Print a formula that belongs to no cell."""
        return self._template(formula, "").at(0, 0)

    def xml(self, formula: str, row: int, column: int, page: str) -> str:
        """Print the formula of the cell at a row and column, escaped for XML."""
        template = self._templates.get((formula, page))
        if template is None:
            template = self._template(formula, page)
            template = replace(template, texts=tuple(map(escape, template.texts)))
            self._templates[formula, page] = template
        return template.at(row, column)

    def _template(self, formula: str, page: str) -> Template:
        """Resolve all of a formula that does not depend on the row and column."""
        texts = [""]
        shifts: dict[Shift, int] = {}
        order: list[int] = []
        for at, part in enumerate(_REFERENCE.split(formula)):
            for piece in self._one(part, page) if at % 2 else [part]:
                if isinstance(piece, str):
                    texts[-1] += piece
                else:
                    order.append(shifts.setdefault(piece, len(shifts)))
                    texts.append("")
        return Template(tuple(texts), tuple(shifts), tuple(order))

    def _one(self, mark: str, page: str) -> list[Piece]:
        if mark[0] == "#":
            return self._cells(mark[1:].split(";"), page)
        if mark[0] == "@":
            return self._head(mark[1:].split(";"))
        assert mark in self.places, f"{mark} has a place"
        is_named = self.as_names and not mark.startswith(INTERNAL)
        return [mark if is_named else self.places[mark]]

    def _cells(self, parts: Sequence[str], page: str) -> list[Piece]:
        """Return the address of cells of a block."""
        current, meant, rows, columns = parts
        there, here = self.blocks[int(meant)], self.blocks.get(int(current))
        row, column = (here.row, here.column) if here else (None, None)
        downs = _span(rows, (there.row, there.height), row, is_column=False)
        acrosses = _span(columns, (there.column, there.width), column, is_column=True)
        fixed_row = _dollar(rows, here.height if here else 0)
        fixed_column = _dollar(columns, here.width if here else 0)
        corners = [
            [fixed_column, _column(across), fixed_row, _row(down)]
            for down, across in zip(downs, acrosses, strict=True)
        ]
        found: list[Piece] = [] if there.page == page else [f"{_sheet(there.page)}!"]
        found += corners[0]
        return found if corners[0] == corners[1] else [*found, ":", *corners[1]]

    def _head(self, parts: Sequence[str]) -> list[Piece]:
        """Return the address of a label, or of a fact about it, in a header."""
        number, dim, what, at = parts
        here = self.blocks[int(number)]
        head, first = here.heads[dim, what], at[0] == "#"
        if dim == here.frame.column:
            across = here.column + int(at[1:]) if first else Shift(is_column=True, by=0)
            return [_column(across), f"${head}"]
        down = here.row + int(at[1:]) if first else Shift(is_column=False, by=0)
        return [f"${letters(head)}", _row(down)]


def _column(at: int | Shift) -> Piece:
    return letters(at) if isinstance(at, int) else at


def _row(at: int | Shift) -> Piece:
    return str(at) if isinstance(at, int) else at


@lru_cache(maxsize=1024)
def _sheet(page: str) -> str:
    return page if _BARE.fullmatch(page) and not reads_otherwise(page) else quoted(page)


def _span(
    code: str, there: tuple[int, int], here: int | None, *, is_column: bool
) -> Sequence[int | Shift]:
    """Return the first and last row, or column, that a code refers to.

    ``there`` is the start and size of the block referred to, ``here`` the start of the formula's
    block: a cell refers to the one at the same distance from the start.
    """
    start, size = there
    match code[0]:
        case "=":
            by = start + int(code[1:] or 0)
            at = by if here is None else Shift(is_column=is_column, by=by - here)
            return at, at
        case "#":
            return start + int(code[1:]), start + int(code[1:])
        case "<":
            return start - 1, start + size - 1
        case _:
            return start, start + size - 1


def _dollar(code: str, size: int) -> str:
    """Return ``$`` for what is the same in all cells of a block, unless it has only one."""
    return "" if code[0] == "=" or size == 1 else "$"
