"""Names of dims: after a cell's name, in `over`, and in a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.nearest import did_you_mean
from calcgraph.graph.names import (
    CellTarget,
    ColumnTarget,
    DimTarget,
    LostTarget,
    SheetTarget,
    TableTarget,
    resolve,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.graph.cells import Declared
    from calcgraph.graph.names import Scopes, Target
    from calcgraph.sheet.yaml_tree import Scalar

UNKNOWN_DIM = Code(
    "CG316",
    "no such dim",
    "A cell varies over a dim of `dims:`, or over a table: `gpus[month]`, `cost[hw.accelerators]`.",
)


def named_dims(
    declared: Declared, sheet: str, names: Sequence[Scalar], findings: list[Diagnostic]
) -> tuple[str, ...]:
    """Resolve the dims that a sheet names; report names of anything else."""
    found: list[str] = []
    for name in names:
        text = name.text.text.strip()
        target = resolve(declared.scopes, declared.tables, sheet, text.split("."))
        match target:
            case DimTarget(full) | TableTarget(full, _):
                found.append(full)
            case LostTarget():
                found.append("")
            case _:
                found.append("")
                findings.append(_unknown_dim(declared, sheet, name, target))
    return tuple(found)


def _unknown_dim(declared: Declared, sheet: str, name: Scalar, target: Target | None) -> Diagnostic:
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
