"""References relative to the block a formula is in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import Failure, visible_dim
from calcgraph.excel.formulas.accuracy import may_fail, searched
from calcgraph.excel.formulas.expressions import ExcelExpr, HeaderRef, NameRef, fill
from calcgraph.excel.formulas.pieces import FormulaPiece, guarded
from calcgraph.excel.formulas.ranges import EVERY, DimSelection, RangeBuilder
from calcgraph.excel.formulas.series_functions import SCANS, SEQUENCES
from calcgraph.excel.formulas.translate import applied, counted, excel_text, failing_with
from calcgraph.excel.layout.blocks import NOWHERE, block_reference, marked
from calcgraph.functions import FUNCTIONS
from calcgraph.model import Apply, Const, LabelFact, Load, Lookup, Op, Previous, Reduce, Scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Dim
    from calcgraph.excel.formulas.translator import FormulaTranslator
    from calcgraph.excel.layout.blocks import Block, Entry
    from calcgraph.model import Cell, Model, Step


def match_position_once(here: ReferenceContext, key: Load, dim: str) -> ExcelExpr:
    """Refer to the position among the keys of ``dim`` of the current one of a cell of keys."""
    block = here.spelling.helper_block(here, key.dims, "", ("found", key, dim))
    if not block.text:
        _spell(here, block, key, dim)
    return here.at(block.number, [DimSelection("same", name) for name in key.dims])


def _spell(here: ReferenceContext, block: Block, key: Load, dim: str) -> None:
    known, cell = here.model.dim(dim), here.model.cells[key.cell]
    wanted = here.within(block).load(key)
    keys = NameRef(here.spelling.list_of(dim, "key"))
    match = FormulaPiece(fill("MATCH({0},{1},0)", wanted.expr, keys), wanted.tests)
    block.text = marked(guarded(match).expr)
    block.op, block.may_be_na, block.is_position = key, cell.may_be_na, True
    block.label = f"where {cell.name} stands among {visible_dim(dim)}"

    def positions(values: Sequence[Entry]) -> Sequence[Entry]:
        return [_position(known, value, here.owner) for value in values]

    block.derive = positions


def _position(dim: Dim, value: Entry, cell: int) -> Entry:
    if value is None or isinstance(value, Failure):
        return value
    at = dim.positions.get(value)
    return Failure("key", cell, "no such key") if at is None else at + 1.0


SKIPPING_ERRORS = frozenset({"lookup"})
"""Aggregations that read all of a series here, and in Excel only what they find."""


@dataclass(frozen=True, slots=True)
class ReferenceContext:
    """Spells references for formulas of ``block``, which is none for a single cell.

    ``opening`` is the dim before whose first label the formula stands, or empty.
    """

    spelling: FormulaTranslator
    block: Block | None = None
    opening: str = ""
    owner: int = NOWHERE

    @property
    def model(self) -> Model:
        """The model that is spelled."""
        return self.spelling.model

    @property
    def reach(self) -> RangeBuilder:
        """How other blocks are referred to."""
        return RangeBuilder(self.model, self.block, self.spelling.name_of, self.opening)

    @property
    def dims(self) -> tuple[str, ...]:
        """The dims whose current labels the formula has."""
        return self.block.dims if self.block is not None else ()

    def within(self, block: Block) -> ReferenceContext:
        """Look from a helper's block, which stands there for the same cell."""
        return ReferenceContext(self.spelling, block, owner=self.owner)

    def load(self, op: Load) -> FormulaPiece:
        """Refer to a cell, or to its value at the current labels."""
        may_be_na = self.model.cells[op.cell].may_be_na
        if not op.dims:
            name = NameRef(self.spelling.cells[op.cell])
            return FormulaPiece(name, tests=(name,) if may_be_na else ())
        value = self.at(op.cell, [DimSelection("same", dim) for dim in op.dims])
        return FormulaPiece(value, tests=(value,) if may_be_na else ())

    def at(self, number: int, axes: Sequence[DimSelection]) -> ExcelExpr:
        """Refer to one value of a block."""
        found = self.reach.cells(self.spelling.block(number), axes)
        assert found is not None, "one value can be referred to"
        return found

    def labels(self, op: LabelFact) -> FormulaPiece:
        """Refer to the current label, or a fact of it, in the head of the block."""
        if self.block is None or op.dim not in self.block.dims:
            return FormulaPiece(NameRef(self.spelling.list_of(op.dim, op.what)))
        self.block.needs[op.dim, op.what] = None
        at = "#0" if op.dim == self.opening else "="
        return FormulaPiece(HeaderRef(self.block.number, op.dim, op.what, at))

    def pick(self, op: Lookup, keys: Sequence[FormulaPiece]) -> FormulaPiece:
        """Look an entry up by its keys; the position of an input's key stands in its own cell."""
        dims = self.model.cells[op.cell].type.dims
        waiting = iter(zip(op.args, keys, strict=True))
        axes: list[DimSelection] = []
        tests: list[ExcelExpr] = []
        for dim, same in zip(dims, op.at, strict=True):
            if same:
                axes.append(DimSelection("same", same))
                continue
            arg, key = next(waiting)
            axes.append(self.keyed(dim, arg, key))
            tests.extend(key.tests)
        value = self.at(op.cell, axes)
        if self.model.cells[op.cell].may_be_na:  # asked only where there is a key: else an error
            tests = [guarded(FormulaPiece(value, tuple(tests))).expr]
        return FormulaPiece(value, tuple(tests))

    def keyed(self, dim: str, arg: Op, key: FormulaPiece) -> DimSelection:
        """Find a key's position: at load, in a cell that does it once, or here."""
        known = self.model.dim(dim)
        if isinstance(arg, Const) and known.kind != "table" and arg.value in known.positions:
            return DimSelection("fixed", dim, place=known.positions[arg.value])
        if isinstance(arg, Load) and not arg.dims:
            return DimSelection(
                "at", dim, NameRef(self.spelling.row_of(visible_dim(dim), arg.cell))
            )
        if isinstance(arg, Load) and not self.opening and set(arg.dims) <= set(self.dims):
            return DimSelection("at", dim, match_position_once(self, arg, dim))
        keys = NameRef(self.spelling.list_of(dim, "key"))
        return DimSelection("at", dim, fill("MATCH({0},{1},0)", key.expr, keys))

    def prev(self, op: Previous) -> FormulaPiece:
        """Refer to the label before: to the left, where the opening holds the initial value."""
        load, initial = op.args
        assert isinstance(load, Load), "the label before is one of a cell"
        number = self.spelling.opened(self, op)
        block = self.spelling.block(number)
        named = load.dims if number == load.cell else block.dims
        axes = [DimSelection("before" if dim == op.dim else "same", dim) for dim in named]
        value = self.at(number, axes)
        may_be_na = self.spelling.may_be_na(load) or self.spelling.may_be_na(initial)
        return FormulaPiece(value, (value,) if may_be_na else ())

    def reduce(self, op: Reduce, singles: Sequence[FormulaPiece]) -> FormulaPiece:
        """Spell an aggregation over ranges."""
        if op.function.name in SEQUENCES:
            return SEQUENCES[op.function.name](self, op, singles)
        waiting = iter(singles)
        parts = [
            next(waiting) if at in op.function.singles else FormulaPiece(self.line(arg, op.dims))
            for at, arg in enumerate(op.args)
        ]
        if op.function.wants_labels:
            parts.append(FormulaPiece(NameRef(self.spelling.list_of(op.dims[0], "key"))))
        found = applied(op, parts)
        series = [at for at in range(len(op.args)) if at not in op.function.singles]
        expr = found.expr
        if series and self.spelling.is_computed(op.args[series[0]]):
            expr = counted(expr, parts[series[0]].expr, may_be_na=any(op.may_be_na))
        if op.function.name in SKIPPING_ERRORS:
            lines = [parts[at].expr for at in series if self.may_fail(op.args[at])]
            expr = failing_with(lines, expr)
        return replace(found, expr=expr, tests=(expr,) if found.gives_empty else found.tests)

    def line(self, arg: Op, dims: Sequence[str]) -> ExcelExpr:
        """Refer to a range that holds an argument along dims; copied where it does not lie so."""
        if isinstance(arg, LabelFact) and (arg.dim,) == tuple(dims):
            return NameRef(self.spelling.list_of(arg.dim, arg.what))
        if isinstance(arg, Load) and set(dims) <= set(arg.dims):
            axes = [EVERY if dim in dims else DimSelection("same", dim) for dim in arg.dims]
            found = self.reach.cells(self.spelling.block(arg.cell), axes)
            in_order = tuple(dim for dim in arg.dims if dim in dims)
            if found is not None and (in_order == tuple(dims) or len(dims) == 1):
                return found
        return self.line_of(self.spelling.copied(self, arg, dims), dims)

    def line_of(self, copy: Block, dims: Sequence[str]) -> ExcelExpr:
        """Refer to a line of a helper's block."""
        axes = [EVERY if dim in dims else DimSelection("same", dim) for dim in copy.dims]
        found = self.reach.cells(copy, axes)
        assert found is not None, "a copy is laid out so that a line is a range"
        return found

    def scan(self, op: Scan) -> FormulaPiece:
        """Spell a running value."""
        return SCANS[op.function.name](self, op)

    def may_fail(self, op: Op) -> bool:
        """Whether a tree may fail at some labels."""
        return may_fail(self.model, self.spelling.failing, op)

    def factor(self, step: Step) -> str:
        """Name a conversion factor."""
        return self.spelling.factor_of(step)


