"""Apply changes to inputs and fill the gaps of their series again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.value import Series
from calcgraph.functions.fill import fill_gaps

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.core.value import Scalar, Value
    from calcgraph.model import Cell, Change, Model


def changed_inputs(
    model: Model, before: Sequence[Change], changes: Iterable[Change]
) -> dict[int, Value]:
    """Return the new values of the inputs in ``changes``, applied after ``before``."""
    changes = tuple(changes)
    found: dict[int, Value] = {}
    rows: dict[int, list[Change]] = {}
    for change in changes:
        if model.cells[change.cell].type.dims:
            rows[change.cell] = []
        else:
            found[change.cell] = change.value
    for change in (*before, *changes) if rows else ():
        if change.cell in rows:
            rows[change.cell].append(change)
    for number, own in rows.items():
        found[number] = _changed_series(model, model.cells[number], own)
    return found


def _changed_series(model: Model, cell: Cell, changes: Iterable[Change]) -> Series:
    """Set entries of a series, and fill its gaps again."""
    given = cell.given if cell.given is not None else cell.start
    assert isinstance(given, Series), "a cell along dims starts as a series"
    data: list[Scalar] = list(given.whole)
    for change in changes:
        if change.row is None:
            data = [change.value] * len(data)
        else:
            data[change.row] = change.value
    return Series.sound(given.dims, filled(model, cell, data))


def filled(model: Model, cell: Cell, data: Sequence[Scalar]) -> Sequence[Scalar]:
    """Fill the gaps in the given values of a cell."""
    return fill_gaps(data, model.shape(cell.type.dims), cell.fill)
