"""What every format of results shows, put together once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.described import is_own
from calcgraph.render.numbers import exact_text, full_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.core.value import Value
    from calcgraph.model import Cell, Change, Model


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: its settings, and what came of it. ``values`` go by cell number."""

    settings: dict[str, str]
    scenarios: tuple[str, ...]
    values: Sequence[Value]
    checks: Sequence[CheckResult]
    figures: Sequence[FigureResult]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be shown: the model, its cases, and which cells were asked for.

    ``shown`` is empty where nobody named cells; ``everything`` asks for all of them.
    """

    name: str
    title: str
    model: Model
    outcomes: tuple[Outcome, ...]
    shown: tuple[Cell, ...] = ()
    everything: bool = False

    @property
    def cells(self) -> list[Cell]:
        """All cells people know of."""
        return [cell for cell in self.model.cells if cell.kind in {"input", "column", "calc"}]


def change_texts(model: Model, change: Change) -> tuple[str, str]:
    """Give the full address of what is changed, and its value so that it can be set again."""
    cell = model.cells[change.cell]
    name = cell.name
    if change.row is not None:
        table, _, column = name.rpartition(".")
        name = f"{table}[{model.table(table).labels[change.row]}].{column}"
    return name, exact_text(change.value, cell.type)


def shared_settings(report: Report) -> dict[str, str]:
    """Give what was set alike in all cases."""
    outcomes = report.outcomes
    return {
        name: value
        for name, value in outcomes[0].settings.items()
        if all(outcome.settings.get(name) == value for outcome in outcomes)
    }


def situation(report: Report) -> list[str]:
    """Say which scenarios are on, what they change, and what was set on top of them."""
    model, first = report.model, report.outcomes[0]
    lines: list[str] = []
    changed: dict[str, str] = {}
    for name in first.scenarios:
        scenario = model.scenarios[name]
        lines.append(f"scenario: {name}" + (f" ({scenario.note})" if scenario.note else ""))
        changed.update(change_texts(model, change) for change in scenario.changes)
    changed = {name: value for name, value in changed.items() if name not in first.settings}
    for word, settings in (("with", changed), ("set", shared_settings(report))):
        if settings:
            lines.append(f"{word}: " + ", ".join(f"{n} = {v}" for n, v in settings.items()))
    return lines


def case_names(report: Report) -> list[str]:
    """Give the names of what differs between the cases."""
    outcomes = report.outcomes
    return [
        name
        for name in outcomes[0].settings
        if any(outcome.settings[name] != outcomes[0].settings[name] for outcome in outcomes)
    ]


def case_titles(report: Report) -> list[str]:
    """Head the column of each case by what makes it differ."""
    outcomes = report.outcomes
    if len(outcomes) == 1:
        return ["value"]
    differ = case_names(report)
    return ["\n".join(outcome.settings[name] for name in differ) or "value" for outcome in outcomes]


def wanted_cells(report: Report) -> list[Cell]:
    """Give the cells asked for, else the headline cells, else all of the sheet's own."""
    if report.shown:
        return list(report.shown)
    model = report.model
    if model.outputs and not report.everything:
        return [model.cells[number] for number in dict.fromkeys(model.outputs)]
    return [cell for cell in report.cells if is_own(model, cell) and cell.kind != "column"]


def check_word(check: CheckResult) -> str:
    """Name what became of a check."""
    if check.ok is None:
        return "SKIPPED"
    if check.ok:
        return "OK"
    return "ERROR" if check.is_error else "WARNING"


def figure_words(result: FigureResult) -> str:
    """Say how a published figure compares; where it fails, with all digits of the cell."""
    figure, cell = result.figure, result.cell
    actual = (exact_text if result.fails else full_text)(result.actual, cell.type)
    source = figure.decl.source
    tail = f" ({source.title})" if source and source.title else ""
    if result.fails and result.known_wrong:
        return f"{cell.name} is {actual} and agrees with {figure.shown}, said to be wrong{tail}"
    return f"{cell.name} is {actual}, published {figure.shown}{tail}"
