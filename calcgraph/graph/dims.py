"""Names of dims: behind a cell's name, in `over`, and in a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.nearest import did_you_mean
from calcgraph.graph.names import DimTarget, LostTarget, SheetTarget, TableTarget, resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.graph.cells import Declared
    from calcgraph.sheet.yaml_tree import Scalar

UNKNOWN_DIM = Code(
    "CG316",
    "no such dim",
    "A cell varies over a dim of `dims:`, or over a table: `gpus[month]`, `cost[hw.accelerators]`.",
)


def named_dims(
    declared: Declared, sheet: str, names: Sequence[Scalar], findings: list[Diagnostic]
) -> tuple[str, ...]:
    """Find the dims that a sheet names; what is no dim is said."""
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
                what = "is not a dim" if target is not None else "is not known"
                known = dims_seen(declared, sheet)
                hint = did_you_mean(text, known, "declare it under `dims`")
                label = Label(name.span)
                findings.append(Diagnostic(UNKNOWN_DIM, f"`{text}` {what}", label, hint))
    return tuple(found)


def dims_seen(declared: Declared, sheet: str) -> list[str]:
    """List the dims and tables that a sheet can name."""
    found: list[str] = []
    for name, target in declared.scopes[sheet].items():
        if isinstance(target, DimTarget | TableTarget):
            found.append(name)
        elif isinstance(target, SheetTarget):
            inner = declared.scopes[target.key].items()
            found += [f"{name}.{n}" for n, t in inner if isinstance(t, DimTarget | TableTarget)]
    return found
