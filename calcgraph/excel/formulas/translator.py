"""Translates all cells of a model to Excel formulas, and collects what those refer to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from calcgraph.core.values import visible_dim
from calcgraph.excel.formulas.accuracy import approximate_cells, fallible_cells
from calcgraph.excel.formulas.pieces import guarded
from calcgraph.excel.formulas.references import ReferenceContext
from calcgraph.excel.formulas.series_functions import SCANS, SEQUENCES, running_start
from calcgraph.excel.formulas.translate import excel_piece, excel_text
from calcgraph.excel.layout.blocks import lines, make_block, marked, orient
from calcgraph.excel.layout.defined_names import NameBook
from calcgraph.excel.layout.given_entries import fill_lines, is_filled
from calcgraph.model import (
    Apply,
    Const,
    LabelFact,
    Load,
    Lookup,
    Op,
    Previous,
    Reduce,
    Scan,
    free_dims,
    walk_op,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.excel.formulas.pieces import FormulaPiece
    from calcgraph.excel.formulas.references import Residual
    from calcgraph.excel.layout.blocks import Block
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
NAMED = {"input", "column", "axis", "calc"}
COMPARISONS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "== in check": "=", "!= in check": "≠"}


@dataclass(frozen=True, slots=True)
class ConversionFactor:
    """A named conversion factor on the sheet of units."""

    name: str
    small: str
    big: str
    value: int


@dataclass(slots=True)
class FormulaTranslator:
    """Names of all cells, and the factors, rows and blocks that formulas need.

    ``texts`` are the formulas of single cells; a block has those of a cell along dims.
    """

    model: Model
    live: frozenset[int]
    touched: frozenset[tuple[int, int | None]] = frozenset()
    book: NameBook = field(default_factory=NameBook)
    cells: dict[int, str] = field(default_factory=dict)
    base: dict[int, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    lists: dict[tuple[str, str], str] = field(default_factory=dict)
    rows: dict[tuple[str, int], str] = field(default_factory=dict)
    factors: dict[str, ConversionFactor] = field(default_factory=dict)
    uses: dict[str, int] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    blocks: dict[int, Block] = field(default_factory=dict)
    helpers: dict[object, Block] = field(default_factory=dict)
    given: dict[int, Block] = field(default_factory=dict)
    computed: frozenset[int] = frozenset()
    rough: set[int] = field(default_factory=set)
    failing: frozenset[int] = frozenset()
    residuals: list[Residual] = field(default_factory=list)

    def name_all(self) -> None:
        """Name every input, column and calculated cell, and the exported value of live ones."""
        self.computed = frozenset(self.model.order)
        for cell in self.model.cells:
            if cell.kind in NAMED and self.shows(cell):
                self.cells[cell.number] = self.book.take(cell.name)
        filled = {cell.number for cell in self.model.cells if is_filled(cell.fill)}
        for number in sorted(self.live | filled):
            self.base[number] = self.book.take(f"{self.model.cells[number].name}.base")
        for name, table in self.model.graph.tables.items():
            if not table.is_grid:
                self.keys[name] = self.book.take(f"{name}.key")
        self.rough = approximate_cells(self.model)
        self.failing = fallible_cells(self.model)
        along = lines(self.model) | fill_lines(self.model)
        for cell in self.model.cells:
            if cell.type.dims and self.shows(cell):
                line = along.get(cell.number, "")
                frame = orient(self.model, cell.number, cell.type.dims, line)
                block = make_block(self.model, cell.number, cell.type.dims, frame)
                block.op, block.may_be_na = cell.op, cell.may_be_na
                if isinstance(cell.op, Scan):
                    block.opening = running_start(cell.op)
                self.blocks[cell.number] = block

    def text(self, op: Op) -> str:
        """Translate the tree of a single cell."""
        return excel_text(op, ReferenceContext(self))

    def translate(self, numbers: Iterable[int]) -> None:
        """Translate the formulas of cells and of their initial values."""
        for number in numbers:
            op, block = self.model.cells[number].op, self.blocks.get(number)
            assert op is not None, "a translated cell has a tree"
            if block is None:
                self.texts[number] = excel_text(op, ReferenceContext(self, owner=number))
            elif not block.text:
                block.text = excel_text(op, ReferenceContext(self, block, owner=number))
        self._translate_initial_values()

    def try_checks(self) -> None:
        """Translate checks to find the helpers they need; their formulas are written later."""
        uses = dict(self.uses)
        for cell in self.model.cells:
            is_check = cell.kind in {"check", "message"} and self.shows(cell)
            if is_check and cell.op is not None and not cell.type.dims:
                excel_piece(cell.op, ReferenceContext(self, owner=cell.number))
        self._translate_initial_values()
        self.uses = uses

    def _translate_initial_values(self) -> None:
        """Translate initial values until no new ones are needed."""
        while waiting := [b for b in self.blocks.values() if b.opening and not b.initial_formula]:
            for block in waiting:
                assert block.opening is not None, "each of these has an opening"
                before = ReferenceContext(self, block, block.frame.line, block.number)
                block.initial_formula = excel_text(block.opening, before)

    def block(self, number: int) -> Block:
        """Return the block of a cell along dims."""
        return self.blocks[number]

    def shows(self, cell: Cell) -> bool:
        """Whether a cell is in the workbook: unused cells of a sub-model are not computed."""
        return cell.op is None or cell.number in self.computed

    def is_down(self, number: int) -> bool:
        """Whether a cell is a column of a block."""
        return number in self.blocks and self.blocks[number].frame.is_down

    def name_of(self, number: int) -> str:
        """Name all values of a cell; empty where it has no name."""
        return self.cells.get(number, "")

    def list_of(self, dim: str, what: str) -> str:
        """Name the list of a dim's keys, indices, ends or lengths."""
        plain = visible_dim(dim)
        if what == "key" and plain in self.keys:
            return self.keys[plain]
        if (plain, what) not in self.lists:
            self.lists[plain, what] = self.book.take(f"{plain}.{what}")
        return self.lists[plain, what]

    def row_of(self, table: str, cell: int) -> str:
        """Name the cell that looks up the position of a key once."""
        if (table, cell) not in self.rows:
            name = f"cg.row.{self.model.cells[cell].name}"
            self.rows[table, cell] = self.book.take(name)
            self.list_of(table, "key")
        return self.rows[table, cell]

    def factor_of(self, step: Step) -> str:
        """Name a conversion factor: ``seconds_per_day``."""
        if step.name not in self.factors:
            small, _, big = step.name.partition("_per_")
            wanted = f"{_LONG.get(small, small)}_per_{big}"
            legal = "".join(char if char.isalnum() or char == "_" else "_" for char in wanted)
            legal = f"_{legal}" if legal[0].isdigit() else legal  # a base without a unit
            self.factors[step.name] = ConversionFactor(
                self.book.take(legal), small, big, step.factor
            )
        self.uses[step.name] = self.uses.get(step.name, 0) + 1
        return self.factors[step.name].name

    def is_computed(self, op: Op) -> bool:
        """Whether an argument has formulas, which can fail, or is made of labels."""
        if isinstance(op, Load):
            return self.model.cells[op.cell].op is not None
        return isinstance(op, LabelFact)

    def may_be_na(self, op: Op) -> bool:
        """Whether a tree may be not applicable; errs on the side of yes."""
        for node in walk_op(op):
            if isinstance(node, Const) and node.value is None:
                return True
            if isinstance(node, Load | Lookup) and self.model.cells[node.cell].may_be_na:
                return True
            if isinstance(node, Apply | Reduce | Scan) and node.function.gives_na == "always":
                return True
        return False

    def scan(self, here: ReferenceContext, op: Scan) -> FormulaPiece:
        """Translate a scan."""
        return SCANS[op.function.name](here, op)

    def sequence(
        self, here: ReferenceContext, op: Reduce, singles: Sequence[FormulaPiece]
    ) -> FormulaPiece | None:
        """Translate an aggregation that depends on the order of labels; none if it does not."""
        translate = SEQUENCES.get(op.function.name)
        return translate(here, op, singles) if translate else None

    def opened(self, here: ReferenceContext, op: Previous) -> int:
        """Find the block whose opening holds the initial value: the cell's own, or a copy."""
        load, initial = op.args
        assert isinstance(load, Load), "the previous label is that of a cell"
        cell, block = self.model.cells[load.cell], self.blocks[load.cell]
        is_own = cell.op is not None and load.dims == cell.type.dims
        reads = free_dims(initial) <= set(load.dims)
        if is_own and reads and block.frame.line == op.dim and block.opening in {None, initial}:
            block.opening = initial
            return load.cell
        copy = self.helper_block(
            here, here.dims, op.dim, ("before", load, here.dims, op.dim, initial)
        )
        copy.op, copy.opening = load, initial
        copy.label = f"{cell.name}, with its initial value"
        copy.may_be_na = self.may_be_na(load) or self.may_be_na(initial)
        copy.text = copy.text or excel_text(load, ReferenceContext(self, copy, owner=here.owner))
        return copy.number

    def copied(self, here: ReferenceContext, arg: Op, dims: Sequence[str]) -> Block:
        """Copy an argument of an aggregation to a block in which it is one range."""
        mine = {dim for dim in free_dims(arg) if dim not in dims}
        order = (*(dim for dim in here.dims if dim in mine), *dims)
        copy = self.helper_block(here, order, dims[-1], ("line", arg, order))
        if not copy.text:
            copy.op, copy.may_be_na = arg, self.may_be_na(arg)
            name = self.model.cells[arg.cell].name if isinstance(arg, Load) else "a value"
            copy.label = f"{name} by {', '.join(visible_dim(dim) for dim in order)}"
            copy.text = excel_text(arg, ReferenceContext(self, copy, owner=here.owner))
        return copy

    def helper_block(
        self, here: ReferenceContext, dims: Sequence[str], line: str, key: object
    ) -> Block:
        """Return the helper block for a key; make it at the first call."""
        if key not in self.helpers:
            number = len(self.model.cells) + len(self.helpers)
            frame = orient(self.model, here.owner, dims, line)
            block = make_block(self.model, number, dims, frame)
            block.helps = here.owner
            self.helpers[key] = self.blocks[number] = block
        return self.helpers[key]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A check split into the two values that it compares."""

    left: str
    mark: str
    right: str


def comparison(translator: FormulaTranslator, cell: Cell) -> Comparison | None:
    """Split a check that compares two numbers, both always applicable."""
    op = cell.op
    if not isinstance(op, Apply) or op.function.name not in COMPARISONS or any(op.may_be_na):
        return None
    left, right = (translator.text(arg) for arg in op.args)
    return Comparison(left, op.function.name, right)


def condition(translator: FormulaTranslator, cell: Cell) -> str:
    """Translate a check's condition; ``""`` where it is not applicable."""
    assert cell.op is not None, "a check is computed"
    piece = excel_piece(cell.op, ReferenceContext(translator))
    return marked(guarded(replace(piece, gives_empty=False)).expr)
