"""Names in formulas to cells, columns and dimensions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.graph.names import (
    NOT_A_VALUE,
    CellTarget,
    ColumnTarget,
    DimTarget,
    SheetTarget,
    TableTarget,
    Unresolved,
    entry_target,
    resolve,
    single_target,
    unknown_name,
)
from calcgraph.graph.nodes import names_in
from calcgraph.language.ast import Call, EntryExpr, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.graph.names import Scopes, Target
    from calcgraph.graph.nodes import Declared
    from calcgraph.language.ast import Expr, Name
    from calcgraph.sheet.yaml_reader import YamlScalar


@dataclass(frozen=True, slots=True)
class NameResolver:
    """Resolves the names in formulas against what the sheets declare."""

    declared: Declared

    def targets(self, sheet: str, expr: Expr, findings: list[Diagnostic]) -> dict[int, Target]:
        """Resolve the names of a formula, by their offset in the sheet; report unknown ones."""
        found: dict[int, Target] = {}
        mute = 0
        for part in names_in(expr):
            if part.span.start < mute:
                continue
            name = part.base if isinstance(part, EntryExpr) else part
            target = resolve(self.declared.scopes, self.declared.tables, sheet, name.path)
            if target is None:
                problem = unknown_name(self.declared.scopes, self.declared.tables, sheet, name)
                if _is_key(expr, name) and name.text in labels_of(self.declared):
                    problem = replace(problem, hint=f'a label is quoted: write `"{name.text}"`')
                findings.append(problem)
                continue
            resolve_reference = self.resolve_reference(part, name, target)
            if isinstance(resolve_reference, Diagnostic):
                findings.append(resolve_reference)
                mute = part.span.end if resolve_reference.code is NOT_A_VALUE else mute
            elif resolve_reference is not None:
                found[part.span.start] = resolve_reference
        return found

    def resolve_reference(
        self, part: Name | EntryExpr, name: Name, target: Target
    ) -> Target | Diagnostic | None:
        """Find what a name or an entry reads; a mistake, or ``None`` if one was reported."""
        if not isinstance(part, EntryExpr):
            return single_target(name, target)
        is_series = isinstance(target, CellTarget | ColumnTarget) and bool(
            self.declared.nodes[target.number].dims or target.import_path  # lifted, it may be one
        )
        return entry_target(part, target, self.declared.tables, is_series=is_series)


def _is_key(expr: Expr, name: Name) -> bool:
    return any(isinstance(part, EntryExpr) and name in part.args for part in walk(expr))


def labels_of(declared: Declared) -> set[str]:
    """Collect the labels of dims, the keys of table rows and the values of grids."""
    found = {label for table in declared.tables.values() for label in table.labels}
    for place in declared.dims.values():
        found.update(label.text.text.strip() for label in place.decl.labels)
        for column in place.decl.columns:
            found.update(value.text.text.strip() for value in column.values)
    return found


def previous_label_names(expr: Expr) -> frozenset[int]:
    """Find the names that a formula reads at the previous label: those inside ``prev``."""
    inside: set[int] = set()
    if "prev" not in expr.span.text.casefold():
        return frozenset()
    for part in walk(expr):
        if isinstance(part, Call) and part.function == "prev" and part.args:
            inside.update(name.span.start for name in names_in(part.args[0]))
    return frozenset(inside)


UNKNOWN_DIM = Code(
    "CG316",
    "no such dim",
    "A cell varies over a dim of `dims:`, or over a table: `gpus[month]`, `cost[hw.accelerators]`.",
)


def named_dims(
    declared: Declared, sheet: str, names: Sequence[YamlScalar], findings: list[Diagnostic]
) -> tuple[str, ...]:
    """Resolve the dims that a sheet names; report names of anything else."""
    found: list[str] = []
    for name in names:
        text = name.text.text.strip()
        target = resolve(declared.scopes, declared.tables, sheet, text.split("."))
        match target:
            case DimTarget(full) | TableTarget(full, _):
                found.append(full)
            case Unresolved():
                found.append("")
            case _:
                found.append("")
                findings.append(_unknown_dim(declared, sheet, name, target))
    return tuple(found)


def _unknown_dim(
    declared: Declared, sheet: str, name: YamlScalar, target: Target | None
) -> Diagnostic:
    """Report a name that is not a dim, and suggest what may have been meant."""
    text = name.text.text.strip()
    known = [one for one in dims_seen(declared, sheet) if one != text]
    what, hint = "is not known", "declare it under `dims`"
    match target:
        case SheetTarget():
            inner = [one for one in known if one.startswith(f"{text}.")]
            what = "is an imported sheet, not a dim"
            hint = f"name a dim of it: {', '.join(inner)}" if inner else "it declares no dim"
        case CellTarget():
            what = "is a cell, not a dim"
            hint = "a cell varies over labels that `dims` lists: `dims: {stage: {count: 8}}`"
        case ColumnTarget():
            table = text.rpartition(".")[0]
            what, hint = "is a column, not a dim", f"write `{table}`"
        case _:
            hint = did_you_mean(text, known, hint)
    return Diagnostic(UNKNOWN_DIM, f"`{text}` {what}", Label(name.span), hint)


class HasScopes(Protocol):
    """Anything that knows the names of each sheet: the declarations, or the graph."""

    @property
    def scopes(self) -> Scopes:
        """For each sheet the names it declares."""
        ...


def dims_seen(declared: HasScopes, sheet: str) -> list[str]:
    """List the dims and tables that a sheet can name."""
    found: list[str] = []
    for name, target in declared.scopes[sheet].items():
        if isinstance(target, DimTarget | TableTarget):
            found.append(name)
        elif isinstance(target, SheetTarget):
            inner = declared.scopes[target.key].items()
            found += [f"{name}.{n}" for n, t in inner if isinstance(t, DimTarget | TableTarget)]
    return found
