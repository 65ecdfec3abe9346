"""Values of cells as Python sees them, and as attributes of `Book.graph` nodes."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias

from calcgraph.analysis.addresses import all_labels, dims_of
from calcgraph.analysis.descriptions import label_of, source_of
from calcgraph.analysis.explain import formula_text
from calcgraph.book.errors import CellError
from calcgraph.core.values import Failure, Kind, Series
from calcgraph.functions.kernels.scalar import to_date

if TYPE_CHECKING:
    from collections.abc import Callable

    import pint

    from calcgraph.core.values import Scalar, Value
    from calcgraph.engine import Evaluation
    from calcgraph.model import Cell, Model


Plain: TypeAlias = float | bool | str | date | None
"""What a single value is in Python."""


def plain_value(model: Model, cell: Cell, name: str, value: Value) -> Plain | tuple[Any, ...]:
    """Return a value, or tuples in tuples, the last dim innermost; raises ``CellError``."""
    if isinstance(value, Failure):
        raise CellError(name, value)
    if not isinstance(value, Series):
        return _plain(value, cell)
    if value.failure is not None:
        raise CellError(name, value.failure)
    found: list[Any] = [_plain(item, cell) for item in value.whole]
    for dim in reversed(dims_of(model, cell)[1:]):
        starts = range(0, len(found), dim.size)
        found = [tuple(found[at : at + dim.size]) for at in starts]
    return tuple(found)


def by_label(
    model: Model, cell: Cell, series: Series
) -> dict[str | tuple[str, ...], Plain | CellError]:
    """Return values by their labels; a failed one as its error."""
    found: dict[str | tuple[str, ...], Plain | CellError] = {}
    for labels, item in zip(all_labels(model, cell), series.data, strict=True):
        key = labels[0] if len(labels) == 1 else labels
        if isinstance(item, Failure):
            found[key] = CellError(cell.name, item)
        else:
            found[key] = _plain(item, cell)
    return found


def _plain(value: Scalar, cell: Cell) -> Plain:
    if isinstance(value, float) and cell.type.kind is Kind.DATE:
        return to_date(value)
    return value


def node_attributes(evaluation: Evaluation) -> dict[str, Callable[[int], object]]:
    """Make the functions that compute each attribute of a node."""
    model, values = evaluation.plan.model, evaluation.values
    cells = model.cells
    return {
        "value": lambda number: node_value(model, cells[number], values[number]),
        "unit": lambda number: _unit(cells[number]),
        "formula": lambda number: formula_text(model.graph.nodes[number]),
        "label": lambda number: label_of(model, cells[number]),
        "source": lambda number: source_of(model, cells[number]),
        "kind": lambda number: "calc" if cells[number].kind == "calc" else "input",
    }


def _unit(cell: Cell) -> str:
    return str(cell.type.unit) if cell.type.kind is Kind.NUMBER else ""


def node_value(model: Model, cell: Cell, value: Value) -> object:
    """Convert a value for Python: a number to a quantity, what failed to its ``CellError``.

    A text, a date or a truth is as in ``book[name]``; ``None`` is not applicable.
    """
    try:
        if cell.type.kind is Kind.NUMBER and value is not None:
            return as_quantity(model, cell, cell.name, value)
        return plain_value(model, cell, cell.name, value)
    except CellError as error:
        return error


def as_quantity(model: Model, cell: Cell, name: str, value: Value) -> pint.Quantity[Any]:
    """Convert a number, or an array with an axis for each dim, to a ``pint.Quantity``.

    Raises ``TypeError`` for what is not a number, ``CellError`` for what failed.
    """
    from calcgraph.units import float_registry, to_pint

    failure = value.failure if isinstance(value, Series) else value
    if isinstance(failure, Failure):
        raise CellError(name, failure)
    if cell.type.kind is not Kind.NUMBER or value is None:
        message = f"`{name}` is not a number"
        raise TypeError(message)
    magnitude: Any = value
    if isinstance(value, Series):
        magnitude = value.array(tuple(model.dim(dim).size for dim in value.dims))
    factor, unit = to_pint(cell.type.unit)
    return float_registry().Quantity(magnitude * factor, unit)
