"""Type-check names and entries: which cell they read, at which labels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from calcgraph.check.codes import SERIES, WRONG_ARGUMENT, WRONG_COUNT
from calcgraph.check.joined import joined_keys
from calcgraph.check.keys import Key, key_op, takes
from calcgraph.check.lowered import TypedExpr, all_dims
from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.dim import HIDDEN, is_hidden, plain_dim
from calcgraph.functions.spec import Operand
from calcgraph.graph import CellTarget, ColumnTarget, DimTarget, TableTarget
from calcgraph.lang.expr import Entry, Name
from calcgraph.model import Labels, Load, Pick

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.diagnostic import Code
    from calcgraph.core.dim import Dim
    from calcgraph.core.source import Span
    from calcgraph.core.type import Type
    from calcgraph.graph import Graph, Node, Target, Variant
    from calcgraph.model import Cell


@dataclass(slots=True)
class NameChecker:
    """Types the names in the formula of ``node``; ``seen`` holds the first use of each dim."""

    graph: Graph
    cells: list[Cell | None]
    findings: list[Diagnostic]
    node: Node | None = None
    seen: dict[str, Name | Entry] = field(default_factory=dict)

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

    def target(self, part: Name | Entry) -> Target | None:
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
                return TypedExpr(Operand(type_, node.text), Labels(name), may_be_na=False)
            case _:
                return None

    def renamed(self, cell: Cell, part: Name | Entry) -> tuple[str, ...] | None:
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
                found.append(dim if dim.rpartition(HIDDEN)[0] in ids else plain_dim(dim))
            else:
                found.append(hidden_dim(self.graph, bound, dim) if bound else dim)
        for dim in found:
            self.seen.setdefault(dim, part)
        twice = next((dim for dim in found if found.count(dim) > 1), None)
        if twice is None:
            return tuple(found)
        message = f"`{part.span.text}` varies over `{plain_dim(twice)}` twice"
        hint = f"lift the variant over a dim of its own: `like: {plain_dim(twice)}`"
        self.report(SERIES, message, part.span, hint)
        return None

    def entry(self, node: Entry, parts: Sequence[TypedExpr | None]) -> TypedExpr | None:
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
        op = Pick(target.number, at, tuple(part.op for part in args))
        return TypedExpr(Operand(type_, node.span.text), op, may_be_na)

    def key(
        self, node: Entry, key: Key, free: Sequence[str], dims: Sequence[str]
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
            shown = [plain_dim(dim) for dim in dims if not is_hidden(dim)]
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
            if node.binds >= 0:
                listed = f"[{names}]" if own or extra[1:] else names
                hint = f"lift the variant along it: `over: {listed}`"
        self.report(SERIES, message, part.span, hint)
        return False

    def _one(self, part: Name | Entry) -> str:
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
    return f"{hidden_prefix(graph, variant)}{HIDDEN}{dim}"
