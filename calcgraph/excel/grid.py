"""What a workbook holds before any library is asked to write it: pages of cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from calcgraph.excel.plots import Plot

Cached: TypeAlias = "float | bool | str | None"

OPEN, CLOSE = "\x01", "\x02"


def ref(name: str) -> str:
    """Refer to a defined name within a formula; it is settled when all places are known."""
    return f"{OPEN}{name}{CLOSE}"


@dataclass(frozen=True, slots=True)
class XlsxCell:
    """One cell: a constant, or a formula with the value it gives (an error text for a failure).

    ``link`` leads to a place of the workbook, ``url`` to the web.
    """

    value: Cached = None
    formula: str = ""
    style: str = "text"
    format: str = ""
    link: str = ""
    url: str = ""
    align: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """What an input cell accepts: ``kind`` is decimal, date or list; with a prompt."""

    cells: str
    kind: Literal["decimal", "list"]
    first: str = ""
    second: str = ""
    prompt: str = ""


@dataclass(slots=True)
class Page:
    """A sheet being filled; rows and columns count from 1."""

    name: str
    title: str
    purpose: str
    widths: tuple[float, ...]
    freeze: str = "B5"
    cells: dict[tuple[int, int], XlsxCell] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    marks: list[tuple[str, str]] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    last_printed: int = 0
    periods: int = 0
    labels: str = ""
    row: int = 1

    def put(self, row: int, column: int, cell: XlsxCell) -> None:
        """Fill one cell."""
        self.cells[row, column] = cell

    def at(self, row: int, column: int, *, sheet: bool = False) -> str:
        """Give an address: ``$B$6``, with the sheet in front where asked."""
        local = f"${letters(column)}${row}"
        return f"{quoted(self.name)}!{local}" if sheet else local


@cache
def letters(column: int) -> str:
    """Give a column's letters."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def quoted(sheet: str) -> str:
    """Write a sheet's name as formulas do."""
    return "'" + sheet.replace("'", "''") + "'"
