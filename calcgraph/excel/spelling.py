"""Everything a book computes as Excel text, and what those texts refer to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from calcgraph.excel.formula import Names, Piece, excel_piece, excel_text
from calcgraph.excel.names import NameBook
from calcgraph.model import Apply, Op

if TYPE_CHECKING:
    from calcgraph.model import Cell, Model, Step

_LONG = {
    "s": "seconds",
    "min": "minutes",
    "hour": "hours",
    "day": "days",
    "week": "weeks",
    "month": "months",
    "year": "years",
    "byte": "bytes",
    "bit": "bits",
}
COMPARISONS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "== in check": "=", "!= in check": "≠"}


@dataclass(frozen=True, slots=True)
class Factor:
    """A named conversion factor on the sheet of units."""

    name: str
    small: str
    big: str
    value: int


@dataclass(slots=True)
class Spelling:
    """Names for all cells, and the factors and rows that formulas turned out to need."""

    model: Model
    live: frozenset[int]
    book: NameBook = field(default_factory=NameBook)
    cells: dict[int, str] = field(default_factory=dict)
    base: dict[int, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    rows: dict[tuple[str, int], str] = field(default_factory=dict)
    factors: dict[str, Factor] = field(default_factory=dict)
    uses: dict[str, int] = field(default_factory=dict)

    def name_all(self) -> None:
        """Give every input, column and calculated cell its name; the base of live ones too."""
        for cell in self.model.cells:
            if cell.kind in {"input", "column", "calc"}:
                self.cells[cell.number] = self.book.take(cell.name)
        for number in sorted(self.live):
            self.base[number] = self.book.take(f"{self.model.cells[number].name}.base")
        for table in self.model.graph.tables:
            self.keys[table] = self.book.take(f"{table}.key")

    @property
    def names(self) -> Names:
        """What formulas refer to."""
        return Names(
            self.cells.__getitem__,
            lambda cell: self.model.cells[cell].may_be_na,
            lambda cell: bool(self.model.cells[cell].type.dims),
            self.keys.__getitem__,
            self.row_of,
            self.factor_of,
        )

    def text(self, op: Op) -> str:
        """Spell a tree."""
        return excel_text(op, self.names)

    def row_of(self, table: str, cell: int) -> str:
        """Name the cell that finds the row of a key once."""
        if (table, cell) not in self.rows:
            name = f"cg.row.{self.model.cells[cell].name}"
            self.rows[table, cell] = self.book.take(name)
        return self.rows[table, cell]

    def factor_of(self, step: Step) -> str:
        """Name a conversion factor: ``seconds_per_day``."""
        if step.name not in self.factors:
            small, _, big = step.name.partition("_per_")
            wanted = f"{_LONG.get(small, small)}_per_{big}"
            legal = "".join(char if char.isalnum() or char == "_" else "_" for char in wanted)
            self.factors[step.name] = Factor(self.book.take(legal), small, big, step.factor)
        self.uses[step.name] = self.uses.get(step.name, 0) + 1
        return self.factors[step.name].name


@dataclass(frozen=True, slots=True)
class Comparison:
    """A check taken apart: what is compared with what."""

    left: str
    mark: str
    right: str


def comparison(spelling: Spelling, cell: Cell) -> Comparison | None:
    """Take a check apart where it compares two numbers that are always applicable."""
    op = cell.op
    if not isinstance(op, Apply) or op.function.name not in COMPARISONS or any(op.may_be_na):
        return None
    left, right = (spelling.text(arg) for arg in op.args)
    return Comparison(left, op.function.name, right)


def condition(spelling: Spelling, cell: Cell) -> Piece:
    """Spell a check's condition."""
    assert cell.op is not None, "a check is computed"
    return excel_piece(cell.op, spelling.names)
