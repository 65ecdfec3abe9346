"""Names in a formula to the cells, tables and dims they refer to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic
from calcgraph.graph.cells import names_in
from calcgraph.graph.names import (
    NOT_A_VALUE,
    CellTarget,
    ColumnTarget,
    entry_target,
    resolve,
    single_target,
    unknown_name,
)
from calcgraph.lang.expr import Call, Entry, walk

if TYPE_CHECKING:
    from calcgraph.graph.cells import Declared
    from calcgraph.graph.names import Target
    from calcgraph.lang.expr import Expr, Name


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
            name = part.base if isinstance(part, Entry) else part
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
        self, part: Name | Entry, name: Name, target: Target
    ) -> Target | Diagnostic | None:
        """Find what a name or an entry reads; a mistake, or ``None`` if one was reported."""
        if not isinstance(part, Entry):
            return single_target(name, target)
        is_series = isinstance(target, CellTarget | ColumnTarget) and bool(
            self.declared.nodes[target.number].dims or target.import_path  # lifted, it may be one
        )
        return entry_target(part, target, self.declared.tables, is_series=is_series)


def _is_key(expr: Expr, name: Name) -> bool:
    return any(isinstance(part, Entry) and name in part.args for part in walk(expr))


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
