"""What every format of results shows, put together once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import (
    CellAddress,
    change_texts,
    each_once,
    entry_of,
    is_shown,
    spelled,
    spot_name,
)
from calcgraph.analysis.descriptions import is_own
from calcgraph.analysis.number_format import exact_text, full_text, value_text
from calcgraph.model import BASE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.core.values import Value
    from calcgraph.model import Cell, Model


MANY = 12
"""More cases than these have a line each, not a column."""
NAMED = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: its settings, and what came of it.

    ``values`` go by cell number; only those of cells that are shown need be there.
    """

    settings: dict[str, str]
    scenarios: tuple[str, ...]
    values: Sequence[Value]
    checks: Sequence[CheckResult]
    figures: Sequence[FigureResult]
    fingerprint: str

    @property
    def marks(self) -> dict[str, str]:
        """What may tell this case from others: its scenarios, and what was set."""
        return {"scenario": "+".join(self.scenarios) or BASE, **self.settings}


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be shown: the model, its cases, and which cells were asked for.

    ``shown`` is empty where nobody named cells or entries; ``everything`` asks for all cells.
    """

    name: str
    title: str
    model: Model
    outcomes: tuple[Outcome, ...]
    shown: tuple[CellAddress, ...] = ()
    everything: bool = False

    @property
    def cells(self) -> list[Cell]:
        """All cells people know of, those in variants left out."""
        return [cell for cell in self.model.cells if is_shown(cell)]

    @property
    def spots(self) -> list[CellAddress]:
        """All cells people know of, and what else was asked for."""
        known = [CellAddress(cell) for cell in self.cells]
        return each_once((*known, *self.shown))

    def value(self, outcome: Outcome, spot: CellAddress) -> Value:
        """Return what a cell or an entry is in a case; a period by its label."""
        value = entry_of(outcome.values[spot.cell.number], spot.row)
        return spelled(self.model, value, spot.cell.type)

    def texts(self, outcome: Outcome, spot: CellAddress) -> tuple[str, str]:
        """Return the text of a value, and its unit's."""
        return value_text(self.value(outcome, spot), spot.cell.type)

    def full_text(self, outcome: Outcome, spot: CellAddress) -> str:
        """Return a value with its unit on one line."""
        return full_text(self.value(outcome, spot), spot.cell.type)


def shared_settings(report: Report) -> dict[str, str]:
    """Return what was set alike in all cases."""
    outcomes = report.outcomes
    return {
        name: value
        for name, value in outcomes[0].settings.items()
        if all(outcome.settings.get(name) == value for outcome in outcomes)
    }


def run_header(report: Report) -> list[str]:
    """Say which scenarios are on, what they change, and what was set on top of them."""
    model, first = report.model, report.outcomes[0]
    lines: list[str] = []
    changed: dict[str, str] = {}
    for name in dict.fromkeys(name for one in report.outcomes for name in one.scenarios):
        scenario = model.scenarios[name]
        lines.append(f"scenario: {name}" + (f" ({scenario.note})" if scenario.note else ""))
        if all(name in outcome.scenarios for outcome in report.outcomes):
            changed.update(change_texts(model, change) for change in scenario.changes)
    changed = {name: value for name, value in changed.items() if name not in first.settings}
    for word, settings in (("with", changed), ("set", shared_settings(report))):
        if settings:
            lines.append(f"{word}: " + ", ".join(f"{n} = {v}" for n, v in settings.items()))
    return lines


def case_names(report: Report) -> list[str]:
    """Return the names of what differs between the cases."""
    outcomes = report.outcomes
    return [
        name
        for name, mark in outcomes[0].marks.items()
        if any(outcome.marks[name] != mark for outcome in outcomes)
    ]


def case_titles(report: Report) -> list[str]:
    """Head the column of each case by what makes it differ."""
    outcomes = report.outcomes
    if len(outcomes) == 1:
        return ["value"]
    differ = case_names(report)
    return ["\n".join(outcome.marks[name] for name in differ) or "value" for outcome in outcomes]


def where_text(titles: Sequence[str], cases: Sequence[int]) -> str:
    """Say in which cases something is so; of many the first ones."""
    if len(cases) == len(titles):
        return "in all cases"
    names = [titles[case].replace("\n", ", ") for case in cases]
    if len(names) <= MANY:
        return f"at {'; '.join(names)}"
    more = f"{len(names) - NAMED:,} more of {len(titles):,} cases"
    return f"at {'; '.join(names[:NAMED])} and {more}"


def selected_cells(report: Report) -> list[CellAddress]:
    """Return what was asked for, else the headline cells, else all of the sheet's own."""
    if report.shown:
        return list(report.shown)
    model = report.model
    if model.outputs and not report.everything:
        return [CellAddress(model.cells[number]) for number in dict.fromkeys(model.outputs)]
    cells = [cell for cell in report.cells if is_own(model, cell) and cell.kind != "column"]
    return [CellAddress(cell) for cell in cells]


def check_status(check: CheckResult) -> str:
    """Name what became of a check."""
    if check.ok is None:
        return "SKIPPED"
    if check.ok:
        return "OK"
    return "ERROR" if check.is_error else "WARNING"


def check_tail(check: CheckResult) -> str:
    """Return what is said of a check behind its name: where it fails, and its message."""
    where = ""
    if check.failing:
        labels = [", ".join(labels) for labels in check.failing]
        more = len(labels) - 1
        where = f" at {labels[0]}" + (f" and {more} more" if more else "")
    return where + (f": {check.message}" if check.message else "")


def describe_expectation(model: Model, result: FigureResult) -> str:
    """Say how a published figure compares; where it fails, with all digits of the cell."""
    figure, cell = result.figure, result.cell
    name = spot_name(model, CellAddress(cell, result.row))
    value = spelled(model, result.actual, cell.type)
    actual = (exact_text if result.fails else full_text)(value, cell.type)
    source = figure.decl.source
    tail = f" ({source.title})" if source and source.title else ""
    if result.fails and result.known_wrong:
        return f"{name} is {actual} and agrees with {figure.shown}, said to be wrong{tail}"
    return f"{name} is {actual}, published {figure.shown}{tail}"
