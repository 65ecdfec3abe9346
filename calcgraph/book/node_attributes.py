"""What the nodes of ``book.graph`` carry: functions of a cell's number, called when read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calcgraph.analysis.described import label_of, source_of
from calcgraph.analysis.explain import formula_text
from calcgraph.book.errors import CellError
from calcgraph.book.values import plain_value
from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series

if TYPE_CHECKING:
    from collections.abc import Callable

    import pint

    from calcgraph.core.value import Value
    from calcgraph.evaluate import Evaluation
    from calcgraph.model import Cell, Model


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
