"""Type-check names, entries and keys."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Diagnostic, Label, did_you_mean
from calcgraph.core.source import Span
from calcgraph.core.values import HIDDEN_SEPARATOR, TEXT, Kind, is_hidden, visible_dim
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Operand
from calcgraph.graph import CellTarget, ColumnTarget, DimTarget, TableTarget
from calcgraph.language.ast import EntryExpr, Expr, Name, Period, Text
from calcgraph.model import Apply, Const, LabelFact, Load, Lookup
from calcgraph.typecheck.literals import key_word
from calcgraph.typecheck.messages import SERIES, UNKNOWN_KEY, WRONG_ARGUMENT, WRONG_COUNT, rows_text
from calcgraph.typecheck.typed import TypedExpr, all_dims

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.diagnostics import Code
    from calcgraph.core.values import Dim, Type
    from calcgraph.graph import Graph, Node, Target, Variant
    from calcgraph.model import Cell


@dataclass(frozen=True, slots=True)
class Key:
    """A key as written, and typed."""

    arg: Expr
    part: TypedExpr
    joined_span: Span | None = None

    @property
    def span(self) -> Span:
        """Its source span, with all its parts."""
        return self.joined_span or self.arg.span


def takes(dim: Dim, key: Key, roots: Mapping[str, str]) -> bool:
    """Whether a key fits a dim: by its kind, and by the dim or table it is a key of."""
    type_ = key.part.operand.type
    if isinstance(key.arg, Period) and key.joined_span is None:
        return dim.kind == "time"
    if type_.kind is Kind.ANY:
        return True
    if type_.table:
        return roots.get(type_.table, type_.table) == roots.get(dim.name, dim.name)
    if type_.kind is Kind.NUMBER:
        return dim.kind == "count" and type_.unit.is_pure
    return type_.kind is dim.type.kind


def key_op(
    dim: Dim, key: Key, node: EntryExpr, *, is_only: bool, fits: bool
) -> TypedExpr | Diagnostic:
    """Type a key for a dim; a literal must be one of the dim's labels."""
    type_, constant = key.part.operand.type, key.part.operand.constant
    span = key.span
    if not fits:
        return _key_misfit(dim, key, node, is_only=is_only)
    if constant is None:
        return key.part
    if isinstance(key.arg, Period) and key.joined_span is None:
        label = key.arg.text
        if label.count("-") == 2 and dim.step != "day":  # noqa: PLR2004 - a day, not a month
            label = label[:7] if label.endswith("-01") else label
    elif type_.kind is Kind.NUMBER:
        label = f"{constant:.15g}"
    else:
        label = str(constant)
    if label not in dim.labels:
        what = "row" if dim.kind in {"table", "grid"} else "label"
        whose = "table" if dim.kind == "table" else "dim"
        message = f"the {whose} `{dim.name}` has no {what} `{label}`"
        hint = _labels_text(dim)
        if dim.kind not in {"time", "count"}:
            hint = did_you_mean(label, dim.labels, hint)
        return Diagnostic(UNKNOWN_KEY, message, Label(span), hint)
    value = dim.keys[dim.labels.index(label)]
    operand = replace(key.part.operand, type=dim.type, constant=value)
    return replace(key.part, operand=operand, op=Const(value))


def _labels_text(dim: Dim) -> str:
    if dim.kind in {"time", "count"}:
        return f"it goes from {dim.labels[0]} to {dim.labels[-1]}"
    return (
        rows_text(dim.labels)
        if dim.kind == "table"
        else rows_text(dim.labels).replace("its rows", "its labels")
    )


