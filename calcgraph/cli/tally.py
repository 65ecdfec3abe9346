"""What is said of cases beside their values: notes, work done, what failed, the exit code."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from calcgraph.analysis.labels import value_formatter
from calcgraph.analysis.results import uncaught
from calcgraph.cli.common import print_diagnostics
from calcgraph.cli.exits import FAILED, FINE, WRONG_SHEET, print_stderr
from calcgraph.render.results import MANY

if TYPE_CHECKING:
    from calcgraph.book import Book
    from calcgraph.core.diagnostic import Diagnostic
    from calcgraph.render.results import Outcome


@dataclass(slots=True)
class RunSummary:
    """Counts case by case, so that no case need be held."""

    code: int = FINE
    notes: dict[str, None] = field(default_factory=dict)
    work: list[tuple[int, int]] = field(default_factory=list)
    checks: dict[str, None] = field(default_factory=dict)
    figures: dict[str, None] = field(default_factory=dict)
    failures: dict[int, Diagnostic] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)

    def add(self, book: Book, outcome: Outcome) -> None:
        """Count a case."""
        cells = book.model.cells
        total = sum(cells[number].kind == "calc" for number in book.model.order)
        ran = sum(cells[number].kind == "calc" for number in book.evaluation.computed)
        self.work.append((ran, total))
        self.notes.update(dict.fromkeys(book.notes))
        checks = [check.name for check in outcome.checks if check.fails]
        figures = [figure.cell.name for figure in outcome.figures if figure.fails]
        self.checks.update(dict.fromkeys(checks))
        self.figures.update(dict.fromkeys(figures))
        failed = uncaught(book.evaluation)
        for cell in failed:
            self._failure(book, cell)
        self.code = max(self.code, WRONG_SHEET if failed else FAILED if checks or figures else FINE)

    def _failure(self, book: Book, cell: int) -> None:
        """Find words for a failure, on the numbers of the first case it stands in."""
        if cell not in self.failures:
            from calcgraph.analysis.failures import failure_finding

            self.failures[cell] = failure_finding(
                book.evaluation, cell, value_formatter(book.model)
            )
        self.counts[cell] = self.counts.get(cell, 0) + 1

    def print_work(self) -> None:
        """Say how many cells were computed; of many cases alike once."""
        if len(self.work) > MANY and len(set(self.work)) == 1:
            ran, total = self.work[0]
            print_stderr(f"computed {ran} of {total} cells in each of {len(self.work):,} cases\n")
            return
        for ran, total in self.work:
            print_stderr(f"computed {ran} of {total} cells\n")

    def print_failing(self) -> None:
        """Name on stderr what the exit code is about, where the format has no room for it."""
        for name in self.checks:
            print_stderr(f"calcgraph: check failed: {name}\n")
        for name in self.figures:
            print_stderr(f"calcgraph: a published figure of `{name}` does not agree\n")

    def print_failures(self) -> None:
        """Tell each cell that nothing caught once."""
        found = [*self.failures.values()]
        if len(self.work) > 1:
            cases = f"of {len(self.work)} cases)"
            found = [
                replace(finding, message=f"{finding.message} (in {self.counts[cell]} {cases}")
                for cell, finding in self.failures.items()
            ]
        print_diagnostics(found)
