"""Op trees to Excel formulas."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, assert_never

from calcgraph.core.traversal import fold_tree
from calcgraph.excel.formulas.pieces import FormulaPiece, capped, constant, guarded, is_plain, own
from calcgraph.excel.layout.blocks import marked
from calcgraph.excel.xlsx.expressions import (
    EMPTY,
    ZERO,
    Constant,
    ExcelCall,
    ExcelExpr,
    Group,
    NameRef,
    Operation,
    Prefix,
    call,
    closed,
    fill,
    operation,
    parse_template,
)
from calcgraph.functions.spec import spell
from calcgraph.model import (
    Apply,
    Const,
    Convert,
    LabelFact,
    Load,
    Lookup,
    Op,
    Previous,
    Reduce,
    Scan,
    op_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calcgraph.model import Step


_TRUE = Constant("TRUE")


def applied(op: Apply | Reduce, parts: Sequence[FormulaPiece]) -> FormulaPiece:
    """Translate a function whose arguments are translated."""
    row = op.function
    if row.lazy:
        return _branches(op, _needed(op, parts))
    if row.takes_na:
        return _taking_na(op, parts)
    tests = tuple(
        test for part, flag in zip(parts, op.may_be_na, strict=True) if flag for test in part.tests
    )
    expr = _filled(op, parts)
    if row.gives_na == "always":
        return own(guarded(FormulaPiece(expr, tests)).expr)
    return FormulaPiece(expr, tests)


def _filled(op: Apply | Reduce, parts: Sequence[FormulaPiece]) -> ExcelExpr:
    """Fill the template of a function's row with arguments."""
    exprs = [part.expr for part in parts]
    template = op.function.excel
    if callable(template):
        exprs = [closed(expr) for expr in exprs]
        return fill(spell(template, [_placeholder(at, e) for at, e in enumerate(exprs)]), *exprs)
    match parse_template(template):
        case Operation(operator=operator) if template == f"{{0}}{operator}{{1}}":
            return operation(operator, *exprs)
        case Prefix(sign=sign) if template == f"{sign}{{0}}":
            return Prefix(sign, *exprs)
        case _:
            return fill(template, *(closed(expr) for expr in exprs))


def _placeholder(at: int, expr: ExcelExpr) -> str:
    """Return what a row that writes its own template sees of an argument.

    It sees the text of a constant, ``{0?}`` for an IF, which may be an empty text, else ``{0}``.
    """
    if isinstance(expr, Constant):
        return expr.text
    return f"{{{at}?}}" if isinstance(expr, ExcelCall) and expr.name == "IF" else f"{{{at}}}"


def _taking_na(op: Apply | Reduce, parts: Sequence[FormulaPiece]) -> FormulaPiece:
    """Translate a row that handles arguments that are not applicable itself."""
    row = op.function
    if row.gives_na == "all" and len(parts) > 1 and any(op.may_be_na):
        return _least_or_largest(row.name.upper(), parts)
    asks = isinstance(row.excel, str) and '=""' in row.excel  # by reference
    expr = _filled(op, [part if asks and is_plain(part) else guarded(part) for part in parts])
    may_be_na = row.gives_na == "always" or (row.gives_na != "never" and any(op.may_be_na))
    return own(expr) if may_be_na else FormulaPiece(expr)


def _least_or_largest(name: str, parts: Sequence[FormulaPiece]) -> FormulaPiece:
    """Find the least or largest of values some of which may be empty; Excel skips empty cells."""
    if not all(is_plain(part) for part in parts):
        return _pairwise(name, parts)
    arguments = [part.expr for part in parts]
    found = call(name, *arguments)
    if all(part.tests for part in parts):
        return own(fill('IF({0}=0,"",{1})', call("COUNT", *arguments), found))
    return FormulaPiece(found)


