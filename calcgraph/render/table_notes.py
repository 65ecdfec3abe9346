"""What stands below a table: checks, how published figures compare, and where there is more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.described import is_own
from calcgraph.lang.tokens import printable
from calcgraph.render.results import (
    MANY,
    case_titles,
    check_status,
    check_tail,
    describe_expectation,
    selected_cells,
    where_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.render.results import Report
    from calcgraph.render.text_page import Styled


def notes(report: Report) -> list[Styled]:
    """Return the lines below the tables, empty ones between what belongs together."""
    return [*_checks(report), *_figures(report), *_footer(report)]


def _checks(report: Report) -> list[Styled]:
    """List checks that do not hold, and count the others."""
    first = report.outcomes[0]
    if not first.checks:
        return []
    if len(report.outcomes) > 1:
        return _checks_of_cases(report)
    held = sum(check.ok is True for check in first.checks)
    skipped = sum(check.ok is None for check in first.checks)
    verb = "holds" if len(first.checks) == 1 else "hold"
    words = f"{held} of {_count(len(first.checks), 'check')} {verb}"
    head = [(f"{words}, {skipped} not applicable" if skipped else words, "bold")]
    told = [check for check in first.checks if _is_told(check, report)]
    return [[], head, *(_check_line(check, report.everything) for check in told)]


def _checks_of_cases(report: Report) -> list[Styled]:
    """List each check that some case breaks once, with the cases that break it."""
    titles = case_titles(report)
    lines: list[Styled] = []
    for at, check in enumerate(report.outcomes[0].checks):
        broken = [i for i, outcome in enumerate(report.outcomes) if outcome.checks[at].ok is False]
        if not broken:
            continue
        where = where_text(titles, broken)
        word = check_status(report.outcomes[broken[0]].checks[at])
        style = "bold red" if word == "ERROR" else "bold yellow"
        lines.append([(f"  {word:<8}", style), (printable(f"{check.name}: {where}"), "")])
    if not lines:
        return [[], [("all checks hold in all cases", "bold")]]
    return [[], [("checks that do not hold", "bold")], *lines]


def _is_told(check: CheckResult, report: Report) -> bool:
    return check.ok is False or report.everything


def _check_line(check: CheckResult, everything: bool) -> Styled:  # noqa: FBT001 - a fact of the report
    word = check_status(check)
    style = {"ERROR": "bold red", "WARNING": "bold yellow", "OK": "green"}.get(word, "dim")
    tail = check_tail(check) if check.ok is False or not everything else ""
    return [(f"  {word:<8}", style), (printable(f"{check.name}{tail}"), "")]


def _figures(report: Report) -> list[Styled]:
    """Say how published figures compare; those that fail or are known wrong one by one."""
    if len(report.outcomes) > 1:
        return _figures_of_cases(report)
    figures = report.outcomes[0].figures
    if not figures:
        return []
    judged = [figure for figure in figures if figure.ok is not None]
    agree = sum(figure.ok is True and not figure.known_wrong for figure in judged)
    wrong = sum(figure.ok is True and figure.known_wrong for figure in judged)
    total, rest = len(judged) - wrong, len(figures) - len(judged)
    verb = "agrees" if total == 1 else "agree"
    parts = [f"{agree} of {_count(total, 'published figure')} {verb}"] if total else []
    if wrong:
        parts.append(f"{wrong} known to be wrong {'does' if wrong == 1 else 'do'} not")
    if rest:
        what = f"{rest}" if parts else _count(rest, "published figure")
        parts.append(f"{what} not judged: {'its' if rest == 1 else 'their'} inputs were set")
    lines: list[Styled] = [[], [("; ".join(parts), "bold")]]
    told = figures if report.everything else [figure for figure in figures if figure.fails]
    return [*lines, *(_figure_line(report, figure) for figure in told)]


def _figures_of_cases(report: Report) -> list[Styled]:
    """List the published figures that some case fails; nothing is said of the others."""
    titles = [title.replace("\n", ", ") for title in case_titles(report)]
    lines: list[Styled] = []
    for title, outcome in zip(titles, report.outcomes, strict=True):
        failing = [figure for figure in outcome.figures if figure.fails]
        lines += [[*_figure_line(report, figure), (f", at {title}", "")] for figure in failing]
    head = [("published figures that do not agree", "bold")]
    if len(lines) > MANY:
        lines = [*lines[:MANY], [(f"  and {len(lines) - MANY:,} more", "dim")]]
    return [[], head, *lines] if lines else []


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _figure_line(report: Report, figure: FigureResult) -> Styled:
    decl = figure.figure.decl
    word, style = ("ERROR", "bold red") if figure.fails else ("OK", "green")
    if figure.ok is None:
        word, style = "SHOWN", "dim"
    elif figure.known_wrong and not figure.fails:
        word, style = "WRONG", "dim"
    why = f": {decl.why}" if decl.why else ""
    words = printable(f"{describe_expectation(report.model, figure)}{why}")
    return [(f"  {word:<8}", style), (words, "")]


def _footer(report: Report) -> Iterator[Styled]:
    own = sum(is_own(report.model, cell) and cell.kind != "column" for cell in report.cells)
    if report.shown or report.everything or not report.model.outputs:
        return
    told = len(selected_cells(report))
    if own > told:
        yield []
        text = (
            f"{told} of {own} cells; see the others with --all, "
            f"where one comes from with: calcgraph explain {report.name} NAME"
        )
        yield [(text, "dim")]
