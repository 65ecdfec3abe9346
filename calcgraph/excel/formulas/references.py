"""References relative to the block a formula is in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import Failure, visible_dim
from calcgraph.excel.formulas.accuracy import may_fail, searched
from calcgraph.excel.formulas.pieces import FormulaPiece, guarded
from calcgraph.excel.formulas.ranges import EVERY, DimSelection, RangeBuilder
from calcgraph.excel.formulas.translate import applied, counted, excel_text, failing_with
from calcgraph.excel.layout.blocks import NOWHERE, block_reference, marked
from calcgraph.excel.xlsx.expressions import ExcelExpr, HeaderRef, NameRef, fill
from calcgraph.functions import FUNCTIONS
from calcgraph.model import Apply, Const, LabelFact, Load, Lookup, Op, Previous, Reduce, Scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Dim
    from calcgraph.excel.layout.blocks import Block, Entry
    from calcgraph.model import Cell, Model, Step


class Translator(Protocol):
    """What a reference needs of the translation of the whole model: names, blocks, helpers."""

    model: Model
    cells: dict[int, str]
    failing: frozenset[int]

    def block(self, number: int) -> Block:
        """Return the block of a cell along dims."""
        ...

    def name_of(self, number: int) -> str:
        """Name all values of a cell; empty where it has no name."""
        ...

    def list_of(self, dim: str, what: str) -> str:
        """Name the list of a dim's keys, indices, ends or lengths."""
        ...

    def row_of(self, table: str, cell: int) -> str:
        """Name the cell that looks up the position of a key once."""
        ...

    def factor_of(self, step: Step) -> str:
        """Name a conversion factor."""
        ...

    def is_computed(self, op: Op) -> bool:
        """Whether an argument has formulas, or is made of labels."""
        ...

    def may_be_na(self, op: Op) -> bool:
        """Whether a tree may be not applicable."""
        ...

    def scan(self, here: ReferenceContext, op: Scan) -> FormulaPiece:
        """Translate a scan."""
        ...

    def sequence(
        self, here: ReferenceContext, op: Reduce, singles: Sequence[FormulaPiece]
    ) -> FormulaPiece | None:
        """Translate an aggregation that depends on the order of labels; none if it does not."""
        ...

    def opened(self, here: ReferenceContext, op: Previous) -> int:
        """Find the block whose opening holds the initial value."""
        ...

    def copied(self, here: ReferenceContext, arg: Op, dims: Sequence[str]) -> Block:
        """Copy an argument of an aggregation to a block in which it is one range."""
        ...

    def helper_block(
        self, here: ReferenceContext, dims: Sequence[str], line: str, key: object
    ) -> Block:
        """Return the helper block for a key; make it at the first call."""
        ...


def match_position_once(here: ReferenceContext, key: Load, dim: str) -> ExcelExpr:
    """Refer to a helper cell with the position of the current key among the keys of ``dim``."""
    block = here.translator.helper_block(here, key.dims, "", ("found", key, dim))
    if not block.text:
        _translate_position(here, block, key, dim)
    return here.at(block.number, [DimSelection("same", name) for name in key.dims])


def _translate_position(here: ReferenceContext, block: Block, key: Load, dim: str) -> None:
    known, cell = here.model.dim(dim), here.model.cells[key.cell]
    wanted = here.within(block).load(key)
    keys = NameRef(here.translator.list_of(dim, "key"))
    match = FormulaPiece(fill("MATCH({0},{1},0)", wanted.expr, keys), wanted.tests)
    block.text = marked(guarded(match).expr)
    block.op, block.may_be_na, block.is_position = key, cell.may_be_na, True
    block.label = f"position of {cell.name} in {visible_dim(dim)}"

    def positions(values: Sequence[Entry]) -> Sequence[Entry]:
        return [_position(known, value, here.owner) for value in values]

    block.derive = positions


def _position(dim: Dim, value: Entry, cell: int) -> Entry:
    if value is None or isinstance(value, Failure):
        return value
    at = dim.positions.get(value)
    return Failure("key", cell, "no such key") if at is None else at + 1.0


SKIPPING_ERRORS = frozenset({"lookup"})
"""Aggregations that read a whole series in the engine; Excel reads only what it looks for."""