def _pairwise(name: str, parts: Sequence[FormulaPiece]) -> FormulaPiece:
    """Find the least or largest of values some of which are computed and may be empty."""
    found = parts[0]
    for part in parts[1:]:
        found = capped(found)
        left, right = guarded(found).expr, guarded(part).expr
        both = call(name, left, right)
        if part.tests and found.tests:
            template = 'IF({0}="",{1},IF({1}="",{0},{2}))'
            found = own(fill(template, left, right, both))
        elif part.tests:
            found = FormulaPiece(fill('IF({1}="",{0},{2})', left, right, both))
        elif found.tests:
            found = FormulaPiece(fill('IF({0}="",{1},{2})', left, right, both))
        else:
            found = FormulaPiece(both)
    return found


def _needed(op: Apply | Reduce, parts: Sequence[FormulaPiece]) -> list[FormulaPiece]:
    """Drop the tests of what the condition has proved to be applicable in a branch."""
    asked = _tested(parts[0].expr) if len(parts) == 3 else None  # noqa: PLR2004 - c, v, o
    last = len(parts) - 1
    kept: list[FormulaPiece] = []
    for at, (part, may_be_na) in enumerate(zip(parts, op.may_be_na, strict=True)):
        tests = tuple(
            test for test in part.tests if may_be_na and not (at == last and test == asked)
        )
        kept.append(replace(part, tests=tests, gives_empty=part.gives_empty and bool(tests)))
    return kept


def _tested(condition: ExcelExpr) -> ExcelExpr:
    """Find what is applicable where a condition does not hold."""
    if isinstance(condition, Operation) and condition.operator == "=" and condition.right == EMPTY:
        return condition.left.inner if isinstance(condition.left, Group) else condition.left
    return condition


def _branches(op: Apply | Reduce, parts: Sequence[FormulaPiece]) -> FormulaPiece:
    """Translate ``c, v, …, o`` to nested IF; each branch is guarded by itself."""
    if len(parts) % 2 == 0:
        assert isinstance(op.function.excel, str), "a row that is no IF has a template"
        expr = fill(op.function.excel, *(guarded(part).expr for part in parts))
        return own(expr) if any(part.tests for part in parts) else FormulaPiece(expr)
    found = guarded(parts[-1]).expr
    may_be_na = op.may_be_na[-1]
    for index in range(len(parts) - 3, -1, -2):
        condition, value = parts[index], parts[index + 1]
        inner = call("IF", condition.expr, guarded(value).expr, found)
        found = guarded(FormulaPiece(inner, condition.tests)).expr
        may_be_na = may_be_na or op.may_be_na[index] or op.may_be_na[index + 1]
    return own(found) if may_be_na else FormulaPiece(found)


def counted(expr: ExcelExpr, series: ExcelExpr, *, may_be_na: bool) -> ExcelExpr:
    """Make an aggregation fail with its values, where Excel's counts skip errors.

    Where no value may be missing, nothing is counted.
    """
    there = fill('SUMPRODUCT(--({0}<>""))', series)
    counts = ("COUNT({0})", "COUNTIF({0},TRUE)+COUNTIF({0},FALSE)")
    for count in (fill(text, series) for text in counts):
        if expr == count:
            return there
        match expr:
            case ExcelCall("IF", (test, empty, result)) if test == Operation("=", count, ZERO):
                guard = call("IF", Operation("=", there, ZERO), empty, result)
                return guard if may_be_na else result
            case _:
                pass
    trues, counted_trues = call("COUNTIF", series, _TRUE), fill("SUMPRODUCT(--({0}=TRUE))", series)
    if expr == trues:
        return counted_trues
    match expr:
        case ExcelCall("IF", (test, empty, result)) if test == Operation("=", trues, ZERO):
            return call("IF", Operation("=", counted_trues, ZERO), empty, result)
        case _:
            return expr