LEFT = 1e-6
"""What may be left for each flow, as a share of the largest: rates are compared as roughly."""

DIGITS = 9.0
"""What is rounding noise is no residual."""


@dataclass(frozen=True, slots=True)
class Residual:
    """What is left for the rate of a cell: in a row of its own where there are several."""

    cell: int
    op: Op
    text: str
    limit: float
    block: Block | None = None


def translate_residuals(spelling: FormulaTranslator) -> list[Residual]:
    """Spell what is left for each cell that holds what Excel finds by trial."""
    found: list[Residual] = []
    for number in spelling.model.order:
        cell = spelling.model.cells[number]
        nodes = searched(cell.op) if cell.op is not None and cell.kind != "check" else []
        found += [_residual(spelling, cell, node) for node in nodes]
    return found


def _residual(spelling: FormulaTranslator, cell: Cell, node: Reduce) -> Residual:
    rate = Load(cell.number, cell.type.dims) if cell.op is node else node
    op = _left(spelling, node, rate)
    limit = LEFT
    for dim in node.dims:
        limit *= spelling.model.dim(dim).size
    if not cell.type.dims:
        return Residual(
            cell.number, op, excel_text(op, ReferenceContext(spelling, owner=cell.number)), limit
        )
    here = ReferenceContext(spelling, spelling.blocks[cell.number], owner=cell.number)
    block = spelling.helper_block(here, cell.type.dims, "", ("residual", node, cell.number))
    block.op, block.text = op, excel_text(op, here.within(block))
    block.label = f"{label_of(spelling.model, cell)}: what is left at that rate"
    values = block_reference(NOWHERE, block.number, "*", "*")
    return Residual(cell.number, op, f"MAX({values})", limit, block)


def _left(spelling: FormulaTranslator, node: Reduce, rate: Op) -> Op:
    """Build the value of the flows at the rate, as a share of the largest flow."""
    (flow,) = node.args
    is_na = spelling.may_be_na(rate), spelling.may_be_na(flow)
    value = Reduce(FUNCTIONS["npv"], node.dims, (rate, flow), is_na)
    most, least = (
        Reduce(FUNCTIONS[name], node.dims, (flow,), (is_na[1],)) for name in ("max", "min")
    )
    below = Apply(FUNCTIONS["neg"], (least,), (is_na[1],))
    largest = Apply(FUNCTIONS["max"], (most, below), (is_na[1], is_na[1]))
    left = Apply(FUNCTIONS["abs"], (value,), (any(is_na),))
    share = Apply(FUNCTIONS["/"], (left, largest), (any(is_na), is_na[1]))
    return Apply(FUNCTIONS["round"], (share, Const(DIGITS)), (any(is_na), False))
