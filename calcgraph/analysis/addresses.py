"""Addresses of cells and single entries, and the labels of dims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.number_format import exact_text, full_text
from calcgraph.core.diagnostics import did_you_mean
from calcgraph.core.values import Failure, Kind, Series, visible_dim
from calcgraph.graph import CellTarget, ColumnTarget, DimTarget, SheetTarget, TableTarget
from calcgraph.typecheck.overrides import unquoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from calcgraph.core.values import Dim, Scalar, Type, Value
    from calcgraph.model import Cell, Change, Model

SHOWN = ("input", "column", "axis", "calc")
"""The kinds of cells that have names people know."""


@dataclass(frozen=True, slots=True)
class CellAddress:
    """A cell; or one entry of it, at the index ``row`` of ``Series.data``."""

    cell: Cell
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why an address names no cell."""

    message: str
    hint: str = ""


def is_shown(cell: Cell) -> bool:
    """Whether a cell is shown by default."""
    return cell.is_listed and cell.kind in SHOWN and cell.kind != "axis"


def each_once(spots: Iterable[CellAddress]) -> list[CellAddress]:
    """Drop duplicates, keeping the order."""
    return list({(spot.cell.number, spot.row): spot for spot in spots}.values())


def dims_of(model: Model, cell: Cell) -> tuple[Dim, ...]:
    """Return the dims a cell varies over."""
    return tuple(model.dim(name) for name in cell.type.dims)


def dim_names(cell: Cell) -> tuple[str, ...]:
    """Return the names of a cell's dims, as their sheet declares them."""
    return tuple(visible_dim(name) for name in cell.type.dims)


def labels_at(model: Model, cell: Cell, row: int) -> tuple[str, ...]:
    """Return the labels of an entry, from its index."""
    return model.shape(cell.type.dims).labels(row)


def coordinates_at(model: Model, cell: Cell, row: int) -> tuple[int, ...]:
    """Return the coordinates of an entry along its dims, from its index."""
    return model.shape(cell.type.dims).unravel(row)


def all_labels(model: Model, cell: Cell) -> Iterator[tuple[str, ...]]:
    """Yield the labels of each entry of a cell, in the order of its values."""
    return model.shape(cell.type.dims).all_labels()


def spot_name(model: Model, spot: CellAddress) -> str:
    """Return the address of a cell or an entry: ``cash[2026-03]``, ``hw.chips[H100].price``."""
    if spot.row is None:
        return spot.cell.name
    return address_text(spot.cell, labels_at(model, spot.cell, spot.row))


def address_text(cell: Cell, labels: Sequence[str]) -> str:
    """Write the address of a cell at some labels; of all of it without labels."""
    if not labels:
        return cell.name
    keys = ", ".join(labels)
    if cell.kind in {"column", "axis"} and len(cell.type.dims) == 1:
        table, _, column = cell.name.rpartition(".")
        return f"{table}[{keys}].{column}"
    return f"{cell.name}[{keys}]"


def owner_name(model: Model, number: int) -> str:
    """Return the name of a cell; for a helper cell, that of the cell it belongs to."""
    cell = model.cells[number]
    return model.cells[cell.owner].name if cell.kind == "helper" else cell.name


def blame_name(model: Model, failure: Failure) -> str:
    """Name the cell where a failure started, with its label."""
    name = owner_name(model, failure.cell)
    return f"{name}[{failure.at}]" if failure.at else name


def entry_of(value: Value, row: int | None) -> Scalar | Series | Failure:
    """Return one entry of a value, or all of it."""
    return value.data[row] if row is not None and isinstance(value, Series) else value


def spelled(model: Model, value: Value, type_: Type) -> Value:
    """Replace the keys of periods by their labels: ``2026-03`` for its first day."""
    if type_.kind is not Kind.DATE or not type_.table:
        return value
    dim = model.graph.dims.get(visible_dim(type_.table))
    if dim is None or dim.kind != "time":
        return value
    if isinstance(value, Series):
        return Series(value.dims, [_label(dim, item) for item in value.data])
    return _label(dim, value) if isinstance(value, float) else value


def _label(dim: Dim, value: Scalar | Failure) -> Scalar | Failure:
    if isinstance(value, Failure):
        return value
    at = dim.positions.get(value)
    return value if at is None else dim.labels[at]