@dataclass(frozen=True, slots=True)
class ReferenceContext:
    """Translates references relative to ``block``; it is none for a single cell.

    ``opening`` is the dim whose initial value the formula computes, or empty.
    """

    translator: Translator
    block: Block | None = None
    opening: str = ""
    owner: int = NOWHERE

    @property
    def model(self) -> Model:
        """The model to translate."""
        return self.translator.model

    @property
    def reach(self) -> RangeBuilder:
        """Builder of references to other blocks."""
        return RangeBuilder(self.model, self.block, self.translator.name_of, self.opening)

    @property
    def dims(self) -> tuple[str, ...]:
        """The dims along which the formula is repeated."""
        return self.block.dims if self.block is not None else ()

    def within(self, block: Block) -> ReferenceContext:
        """Return the context of a helper block of the same cell."""
        return ReferenceContext(self.translator, block, owner=self.owner)

    def load(self, op: Load) -> FormulaPiece:
        """Refer to a cell, or to its value at the current labels."""
        may_be_na = self.model.cells[op.cell].may_be_na
        if not op.dims:
            name = NameRef(self.translator.cells[op.cell])
            return FormulaPiece(name, tests=(name,) if may_be_na else ())
        value = self.at(op.cell, [DimSelection("same", dim) for dim in op.dims])
        return FormulaPiece(value, tests=(value,) if may_be_na else ())

    def at(self, number: int, axes: Sequence[DimSelection]) -> ExcelExpr:
        """Refer to one value of a block."""
        found = self.reach.cells(self.translator.block(number), axes)
        assert found is not None, "one value can be referred to"
        return found

    def labels(self, op: LabelFact) -> FormulaPiece:
        """Refer to the current label, or a fact about it, in the header of the block."""
        if self.block is None or op.dim not in self.block.dims:
            return FormulaPiece(NameRef(self.translator.list_of(op.dim, op.what)))
        self.block.needs[op.dim, op.what] = None
        at = "#0" if op.dim == self.opening else "="
        return FormulaPiece(HeaderRef(self.block.number, op.dim, op.what, at))

    def pick(self, op: Lookup, keys: Sequence[FormulaPiece]) -> FormulaPiece:
        """Look up an entry by its keys."""
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
        if self.model.cells[
            op.cell
        ].may_be_na:  # test it only where there is a key: it is an error elsewhere
            tests = [guarded(FormulaPiece(value, tuple(tests))).expr]
        return FormulaPiece(value, tuple(tests))

    def keyed(self, dim: str, arg: Op, key: FormulaPiece) -> DimSelection:
        """Find a key's position: at load, once in a helper cell, or in the formula itself."""
        known = self.model.dim(dim)
        if isinstance(arg, Const) and known.kind != "table" and arg.value in known.positions:
            return DimSelection("fixed", dim, place=known.positions[arg.value])
        if isinstance(arg, Load) and not arg.dims:
            return DimSelection(
                "at", dim, NameRef(self.translator.row_of(visible_dim(dim), arg.cell))
            )
        if isinstance(arg, Load) and not self.opening and set(arg.dims) <= set(self.dims):
            return DimSelection("at", dim, match_position_once(self, arg, dim))
        keys = NameRef(self.translator.list_of(dim, "key"))
        return DimSelection("at", dim, fill("MATCH({0},{1},0)", key.expr, keys))

    def prev(self, op: Previous) -> FormulaPiece:
        """Refer to the value at the previous label, or to the initial value at the first one."""
        load, initial = op.args
        assert isinstance(load, Load), "the previous label is that of a cell"
        number = self.translator.opened(self, op)
        block = self.translator.block(number)
        named = load.dims if number == load.cell else block.dims
        axes = [DimSelection("before" if dim == op.dim else "same", dim) for dim in named]
        value = self.at(number, axes)
        may_be_na = self.translator.may_be_na(load) or self.translator.may_be_na(initial)
        return FormulaPiece(value, (value,) if may_be_na else ())

    def reduce(self, op: Reduce, singles: Sequence[FormulaPiece]) -> FormulaPiece:
        """Translate an aggregation over ranges."""
        if (sequence := self.translator.sequence(self, op, singles)) is not None:
            return sequence
        waiting = iter(singles)
        parts = [
            next(waiting) if at in op.function.singles else FormulaPiece(self.line(arg, op.dims))
            for at, arg in enumerate(op.args)
        ]
        if op.function.wants_labels:
            parts.append(FormulaPiece(NameRef(self.translator.list_of(op.dims[0], "key"))))
        found = applied(op, parts)
        series = [at for at in range(len(op.args)) if at not in op.function.singles]
        expr = found.expr
        if series and self.translator.is_computed(op.args[series[0]]):
            expr = counted(expr, parts[series[0]].expr, may_be_na=any(op.may_be_na))
        if op.function.name in SKIPPING_ERRORS:
            lines = [parts[at].expr for at in series if self.may_fail(op.args[at])]
            expr = failing_with(lines, expr)
        return replace(found, expr=expr, tests=(expr,) if found.gives_empty else found.tests)

    def line(self, arg: Op, dims: Sequence[str]) -> ExcelExpr:
        """Refer to an argument along dims as one range; copy it where it is not one."""
        if isinstance(arg, LabelFact) and (arg.dim,) == tuple(dims):
            return NameRef(self.translator.list_of(arg.dim, arg.what))
        if isinstance(arg, Load) and set(dims) <= set(arg.dims):
            axes = [EVERY if dim in dims else DimSelection("same", dim) for dim in arg.dims]
            found = self.reach.cells(self.translator.block(arg.cell), axes)
            in_order = tuple(dim for dim in arg.dims if dim in dims)
            if found is not None and (in_order == tuple(dims) or len(dims) == 1):
                return found
        return self.line_of(self.translator.copied(self, arg, dims), dims)

    def line_of(self, copy: Block, dims: Sequence[str]) -> ExcelExpr:
        """Refer to a line of a helper block."""
        axes = [EVERY if dim in dims else DimSelection("same", dim) for dim in copy.dims]
        found = self.reach.cells(copy, axes)
        assert found is not None, "a copy is laid out so that a line is a range"
        return found

    def scan(self, op: Scan) -> FormulaPiece:
        """Translate a scan."""
        return self.translator.scan(self, op)

    def may_fail(self, op: Op) -> bool:
        """Whether a tree may fail at any label."""
        return may_fail(self.model, self.translator.failing, op)

    def factor(self, step: Step) -> str:
        """Name a conversion factor."""
        return self.translator.factor_of(step)


