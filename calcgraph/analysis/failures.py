"""Diagnostics for cells that failed: where, and on which numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.labels import places_at
from calcgraph.analysis.reading import Reading, place_name, value_at
from calcgraph.analysis.results import own_failure
from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.value import Failure, Series
from calcgraph.graph import expressions

if TYPE_CHECKING:
    from collections.abc import Callable

    from calcgraph.core.type import Type
    from calcgraph.core.value import Value
    from calcgraph.evaluate import Evaluation

FAILED = Code(
    "CG508",
    "cell cannot be computed",
    "The numbers of a formula have no result: a division by zero, the logarithm or root of a "
    "negative number, a number beyond all doubles. What needs the cell is not computed either, "
    "unless `iferror(x, otherwise)` catches it or a branch is not taken.",
)
SHOWN = 6


def failure_finding(
    evaluation: Evaluation, cell: int, show: Callable[[Value, Type], str]
) -> Diagnostic:
    """Report which cell failed and the numbers in its formula."""
    model = evaluation.plan.model
    failure = own_failure(evaluation, cell)
    assert failure is not None, "asked for failed cells only"
    number = model.cells[cell].owner if model.cells[cell].kind == "helper" else cell
    node = model.graph.nodes[number]
    parts = expressions(node)
    span = parts[0].span if parts else node.decl.key.span
    facts = _facts(evaluation, number, cell, show)
    blocked = sum(
        1
        for other, found in evaluation.failures.items()
        if found.cell == cell and other not in {cell, number} and model.cells[other].kind == "calc"
    )
    where = f" at {failure.at}" if failure.at else ""
    message = f"`{node.name}` cannot be computed{where}: {failure.message}"
    if blocked:
        message += f"; {blocked} {'cell needs' if blocked == 1 else 'cells need'} it"
    address = f"'{node.name}[{failure.at}]'" if failure.at and number == cell else node.name
    shows = f"`calcgraph explain SHEET {address}` shows where its numbers come from"
    hint = shows if facts or failure.at else "change the numbers written in it"
    return Diagnostic(FAILED, message, Label(span, ", ".join(facts)), hint)


def _facts(
    evaluation: Evaluation, number: int, failed: int, show: Callable[[Value, Type], str]
) -> list[str]:
    """List the scalars that a formula reads, at the label where it failed."""
    model = evaluation.plan.model
    cell, value = model.cells[number], evaluation.values[number]
    at: dict[str, int] = {}
    if isinstance(value, Series) and number == failed:
        rows = (row for row, item in enumerate(value.data) if isinstance(item, Failure))
        row = next(row for row in rows if value.data[row] == own_failure(evaluation, cell.number))
        at = dict(zip(cell.type.dims, places_at(model, cell, row), strict=True))
    reading = Reading(model, model.graph.nodes[number], evaluation.values, at)
    for expr in expressions(model.graph.nodes[number]):
        reading.read(expr)
    facts = [
        f"{place_name(model, place)} = {show(found, model.cells[place.cell].type)}"
        for place in dict.fromkeys(reading.places.values())
        if not isinstance(found := value_at(model, evaluation.values, place), Series)
    ]
    return facts[:SHOWN]
