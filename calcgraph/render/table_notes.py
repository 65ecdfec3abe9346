"""What stands below a table: checks, how published figures compare, and where there is more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from calcgraph.lang.tokens import printable
from calcgraph.render.numbers import full_text
from calcgraph.render.results import case_titles, check_word, is_own, wanted_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.render.results import Report


def notes(report: Report) -> list[Text]:
    """Give the lines below the tables, empty ones between what belongs together."""
    return [*_checks(report), *_figures(report), *_footer(report)]


def _checks(report: Report) -> list[Text]:
    """List checks that do not hold, and count the others."""
    first = report.outcomes[0]
    if not first.checks:
        return []
    if len(report.outcomes) > 1:
        return _checks_of_cases(report)
    held = sum(check.ok is True for check in first.checks)
    head = Text(f"{held} of {len(first.checks)} checks hold", style="bold")
    told = [check for check in first.checks if _is_told(check, report)]
    return [Text(), head, *(_check_line(check, report.everything) for check in told)]


def _checks_of_cases(report: Report) -> list[Text]:
    """List each check that some case breaks once, with the cases that break it."""
    titles = [title.replace("\n", ", ") for title in case_titles(report)]
    lines: list[Text] = []
    for at, check in enumerate(report.outcomes[0].checks):
        broken = [i for i, outcome in enumerate(report.outcomes) if outcome.checks[at].ok is False]
        if not broken:
            continue
        everywhere = len(broken) == len(titles)
        where = "in all cases" if everywhere else f"at {'; '.join(titles[i] for i in broken)}"
        word = check_word(report.outcomes[broken[0]].checks[at])
        style = "bold red" if word == "ERROR" else "bold yellow"
        lines.append(Text.assemble((f"  {word:<8}", style), printable(f"{check.name}: {where}")))
    if not lines:
        return [Text(), Text("all checks hold in all cases", style="bold")]
    return [Text(), Text("checks that do not hold", style="bold"), *lines]


def _is_told(check: CheckResult, report: Report) -> bool:
    return check.ok is False or report.everything


def _check_line(check: CheckResult, everything: bool) -> Text:  # noqa: FBT001 - a fact of the report
    word = check_word(check)
    style = {"ERROR": "bold red", "WARNING": "bold yellow", "OK": "green"}.get(word, "dim")
    detail = check.message if check.ok is False or not everything else ""
    if check.failure is not None:
        detail = f"could not be computed: {check.failure.message}"
    tail = f": {detail}" if detail else ""
    return Text.assemble((f"  {word:<8}", style), printable(f"{check.name}{tail}"))


def _figures(report: Report) -> list[Text]:
    """Say how published figures compare; those that fail or are known wrong one by one."""
    outcome = report.outcomes[0]
    figures = outcome.figures
    if not figures or len(report.outcomes) > 1:
        return []
    judged = [figure for figure in figures if figure.ok is not None]
    agree = sum(figure.ok is True and not figure.known_wrong for figure in judged)
    wrong = sum(figure.ok is True and figure.known_wrong for figure in judged)
    parts = [f"{agree} of {len(judged) - wrong} published figures agree"] if judged else []
    if wrong:
        parts.append(f"{wrong} known to be wrong {'does' if wrong == 1 else 'do'} not")
    if len(judged) < len(figures):
        parts.append(f"{len(figures) - len(judged)} not judged: their inputs were set")
    lines = [Text(), Text("; ".join(parts), style="bold")]
    told = figures if report.everything else [figure for figure in figures if figure.fails]
    return [*lines, *(_figure_line(figure) for figure in told)]


def _figure_line(figure: FigureResult) -> Text:
    decl = figure.figure.decl
    word, style = ("ERROR", "bold red") if figure.fails else ("OK", "green")
    if figure.ok is None:
        word, style = "SHOWN", "dim"
    elif figure.known_wrong and not figure.fails:
        word, style = "WRONG", "dim"
    actual = full_text(figure.actual, figure.cell.type)
    if figure.fails and figure.known_wrong:
        shown = figure.figure.shown
        text = f"{figure.cell.name} is {actual} and agrees with {shown}, said to be wrong"
    else:
        text = f"{figure.cell.name} is {actual}, published {figure.figure.shown}"
    source = f" ({decl.source.title})" if decl.source and decl.source.title else ""
    why = f": {decl.why}" if decl.why else ""
    return Text.assemble((f"  {word:<8}", style), printable(f"{text}{source}{why}"))


def _footer(report: Report) -> Iterator[Text]:
    own = sum(is_own(report.model, cell) and cell.kind != "column" for cell in report.cells)
    if report.shown or report.everything or not report.model.outputs:
        return
    told = len(wanted_cells(report))
    if own > told:
        yield Text()
        yield Text(
            f"{told} of {own} cells; all of them: --all, why: calcgraph explain {report.name} NAME",
            style="dim",
        )