def _key_misfit(dim: Dim, key: Key, node: EntryExpr, *, is_only: bool) -> Diagnostic:
    """Explain why a key fits none of the remaining dims."""
    type_, span = key.part.operand.type, key.span
    if type_.table and type_.table != dim.name:
        hint = f"use an input with `choices: {dim.name}`"
        hint = hint if dim.kind == "table" else f"use a key of `{dim.name}`"
        message = f"this is {type_}, not a key of `{dim.name}`"
        return Diagnostic(WRONG_ARGUMENT, message, Label(span), hint)
    need = {"time": "a period, such as " + dim.labels[0], "count": "a position, from 0"}.get(
        dim.kind, "a text"
    )
    given = str(type_)
    if isinstance(key.arg, Period):
        given = "a period"
    constant = key.part.operand.constant
    text = f"{constant:.15g}" if isinstance(constant, float) else str(constant)
    is_word = type_.kind is Kind.NUMBER and key.part.operand.bare
    hint = _labels_text(dim)
    if need == "a text" and span.text in dim.labels:
        hint = f'write `{node.base.text}["{span.text}"]`' if is_only else f'write `"{span.text}"`'
    elif need != "a text" and text in dim.labels and isinstance(key.arg, Text):
        hint = f"leave the quotes out: `{node.base.text}[{text}]`" if is_only else f"write `{text}`"
    elif dim.kind == "time" and is_word and any(one.startswith(text) for one in dim.labels):
        label = next(one for one in dim.labels if one.startswith(text))
        hint = f"write `{label}`"
    elif need == "a text" and isinstance(key.arg, Name):
        hint = "use a text, or an input with `choices: " + f"{dim.name}`"
    whose = f" of `{dim.name}`" if dim.kind != "table" else ""
    return Diagnostic(WRONG_ARGUMENT, f"a key{whose} is {need}, this is {given}", Label(span), hint)


@dataclass(frozen=True, slots=True)
class KeyParts:
    """The columns whose joined values are the keys of a dim."""

    dim: Dim
    columns: tuple[str, ...]
    types: tuple[Type, ...]

    def fit(self, keys: Sequence[Key]) -> bool:
        """Whether each key is of the kind of its column."""
        return all(_fits(key, type_) for key, type_ in zip(keys, self.types, strict=True))


def joined_keys(
    names: NameChecker, node: EntryExpr, keys: list[Key], dims: Sequence[str]
) -> list[Key] | None:
    """Join keys that are parts of one; ``None`` if they do not fit, which is reported."""
    known = [names.graph.dims[dim] for dim in dims if dim in names.graph.dims]
    found = [parts for dim in known if (parts := _parts(names, dim))]
    if not found or len(known) < len(dims):
        return keys
    whole = all(any(takes(dim, key, names.roots) for dim in known) for key in keys)
    if whole and len(keys) <= len(known):
        return keys
    if len(known) == 1 and len(keys) not in {1, len(found[0].columns)}:
        names.findings.append(_parts_misfit(node, found[0], keys))
        return None
    for parts in found:
        size = len(parts.columns)
        for at in range(len(keys) - size + 1):
            run = keys[at : at + size]
            if parts.fit(run):
                one = _joined(names, node, parts, run)
                return None if one is None else [*keys[:at], one, *keys[at + size :]]
    if len(known) > 1:
        return keys
    names.findings.append(_parts_misfit(node, found[0], keys))
    return None


def _parts(names: NameChecker, dim: Dim) -> KeyParts | None:
    """Find the columns that a dim's keys consist of; ``None`` if its keys are single."""
    table = names.graph.tables.get(names.roots.get(dim.name, dim.name))
    if table is None:
        return None
    columns = tuple(table.columns) if table.is_grid else tuple(k.text.text for k in table.decl.keys)
    cells = [names.cells[table.columns[name]] for name in columns if name in table.columns]
    types = tuple(cell.type for cell in cells if cell is not None)
    return KeyParts(dim, columns, types) if columns and len(types) == len(columns) else None


def _fits(key: Key, wanted: Type) -> bool:
    type_ = key.part.operand.type
    if isinstance(key.arg, Period):
        return wanted.kind is Kind.DATE
    if type_.kind is Kind.NUMBER and wanted.kind is Kind.NUMBER:
        return key.part.operand.bare or type_.unit.dimension == wanted.unit.dimension
    return type_.kind is wanted.kind