LEFT = 1e-6
"""Tolerance of a residual per flow, as a share of the largest flow; rates are as approximate."""

DIGITS = 9.0
"""Decimals of a residual; what is smaller is rounding noise."""


@dataclass(frozen=True, slots=True)
class Residual:
    """Net present value at the rate of a cell; ``block`` holds several, along the cell's dims."""

    cell: int
    op: Op
    text: str
    limit: float
    block: Block | None = None


def translate_residuals(translator: Translator) -> list[Residual]:
    """Translate the residual of each cell whose result Excel finds by iteration."""
    found: list[Residual] = []
    for number in translator.model.order:
        cell = translator.model.cells[number]
        nodes = searched(cell.op) if cell.op is not None and cell.kind != "check" else []
        found += [_residual(translator, cell, node) for node in nodes]
    return found


def _residual(translator: Translator, cell: Cell, node: Reduce) -> Residual:
    rate = Load(cell.number, cell.type.dims) if cell.op is node else node
    op = _left(translator, node, rate)
    limit = LEFT
    for dim in node.dims:
        limit *= translator.model.dim(dim).size
    if not cell.type.dims:
        return Residual(
            cell.number, op, excel_text(op, ReferenceContext(translator, owner=cell.number)), limit
        )
    here = ReferenceContext(translator, translator.block(cell.number), owner=cell.number)
    block = translator.helper_block(here, cell.type.dims, "", ("residual", node, cell.number))
    block.op, block.text = op, excel_text(op, here.within(block))
    block.label = f"{label_of(translator.model, cell)}: residual at that rate"
    values = block_reference(NOWHERE, block.number, "*", "*")
    return Residual(cell.number, op, f"MAX({values})", limit, block)


def _left(translator: Translator, node: Reduce, rate: Op) -> Op:
    """Build the net present value of the flows at the rate, as a share of the largest flow."""
    (flow,) = node.args
    is_na = translator.may_be_na(rate), translator.may_be_na(flow)
    value = Reduce(FUNCTIONS["npv"], node.dims, (rate, flow), is_na)
    most, least = (
        Reduce(FUNCTIONS[name], node.dims, (flow,), (is_na[1],)) for name in ("max", "min")
    )
    below = Apply(FUNCTIONS["neg"], (least,), (is_na[1],))
    largest = Apply(FUNCTIONS["max"], (most, below), (is_na[1], is_na[1]))
    left = Apply(FUNCTIONS["abs"], (value,), (any(is_na),))
    share = Apply(FUNCTIONS["/"], (left, largest), (any(is_na), is_na[1]))
    return Apply(FUNCTIONS["round"], (share, Const(DIGITS)), (any(is_na), False))
