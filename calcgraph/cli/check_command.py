"""The command `check`: findings, checks, published figures and tests of sheets."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from calcgraph.analysis.addresses import value_formatter
from calcgraph.analysis.results import failure_finding, unhandled_failures
from calcgraph.analysis.review import review
from calcgraph.book import FileError, SheetError, open_book
from calcgraph.cli.common import Command, add_sheet_arguments, print_diagnostics, progress_notice
from calcgraph.cli.exits import FAILED, FINE, NO_FILE, WRONG_SHEET, print_error
from calcgraph.core.resources import source_date
from calcgraph.report.report import check_tail, describe_expectation

if TYPE_CHECKING:
    import argparse

    from calcgraph.analysis.results import FigureResult
    from calcgraph.book import Book
    from calcgraph.core.diagnostics import Diagnostic
    from calcgraph.model import Model

EXAMPLES = """\
examples:
  calcgraph check sheets/llama70b.yaml
  calcgraph check sheets/*.yaml --format json

exit codes: 0 fine; 1 a check, a published figure or a test failed; 3 a sheet is wrong;
4 a file cannot be read. Warnings do not change the exit code.
"""


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of one sheet; ``failed`` and ``warned`` describe what does not hold."""

    name: str
    code: int
    diagnostics: tuple[Diagnostic, ...] = ()
    counts: tuple[tuple[str, int, int], ...] = ()
    failed: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()
    known_wrong: int = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("sheets", metavar="SHEET", nargs="+", help="one or more sheets, NAME.yaml")
    add_sheet_arguments(parser, settable=False)
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", metavar="FORMAT", help="text or json"
    )


def run(options: argparse.Namespace) -> int:
    """Check the sheets in turn; return the highest exit code."""
    summaries = [_check(path, options) for path in options.sheets]
    if options.format == "json":
        sys.stdout.write(
            json.dumps([_json(found) for found in summaries], ensure_ascii=False, indent=1) + "\n"
        )
    else:
        for found in summaries:
            print_diagnostics(found.diagnostics)
            sys.stdout.write(_text(found))
    return max(found.code for found in summaries)


def _check(path: str, options: argparse.Namespace) -> Summary:
    try:
        with progress_notice(f"checking {path}"):
            book = open_book(path, options.root, use_cache=not options.no_cache)
    except FileError as error:
        print_error(error.message, error.hint)
        return Summary(path, WRONG_SHEET if error.is_shape else NO_FILE, failed=(error.message,))
    except SheetError as error:
        return Summary(path, WRONG_SHEET, tuple(error.diagnostics))
    with progress_notice(f"testing {path}"):
        return _summary(book)


def _summary(book: Book) -> Summary:
    findings = [
        *book.warnings,
        *review(book.model.graph, source_date() or datetime.now(tz=UTC).date()),
    ]
    failures = [
        failure_finding(book.evaluation, cell, value_formatter(book.model))
        for cell in unhandled_failures(book.evaluation)
    ]
    checks, figures = book.checks, book.expectations
    tests = list(zip(book.cases, book.run_cases(book.cases), strict=True))
    failed = [f"check failed: {check.name}{check_tail(check)}" for check in checks if check.fails]
    failed += [_words(book.model, figure) for figure in figures if figure.fails]
    for case, results in tests:
        failed += [
            f"test `{case.name}`: {_words(book.model, result)}"
            for result in results
            if result.fails
        ]
    warned = [f"{c.name}{check_tail(c)}" for c in checks if c.ok is False and not c.is_error]
    counts = (
        ("checks", sum(check.ok is not False for check in checks), len(checks)),
        ("published figures", sum(not figure.fails for figure in figures), len(figures)),
        ("tests", sum(not any(r.fails for r in results) for _, results in tests), len(tests)),
    )
    wrong = sum(
        result.known_wrong for result in [*figures, *(r for _, results in tests for r in results)]
    )
    code = WRONG_SHEET if failures else FAILED if failed else FINE
    found = (*findings, *failures)
    return Summary(book.name, code, found, counts, tuple(failed), tuple(warned), wrong)


def _words(model: Model, result: FigureResult) -> str:
    return f"{describe_expectation(model, result)}, at {result.figure.place.file_line}"


def _text(found: Summary) -> str:
    word = {FINE: "OK", FAILED: "FAILED", NO_FILE: "NOT READ"}.get(found.code, "WRONG")
    counts = ", ".join(f"{held} of {total} {word}" for word, held, total in found.counts if total)
    lines = [f"{found.name}: {word}" + (f": {counts} hold" if counts else "")]
    if found.known_wrong:
        one = found.known_wrong == 1
        what = f"{found.known_wrong} published {'figure is' if one else 'figures are'}"
        lines.append(f"  note: {what} documented as wrong")
    lines += [f"  {line}" for line in found.failed]
    lines += [f"  warning: {line}" for line in found.warned]
    return "\n".join(lines) + "\n"


def _json(found: Summary) -> dict[str, Any]:
    return {
        "sheet": found.name,
        "ok": found.code == FINE,
        "exit_code": found.code,
        **{
            word.replace(" ", "_"): {"hold": held, "of": total}
            for word, held, total in found.counts
        },
        "known_wrong": found.known_wrong,
        "failed": list(found.failed),
        "warned": list(found.warned),
        "diagnostics": [_diagnostic(item) for item in found.diagnostics],
    }


def _diagnostic(found: Diagnostic) -> dict[str, Any]:
    span = found.label.span
    line, column = span.source.position(span.start)
    return {
        "code": found.code.id,
        "severity": found.code.severity.value,
        "message": found.message,
        "file": span.source.name,
        "line": line,
        "column": column,
        "hint": found.hint,
    }


CHECK = Command(
    "calcgraph check SHEET… [--format text|json]",
    EXAMPLES,
    add_arguments,
    run,
)
