"""What is to be exported: a book, its scenario, and what was set; no file is known here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.results import check_results, figure_results
from calcgraph.model import BASE

if TYPE_CHECKING:
    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.evaluate import Evaluation
    from calcgraph.model import Change, Model


@dataclass(frozen=True, slots=True)
class Request:
    """An export.

    ``before`` is the sheet with what was set but without its scenario, ``now`` with both;
    ``settings`` are the changes that were set. ``exported`` is a day, or empty.
    """

    name: str
    file: str
    title: str
    description: str
    before: Evaluation
    now: Evaluation
    scenario: str
    settings: tuple[Change, ...]
    fingerprint: str
    exported: str = ""

    @property
    def model(self) -> Model:
        """The checked model."""
        return self.now.plan.model

    @property
    def checks(self) -> list[CheckResult]:
        """What became of the checks."""
        return check_results(self.now)

    @property
    def figures(self) -> list[FigureResult]:
        """What became of the expected figures."""
        return figure_results(self.now)

    @property
    def failing(self) -> int:
        """How many checks of severity error do not hold, and figures that do not agree.

        Figures speak of the model as written: under a scenario they are not judged.
        """
        figures = self.figures if self.scenario == BASE else []
        return sum(c.fails for c in self.checks) + sum(f.fails for f in figures)

    @property
    def warning(self) -> int:
        """How many warnings there are."""
        return sum(check.ok is False and not check.is_error for check in self.checks)

    @property
    def pill(self) -> str:
        """What every page says about the checks."""
        if self.failing:
            return f"{self.failing} ERROR{'' if self.failing == 1 else 'S'}"
        if self.warning:
            return f"{self.warning} WARNING{'' if self.warning == 1 else 'S'}"
        return "Checks OK"

    @property
    def status(self) -> str:
        """The master check."""
        if self.failing:
            return self.pill
        return f"OK, {self.pill}" if self.warning else "OK"
