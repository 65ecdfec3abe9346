"""The command `eval`."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import each_once, value_formatter
from calcgraph.analysis.results import unhandled_failures
from calcgraph.cli.common import (
    Command,
    add_sheet_arguments,
    apply_settings_each,
    find_named,
    open_sheet,
    print_diagnostics,
    progress_notice,
    screen,
    split_setting,
)
from calcgraph.cli.exits import FAILED, FINE, USAGE, WRONG_SHEET, CommandError, print_stderr
from calcgraph.engine import restrict_to
from calcgraph.model import BASE
from calcgraph.report import RENDERERS
from calcgraph.report.report import MANY, Outcome, Report

if TYPE_CHECKING:
    import argparse

    from calcgraph.book import Book
    from calcgraph.core.diagnostics import Diagnostic


@dataclass(slots=True)
class RunSummary:
    """Totals over the cases, updated case by case so that no case is kept."""

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
        failed = unhandled_failures(book.evaluation)
        for cell in failed:
            self._failure(book, cell)
        self.code = max(self.code, WRONG_SHEET if failed else FAILED if checks or figures else FINE)

    def _failure(self, book: Book, cell: int) -> None:
        """Describe a failure once, with the numbers of the first case in which it occurs."""
        if cell not in self.failures:
            from calcgraph.analysis.results import failure_finding

            self.failures[cell] = failure_finding(
                book.evaluation, cell, value_formatter(book.model)
            )
        self.counts[cell] = self.counts.get(cell, 0) + 1

    def print_work(self) -> None:
        """Print how many cells were computed: once, if many cases have the same counts."""
        if len(self.work) > MANY and len(set(self.work)) == 1:
            ran, total = self.work[0]
            print_stderr(f"computed {ran} of {total} cells in each of {len(self.work):,} cases\n")
            return
        for ran, total in self.work:
            print_stderr(f"computed {ran} of {total} cells\n")

    def print_failing(self) -> None:
        """Print failed checks and figures on stderr, for formats that do not show them."""
        for name in self.checks:
            print_stderr(f"calcgraph: check failed: {name}\n")
        for name in self.figures:
            print_stderr(f"calcgraph: a published figure of `{name}` does not agree\n")

    def print_failures(self) -> None:
        """Print each unhandled failure once, with the number of cases in which it occurs."""
        found = [*self.failures.values()]
        if len(self.work) > 1:
            cases = f"of {len(self.work)} cases)"
            found = [
                replace(finding, message=f"{finding.message} (in {self.counts[cell]} {cases}")
                for cell, finding in self.failures.items()
            ]
        print_diagnostics(found)


EXAMPLES = """\
examples:
  calcgraph eval sheets/llama70b.yaml
  calcgraph eval sheets/llama70b.yaml --set gpus=512
  calcgraph eval sheets/llama70b.yaml --set gpus=512,1024 --set mfu=35%,40%
  calcgraph eval sheets/llama70b.yaml --scenario base,meta --show cost
  calcgraph eval sheets/llama70b.yaml --show train_time --show cost --format csv

