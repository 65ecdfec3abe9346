"""Type-check function calls: elementwise, reductions and scans."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.core.values import NUMBER, TRUTH, Kind, Type, is_hidden, visible_dim
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Clash, Function, Operand, Signature
from calcgraph.graph import TableTarget
from calcgraph.graph.names import NOT_A_VALUE
from calcgraph.language.ast import Name
from calcgraph.model import Apply, LabelFact, Load, Previous, Reduce, Scan
from calcgraph.typecheck.messages import (
    SERIES,
    WRONG_ARGUMENT,
    WRONG_COUNT,
    clash_finding,
    count_message,
)
from calcgraph.typecheck.typed import TypedExpr, all_dims, apply, convert_to, may_give_na

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.diagnostics import Code
    from calcgraph.core.source import Span
    from calcgraph.language.ast import Call, Expr
    from calcgraph.model import Op
    from calcgraph.typecheck.name_checks import NameChecker
    from calcgraph.typecheck.typed import HelperCells
    from calcgraph.units import UnitBook


def expand_calendar_calls(names: NameChecker, book: UnitBook, call: CallSite) -> TypedExpr | None:
    """Expand ``index``, ``duration`` and ``within``, whose arguments name dims, to label facts."""
    node, row = call.node, call.row
    dims = [names.dim(arg) for arg in node.args]
    for arg, name, part in zip(node.args, dims, call.args, strict=True):
        needs_time = row.name != "index"
        is_time = bool(name) and names.graph.dims[name].kind == "time"
        if name and (is_time or not needs_time):
            continue
        what = "a time axis" if needs_time else "a dim"
        message = f"`{row.name}` takes the name of {what}, this is {part.operand.type}"
        if name:
            message = f"`{row.name}` takes a time axis, `{name}` is not one"
        names.report(WRONG_ARGUMENT, message, arg.span, f"write `{row.usage}` with {what}")
        return None
    text = node.span.text
    if row.name == "within":
        return TypedExpr(Operand(replace(TRUTH, dims=tuple(dims)), text), _within(*dims), False)  # noqa: FBT003
    what = "index" if row.name == "index" else "length"
    type_ = replace(NUMBER, dims=(dims[0],))
    if what == "length":
        unit = book.unit("day")
        type_ = Type(Kind.NUMBER, unit, dims=(dims[0],))  # type: ignore[arg-type]
    return TypedExpr(Operand(type_, text), LabelFact(dims[0], what), may_be_na=False)  # type: ignore[arg-type]


def _within(inner: str, outer: str) -> Op:
    """Whether one period starts within another; exact, as dates are whole numbers."""
    start = LabelFact(inner)
    after = Apply(FUNCTIONS[">="], (start, LabelFact(outer)), (False, False))
    before = Apply(FUNCTIONS["<"], (start, LabelFact(outer, "end")), (False, False))
    return Apply(FUNCTIONS["and"], (after, before), (False, False))


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
        site = replace(whole, args=args[:cut], dims=tuple(named[cut:]))
        if row.name == "prev":
            return self.prev(site)
        if row.along:
            return self.scan(site)
        if row.name == "join":
            return self.join(whole, site)
        if not row.takes_series or (row.params[-1] == "…" and cut > 1):
            return self.each(whole)
        return self.reduce(site)

    def each(self, site: CallSite) -> TypedExpr | None:
        """Type a function of scalars, computed at every label."""
        operands = [_single(part.operand) for part in site.args]
        found = self.signature(site, site.row, operands)
        if found is None:
            return None
        row = FUNCTIONS[found.row] if found.row else site.row
        if site.in_check:
            row = FUNCTIONS.get(f"{row.name} in check", row)
        args = [convert_to(part, want) for part, want in zip(site.args, found.args, strict=False)]
        return apply(row, args, found.result)

    def signature(
        self, site: CallSite, row: Function, operands: Sequence[Operand]
    ) -> Signature | None:
        """Apply the unit rule of a function; report a clash."""
        found = row.units(operands)
        if not isinstance(found, Clash):
            return found
        arg = site.arg(found.index)
        target = self.names.target(arg) if isinstance(arg, Name) else None
        if isinstance(target, TableTarget):
            text = arg.span.text
            hint = f"write `{text}[key].column`, or `max({text}.column)`"
            self.report(NOT_A_VALUE, f"`{text}` is a table, not a value", arg.span, hint)
            return None
        names = self.names
        names.findings.append(
            clash_finding(names.graph, names.targets, site.node, row, found, operands)
        )
        return None

    def join(self, whole: CallSite, site: CallSite) -> TypedExpr | None:
        """Type ``join``: of several texts, or of one along a dim."""
        if not site.dims:
            return self.each(whole)
        if len(site.args) != 2:  # noqa: PLR2004 - the separator and a series
            self.report(WRONG_COUNT, "`join` along a dim takes one series", site.node.span)
            return None
        return self.reduce(replace(site, row=FUNCTIONS["join series"]))

    def reduce(self, site: CallSite) -> TypedExpr | None:
        """Type an aggregation."""
        row, args = site.row, site.args
        if not row.least <= len(args) <= (len(args) if row.most is None else row.most):
            self.report_count(site)
            return None
        series = [at for at in range(len(args)) if at not in row.singles]
        dims = self.reduced(site, args[series[0]], series[0])
        if dims is None or not self.is_alike(site, series, dims):
            return None
        operands = [
            _along(part.operand, dims) if at in series else _single(part.operand)
            for at, part in enumerate(args)
        ]
        found = self.signature(site, row, operands)
        if found is None:
            return None
        row = FUNCTIONS[found.row] if found.row else row
        args = [convert_to(part, want) for part, want in zip(args, found.args, strict=False)]
        as_cell = self.helpers.as_cell
        args = [as_cell(part, dims) if at in series else part for at, part in enumerate(args)]
        flags = tuple(part.may_be_na for part in args)
        left = [dim for at in series for dim in args[at].operand.type.dims if dim not in dims]
        singles = all_dims(part for at, part in enumerate(args) if at not in series)
        type_ = replace(found.result, dims=tuple(dict.fromkeys((*left, *singles))))
        if row.wants_labels:
            type_ = replace(self.names.graph.dims[visible_dim(dims[0])].type, dims=type_.dims)
        op = Reduce(row, dims, tuple(part.op for part in args), flags)
        return TypedExpr(Operand(type_, site.node.span.text), op, may_give_na(row, flags))

    def is_alike(self, site: CallSite, series: Sequence[int], dims: tuple[str, ...]) -> bool:
        """Whether all series of an aggregation vary over the dims it reduces."""
        for at in series[1:]:
            visible = [dim for dim in site.args[at].operand.type.dims if not is_hidden(dim)]
            if visible and not set(visible) & set(dims):
                span, first = site.arg(at).span, site.arg(series[0]).span
                message = f"`{span.text}` varies over {_listed(visible)}, `{first.text}` does not"
                self.report(SERIES, message, span, f"give values over {_listed(dims)}")
                return False
        return True

    def report_count(self, site: CallSite) -> None:
        """Report a wrong number of arguments, with the usage as a hint."""
        row, texts = site.row, [arg.span.text for arg in site.node.args]
        named = [bool(self.names.dim(arg)) for arg in site.node.args]
        hint = f"write `{row.usage}`"
        if True in named and not all(named):
            ordered = [text for text, is_dim in zip(texts, named, strict=True) if not is_dim]
            ordered += [text for text, is_dim in zip(texts, named, strict=True) if is_dim]
            hint = f"dims come last: `{row.name}({', '.join(ordered)})`"
        elif row.name in {"mean", "sum", "product"} and len(texts) > 1:
            sign = " * " if row.name == "product" else " + "
            sum_ = sign.join(texts)
            hint = f"write `({sum_}) / {len(texts)}`" if row.name == "mean" else f"write `{sum_}`"
        self.report(WRONG_COUNT, count_message(row, len(site.args)), site.node.span, hint)

    def reduced(self, site: CallSite, part: TypedExpr, at: int) -> tuple[str, ...] | None:
        """Return the dims that an aggregation reduces: those named, else all visible ones."""
        visible = [dim for dim in part.operand.type.dims if not is_hidden(dim)]
        span, row = site.arg(at).span, site.row
        missing = next((dim for dim in site.dims if dim not in visible), None)
        if not visible:
            hint = (
                "name a series or a column of a table, as in `table.column`; single values are "
                "joined by `+`"
            )
            if missing:
                hint = f"leave out `{missing}`, or give a value that varies over it"
            message = "an aggregation needs a series, this is a single value"
            self.report(WRONG_ARGUMENT, message, span, hint)
            return None
        if missing is not None:
            names = ", ".join(f"`{dim}`" for dim in visible)
            message = f"`{span.text}` does not vary over `{missing}`"
            self.report(SERIES, message, span, f"it varies over {names}")
            return None
        dims = site.dims or tuple(visible)
        if row.one_dim and len(dims) != 1:
            message = f"`{row.name}` goes along one dim, this varies over {_listed(dims)}"
            call = f"{row.name}({', '.join(arg.span.text for arg in site.node.args)}, {dims[-1]})"
            self.report(SERIES, message, span, f"name it: `{call}`")
            return None
        return dims

    def line(self, site: CallSite) -> str | None:
        """Find the dim of a scan: the one named, else the only ordered one."""
        row, graph = site.row, self.names.graph
        is_stock = row.name == "stock"  # its opening balance may have fewer dims than its flows
        for at in sorted(range(len(site.args)), key=lambda at: is_stock and at == 0):
            every = site.args if is_stock else site.args[at : at + 1]
            visible = [dim for dim in site.args[at].operand.type.dims if not is_hidden(dim)]
            if not visible:
                continue
            span = site.arg(at).span
            if site.dims:
                if len(site.dims) == 1 and site.dims[0] in all_dims(every):
                    return site.dims[0]
                wrong = f"`{span.text}` does not vary over `{site.dims[0]}`"
                message = wrong if len(site.dims) == 1 else f"`{row.name}` goes along one dim"
                self.report(SERIES, message, span, f"it varies over {_listed(visible)}")
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
            texts = [*(arg.span.text for arg in site.node.args), visible[-1]]
            self.report(SERIES, message, span, f"name it: `{row.name}({', '.join(texts)})`")
            return None
        message = f"`{row.name}` needs a series, this is a single value"
        self.report(WRONG_ARGUMENT, message, site.arg(0).span, "use a cell that varies over a dim")
        return None

    def scan(self, site: CallSite) -> TypedExpr | None:
        """Type a scan, a function that runs along a dim; it gets a cell of its own."""
        row, args = site.row, site.args
        if not row.least <= len(args) <= (len(args) if row.most is None else row.most):
            self.report_count(site)
            return None
        dim = self.line(site)
        if dim is None:
            return None
        found = self.signature(site, row, [_single(part.operand) for part in args])
        if found is None:
            return None
        row = FUNCTIONS[found.row] if found.row else row
        args = [convert_to(part, want) for part, want in zip(args, found.args, strict=False)]
        as_cell = self.helpers.as_cell
        args = [as_cell(arg, (dim,)) if dim in arg.operand.type.dims else arg for arg in args]
        flags = tuple(part.may_be_na for part in args)
        dims = all_dims(args)
        type_ = replace(found.result, dims=(*(d for d in dims if d != dim), dim))
        op = Scan(row, dim, tuple(part.op for part in args), flags)
        part = TypedExpr(Operand(type_, site.node.span.text), op, may_give_na(row, flags))
        return self.helpers.add_cell(part, self.own_order(type_.dims))

    def own_order(self, dims: Sequence[str]) -> tuple[str, ...]:
        """Order dims as the current cell does, so that a scan can be its whole formula."""
        node = self.names.node
        own = node.dims if node is not None else ()
        return tuple(dim for dim in own if dim in dims)

    def prev(self, site: CallSite) -> TypedExpr | None:
        """Type ``prev(x, initial)``: a cell at the label before."""
        if len(site.args) != 2:  # noqa: PLR2004 - x and its initial
            text = count_message(site.row, len(site.args))
            self.report(WRONG_COUNT, text, site.node.span, "write `prev(x, initial)`")
            return None
        dim = self.line(replace(site, args=site.args[:1]))
        if dim is None:
            return None
        found = self.signature(site, site.row, [_single(part.operand) for part in site.args])
        if found is None:
            return None
        args = [convert_to(part, want) for part, want in zip(site.args, found.args, strict=False)]
        x = args[0] if isinstance(args[0].op, Load) else self.helpers.add_cell(args[0], (dim,))
        initial = args[1]
        dims = tuple(dict.fromkeys((*x.operand.type.dims, *initial.operand.type.dims)))
        may_be_na = x.may_be_na or initial.may_be_na
        operand = Operand(replace(found.result, dims=dims), site.node.span.text)
        return TypedExpr(operand, Previous(dim, (x.op, initial.op)), may_be_na)

    def report(self, code: Code, message: str, span: Span, hint: str = "") -> None:
        """Report a finding."""
        self.names.report(code, message, span, hint)


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
