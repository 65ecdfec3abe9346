"""Series inputs as entered, before gaps are filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.values import Failure, Series
from calcgraph.functions.kernels.series import fill_axis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Scalar
    from calcgraph.engine import Evaluation
    from calcgraph.model import Model

FILLED = {"previous", "zero", "linear"}


def is_filled(fill: str) -> bool:
    """Whether gaps are filled."""
    return fill in FILLED


def fill_lines(model: Model) -> dict[int, str]:
    """Map each input filled by ``previous`` or ``linear`` to the dim along which it is filled."""
    found: dict[int, str] = {}
    for cell in model.cells:
        if cell.fill in {"previous", "linear"}:
            axis = fill_axis(model.shape(cell.type.dims).dims)
            found[cell.number] = cell.type.dims[axis]
    return found


def given_entries(evaluation: Evaluation, number: int) -> Sequence[Scalar]:
    """Return the entries of an input after overrides, before gaps are filled."""
    cell = evaluation.plan.model.cells[number]
    start = cell.given if cell.given is not None else evaluation.values[number]
    assert isinstance(start, Series), "an input along dims is a series"
    found: list[Scalar] = []
    for value in start.data:
        assert not isinstance(value, Failure), "what is given has not failed"
        found.append(value)
    for change in evaluation.changes:
        if change.cell == number and change.row is not None:
            found[change.row] = change.value
        elif change.cell == number:
            found = [change.value] * len(found)
    return found


def given_value(evaluation: Evaluation, number: int, row: int) -> Scalar:
    """Return one entry of an input after overrides."""
    return given_entries(evaluation, number)[row]
