"""Values of cells as Python has them: numbers, truths, texts, dates, and tuples of these."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias

from calcgraph.analysis.labels import all_labels, dims_of
from calcgraph.book.errors import CellError
from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series
from calcgraph.functions.scalar import to_date

if TYPE_CHECKING:
    from calcgraph.core.value import Scalar, Value
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
