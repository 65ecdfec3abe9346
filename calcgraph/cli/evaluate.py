"""``calcgraph eval``: the values of a sheet, with inputs set."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from calcgraph.analysis.labels import each_once
from calcgraph.analysis.results import uncaught
from calcgraph.cli.common import (
    FAILED,
    FINE,
    USAGE,
    WRONG_SHEET,
    Command,
    Refused,
    add_sheet_arguments,
    find_named,
    open_sheet,
    patience,
    put_on,
    say,
    screen,
    split_setting,
    tell,
)
from calcgraph.render import RENDERERS
from calcgraph.render.results import Outcome, Report, words_of

if TYPE_CHECKING:
    import argparse

    from calcgraph.book import Book

EXAMPLES = """\
examples:
  calcgraph eval sheets/llama70b.yaml
  calcgraph eval sheets/llama70b.yaml --set gpus=512
  calcgraph eval sheets/llama70b.yaml --set gpus=512,1024 --set mfu=35%,40%
  calcgraph eval sheets/llama70b.yaml --show train_time --show cost --format csv

exit codes: 0 fine; 1 a check or a published figure failed; 2 usage or a refused --set;
3 the sheet is wrong or a cell cannot be computed; 4 a file cannot be read
"""
MOST_CASES = 10_000
_CUT_NUMBER = re.compile(r"\d{1,3},0\d\d(,\d{3})*\b")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("sheet", metavar="SHEET", help="a sheet, NAME.yaml")
    add_sheet_arguments(parser)
    parser.add_argument(
        "--show",
        action="append",
        default=[],
        metavar="NAME",
        help="show this cell or entry, not the headline; may be repeated",
    )
    parser.add_argument("--all", action="store_true", help="show all cells, not just the headline")
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
        "--stats", action="store_true", help="say on stderr how many cells were computed"
    )


def run(options: argparse.Namespace) -> int:
    """Evaluate, show, and give the exit code."""
    if options.charts and options.format != "table":
        message = f"calcgraph: --charts goes with tables, not with --format {options.format}\n"
        raise Refused(message, USAGE)
    base = open_sheet(options.sheet, options, options.show)
    cases = list_cases([split_setting(text) for text in options.settings])
    with patience(f"computing {len(cases)} cases"):
        books = [put_on(base, options.scenarios, case) for case in cases]
    shown = tuple(each_once(find_named(base, name) for name in options.show))
    for note in dict.fromkeys(note for book in books for note in book.notes):
        say(f"calcgraph: {note}\n")
    report = Report(
        base.name, base.title, base.model, tuple(map(outcome_of, books)), shown, options.all
    )
    sys.stdout.write(RENDERERS[options.format](report, screen()))
    if options.charts:
        _draw(report)
    if options.stats:
        _stats(books)
    if options.format == "csv":
        _say_what_fails(books)
    _tell_failures(books)
    return max(_code(book) for book in books)


def _draw(report: Report) -> None:
    """Draw the sheet's charts, or say that it has none."""
    from calcgraph.render.chart_format import render_charts

    if not report.model.charts:
        say("calcgraph: the sheet has no charts\n")
        return
    sys.stdout.write(render_charts(report, screen()))


def list_cases(pairs: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Turn settings with lists of values into cases: the product, the first list slowest."""
    lists = [
        [(name, text) for text in _split_list(name, value)] for name, value in dict(pairs).items()
    ]
    count = 1
    for values in lists:
        count *= len(values)
    if count > MOST_CASES:
        message = f"calcgraph: {count:,} cases; {MOST_CASES:,} is the most\n"
        raise Refused(message, USAGE)
    return [list(case) for case in product(*lists)]


def _split_list(name: str, value: str) -> list[str]:
    """Cut an unquoted list at its commas."""
    if value.startswith('"') or "," not in value:
        return [value]
    if _CUT_NUMBER.match(value):
        plain = value.replace(",", "_")
        message = f"calcgraph: --set {name}={value}: is the comma in a number or between cases?\n"
        raise Refused(f"{message}  = hint: write {name}={plain} for one number\n", USAGE)
    parts = [part.strip() for part in value.split(",")]
    if not all(parts):
        message = f"calcgraph: --set {name}={value}: a value is missing beside a comma\n"
        raise Refused(message, USAGE)
    return parts


def outcome_of(book: Book) -> Outcome:
    """Give what came of one case."""
    return Outcome(
        book.settings,
        book.scenarios,
        book.evaluation.values,
        book.checks,
        book.expectations,
        book.fingerprint,
    )


def _stats(books: list[Book]) -> None:
    for book in books:
        cells = book.model.cells
        total = sum(cells[number].kind == "calc" for number in book.model.order)
        ran = sum(cells[number].kind == "calc" for number in book.evaluation.computed)
        say(f"computed {ran} of {total} cells\n")


def _say_what_fails(books: list[Book]) -> None:
    """Name on stderr what the exit code is about, where the format has no room for it."""
    checks = (check.name for book in books for check in book.checks if check.fails)
    figures = (figure.cell.name for book in books for figure in book.expectations if figure.fails)
    for name in dict.fromkeys(checks):
        say(f"calcgraph: check failed: {name}\n")
    for name in dict.fromkeys(figures):
        say(f"calcgraph: a published figure of `{name}` does not agree\n")


def _tell_failures(books: list[Book]) -> None:
    """Tell each cell that nothing caught once, on the numbers of the first case it fails in."""
    firsts: dict[int, Book] = {}
    counts: Counter[int] = Counter()
    for book in books:
        for cell in uncaught(book.evaluation):
            firsts.setdefault(cell, book)
            counts[cell] += 1
    if not firsts:
        return
    from calcgraph.analysis.failures import failure_finding

    found = [
        failure_finding(book.evaluation, cell, words_of(book.model))
        for cell, book in firsts.items()
    ]
    if len(books) > 1:
        found = [
            replace(finding, message=f"{finding.message} (in {count} of {len(books)} cases)")
            for finding, count in zip(found, counts.values(), strict=True)
        ]
    tell(found)


def _code(book: Book) -> int:
    if uncaught(book.evaluation):
        return WRONG_SHEET
    broken = any(check.fails for check in book.checks) or any(f.fails for f in book.expectations)
    return FAILED if broken else FINE


COMMAND = Command(
    "calcgraph eval SHEET [--set NAME=VALUE]… [--scenario NAME]… [--show NAME]… [--format FORMAT]",
    EXAMPLES,
    add_arguments,
    run,
)
