"""Entries of series as somebody gave them, gaps left as gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.value import Failure, Series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.value import Scalar
    from calcgraph.evaluate import Evaluation
    from calcgraph.model import Model

FILLED = {"previous", "zero", "linear"}


def is_filled(fill: str) -> bool:
    """Whether gaps are filled with something."""
    return fill in FILLED


def fill_lines(model: Model) -> dict[int, str]:
    """Find the dims along which gaps are filled: of each input its only time axis, else its last.

    Those that hold 0 in their gaps need none.
    """
    found: dict[int, str] = {}
    for cell in model.cells:
        if cell.fill in {"previous", "linear"}:
            times = [name for name in cell.type.dims if model.dim(name).kind == "time"]
            found[cell.number] = times[0] if len(times) == 1 else cell.type.dims[-1]
    return found


def given_entries(evaluation: Evaluation, number: int) -> Sequence[Scalar]:
    """Give the entries of an input in force, before gaps are filled."""
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
    """Give one entry in force."""
    return given_entries(evaluation, number)[row]