def _joined(names: NameChecker, node: EntryExpr, parts: KeyParts, run: Sequence[Key]) -> Key | None:
    """Join the parts of a key by ``/``; numbers and dates must be literals."""
    pieces: list[TypedExpr] = []
    for key, type_ in zip(run, parts.types, strict=True):
        word = _word(key, type_)
        if word is not None:
            pieces.append(TypedExpr(Operand(TEXT, constant=word), Const(word), may_be_na=False))
        elif type_.kind is Kind.TEXT:
            pieces.append(key.part)
        else:
            message = "a number in a key of several parts is written out"
            column = parts.columns[list(run).index(key)]
            hint = f"compare columns: `sum(if({node.base.text}.{column} == …, …))`"
            names.findings.append(Diagnostic(WRONG_ARGUMENT, message, Label(key.arg.span), hint))
            return None
    words = [piece.operand.constant for piece in pieces]
    span = Span(run[0].arg.span.source, run[0].arg.span.start, run[-1].arg.span.end)
    text = "/".join(str(word) for word in words) if None not in words else None
    type_ = replace(TEXT, dims=all_dims(pieces))
    flags = tuple(flag for piece in pieces for flag in (piece.may_be_na, False))[:-1]
    ops = tuple(op for piece in pieces for op in (piece.op, Const("/")))[:-1]
    op = Const(text) if text is not None else Apply(FUNCTIONS["concat"], ops, flags)
    part = TypedExpr(Operand(type_, span.text, text), op, any(flags))
    return Key(run[0].arg, part, span)


def _word(key: Key, wanted: Type) -> str | None:
    """Write a literal as part of a key: a number in its column's unit."""
    constant, type_ = key.part.operand.constant, key.part.operand.type
    if isinstance(key.arg, Period):
        return key.arg.text if key.arg.text.count("-") > 1 else f"{key.arg.text}-01"
    if isinstance(constant, float) and not key.part.operand.bare:
        constant = float(constant * type_.unit.scale / wanted.unit.scale)
    return None if constant is None else key_word(constant, wanted)


def _parts_misfit(node: EntryExpr, parts: KeyParts, keys: Sequence[Key]) -> Diagnostic:
    base, size = node.base.text, len(parts.columns)
    listed, first = ", ".join(parts.columns), parts.dim.labels[0]
    hint = f'write `{base}[{listed}]` with its values, or `{base}["{first}"]`'
    if len(keys) != size:
        message = f"a key of `{parts.dim.name}` has {size} parts, got {len(keys)}"
        span = Span(node.span.source, keys[0].arg.span.start, keys[-1].arg.span.end)
        return Diagnostic(WRONG_COUNT, message, Label(span), hint)
    at = next(i for i, (k, t) in enumerate(zip(keys, parts.types, strict=True)) if not _fits(k, t))
    wanted, given = replace(parts.types[at], dims=()), keys[at].part.operand.type
    message = f"`{parts.columns[at]}` of a key of `{parts.dim.name}` is {wanted}, this is {given}"
    return Diagnostic(WRONG_ARGUMENT, message, Label(keys[at].arg.span), hint)


