"""An evaluation to what it says: cells, checks and expectations, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.core.value import Failure
from calcgraph.functions.scalar import same
from calcgraph.sheet.declarations import CheckDecl

if TYPE_CHECKING:
    from calcgraph.core.value import Value
    from calcgraph.evaluate import Evaluation
    from calcgraph.model import Cell, Figure


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What became of a check: ``ok`` is none where it was skipped as not applicable.

    ``message`` is its own, or why it could not be computed.
    """

    name: str
    ok: bool | None
    is_error: bool
    message: str
    cell: int
    failure: Failure | None = None

    @property
    def fails(self) -> bool:
        """Whether the run has failed by it."""
        return self.ok is False and self.is_error


@dataclass(frozen=True, slots=True)
class FigureResult:
    """What became of an expected figure: ``ok`` is none where it is only shown."""

    figure: Figure
    cell: Cell
    actual: Value
    ok: bool | None

    @property
    def known_wrong(self) -> bool:
        """Whether the figure is said to be wrong."""
        return self.figure.decl.verdict == "wrong"

    @property
    def fails(self) -> bool:
        """Whether the run has failed by it."""
        return self.ok is False


def check_results(evaluation: Evaluation) -> list[CheckResult]:
    """Give all checks, in the order of the sheets."""
    model = evaluation.plan.model
    found: list[CheckResult] = []
    for node in model.graph.nodes:
        if node.kind != "check" or not isinstance(node.decl, CheckDecl):
            continue
        value = evaluation.values[node.number]
        failure = value if isinstance(value, Failure) else None
        ok = None if value is None else value is True
        name = node.name.removeprefix("check: ")
        message = _message(evaluation, node.number, failure)
        found.append(CheckResult(name, ok, node.decl.is_error, message, node.number, failure))
    return found


def _message(evaluation: Evaluation, check: int, failure: Failure | None) -> str:
    nodes = evaluation.plan.model.graph.nodes
    if failure is not None:
        where = f" in `{nodes[failure.cell].name}`" if failure.cell != check else ""
        return f"could not be computed: {failure.message}{where}"
    following = check + 1
    if following >= len(nodes) or nodes[following].kind != "message":
        return ""
    value = evaluation.values[following]
    return value if isinstance(value, str) else ""


def figure_results(evaluation: Evaluation) -> list[FigureResult]:
    """Give all expectations; where an input of theirs was overridden they are only shown."""
    model = evaluation.plan.model
    moved = {
        cell for cell in evaluation.touched if evaluation.values[cell] != model.cells[cell].start
    }
    found: list[FigureResult] = []
    for figure in model.figures:
        result = judge(evaluation, figure)
        if moved and moved & model.graph.ancestors(figure.cell):
            result = FigureResult(figure, result.cell, result.actual, None)
        found.append(result)
    return found


def judge(evaluation: Evaluation, figure: Figure) -> FigureResult:
    """Hold a figure against its cell; one known to be wrong must not agree."""
    cell = evaluation.plan.model.cells[figure.cell]
    actual = evaluation.values[figure.cell]
    if isinstance(actual, Failure):
        return FigureResult(figure, cell, actual, ok=False)
    agrees = _agrees(actual, figure, cell.type.kind)
    return FigureResult(figure, cell, actual, agrees != (figure.decl.verdict == "wrong"))


def _agrees(actual: Value, figure: Figure, kind: Kind) -> bool:
    expected = figure.expected
    if isinstance(actual, float) and isinstance(expected, float) and kind is Kind.NUMBER:
        gap = abs(actual - expected)
        return gap <= figure.tolerance or same(gap, figure.tolerance) or same(actual, expected)
    return actual == expected


def uncaught(evaluation: Evaluation) -> list[int]:
    """Give the failed cells that are to blame and that nothing caught, in order."""
    plan, failures = evaluation.plan, evaluation.failures
    open_: set[int] = set()
    for cell in reversed(plan.order):
        if cell in failures and plan.model.cells[cell].kind == "calc":
            users = [user for user in plan.users[cell] if plan.model.cells[user].kind == "calc"]
            if not users or any(user in open_ for user in users):
                open_.add(cell)
    return [cell for cell in plan.order if cell in open_ and failures[cell].cell == cell]