def failing_with(lines: Sequence[ExcelExpr], expr: ExcelExpr) -> ExcelExpr:
    """Make a formula that skips errors in lines fail where one of them has any."""
    return (
        call("IF", fill("ISERROR({0})", call("SUM", *lines)), call("NA"), expr) if lines else expr
    )


class ReferenceTranslator(Protocol):
    """Translates references, relative to the cells that a formula is for."""

    def load(self, op: Load) -> FormulaPiece:
        """Refer to a cell at the current labels."""
        ...

    def labels(self, op: LabelFact) -> FormulaPiece:
        """Refer to the current label of a dim, or to a fact about it."""
        ...

    def pick(self, op: Lookup, keys: Sequence[FormulaPiece]) -> FormulaPiece:
        """Refer to an entry by its keys."""
        ...

    def prev(self, op: Previous) -> FormulaPiece:
        """Refer to a cell at the previous label."""
        ...

    def reduce(self, op: Reduce, singles: Sequence[FormulaPiece]) -> FormulaPiece:
        """Translate an aggregation; ``singles`` are its translated single arguments, in order."""
        ...

    def scan(self, op: Scan) -> FormulaPiece:
        """Translate a scan."""
        ...

    def may_fail(self, op: Op) -> bool:
        """Whether a tree may fail."""
        ...

    def factor(self, step: Step) -> str:
        """Name a conversion factor."""
        ...


def excel_text(op: Op, references: ReferenceTranslator) -> str:
    """Translate a tree to a formula without the ``=``; it is ``""`` where not applicable."""
    return marked(guarded(excel_piece(op, references)).expr)


def excel_piece(op: Op, references: ReferenceTranslator) -> FormulaPiece:
    """Translate a tree; keep the tests for what is not applicable apart."""
    translator = _NodeTranslator(references)
    return fold_tree(
        op, _translated_parts, lambda node, parts: capped(translator.visit(node, parts))
    )


def single_args(op: Reduce) -> Iterator[Op]:
    """List the arguments of an aggregation that are single values."""
    return (arg for at, arg in enumerate(op.args) if at in op.function.singles)


def _translated_parts(op: Op) -> Sequence[Op]:
    """List the parts translated by themselves; a line is referred to as a whole."""
    match op:
        case Previous() | Scan():
            return ()
        case Reduce():
            return tuple(single_args(op))
        case _:
            return op_parts(op)


@dataclass(frozen=True, slots=True)
class _NodeTranslator:
    """Translates one node from its translated parts."""

    references: ReferenceTranslator

    def visit(self, op: Op, parts: Sequence[FormulaPiece]) -> FormulaPiece:
        """Translate a node."""
        match op:
            case Const(value):
                return constant(value)
            case Convert(steps):
                return self.convert(steps, parts[0])
            case Apply() if op.function.excel_stops and self.references.may_fail(op.args[1]):
                stops = replace(op.function, excel=op.function.excel_stops)
                return applied(replace(op, function=stops), parts)
            case Apply():
                return applied(op, parts)
            case _:
                return self.reference(op, parts)

    def reference(
        self,
        op: LabelFact | Load | Lookup | Previous | Reduce | Scan,
        parts: Sequence[FormulaPiece],
    ) -> FormulaPiece:
        """Translate a node that refers to other cells."""
        match op:
            case LabelFact():
                return self.references.labels(op)
            case Load():
                return self.references.load(op)
            case Lookup():
                return self.references.pick(op, parts)
            case Previous():
                return self.references.prev(op)
            case Reduce():
                return self.references.reduce(op, parts)
            case Scan():
                return self.references.scan(op)
            case _:
                assert_never(op)

    def convert(self, steps: Sequence[Step], arg: FormulaPiece) -> FormulaPiece:
        """Multiply and divide by named factors."""
        expr = arg.expr
        for step in steps:
            expr = operation(
                "/" if step.divides else "*", expr, NameRef(self.references.factor(step))
            )
        return FormulaPiece(expr, arg.tests)
