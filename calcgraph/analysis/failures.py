"""A failed cell to a finding: where it broke, on which numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Say which cell failed and what the numbers in its formula were."""
    model = evaluation.plan.model
    node, value = model.graph.nodes[cell], evaluation.values[cell]
    failure = value.failure if isinstance(value, Series) else value
    assert isinstance(failure, Failure), "asked for failed cells only"
    parts = expressions(node)
    span = parts[0].span if parts else node.decl.key.span
    needs = [need for need in node.needs if not isinstance(evaluation.values[need], Series)]
    facts = [
        f"{model.cells[need].name} = {show(evaluation.values[need], model.cells[need].type)}"
        for need in needs[:SHOWN]
    ]
    blocked = sum(
        1
        for number, other in evaluation.failures.items()
        if other.cell == cell and number != cell and model.cells[number].kind == "calc"
    )
    where = f" at {failure.at}" if failure.at else ""
    message = f"`{node.name}` cannot be computed{where}: {failure.message}"
    if blocked:
        message += f"; {blocked} {'cell needs' if blocked == 1 else 'cells need'} it"
    shows = f"`calcgraph explain SHEET {node.name}` shows where its numbers come from"
    hint = shows if facts else "change the numbers written in it"
    return Diagnostic(FAILED, message, Label(span, ", ".join(facts)), hint)