exit codes: 0 fine; 1 a check or a published figure failed; 2 usage or a refused --set;
3 the sheet is wrong or a cell cannot be computed; 4 a file cannot be read
"""
MOST_CASES = 10_000
_CUT_NUMBER = re.compile(r"\d{1,3},0\d\d(,\d{3})*\b")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("sheet", metavar="SHEET", help="a sheet, NAME.yaml")
    add_sheet_arguments(parser, lists=True)
    parser.add_argument(
        "--show",
        action="append",
        default=[],
        metavar="NAME",
        help="show this cell or entry instead of the headline cells; may be repeated",
    )
    parser.add_argument(
        "--all", action="store_true", help="show all cells, not only the headline cells"
    )
    parser.add_argument(
        "--format",
        choices=tuple(RENDERERS),
        default="table",
        metavar="FORMAT",
        help=f"one of {', '.join(RENDERERS)}",
    )
    parser.add_argument(
        "--charts", action="store_true", help="draw the sheet's charts below its table"
    )
    parser.add_argument(
        "--stats", action="store_true", help="print on stderr how many cells were computed"
    )


def run(options: argparse.Namespace) -> int:
    """Evaluate the cases, print the report and return the exit code."""
    if options.charts and options.format != "table":
        message = f"--charts works with tables, not with --format {options.format}"
        raise CommandError(USAGE, message)
    base = open_sheet(options.sheet, options, options.show)
    stacks, cases = list_cases(options.scenarios, options.settings)
    books = apply_settings_each(base, stacks, cases)
    shown = tuple(each_once(find_named(base, name) for name in options.show))
    report = Report(base.name, base.title, base.model, (), shown, options.all)
    cells = frozenset(spot.cell.number for spot in report.spots)
    if options.charts:
        cells |= {cell for chart in base.model.charts for cell in chart.cells}
    summary, outcomes = RunSummary(), []
    with progress_notice(f"computing {len(stacks) * len(cases)} cases"):
        for book in books:  # in turn: keep only the shown values of each case
            outcomes.append(outcome_of(book, cells))
            summary.add(book, outcomes[-1])
    for note in summary.notes:
        print_stderr(f"calcgraph: {note}\n")
    report = replace(report, outcomes=tuple(outcomes))
    sys.stdout.writelines(RENDERERS[options.format](report, screen()))
    if options.charts:
        _draw(report)
    if options.stats:
        summary.print_work()
    if options.format == "csv":
        summary.print_failing()
    summary.print_failures()
    return summary.code


def _draw(report: Report) -> None:
    """Draw the sheet's charts, or print that it has none."""
    from calcgraph.report.text_charts import render_charts

    if not report.model.charts:
        print_stderr("calcgraph: the sheet has no charts\n")
        return
    sys.stdout.write(render_charts(report, screen()))


def list_cases(
    scenarios: list[str], settings: list[str]
) -> tuple[list[tuple[str, ...]], list[list[tuple[str, str]]]]:
    """Expand lists of scenarios into stacks, and settings with lists of values into cases.

    Both are the products of their lists; the first list varies slowest.
    """
    names = [_split_scenarios(text) for text in scenarios]
    values = [
        [(name, text) for text in _split_list(name, value)]
        for name, value in dict(split_setting(text) for text in settings).items()
    ]
    count = prod(map(len, names)) * prod(map(len, values))
    if count > MOST_CASES:
        raise CommandError(USAGE, f"{count:,} cases; {MOST_CASES:,} is the most")
    stacks = [tuple(name for name in stack if name != BASE) for stack in product(*names)]
    return stacks, [list(case) for case in product(*values)]


def _split_scenarios(text: str) -> list[str]:
    """Split a list of scenarios at its commas; ``base`` is the sheet as written."""
    names = [name.strip() for name in text.split(",")]
    if len(names) > 1 and not all(names):
        raise CommandError(USAGE, f"--scenario {text}: a name is missing")
    return names


def _split_list(name: str, value: str) -> list[str]:
    """Split an unquoted list at its commas."""
    if value.startswith('"') or "," not in value:
        return [value]
    if _CUT_NUMBER.match(value):
        plain = value.replace(",", "_")
        message = f"--set {name}={value}: is the comma in a number or between cases?"
        raise CommandError(USAGE, message, f"write {name}={plain} for one number")
    parts = [part.strip() for part in value.split(",")]
    if not all(parts):
        message = f"--set {name}={value}: a value is missing next to a comma"
        raise CommandError(USAGE, message)
    return parts


def outcome_of(book: Book, cells: frozenset[int]) -> Outcome:
    """Return the results of one case, with the values of ``cells`` alone."""
    return Outcome(
        book.settings,
        book.scenarios,
        restrict_to(book.evaluation.values, cells),
        book.checks,
        book.expectations,
        book.fingerprint,
    )


EVAL = Command(
    "calcgraph eval SHEET [--set NAME=VALUE]… [--scenario NAME]… [--show NAME]… [--format FORMAT]",
    EXAMPLES,
    add_arguments,
    run,
)
