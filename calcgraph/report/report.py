"""The contents of a report, shared by all output formats."""

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
"""Above this number of cases, each case is a row, not a column."""
NAMED = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: its settings and its results.

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
        """What may distinguish this case from others: its scenarios and its settings."""
        return {"scenario": "+".join(self.scenarios) or BASE, **self.settings}


@dataclass(frozen=True, slots=True)
class Report:
    """The contents of a report: the model, its cases and the selected cells.

    ``shown`` is empty if the user named no cells or entries; ``everything`` selects all cells.
    """

    name: str
    title: str
    model: Model
    outcomes: tuple[Outcome, ...]
    shown: tuple[CellAddress, ...] = ()
    everything: bool = False

    @property
    def cells(self) -> list[Cell]:
        """All cells shown by default, without those in variants."""
        return [cell for cell in self.model.cells if is_shown(cell)]

    @property
    def spots(self) -> list[CellAddress]:
        """All cells shown by default, then the other selected cells and entries."""
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
    """Return the settings that all cases share."""
    outcomes = report.outcomes
    return {
        name: value
        for name, value in outcomes[0].settings.items()
        if all(outcome.settings.get(name) == value for outcome in outcomes)
    }


def run_header(report: Report) -> list[str]:
    """List the active scenarios, what they change, and the settings on top of them."""
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
    """Return the names of the scenarios and settings that differ between the cases."""
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
    """List some cases by their titles; only the first ones if there are many."""
    if len(cases) == len(titles):
        return "in all cases"
    names = [titles[case].replace("\n", ", ") for case in cases]
    if len(names) <= MANY:
        return f"at {'; '.join(names)}"
    more = f"{len(names) - NAMED:,} more of {len(titles):,} cases"
    return f"at {'; '.join(names[:NAMED])} and {more}"


def selected_cells(report: Report) -> list[CellAddress]:
    """Return the cells the user named, else the headline cells, else all of the sheet's own."""
    if report.shown:
        return list(report.shown)
    model = report.model
    if model.outputs and not report.everything:
        return [CellAddress(model.cells[number]) for number in dict.fromkeys(model.outputs)]
    cells = [cell for cell in report.cells if is_own(model, cell) and cell.kind != "column"]
    return [CellAddress(cell) for cell in cells]


def check_status(check: CheckResult) -> str:
    """Return the status of a check: OK, SKIPPED, ERROR or WARNING."""
    if check.ok is None:
        return "SKIPPED"
    if check.ok:
        return "OK"
    return "ERROR" if check.is_error else "WARNING"


def check_tail(check: CheckResult) -> str:
    """Return the text after the name of a check: where it fails, and its message."""
    where = ""
    if check.failing:
        labels = [", ".join(labels) for labels in check.failing]
        more = len(labels) - 1
        where = f" at {labels[0]}" + (f" and {more} more" if more else "")
    return where + (f": {check.message}" if check.message else "")


def describe_expectation(model: Model, result: FigureResult) -> str:
    """Compare a published figure with its cell, in words; with all digits if it fails."""
    figure, cell = result.figure, result.cell
    name = spot_name(model, CellAddress(cell, result.row))
    value = spelled(model, result.actual, cell.type)
    actual = (exact_text if result.fails else full_text)(value, cell.type)
    source = figure.decl.source
    tail = f" ({source.title})" if source and source.title else ""
    if result.fails and result.known_wrong:
        return f"{name} is {actual} and agrees with {figure.shown}, said to be wrong{tail}"
    return f"{name} is {actual}, published {figure.shown}{tail}"
