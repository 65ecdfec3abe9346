"""Type-check function calls: elementwise, reductions and scans."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.check.clashes import clash_finding
from calcgraph.check.codes import SERIES, WRONG_ARGUMENT, WRONG_COUNT
from calcgraph.check.lowered import TypedExpr, all_dims, apply, convert_to, may_give_na
from calcgraph.check.words import count_message
from calcgraph.check.written_out import expand_calendar_calls
from calcgraph.core.dim import is_hidden, plain_dim
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Clash, Function, Operand, Signature
from calcgraph.graph import TableTarget
from calcgraph.graph.names import NOT_A_VALUE
from calcgraph.lang.expr import Name
from calcgraph.model import Load, Prev, Reduce, Scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.check.helpers import HelperCells
    from calcgraph.check.names import NameChecker
    from calcgraph.core.diagnostic import Code
    from calcgraph.core.source import Span
    from calcgraph.lang.expr import Call, Expr
    from calcgraph.units import UnitBook

ORDERED = {"time", "count", "table", "grid"}


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call being typed: its function, its typed arguments, and the dims its last ones name."""

    node: Call
    row: Function
    args: list[TypedExpr]
    dims: tuple[str, ...] = ()
    in_check: bool = False

    def arg(self, index: int) -> Expr:
        """Return an argument as written; the last one beyond the end."""
        return self.node.args[min(index, len(self.node.args) - 1)]


