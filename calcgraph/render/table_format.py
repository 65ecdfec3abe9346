"""Results as tables that people like to read: labels, aligned numbers, units, checks."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from calcgraph.core.value import Failure
from calcgraph.lang.tokens import printable
from calcgraph.render.numbers import full_text, value_text
from calcgraph.render.results import heading_of, is_own, label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table
    from rich.text import Text

    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.model import Cell
    from calcgraph.render.results import Outcome, Report

WIDTH = 140
GROUP_MIN = 2


def render_table(report: Report, *, color: bool = False, width: int = WIDTH) -> str:
    """Write the headline cells, what was set, checks, and how published figures compare."""
    from rich.console import Console
    from rich.text import Text

    buffer = io.StringIO()
    console = Console(
        file=buffer,
        force_terminal=color,
        no_color=not color,
        width=max(width, 60),
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )
    console.print(Text(printable(report.title), style="bold"))
    for line in _settings(report):
        console.print(Text(printable(line), style="cyan"))
    for heading, cells in _groups(report):
        console.print()
        if heading:
            console.print(Text(printable(heading), style="bold"))
        console.print(_cells(report, cells))
    for paragraph in [*_checks(report), *_figures(report), *_footer(report)]:
        console.print(paragraph)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _settings(report: Report) -> list[str]:
    """Say what was set; with several cases, what all of them share."""
    first = report.outcomes[0]
    lines = [f"scenario: {' + '.join(first.scenarios)}"] if first.scenarios else []
    shared = {
        name: value
        for name, value in first.settings.items()
        if all(outcome.settings.get(name) == value for outcome in report.outcomes)
    }
    if shared:
        lines.append("set: " + ", ".join(f"{name} = {value}" for name, value in shared.items()))
    return lines


def case_titles(report: Report) -> list[str]:
    """Head the column of each case by what makes it differ."""
    outcomes = report.outcomes
    if len(outcomes) == 1:
        return ["value"]
    differ = [
        name
        for name in outcomes[0].settings
        if any(outcome.settings[name] != outcomes[0].settings[name] for outcome in outcomes)
    ]
    return [", ".join(outcome.settings[name] for name in differ) or "value" for outcome in outcomes]


def wanted_cells(report: Report) -> list[Cell]:
    """Give the cells asked for, else the headline cells, else all of the sheet's own."""
    if report.shown:
        return list(report.shown)
    model = report.model
    if model.outputs and not report.everything:
        return [model.cells[number] for number in dict.fromkeys(model.outputs)]
    return [cell for cell in report.cells if is_own(model, cell) and cell.kind != "column"]


def _groups(report: Report) -> list[tuple[str, list[Cell]]]:
    """Put cells under their headings, in the order of the sheet."""
    cells = wanted_cells(report)
    if report.shown or (report.model.outputs and not report.everything):
        return [("", cells)]
    groups: dict[str, list[Cell]] = {}
    outputs = [report.model.cells[number] for number in report.model.outputs]
    if outputs:
        groups["Headline"] = outputs
    for cell in cells:
        groups.setdefault(heading_of(report.model, cell), []).append(cell)
    return list(groups.items())


def _cells(report: Report, cells: Sequence[Cell]) -> Table:
    from rich.table import Table
    from rich.text import Text

    titles = case_titles(report)
    several = len(titles) > 1
    table = Table(
        box=None, show_header=several, header_style="cyan", pad_edge=False, padding=(0, 2, 0, 0)
    )
    table.add_column("", no_wrap=False, min_width=20)
    for title in titles:
        table.add_column(Text(printable(title), justify="right"), justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("", no_wrap=True, style="dim")
    aligned = [
        align_points([value_text(outcome.values[cell.number], cell.type)[0] for cell in cells])
        for outcome in report.outcomes
    ]
    for at, cell in enumerate(cells):
        unit = next(
            (
                u
                for u in (value_text(o.values[cell.number], cell.type)[1] for o in report.outcomes)
                if u
            ),
            "",
        )
        table.add_row(
            Text(printable(label_of(report.model, cell))),
            *(_value(column[at], report.outcomes[i], cell) for i, column in enumerate(aligned)),
            Text(printable(unit)),
            Text(cell.name),
        )
    return table


def _value(text: str, outcome: Outcome, cell: Cell) -> Text:
    from rich.text import Text

    failed = isinstance(outcome.values[cell.number], Failure)
    style = "bold red" if failed else "blue" if cell.kind == "input" else "bold"
    return Text(printable(text), style=style)


def align_points(texts: Sequence[str]) -> list[str]:
    """Pad numbers behind their decimal points so that these stand below each other."""
    tails = [_tail(text) for text in texts]
    widest = max((len(tail) for tail in tails if tail is not None), default=0)
    return [
        text if tail is None else text + " " * (widest - len(tail))
        for text, tail in zip(texts, tails, strict=True)
    ]


def _tail(text: str) -> str | None:
    """Give what stands from the decimal point on; none for what is no number."""
    if not text[:1].isdigit() and text[:2].lstrip("-")[:1].isdigit() is False:
        return None
    digits = text.replace(",", "").replace("-", "", 1).replace(".", "", 1).rstrip("%")
    if not digits.replace("e", "", 1).replace("-", "", 1).isdigit():
        return None
    point = text.find(".")
    return text[point:] if point >= 0 else text[len(text.rstrip("%")) :]


def check_word(check: CheckResult) -> str:
    """Name what became of a check."""
    if check.ok is None:
        return "SKIPPED"
    if check.ok:
        return "OK"
    return "ERROR" if check.is_error else "WARNING"


def _checks(report: Report) -> list[Text]:
    """List checks that do not hold, and count the others."""
    from rich.text import Text

    lines: list[Text] = []
    titles = case_titles(report)
    for outcome, title in zip(report.outcomes, titles, strict=True):
        if not outcome.checks:
            continue
        where = f"{title}: " if len(titles) > 1 else ""
        held = sum(check.ok is True for check in outcome.checks)
        lines += [
            Text(),
            Text(printable(f"{where}{held} of {len(outcome.checks)} checks hold"), style="bold"),
        ]
        lines += [
            _check_line(check, report.everything)
            for check in outcome.checks
            if _is_told(check, report)
        ]
    return lines


def _is_told(check: CheckResult, report: Report) -> bool:
    return check.ok is False or report.everything


def _check_line(check: CheckResult, everything: bool) -> Text:  # noqa: FBT001 - a fact of the report
    from rich.text import Text

    word = check_word(check)
    style = {"ERROR": "bold red", "WARNING": "bold yellow", "OK": "green"}.get(word, "dim")
    detail = check.message if check.ok is False or not everything else ""
    if check.failure is not None:
        detail = f"could not be computed: {check.failure.message}"
    tail = f": {detail}" if detail else ""
    return Text.assemble((f"  {word:<8}", style), printable(f"{check.name}{tail}"))


def _figures(report: Report) -> list[Text]:
    """Say how published figures compare; those that fail or are known wrong one by one."""
    from rich.text import Text

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
    from rich.text import Text

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


def _footer(report: Report) -> Iterable[Text]:
    from rich.text import Text

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
