"""What a name refers to, as seen from a sheet; suggestions for unknown names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.language.ast import Name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from calcgraph.language.ast import EntryExpr

UNKNOWN_NAME = Code(
    "CG301",
    "unknown name",
    "A formula uses a name that no cell, table or import of this sheet has. Names "
    "of an imported sheet are written with its alias: `hw.accelerators`.",
)
NOT_A_VALUE = Code(
    "CG303",
    "name is not a value",
    "An alias stands for a sheet and a table for many values; a formula needs one: "
    "`alias.cell`, `table[key].column`, or an aggregation such as `max(table.column)`.",
)
UNKNOWN_COLUMN = Code("CG304", "unknown column", "The table has no column of this name.")


Variant: TypeAlias = tuple[str, str]
"""An import with `set`: the sheet that declares it, and its alias there."""
ImportPath: TypeAlias = tuple[Variant, ...]
"""The variants that a name passes through, outermost first."""


@dataclass(frozen=True, slots=True)
class CellTarget:
    """A name that refers to a cell."""

    number: int
    import_path: ImportPath = ()


@dataclass(frozen=True, slots=True)
class ColumnTarget:
    """A name that refers to a column of a table."""

    number: int
    table: str
    import_path: ImportPath = ()


@dataclass(frozen=True, slots=True)
class TableTarget:
    """A name that refers to a table, or to its keys."""

    table: str
    import_path: ImportPath = ()


@dataclass(frozen=True, slots=True)
class DimTarget:
    """A name that refers to a dim, or to its keys."""

    dim: str


@dataclass(frozen=True, slots=True)
class SheetTarget:
    """A name that refers to an imported sheet."""

    key: str
    import_path: ImportPath = ()


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A name whose declaration could not be read: that was reported, so its uses are not."""


Target: TypeAlias = CellTarget | ColumnTarget | TableTarget | DimTarget | SheetTarget | Unresolved
Scopes: TypeAlias = dict[str, dict[str, Target]]
"""For each sheet the names it declares."""


class HasColumns(Protocol):
    """A table, as far as names are concerned."""

    @property
    def columns(self) -> dict[str, int]:
        """The columns, with the numbers of their cells."""
        ...


def resolve(
    scopes: Scopes, tables: Mapping[str, HasColumns], sheet: str, path: Iterable[str]
) -> Target | None:
    """Resolve a dotted name as seen from a sheet; ``None`` if it is unknown."""
    target: Target = SheetTarget(sheet)
    for step in path:
        match target:
            case Unresolved():
                return target
            case SheetTarget(key, import_path) if step in scopes[key]:
                target = _with_import_path(scopes[key][step], import_path)
            case TableTarget(table) if not tables[table].columns:
                return Unresolved()
            case TableTarget(table, import_path) if step in tables[table].columns:
                target = ColumnTarget(tables[table].columns[step], table, import_path)
            case _:
                return None
    return target


def _with_import_path(target: Target, import_path: ImportPath) -> Target:
    """Prepend the variants that a name has passed through so far."""
    if not import_path or isinstance(target, Unresolved | DimTarget):
        return target
    return replace(target, import_path=(*import_path, *target.import_path))


def single_target(
    name: Name, target: Target
) -> CellTarget | ColumnTarget | TableTarget | DimTarget | Diagnostic | None:
    """Accept a cell, a column, a table or a dim; report an alias, which is not a value."""
    match target:
        case CellTarget() | ColumnTarget() | TableTarget() | DimTarget():
            return target
        case Unresolved():
            return None
        case SheetTarget():
            message = f"`{name.text}` is an imported sheet, not a value"
            return Diagnostic(NOT_A_VALUE, message, Label(name.span), f"write `{name.text}.cell`")


def entry_target(
    entry: EntryExpr, target: Target, tables: Mapping[str, HasColumns], *, is_series: bool
) -> CellTarget | ColumnTarget | Diagnostic | None:
    """Find what ``table[key].column`` or ``series[key]`` reads; ``None`` if a mistake was reported.

    ``is_series`` tells that the target is a cell along dims.
    """
    base = entry.base.text
    if isinstance(target, Unresolved):
        return None
    if isinstance(target, CellTarget | ColumnTarget) and is_series and entry.column is None:
        return target
    if isinstance(target, TableTarget) and not tables[target.table].columns:
        return None
    if not isinstance(target, TableTarget):
        message = f"`{base}` has no entries: it is not a table"
        unit = ", ".join(arg.span.text for arg in entry.args)
        hint = f"leave out `[{unit}]`"
        if all(isinstance(arg, Name) for arg in entry.args):
            hint += f", or write `{base} * 1 [{unit}]` if it is a unit"
        hint = hint if isinstance(target, CellTarget) else f"write `{base}.table[key].column`"
        if isinstance(target, DimTarget):
            message = f"`{base}` is a dim, whose labels hold no values"
            hint = f"name a cell that varies over it, as in `x[{unit}]`"
        return Diagnostic(NOT_A_VALUE, message, Label(entry.base.span), hint)
    columns = tables[target.table].columns
    if entry.column is None:
        names = ", ".join(columns)
        message = f"`{entry.span.text}` is a row, not a value"
        hint = f"add a column: {names}"
        return Diagnostic(NOT_A_VALUE, message, Label(entry.span), hint)
    number = columns.get(entry.column.text)
    if number is None:
        hint = did_you_mean(entry.column.text, columns, f"columns: {', '.join(columns)}")
        message = f"the table `{base}` has no column `{entry.column.text}`"
        return Diagnostic(UNKNOWN_COLUMN, message, Label(entry.column.span), hint)
    return ColumnTarget(number, target.table, target.import_path)


def unknown_name(
    scopes: Scopes, tables: Mapping[str, HasColumns], sheet: str, name: Name
) -> Diagnostic:
    """Report which part of a dotted name is unknown, and suggest the nearest name."""
    for length in range(len(name.path)):
        before = name.path[:length]
        target = resolve(scopes, tables, sheet, before)
        if resolve(scopes, tables, sheet, name.path[: length + 1]) is None:
            break
    word = name.path[length]
    prefix = "".join(f"{step}." for step in before)
    match target:
        case SheetTarget(key):
            known = scopes[key]
            where = f" in `{'.'.join(before)}`" if before else ""
        case TableTarget(table):
            message = f"the table `{'.'.join(before)}` has no column `{word}`"
            columns = tables[table].columns
            hint = did_you_mean(word, columns, f"columns: {', '.join(columns)}")
            return Diagnostic(UNKNOWN_COLUMN, message, Label(name.span), hint)
        case _:
            message = f"`{'.'.join(before)}` is a single value: it has no `{word}`"
            hint = f"leave out `.{word}`"
            return Diagnostic(UNKNOWN_NAME, message, Label(name.span), hint)
    dotted = [
        f"{prefix}{name}" for name, target in known.items() if not isinstance(target, Unresolved)
    ]
    hint = did_you_mean(prefix + word, dotted, _elsewhere(scopes, sheet, word))
    return Diagnostic(UNKNOWN_NAME, f"unknown name `{word}`{where}", Label(name.span), hint)


def _elsewhere(scopes: Scopes, sheet: str, word: str) -> str:
    """Suggest an import that has a name the sheet itself lacks."""
    for alias, target in scopes[sheet].items():
        if isinstance(target, SheetTarget) and word in scopes[target.key]:
            return f"write `{alias}.{word}`"
    return "declare it under `inputs` or `calc`"