@dataclass(frozen=True, slots=True)
class CallChecker:
    """Type-checks calls whose arguments are typed; ``None`` means that an error was reported."""

    names: NameChecker
    helpers: HelperCells
    book: UnitBook

    def call(self, whole: CallSite) -> TypedExpr | None:
        """Type a call: elementwise, a reduction, a scan, or the label before."""
        node, row, args = whole.node, whole.row, whole.args
        if row.of_dims and row.name != "prev":
            return expand_calendar_calls(self.names, self.book, whole)
        if not (row.takes_series or row.along or row.name in {"prev", "join"}):
            return self.each(whole)
        named = [self.names.dim(arg) for arg in node.args]
        cut = len(named)
        while cut > max(row.least, 1) and named[cut - 1]:
            cut -= 1
        given = replace(whole, args=args[:cut], dims=tuple(named[cut:]))
        if row.name == "prev":
            return self.prev(given)
        if row.along:
            return self.scan(given)
        if row.name == "join":
            return self.join(whole, given)
        if not row.takes_series or (row.params[-1] == "…" and cut > 1):
            return self.each(whole)
        return self.reduce(given)

    def each(self, given: CallSite) -> TypedExpr | None:
        """Type a function of scalars, computed at every label."""
        operands = [_single(part.operand) for part in given.args]
        found = self.signature(given, given.row, operands)
        if found is None:
            return None
        row = FUNCTIONS[found.row] if found.row else given.row
        if given.in_check:
            row = FUNCTIONS.get(f"{row.name} in check", row)
        args = [convert_to(part, want) for part, want in zip(given.args, found.args, strict=False)]
        return apply(row, args, found.result)

    def signature(
        self, given: CallSite, row: Function, operands: Sequence[Operand]
    ) -> Signature | None:
        """Apply the unit rule of a function; report a clash."""
        found = row.units(operands)
        if not isinstance(found, Clash):
            return found
        arg = given.arg(found.index)
        target = self.names.target(arg) if isinstance(arg, Name) else None
        if isinstance(target, TableTarget):
            text = arg.span.text
            hint = f"write `{text}[key].column`, or `max({text}.column)`"
            self.say(NOT_A_VALUE, f"`{text}` is a table, not a value", arg.span, hint)
            return None
        names = self.names
        names.findings.append(
            clash_finding(names.graph, names.targets, given.node, row, found, operands)
        )
        return None

    def join(self, whole: CallSite, given: CallSite) -> TypedExpr | None:
        """Type ``join``: of several texts, or of one along a dim."""
        if not given.dims:
            return self.each(whole)
        if len(given.args) != 2:  # noqa: PLR2004 - the separator and a series
            self.say(WRONG_COUNT, "`join` along a dim takes one series", given.node.span)
            return None
        return self.reduce(replace(given, row=FUNCTIONS["join series"]))

    def reduce(self, given: CallSite) -> TypedExpr | None:
        """Type an aggregation."""
        row, args = given.row, given.args
        if not row.least <= len(args) <= (len(args) if row.most is None else row.most):
            self.say_count(given)
            return None
        series = [at for at in range(len(args)) if at not in row.singles]
        dims = self.reduced(given, args[series[0]], series[0])
        if dims is None or not self.is_alike(given, series, dims):
            return None
        operands = [
            _along(part.operand, dims) if at in series else _single(part.operand)
            for at, part in enumerate(args)
        ]
        found = self.signature(given, row, operands)
        if found is None:
            return None
        row = FUNCTIONS[found.row] if found.row else row
        args = [convert_to(part, want) for part, want in zip(args, found.args, strict=False)]
        plain = self.helpers.plain
        args = [plain(part, dims) if at in series else part for at, part in enumerate(args)]
        flags = tuple(part.may_be_na for part in args)
        left = [dim for at in series for dim in args[at].operand.type.dims if dim not in dims]
        singles = all_dims(part for at, part in enumerate(args) if at not in series)
        type_ = replace(found.result, dims=tuple(dict.fromkeys((*left, *singles))))
        if row.wants_labels:
            type_ = replace(self.names.graph.dims[plain_dim(dims[0])].type, dims=type_.dims)
        op = Reduce(row, dims, tuple(part.op for part in args), flags)
        return TypedExpr(Operand(type_, given.node.span.text), op, may_give_na(row, flags))

    def is_alike(self, given: CallSite, series: Sequence[int], dims: tuple[str, ...]) -> bool:
        """Whether all series of an aggregation vary over the dims it reduces."""
        for at in series[1:]:
            visible = [dim for dim in given.args[at].operand.type.dims if not is_hidden(dim)]
            if visible and not set(visible) & set(dims):
                span, first = given.arg(at).span, given.arg(series[0]).span
                message = f"`{span.text}` varies over {_listed(visible)}, `{first.text}` does not"
                self.say(SERIES, message, span, f"give values over {_listed(dims)}")
                return False
        return True

    def say_count(self, given: CallSite) -> None:
        """Report a wrong number of arguments, with the usage as a hint."""
        row, texts = given.row, [arg.span.text for arg in given.node.args]
        named = [bool(self.names.dim(arg)) for arg in given.node.args]
        hint = f"write `{row.usage}`"
        if True in named and not all(named):
            ordered = [text for text, is_dim in zip(texts, named, strict=True) if not is_dim]
            ordered += [text for text, is_dim in zip(texts, named, strict=True) if is_dim]
            hint = f"dims come last: `{row.name}({', '.join(ordered)})`"
        elif row.name in {"mean", "sum", "product"} and len(texts) > 1:
            sign = " * " if row.name == "product" else " + "
            sum_ = sign.join(texts)
            hint = f"write `({sum_}) / {len(texts)}`" if row.name == "mean" else f"write `{sum_}`"
        self.say(WRONG_COUNT, count_message(row, len(given.args)), given.node.span, hint)

    def reduced(self, given: CallSite, part: TypedExpr, at: int) -> tuple[str, ...] | None:
        """Return the dims that an aggregation reduces: those named, else all visible ones."""
        visible = [dim for dim in part.operand.type.dims if not is_hidden(dim)]
        span, row = given.arg(at).span, given.row
        missing = next((dim for dim in given.dims if dim not in visible), None)
        if not visible:
            hint = (
                "name a series or a column of a table, as in `table.column`; single values are "
                "joined by `+`"
            )
            if missing:
                hint = f"leave out `{missing}`, or give a value that varies over it"
            message = "an aggregation needs a series, this is a single value"
            self.say(WRONG_ARGUMENT, message, span, hint)
            return None
        if missing is not None:
            names = ", ".join(f"`{dim}`" for dim in visible)
            message = f"`{span.text}` does not vary over `{missing}`"
            self.say(SERIES, message, span, f"it varies over {names}")
            return None
        dims = given.dims or tuple(visible)
        if row.one_dim and len(dims) != 1:
            message = f"`{row.name}` goes along one dim, this varies over {_listed(dims)}"
            call = f"{row.name}({', '.join(arg.span.text for arg in given.node.args)}, {dims[-1]})"
            self.say(SERIES, message, span, f"name it: `{call}`")
            return None
        return dims

    def line(self, given: CallSite) -> str | None:
        """Find the dim of a scan: the one named, else the only ordered one."""
        row, graph = given.row, self.names.graph
        is_stock = row.name == "stock"  # whose opening balance may vary over less than its flows
        for at in sorted(range(len(given.args)), key=lambda at: is_stock and at == 0):
            every = given.args if is_stock else given.args[at : at + 1]
            visible = [dim for dim in given.args[at].operand.type.dims if not is_hidden(dim)]
            if not visible:
                continue
            span = given.arg(at).span
            if given.dims:
                if len(given.dims) == 1 and given.dims[0] in all_dims(every):
                    return given.dims[0]
                wrong = f"`{span.text}` does not vary over `{given.dims[0]}`"
                message = wrong if len(given.dims) == 1 else f"`{row.name}` goes along one dim"
                self.say(SERIES, message, span, f"it varies over {_listed(visible)}")
                return None
            ordered = [dim for dim in visible if graph.dims[dim].kind in ORDERED]
            times = [dim for dim in ordered if graph.dims[dim].kind == "time"]
            for choice in (times, ordered, visible if row.name == "rank" else []):
                if len(choice) == 1:
                    return choice[0]
            message = f"`{row.name}` goes along one dim, this varies over {_listed(visible)}"
            if len(visible) == 1:
                message = (
                    f"`{row.name}` needs an order, and the labels of `{visible[0]}` are a list"
                )
            texts = [*(arg.span.text for arg in given.node.args), visible[-1]]
            self.say(SERIES, message, span, f"name it: `{row.name}({', '.join(texts)})`")
            return None
        message = f"`{row.name}` needs a series, this is a single value"
        self.say(WRONG_ARGUMENT, message, given.arg(0).span, "use a cell that varies over a dim")
        return None

    def scan(self, given: CallSite) -> TypedExpr | None:
        """Type a scan, a function that runs along a dim; it gets a cell of its own."""
        row, args = given.row, given.args
        if not row.least <= len(args) <= (len(args) if row.most is None else row.most):
            self.say_count(given)
            return None
        dim = self.line(given)
        if dim is None:
            return None
        found = self.signature(given, row, [_single(part.operand) for part in args])
        if found is None:
            return None
        row = FUNCTIONS[found.row] if found.row else row
        args = [convert_to(part, want) for part, want in zip(args, found.args, strict=False)]
        plain = self.helpers.plain
        args = [plain(arg, (dim,)) if dim in arg.operand.type.dims else arg for arg in args]
        flags = tuple(part.may_be_na for part in args)
        dims = all_dims(args)
        type_ = replace(found.result, dims=(*(d for d in dims if d != dim), dim))
        op = Scan(row, dim, tuple(part.op for part in args), flags)
        part = TypedExpr(Operand(type_, given.node.span.text), op, may_give_na(row, flags))
        return self.helpers.made(part, self.own_order(type_.dims))

    def own_order(self, dims: Sequence[str]) -> tuple[str, ...]:
        """Order dims as the current cell does, so that a scan can be its whole formula."""
        node = self.names.node
        own = node.dims if node is not None else ()
        return tuple(dim for dim in own if dim in dims)

    def prev(self, given: CallSite) -> TypedExpr | None:
        """Type ``prev(x, initial)``: a cell at the label before."""
        if len(given.args) != 2:  # noqa: PLR2004 - x and its initial
            text = count_message(given.row, len(given.args))
            self.say(WRONG_COUNT, text, given.node.span, "write `prev(x, initial)`")
            return None
        dim = self.line(replace(given, args=given.args[:1]))
        if dim is None:
            return None
        found = self.signature(given, given.row, [_single(part.operand) for part in given.args])
        if found is None:
            return None
        args = [convert_to(part, want) for part, want in zip(given.args, found.args, strict=False)]
        x = args[0] if isinstance(args[0].op, Load) else self.helpers.made(args[0], (dim,))
        initial = args[1]
        dims = tuple(dict.fromkeys((*x.operand.type.dims, *initial.operand.type.dims)))
        may_be_na = x.may_be_na or initial.may_be_na
        operand = Operand(replace(found.result, dims=dims), given.node.span.text)
        return TypedExpr(operand, Prev(dim, (x.op, initial.op)), may_be_na)

    def say(self, code: Code, message: str, span: Span, hint: str = "") -> None:
        """Report a finding."""
        self.names.say(code, message, span, hint)


def _single(operand: Operand) -> Operand:
    """Return an operand as a unit rule sees it at one label: without dims."""
    if not operand.type.dims:
        return operand
    return replace(operand, type=replace(operand.type, dims=()))


def _along(operand: Operand, dims: tuple[str, ...]) -> Operand:
    """Return an operand as a unit rule of a reduction sees it: with the reduced dims only."""
    own = tuple(dim for dim in operand.type.dims if dim in dims)
    return replace(operand, type=replace(operand.type, dims=own))


def _listed(dims: Sequence[str]) -> str:
    return " and ".join(f"`{dim}`" for dim in dims)
