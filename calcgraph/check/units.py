"""Unit inference, which is the lowering step: syntax trees to types and plain functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias, assert_never

from calcgraph.check.clashes import clash_finding, series_finding, unknown_function
from calcgraph.check.codes import (
    NOT_A_CONDITION,
    UNIT_OF_CELL,
    UNKNOWN_KEY,
    WRONG_ARGUMENT,
    WRONG_COUNT,
)
from calcgraph.check.lowered import Lowered, applied, fitted, shown_number, written_size
from calcgraph.check.values import read_unit
from calcgraph.check.words import count_message, kept_message, missing_hint, rows_text
from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.dimension import PURE, Unit
from calcgraph.core.nearest import did_you_mean
from calcgraph.core.source import Slice
from calcgraph.core.type import TEXT, TRUTH, Kind, Type
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Clash, Operand
from calcgraph.graph import CellTarget, ColumnTarget
from calcgraph.lang.codes import TOO_BIG
from calcgraph.lang.expr import Call, Entry, Expr, Formula, Name, Number, Period, Text, Truth, fold
from calcgraph.model import Apply, Const, Load, Op, Pick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.source import Span
    from calcgraph.graph import Graph, Node, Target
    from calcgraph.lang.expr import Hole, UnitText
    from calcgraph.model import Cell
    from calcgraph.units import UnitBook


LONGEST_SUBJECT = 1_000

Part: TypeAlias = Lowered | None
"""``None`` is a part whose mistake has been said: nothing more is said of what needs it."""


class Lowering:
    """Lowers formulas one by one; ``cells`` are those already checked, none where that failed."""

    def __init__(self, graph: Graph, book: UnitBook, cells: Sequence[Cell | None]) -> None:
        """Start with no findings."""
        self.graph = graph
        self.book = book
        self.cells = cells
        self.findings: list[Diagnostic] = []
        self.targets: dict[int, Target] = {}
        self.in_check = False
        self.in_message = False

    def formula(self, node: Node, formula: Formula) -> Lowered | None:
        """Lower a cell's formula and assert the unit behind its arrow."""
        self.targets, self.in_check = node.targets, False
        part = fold(formula.expr, self.visit)
        wanted = self.unit(formula.unit) if formula.unit else None
        if part is None or (formula.unit and wanted is None):
            return None
        if part.operand.type.dims:
            self.findings.append(series_finding(formula.expr.span, part.operand))
            return None
        if wanted is None:
            return part
        return self.kept_in(node, formula, part, wanted)

    def condition(self, node: Node, formula: Formula) -> Lowered | None:
        """Lower the condition of a check, which is a truth."""
        self.targets, self.in_check = node.targets, True
        part = fold(formula.expr, self.visit)
        if part is None or part.operand.type.kind in {Kind.TRUTH, Kind.ANY}:
            return part
        message = f"a check is true or false, this is {part.operand.type}"
        hint = "write a comparison, such as `x <= limit`"
        self.say(NOT_A_CONDITION, message, formula.expr.span, hint)
        return None

    def message(self, node: Node, text: Text) -> Lowered | None:
        """Lower a message; what is not applicable in it shows as such, so that it always reads."""
        self.targets, self.in_check = node.targets, False
        self.in_message = True
        part = fold(text, self.visit)
        self.in_message = False
        return part

    def say(self, code: object, message: str, span: Span, hint: str = "") -> None:
        """Note a finding."""
        self.findings.append(Diagnostic(code, message, Label(span), hint))  # type: ignore[arg-type]

    def visit(self, node: Expr, parts: Sequence[Part]) -> Part:
        """Lower one node of a formula whose parts are lowered."""
        match node:
            case Number():
                return self.number(node)
            case Truth(value=value):
                return Lowered(Operand(TRUTH, constant=value), Const(value), may_be_na=False)
            case Period(text=text):
                return Lowered(Operand(TEXT, text, text), Const(text), may_be_na=False)
            case Name():
                return self.name(node)
            case Entry():
                return self.entry(node, parts[0] if len(parts) == 1 else None, len(parts))
            case Text():
                return self.text(node, parts)
            case Call():
                return self.call(node, parts)
            case _:
                assert_never(node)

    def number(self, node: Number) -> Part:
        """Lower a constant."""
        percent = node.text.endswith("%")
        unit = self.unit(node.unit) if node.unit else PURE
        if unit is None:
            return None
        if unit.percent:
            rest = "" if unit.is_pure else f" [{unit.symbol}]"
            hint = f"write `{node.text}%{rest}`"
            self.say(WRONG_ARGUMENT, "`%` is no unit of a constant", node.span, hint)
            return None
        bare = node.unit is None
        operand = Operand(Type(Kind.NUMBER, unit), node.span.text, node.value, bare, percent)
        return Lowered(operand, Const(node.value), may_be_na=False)

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

    def name(self, node: Name) -> Part:
        """Lower a name: a cell, or a column as a whole."""
        target = self.targets.get(node.span.start)
        if not isinstance(target, CellTarget | ColumnTarget):
            return None
        cell = self.cells[target.number]
        if cell is None:
            return None
        return Lowered(Operand(cell.type, node.text), Load(target.number), cell.may_be_na)

    def entry(self, node: Entry, key: Part, count: int) -> Part:
        """Lower ``table[key].column``."""
        target = self.targets.get(node.span.start)
        if not isinstance(target, ColumnTarget):
            return None
        if count != 1:
            message = f"a table has one key, this gives {count}"
            self.say(WRONG_COUNT, message, node.span)
            return None
        cell = self.cells[target.number]
        if cell is None or key is None:
            return None
        if not self.key_fits(node, key, target.table):
            return None
        type_ = replace(cell.type, dims=())
        may_be_na = cell.may_be_na or key.may_be_na
        return Lowered(
            Operand(type_, node.span.text), Pick(target.number, target.table, (key.op,)), may_be_na
        )

    def key_fits(self, node: Entry, key: Lowered, name: str) -> bool:
        """Whether a key can be one of a table; a written one must be."""
        table, given, span = self.graph.tables[name], key.operand, node.args[0].span
        if given.type.dims:
            self.findings.append(series_finding(span, given))
            return False
        if given.type.kind not in {Kind.TEXT, Kind.ANY}:
            hint = f'write `{node.base.text}["{span.text}"]`' if given.bare else ""
            self.say(WRONG_ARGUMENT, f"a key is a text, this is {given.type}", span, hint)
            return False
        if given.type.table and given.type.table != name:
            message = f"this is {given.type}, not a key of `{name}`"
            self.say(WRONG_ARGUMENT, message, span, f"use an input with `choices: {name}`")
            return False
        if isinstance(given.constant, str) and given.constant not in table.positions:
            hint = did_you_mean(given.constant, table.labels, rows_text(table.labels))
            self.say(UNKNOWN_KEY, f"the table `{name}` has no row `{given.constant}`", span, hint)
            return False
        return True

    def text(self, node: Text, parts: Sequence[Part]) -> Part:
        """Lower a text with holes: pieces and shown values put together."""
        if not node.holes:
            value = node.pieces[0]
            return Lowered(Operand(TEXT, node.span.text, value), Const(value), may_be_na=False)
        pieces: list[Op] = [Const(node.pieces[0])] if node.pieces[0] else []
        flags = [False] * len(pieces)
        for hole, part, after, arg in zip(
            node.holes, parts, node.pieces[1:], node.args, strict=True
        ):
            shown = self.hole(hole, part, arg)
            if shown is None:
                return None
            if self.in_message and shown.may_be_na:
                shown = Lowered(
                    shown.operand, Apply(FUNCTIONS["or na"], (shown.op,), (True,)), may_be_na=False
                )
            pieces.append(shown.op)
            flags.append(shown.may_be_na)
            if after:
                pieces.append(Const(after))
                flags.append(False)
        op = Apply(FUNCTIONS["concat"], tuple(pieces), tuple(flags))
        return Lowered(Operand(TEXT, node.span.text), op, any(flags))

    def hole(self, hole: Hole, part: Part, arg: Expr) -> Part:
        """Lower a hole: the value as a text, with its unit."""
        wanted = self.unit(hole.unit) if hole.unit else None
        if part is None or (hole.unit and wanted is None):
            return None
        type_ = part.operand.type
        if type_.dims:
            self.findings.append(series_finding(arg.span, part.operand))
            return None
        if wanted is not None:
            converted = self.converted(part, wanted, arg.span, f"this is {type_}, not {wanted}")
            if converted is None:
                return None
            part, type_ = converted, converted.operand.type
        match type_.kind:
            case Kind.TEXT | Kind.ANY:
                return part
            case Kind.TRUTH | Kind.DATE:
                row = FUNCTIONS["show truth" if type_.kind is Kind.TRUTH else "show date"]
                op = Apply(row, (part.op,), (part.may_be_na,))
                return Lowered(Operand(TEXT), op, part.may_be_na)
            case Kind.NUMBER:
                return shown_number(part, hole.decimals)
            case _:
                assert_never(type_.kind)

    def call(self, node: Call, parts: Sequence[Part]) -> Part:
        """Lower a function or operator: ask its unit rule, insert the factors it wants."""
        row = FUNCTIONS.get(node.function)
        if row is None or (row.hidden and node.function != "neg"):
            self.findings.append(unknown_function(self.graph, node))
            return None
        lowered = [part for part in parts if part is not None]
        if len(lowered) < len(parts):
            return None
        if not row.least <= len(parts) <= (len(parts) if row.most is None else row.most):
            self.say(WRONG_COUNT, count_message(row, len(parts)), node.span, f"write `{row.usage}`")
            return None
        operands = [part.operand for part in lowered]
        for arg, operand in zip(node.args, operands, strict=True):
            if operand.type.dims and not row.takes_series:
                self.findings.append(series_finding(arg.span, operand))
                return None
        if row.keyed and written_size(lowered[0].op) > LONGEST_SUBJECT:
            message = f"`{row.name}` compares this anew with each key, and it is long"
            self.say(TOO_BIG, message, node.args[0].span, "give it a cell of its own")
            return None
        found = row.units(operands)
        if isinstance(found, Clash):
            self.findings.append(
                clash_finding(self.graph, self.targets, node, row, found, operands)
            )
            return None
        row = FUNCTIONS[found.row] if found.row else row
        if self.in_check:
            row = FUNCTIONS.get(f"{row.name} in check", row)
        args = [fitted(part, wanted) for part, wanted in zip(lowered, found.args, strict=False)]
        table = operands[0].type.dims[0] if row.wants_labels else ""
        return applied(row, args, found.result, table)

    def converted(self, part: Lowered, wanted: Unit, span: Span, message: str) -> Lowered | None:
        """Put a value into another unit of its dimension, or say that it has none."""
        type_ = part.operand.type
        if type_.kind is Kind.ANY or part.operand.fits_all:
            return replace(part, operand=replace(part.operand, type=Type(Kind.NUMBER, wanted)))
        if type_.kind is not Kind.NUMBER:
            self.say(UNIT_OF_CELL, f"this is {type_}, which has no unit", span, "leave out `-> …`")
            return None
        if type_.unit.dimension != wanted.dimension:
            self.say(UNIT_OF_CELL, message, span, missing_hint(type_.unit, wanted))
            return None
        inside = fitted(part, Type(Kind.NUMBER, wanted))
        return replace(inside, operand=Operand(Type(Kind.NUMBER, wanted), part.operand.text))

    def kept_in(self, node: Node, formula: Formula, part: Lowered, wanted: Unit) -> Lowered | None:
        """Put a cell into the unit behind its arrow."""
        message = kept_message(node.decl.name, part.operand.type.unit, wanted)
        return self.converted(part, wanted, formula.expr.span, message)