@dataclass(slots=True)
class NameChecker:
    """Types the names in the formula of ``node``; ``seen`` holds the first use of each dim."""

    graph: Graph
    cells: list[Cell | None]
    findings: list[Diagnostic]
    node: Node | None = None
    seen: dict[str, Name | EntryExpr] = field(default_factory=dict)

    def enter(self, node: Node) -> None:
        """Start on the formula of a cell."""
        self.node = node
        if self.seen:
            self.seen = {}

    def report(self, code: Code, message: str, span: Span, hint: str = "") -> None:
        """Report a finding."""
        self.findings.append(Diagnostic(code, message, Label(span), hint))

    @property
    def targets(self) -> Mapping[int, Target]:
        """What the names of the current formula refer to, by source offset."""
        return self.node.targets if self.node is not None else {}

    def target(self, part: Name | EntryExpr) -> Target | None:
        """Return what a name refers to; ``None`` if it is unresolved, which was reported."""
        return self.targets.get(part.span.start)

    def dim(self, part: object) -> str:
        """Return the dim that an argument names, or an empty text."""
        target = self.target(part) if isinstance(part, Name) else None
        match target:
            case DimTarget(name) | TableTarget(name, _):
                return name
            case _:
                return ""

    def name(self, node: Name) -> TypedExpr | None:
        """Type a name: a cell, a column, or the keys of a dim."""
        target = self.target(node)
        match target:
            case CellTarget(number) | ColumnTarget(number):
                cell = self.cells[number]
                if cell is None:
                    return None
                if not cell.type.dims:
                    return TypedExpr(Operand(cell.type, node.text), Load(number), cell.may_be_na)
                dims = self.renamed(cell, node)
                if dims is None:
                    return None
                type_ = replace(cell.type, dims=dims)
                return TypedExpr(Operand(type_, node.text), Load(number, dims), cell.may_be_na)
            case DimTarget(name) | TableTarget(name, _):
                dim = self.graph.dims.get(name)
                if dim is None:
                    return None
                self.seen.setdefault(name, node)
                type_ = replace(dim.type, dims=(name,))
                return TypedExpr(Operand(type_, node.text), LabelFact(name), may_be_na=False)
            case _:
                return None

    def renamed(self, cell: Cell, part: Name | EntryExpr) -> tuple[str, ...] | None:
        """Return the dims of a cell as the current formula sees them; ``None`` if one comes twice.

        A dim that a variant is broadcast along is hidden inside the variant and visible outside.
        """
        assert self.node is not None, "a formula was entered"
        inside = self.node.within
        of = self.graph.nodes[cell.number].of if cell.number < len(self.graph.nodes) else ()
        bound = of[-1] if of and of[-1] in inside else None
        ids = {hidden_prefix(self.graph, way) for way in inside}
        found: list[str] = []
        for dim in cell.type.dims:
            if is_hidden(dim):
                found.append(
                    dim if dim.rpartition(HIDDEN_SEPARATOR)[0] in ids else visible_dim(dim)
                )
            else:
                found.append(hidden_dim(self.graph, bound, dim) if bound else dim)
        for dim in found:
            self.seen.setdefault(dim, part)
        twice = next((dim for dim in found if found.count(dim) > 1), None)
        if twice is None:
            return tuple(found)
        message = f"`{part.span.text}` varies over `{visible_dim(twice)}` twice"
        hint = f"lift the variant over a dim of its own: `like: {visible_dim(twice)}`"
        self.report(SERIES, message, part.span, hint)
        return None

    def entry(self, node: EntryExpr, parts: Sequence[TypedExpr | None]) -> TypedExpr | None:
        """Type ``table[key].column`` or ``series[key]``: each key fixes one dim."""
        target = self.target(node)
        if not isinstance(target, ColumnTarget | CellTarget):
            return None
        cell = self.cells[target.number]
        keys = [part for part in parts if part is not None]
        if cell is None or len(keys) < len(parts):
            return None
        dims = self.renamed(cell, node)
        if dims is None:
            return None
        written = [Key(arg, part) for arg, part in zip(node.args, keys, strict=True)]
        given = joined_keys(self, node, written, [dim for dim in dims if not is_hidden(dim)])
        fixed: dict[str, Key] = {}
        for one in given or ():
            key = self.key(node, one, [d for d in dims if d not in fixed], dims)
            if key is None:
                return None
            fixed[key[0]] = key[1]
        if given is None:
            return None
        at = tuple("" if dim in fixed else dim for dim in dims)
        args = tuple(fixed[dim].part for dim in dims if dim in fixed)
        rest = [dim for dim in at if dim]
        for dim in dict.fromkeys(all_dims(args)):
            self.seen.setdefault(dim, node)
        type_ = replace(cell.type, dims=tuple(dict.fromkeys((*rest, *all_dims(args)))))
        may_be_na = cell.may_be_na or any(part.may_be_na for part in args)
        op = Lookup(target.number, at, tuple(part.op for part in args))
        return TypedExpr(Operand(type_, node.span.text), op, may_be_na)

    def key(
        self, node: EntryExpr, key: Key, free: Sequence[str], dims: Sequence[str]
    ) -> tuple[str, Key] | None:
        """Find the dim that a key fixes, and return both."""
        visible = [dim for dim in free if not is_hidden(dim)]
        table = {dim: self.graph.dims[dim] for dim in visible if dim in self.graph.dims}
        if len(table) < len(visible):
            return None
        fitting = [name for name, dim in table.items() if takes(dim, key, self.roots)]
        if len(fitting) > 1:
            fitting = [name for name in fitting if self.has(table[name], key)] or fitting
        if not visible:
            shown = [visible_dim(dim) for dim in dims if not is_hidden(dim)]
            need = f"`{node.base.text}` has {len(shown)} to fix" if shown else "it has no dims"
            message = f"one key too many: {need}"
            hint = f"leave out `{key.span.text}`"
            self.report(WRONG_COUNT, message, key.span, hint)
            return None
        if len(fitting) > 1:
            names = " or ".join(f"`{name}`" for name in fitting)
            message = f"this may be a key of {names}"
            first = fitting[0]
            hint = f"use an input with `choices: {first}`, or a cell that is a key of one of them"
            self.report(WRONG_ARGUMENT, message, key.span, hint)
            return None
        name = fitting[0] if fitting else visible[0]
        found = key_op(table[name], key, node, is_only=len(visible) == 1, fits=bool(fitting))
        if isinstance(found, Diagnostic):
            self.findings.append(found)
            return None
        return name, replace(key, part=found)

    @property
    def roots(self) -> dict[str, str]:
        """Map each dim to the one it is ``like``."""
        return self.graph.roots

    def has(self, dim: Dim, key: Key) -> bool:
        """Whether a literal key is one of a dim's labels."""
        return str(key.part.operand.constant) in dim.labels

    def date_row(self, type_: Type) -> str:
        """Return the function that formats a date: the key of a period is shown as its label."""
        dim = self.graph.dims.get(type_.table)
        return "show date" if dim is None or dim.step == "day" else "show period"

    def dims_fit(
        self, node: Node, given: Sequence[str], allowed: Sequence[str] | None = None
    ) -> bool:
        """Whether a cell declares every dim its formula varies over; report it if not."""
        own = node.dims if allowed is None else allowed
        extra = [dim for dim in given if not is_hidden(dim) and dim not in own]
        if not extra:
            return True
        part = self.seen[extra[0]]
        table = self.graph.dims[extra[0]]
        what = "row" if table.kind in {"table", "grid"} else "label"
        message = f"`{part.span.text}` has a value for each {what} of `{extra[0]}`"
        if isinstance(self.target(part), DimTarget | TableTarget):
            message = f"`{part.span.text}` has a value for each of its {what}s"
        word = node.decl.name if node.kind == "calc" else ""
        one = self._one(part)
        take = f"take one, {one}, or aggregate" if one else "aggregate it"
        hint = f"{take}: sum, mean, min, max …"
        if word and allowed is None:
            names = ", ".join((*own, *extra))
            hint += f"; or let the cell vary too: `{word}[{names}]`"
            if node.overrides >= 0:
                listed = f"[{names}]" if own or extra[1:] else names
                hint = f"lift the variant along it: `over: {listed}`"
        self.report(SERIES, message, part.span, hint)
        return False

    def _one(self, part: Name | EntryExpr) -> str:
        """Write how to take one value of a series; empty for the labels of a dim."""
        target = self.target(part)
        text = part.text if isinstance(part, Name) else part.base.text
        if isinstance(target, ColumnTarget):
            name, _, column = text.rpartition(".")
            return f"`{name}[key].{column}`"
        is_cell = isinstance(target, CellTarget)
        return f"`{text}[key]`" if is_cell else ""

    def order(self, given: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
        """Order the dims of a cell: hidden ones first, then the declared ones."""
        return (*(dim for dim in given if is_hidden(dim)), *own)


def hidden_prefix(graph: Graph, variant: Variant) -> str:
    """Return the prefix of the dims hidden by a variant."""
    sheet, alias = variant
    return ".".join((*graph.sheets.paths[sheet], alias))


def hidden_dim(graph: Graph, variant: Variant, dim: str) -> str:
    """Return the hidden name, inside a variant, of a dim it is broadcast along."""
    return f"{hidden_prefix(graph, variant)}{HIDDEN_SEPARATOR}{dim}"
