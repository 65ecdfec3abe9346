"""Type-check formulas: infer units and turn syntax trees into operations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from calcgraph.core.diagnostics import Diagnostic
from calcgraph.core.source import Slice
from calcgraph.core.units import PURE, Unit
from calcgraph.core.values import TEXT, TRUTH, Kind, Type
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Operand
from calcgraph.language.ast import (
    Call,
    EntryExpr,
    Expr,
    Formula,
    Name,
    Number,
    Period,
    Text,
    Truth,
    fold,
)
from calcgraph.language.tokens import TOO_BIG
from calcgraph.model import Apply, Const, Op
from calcgraph.sheet.declarations import CalcDecl
from calcgraph.typecheck.calls import CallChecker, CallSite
from calcgraph.typecheck.literals import read_unit
from calcgraph.typecheck.messages import (
    NOT_A_CONDITION,
    UNIT_OF_CELL,
    WRONG_ARGUMENT,
    WRONG_COUNT,
    count_message,
    dimension_message,
    missing_hint,
    unknown_function,
)
from calcgraph.typecheck.name_checks import NameChecker
from calcgraph.typecheck.typed import (
    HelperCells,
    TypedExpr,
    all_dims,
    convert_to,
    expanded_size,
    number_as_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.diagnostics import Code
    from calcgraph.core.source import Span
    from calcgraph.graph import Graph, Node
    from calcgraph.language.ast import Hole, UnitText
    from calcgraph.model import Cell
    from calcgraph.units import UnitBook


LONGEST_SUBJECT = 1_000


class FormulaChecker:
    """Types formulas one by one; ``cells`` are those checked so far, ``None`` for broken ones."""

    def __init__(self, graph: Graph, book: UnitBook, cells: list[Cell | None]) -> None:
        """Start with no findings; helper cells are appended to ``cells``."""
        self.graph = graph
        self.book = book
        self.cells = cells
        self.findings: list[Diagnostic] = []
        self.names = NameChecker(graph, cells, self.findings)
        self.helpers = HelperCells(cells)
        self.calls = CallChecker(self.names, self.helpers, book)
        self.in_check = False
        self.in_message = False

    def formula(self, node: Node, formula: Formula) -> TypedExpr | None:
        """Type a cell's formula; assert its unit and the dims behind its name."""
        self.enter(node)
        part = fold(formula.expr, self.visit)
        wanted = self.unit(formula.unit) if formula.unit else None
        if part is None or (formula.unit and wanted is None):
            return None
        if node.dims and not self.graph.dims.keys() >= set(node.dims):
            return None  # a dim is broken, which was reported
        if not self.names.dims_fit(node, part.operand.type.dims):
            return None
        if wanted is not None:
            found = self.assert_unit(node, formula, part, wanted)
            if found is None:
                return None
            part = found
        own = node.dims
        if (
            node.overrides >= 0
        ):  # a value set by a variant varies over the dims of `over` that it reads
            own = tuple(dim for dim in own if dim in part.operand.type.dims)
        return self.helpers.cell_expr(part, self.names.order(part.operand.type.dims, own))

    def condition(self, node: Node, formula: Formula) -> TypedExpr | None:
        """Type the condition of a check, a truth; along dims it must hold at every label."""
        self.enter(node)
        self.in_check = True
        part = fold(formula.expr, self.visit)
        if part is None or part.operand.type.kind in {Kind.TRUTH, Kind.ANY}:
            return part and self.helpers.cell_expr(part, part.operand.type.dims)
        what = "a condition" if node.kind == "axis" else "a check"
        message = f"{what} is true or false, this is {part.operand.type}"
        hint = "write a comparison, such as `x <= limit`"
        self.report(NOT_A_CONDITION, message, formula.expr.span, hint)
        return None

    def message(self, node: Node, text: Text, dims: tuple[str, ...]) -> TypedExpr | None:
        """Type the message of a check; na values in it are shown as such, so that it always reads.

        ``dims`` are those of its check: the message may use their labels.
        """
        self.enter(node)
        self.in_message = True
        part = fold(text, self.visit)
        if part is None or not self.names.dims_fit(node, part.operand.type.dims, dims):
            return None
        return self.helpers.cell_expr(part, part.operand.type.dims)

    def enter(self, node: Node) -> None:
        """Start on the formula of a cell."""
        self.in_check, self.in_message = False, False
        self.names.enter(node)
        self.helpers.enter(node)

    def report(self, code: Code, message: str, span: Span, hint: str = "") -> None:
        """Report a finding."""
        self.names.report(code, message, span, hint)

    def visit(self, node: Expr, parts: Sequence[TypedExpr | None]) -> TypedExpr | None:
        """Type one node whose parts are typed; ``None`` means that an error was reported."""
        match node:
            case Number():
                return self.number(node)
            case Truth(value=value):
                return TypedExpr(Operand(TRUTH, constant=value), Const(value), may_be_na=False)
            case Period(text=text):
                return TypedExpr(Operand(TEXT, text, text), Const(text), may_be_na=False)
            case Name():
                return self.names.name(node)
            case EntryExpr():
                return self.names.entry(node, parts)
            case Text():
                return self.text(node, parts)
            case Call():
                return self.call(node, parts)
            case _:
                assert_never(node)

    def number(self, node: Number) -> TypedExpr | None:
        """Type a constant."""
        percent = node.text.endswith("%")
        unit = self.unit(node.unit) if node.unit else PURE
        if unit is None:
            return None
        if unit.percent:
            rest = "" if unit.is_pure else f" [{unit.symbol}]"
            hint = f"write `{node.text}%{rest}`"
            self.report(WRONG_ARGUMENT, "`%` is not a unit of a constant", node.span, hint)
            return None
        bare = node.unit is None
        operand = Operand(Type(Kind.NUMBER, unit), node.span.text, node.value, bare, percent)
        return TypedExpr(operand, Const(node.value), may_be_na=False)

    def unit(self, text: UnitText) -> Unit | None:
        """Read a unit in a formula."""
        span = text.span
        exact = span.source.text[span.start : span.start + len(text.text)] == text.text
        piece = Slice(span.source, text.text, span.start)
        if not exact:
            piece = Slice(
                span.source, text.text, span.start, (span.start,) * len(text.text) + (span.end,)
            )
        found = read_unit(piece, self.book)
        if isinstance(found, Diagnostic):
            self.findings.append(found)
            return None
        return found

    def text(self, node: Text, parts: Sequence[TypedExpr | None]) -> TypedExpr | None:
        """Type a text with holes: concatenate its pieces and the formatted values."""
        if not node.holes:
            value = node.pieces[0]
            return TypedExpr(Operand(TEXT, node.span.text, value), Const(value), may_be_na=False)
        pieces: list[Op] = [Const(node.pieces[0])] if node.pieces[0] else []
        flags = [False] * len(pieces)
        for hole, part, after, arg in zip(
            node.holes, parts, node.pieces[1:], node.args, strict=True
        ):
            shown = self.hole(hole, part, arg)
            if shown is None:
                return None
            if self.in_message and shown.may_be_na:
                shown = TypedExpr(
                    shown.operand, Apply(FUNCTIONS["or na"], (shown.op,), (True,)), may_be_na=False
                )
            pieces.append(shown.op)
            flags.append(shown.may_be_na)
            if after:
                pieces.append(Const(after))
                flags.append(False)
        op = Apply(FUNCTIONS["concat"], tuple(pieces), tuple(flags))
        type_ = replace(TEXT, dims=all_dims(part for part in parts if part))
        return TypedExpr(Operand(type_, node.span.text), op, any(flags))

    def hole(self, hole: Hole, part: TypedExpr | None, arg: Expr) -> TypedExpr | None:
        """Type a hole: the value as a text, with its unit."""
        wanted = self.unit(hole.unit) if hole.unit else None
        if part is None or (hole.unit and wanted is None):
            return None
        type_ = part.operand.type
        if wanted is not None:
            converted = self.converted(part, wanted, arg.span, f"this is {type_}, not {wanted}")
            if converted is None:
                return None
            part, type_ = converted, converted.operand.type
        match type_.kind:
            case Kind.TEXT | Kind.ANY:
                return part
            case Kind.TRUTH | Kind.DATE:
                shown = "show truth" if type_.kind is Kind.TRUTH else self.names.date_row(type_)
                op = Apply(FUNCTIONS[shown], (part.op,), (part.may_be_na,))
                return TypedExpr(Operand(replace(TEXT, dims=type_.dims)), op, part.may_be_na)
            case Kind.NUMBER:
                return number_as_text(part, hole.decimals)
            case _:
                assert_never(type_.kind)

    def call(self, node: Call, parts: Sequence[TypedExpr | None]) -> TypedExpr | None:
        """Type a function or operator call by its unit rule, inserting conversions."""
        row = FUNCTIONS.get(node.function)
        if row is None or (row.hidden and node.function != "neg"):
            self.findings.append(unknown_function(self.graph, node))
            return None
        lowered = [part for part in parts if part is not None]
        if len(lowered) < len(parts):
            return None
        is_along = row.takes_series or row.along or row.name == "prev"
        most = len(parts) if row.most is None else row.most
        if not is_along and not row.least <= len(parts) <= most:
            self.report(
                WRONG_COUNT, count_message(row, len(parts)), node.span, f"write `{row.usage}`"
            )
            return None
        if row.keyed and expanded_size(lowered[0].op) > LONGEST_SUBJECT:
            message = f"`{row.name}` evaluates this again for each key, and it is long"
            self.report(TOO_BIG, message, node.args[0].span, "give it a cell of its own")
            return None
        return self.calls.call(CallSite(node, row, lowered, in_check=self.in_check))

    def converted(
        self, part: TypedExpr, wanted: Unit, span: Span, message: str
    ) -> TypedExpr | None:
        """Convert a value to another unit of its dimension, or report that it has none."""
        type_ = part.operand.type
        if type_.kind is Kind.ANY or part.operand.fits_all:
            type_ = Type(Kind.NUMBER, wanted, dims=type_.dims)
            return replace(part, operand=replace(part.operand, type=type_))
        if type_.kind is not Kind.NUMBER:
            self.report(
                UNIT_OF_CELL, f"this is {type_}, which has no unit", span, "leave out `-> …`"
            )
            return None
        if type_.unit.dimension != wanted.dimension:
            self.report(UNIT_OF_CELL, message, span, missing_hint(type_.unit, wanted))
            return None
        inside = convert_to(part, Type(Kind.NUMBER, wanted))
        kept = Type(Kind.NUMBER, wanted, dims=type_.dims)
        return replace(inside, operand=Operand(kept, part.operand.text))

    def assert_unit(
        self, node: Node, formula: Formula, part: TypedExpr, wanted: Unit
    ) -> TypedExpr | None:
        """Convert a formula to the unit behind its arrow, or report that it does not fit."""
        message = dimension_message(node.decl.name, part.operand.type.unit, wanted)
        return self.converted(part, wanted, formula.expr.span, message)

    def bind_to_input(self, node: Node, part: TypedExpr, base: Cell) -> TypedExpr | None:
        """Bind a formula that a variant sets to an input: in its unit, of its kind."""
        type_, wanted = part.operand.type, base.type
        assert isinstance(node.decl, CalcDecl), "a formula takes the place"
        assert node.decl.formula is not None, "it was lowered"
        span = node.decl.formula.expr.span
        if wanted.kind is Kind.NUMBER and type_.kind in {Kind.NUMBER, Kind.ANY}:
            message = f"this is {type_}, but `{base.name}` is {wanted}"
            return self.converted(part, wanted.unit, span, message)
        fits = type_.kind in {wanted.kind, Kind.ANY} and (
            not wanted.table or not type_.table or wanted.table == type_.table
        )
        if fits:
            kept = replace(wanted, dims=type_.dims)
            return replace(part, operand=replace(part.operand, type=kept))
        message = f"this is {type_}, but `{base.name}` is {wanted}"
        self.report(WRONG_ARGUMENT, message, span, "give it a value of the same kind")
        return None