def value_formatter(model: Model) -> Callable[[Value, Type], str]:
    """Return a function that writes a value with its unit, a period by its label."""
    return lambda value, type_: full_text(spelled(model, value, type_), type_)


def change_texts(model: Model, change: Change) -> tuple[str, str]:
    """Return the address that a change applies to and its value, written so that it parses back."""
    cell = model.cells[change.cell]
    value = spelled(model, change.value, cell.type)
    return spot_name(model, CellAddress(cell, change.row)), exact_text(value, cell.type)


def cell_path(address: str) -> tuple[str, str | None]:
    """Split an address into the name of its cell and the text in brackets."""
    head, found, rest = address.strip().partition("[")
    if not found:
        return head, None
    keys, _, column = rest.rpartition("]")
    return head.strip() + column.strip(), keys


def find_address(model: Model, address: str) -> CellAddress | Unknown:
    """Find a cell or an entry by its address, as seen from the evaluated sheet."""
    name, keys = cell_path(address)
    cell = _find_cell(model, name)
    if cell is None or cell.kind not in SHOWN:
        return _no_cell(model, name)
    if not cell.is_listed and cell.number not in set(model.order) and cell.op is not None:
        return Unknown(f"`{name}` is not computed: nothing reads it", "name it with --show")
    if keys is None:
        return CellAddress(cell)
    if not cell.type.dims:
        return Unknown(f"`{name}` is a single value", f"leave out `[{keys}]`")
    row = _row(model, cell, keys)
    return row if isinstance(row, Unknown) else CellAddress(cell, row)


def _no_cell(model: Model, name: str) -> Unknown:
    """Explain what a name that is not a cell refers to, or suggest the nearest cell."""
    graph = model.graph
    match graph.resolve(graph.sheets.root, name.split(".")):
        case TableTarget(table):
            columns = ", ".join(f"`{name}.{column}`" for column in graph.tables[table].columns)
            return Unknown(f"`{name}` is a table, no cell", f"name a column: {columns}")
        case DimTarget():
            return Unknown(f"`{name}` is a dim, no cell", "name a cell that varies over it")
        case SheetTarget():
            return Unknown(f"`{name}` is an imported sheet, no cell", f"name one: `{name}.…`")
        case _:
            pass
    known = [c.name for c in model.cells if c.kind in SHOWN and c.is_listed]
    return Unknown(
        f"there is no cell `{name}`", did_you_mean(name, known, "`eval --all` shows all")
    )


def _find_cell(model: Model, name: str) -> Cell | None:
    cell = model.cell(name)
    if cell is not None:
        return cell
    graph = model.graph
    target = graph.resolve(graph.sheets.root, name.split("."))
    return model.cells[target.number] if isinstance(target, CellTarget | ColumnTarget) else None


def _row(model: Model, cell: Cell, text: str) -> int | Unknown:
    """Find the index of an entry by its labels, in the order of the dims or any that fits."""
    dims = dims_of(model, cell)
    keys = _keys(text, len(dims))
    if len(keys) != len(dims):
        of = ", ".join(dim_names(cell))
        return Unknown(f"`{cell.name}[{text}]` names no entry", f"write a label of each: {of}")
    at = _places(dims, keys)
    if at is not None:
        return model.shape(cell.type.dims).ravel(at)
    for dim, key in zip(dims, keys, strict=True):
        if key not in dim.labels:
            shown = ", ".join(dim.labels[:6]) + (" …" if dim.size > 6 else "")  # noqa: PLR2004 - one line
            hint = did_you_mean(key, dim.labels, f"its labels: {shown}")
            return Unknown(f"`{visible_dim(dim.name)}` has no label `{key}`", hint)
    return Unknown(f"`{cell.name}[{text}]` names no entry")


def _keys(text: str, count: int) -> list[str]:
    keys = [text] if count == 1 else text.split(",")
    return [unquoted(key) for key in keys]


def _places(dims: Sequence[Dim], keys: Sequence[str]) -> list[int] | None:
    if all(key in dim.labels for dim, key in zip(dims, keys, strict=True)):
        return [dim.labels.index(key) for dim, key in zip(dims, keys, strict=True)]
    left = list(keys)
    found: list[int] = []
    for dim in dims:
        key = next((key for key in left if key in dim.labels), None)
        if key is None:
            return None
        left.remove(key)
        found.append(dim.labels.index(key))
    return found
