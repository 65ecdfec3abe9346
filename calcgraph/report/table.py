"""Results as a terminal table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, product
from math import inf
from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import CellAddress, spot_name
from calcgraph.analysis.descriptions import heading_of, is_own
from calcgraph.core.values import Failure, Series
from calcgraph.language.tokens import printable
from calcgraph.report.report import (
    MANY,
    case_names,
    case_titles,
    check_status,
    check_tail,
    describe_expectation,
    run_header,
    selected_cells,
    where_text,
)
from calcgraph.report.series_table import ACROSS, grids_of, is_series
from calcgraph.report.table_layout import (
    WIDTH,
    align_points,
    case_lines,
    is_wide_text,
    make_layout,
    row_texts,
    shape_text,
    spot_label,
)
from calcgraph.report.text_page import TextColumn, TextPage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.core.values import Value
    from calcgraph.model import Cell
    from calcgraph.report.report import Report
    from calcgraph.report.series_table import SeriesGrid
    from calcgraph.report.table_layout import Layout
    from calcgraph.report.text_page import Span, Styled


def put_series(
    page: TextPage, report: Report, spots: Sequence[CellAddress], width: int, *, is_first: bool
) -> None:
    """Write series below single values."""
    for grid in grids_of(report, spots, width):
        if not is_first:
            page.put()
        is_first = False
        if grid.title:
            page.put((printable(grid.title), ""))
        _put_grid(page, grid)
        if grid.note:
            page.put((grid.note, "dim"))


def _put_grid(page: TextPage, grid: SeriesGrid) -> None:
    columns = [
        TextColumn(),
        *(TextColumn(right=not left, shrinks=left) for left in grid.left),
        *([TextColumn()] if grid.units else []),
    ]
    heads = [(with_line_breaks(head), "cyan") for head in (grid.corner, *grid.heads)]
    rows: list[Sequence[Styled]] = [[[head] for head in heads] + ([[]] if grid.units else [])]
    texts = [
        texts if grid.left[at] or grid.units else align_points(texts)
        for at in range(len(grid.heads))
        for texts in [[entries[at].text for _, entries in grid.rows]]
    ]
    for at, (head, entries) in enumerate(grid.rows):
        values = [
            [(printable(column[at]), "bold red" if entry.failed else "bold")]
            for column, entry in zip(texts, entries, strict=True)
        ]
        unit = [[(printable(grid.units[at]), "")]] if grid.units else []
        rows.append([[(printable(head), "")], *values, *unit])
    page.put_table(columns, rows, has_head=True)


def with_line_breaks(head: str) -> str:
    """Keep the line breaks of a heading, which `printable` would escape."""
    return printable(head).replace("\\x0a", "\n")


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
    """Summarise the published figures; list those that fail, or all if all cells are shown."""
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
    """List only the published figures that fail in some case."""
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


LEAST = 60


def render_table(report: Report, *, color: bool = False, width: int = WIDTH) -> str:
    """Write the headline cells, what was set, checks, and how published figures compare."""
    page = TextPage(max(width, LEAST), color)
    page.put((printable(report.title), "bold"))
    for line in run_header(report):
        page.put((printable(line), "cyan"))
    if len(report.outcomes) > MANY:
        _put_lines(page, report)
    else:
        _put_tables(page, report, width)
    for paragraph in notes(report):
        page.put(*paragraph)
    return page.text()


def _put_lines(page: TextPage, report: Report) -> None:
    """Write a line a case; straight to the page, since there may be thousands."""
    cyan, plain = ("\x1b[36m", "\x1b[0m") if page.color else ("", "")
    for line, is_head in case_lines(report, selected_cells(report), page.width):
        page.lines.append(f"{cyan}{line}{plain}" if is_head else line.rstrip())


def _put_tables(page: TextPage, report: Report, width: int) -> None:
    """Write the cells under their headings: single values first, then series."""
    groups = _groups(report)
    rows = [[spot for spot in group.spots if not group.is_open(report, spot)] for group in groups]
    layout = make_layout(report, rows, width)
    for block, (group, spots) in product(layout.blocks, zip(groups, rows, strict=True)):
        series = [spot for spot in group.spots if group.is_open(report, spot)]
        is_last = block == layout.blocks[-1]
        if not spots and not (series and is_last):
            continue
        page.put()
        if group.heading:
            page.put((printable(group.heading), "bold"))
        if len(report.outcomes) > 1:  # so that the titles of the cases are printed once
            spots.sort(key=lambda spot: is_wide_text(report, spot))
        for is_wide, run in groupby(spots, lambda spot: is_wide_text(report, spot)):
            put = _put_wide if is_wide else _put_cells
            put(page, report, list(run), layout, block)
        if is_last and series:
            put_series(page, report, series, width, is_first=not spots)


@dataclass(frozen=True, slots=True)
class _Group:
    """Cells under a heading; series of more than ``most`` values are not written out."""

    heading: str
    spots: list[CellAddress]
    most: float

    def is_open(self, report: Report, spot: CellAddress) -> bool:
        """Whether all values of a series are shown, not only where it begins and ends."""
        return is_series(spot) and report.model.size(spot.cell.number) <= self.most


def _groups(report: Report) -> list[_Group]:
    """Group cells by their headings, in the order of the sheet."""
    spots = selected_cells(report)
    if report.shown or (report.model.outputs and not report.everything):
        return [_Group("", spots, inf)]
    groups: dict[str, _Group] = {}
    outputs = [CellAddress(report.model.cells[number]) for number in report.model.outputs]
    most = -1 if report.everything else ACROSS
    if outputs:
        groups["Headline"] = _Group("Headline", outputs, inf)
    for spot in spots:
        heading = heading_of(report.model, spot.cell)
        groups.setdefault(heading, _Group(heading, [], most)).spots.append(spot)
    return list(groups.values())


def _put_cells(
    page: TextPage, report: Report, spots: Sequence[CellAddress], layout: Layout, block: range
) -> None:
    """Write a line a cell: its label, its value in each case, its unit, and what has room."""
    titles = case_titles(report)
    tails = [width for width in (layout.shape, layout.name) if width]
    columns = [
        TextColumn(layout.label),
        *(TextColumn(layout.values[at], right=True) for at in block),
        TextColumn(layout.unit),
        *map(TextColumn, tails),
    ]
    table: list[Sequence[Styled]] = []
    if len(titles) > 1:
        heads = ["\n".join(case_names(report)), *(with_line_breaks(titles[at]) for at in block)]
        table.append([[(head, "cyan")] for head in heads] + [[] for _ in [0, *tails]])
    rows = [row_texts(report, spot) for spot in spots]
    texts = [align_points([row[at] for row, _ in rows]) for at in block]
    for at, spot in enumerate(spots):
        values = [
            [_value(column[at], report.value(report.outcomes[case], spot), spot.cell)]
            for case, column in zip(block, texts, strict=True)
        ]
        label = [(printable(spot_label(report, spot)), "")]
        unit = [(printable(rows[at][1]), "")]
        shape = [[(printable(shape_text(report, spot)), "dim")]] if layout.shape else []
        name = [[(spot_name(report.model, spot), "dim")]] if layout.name else []
        table.append([label, *values, unit, *shape, *name])
    page.put_table(columns, table, has_head=len(titles) > 1)


def _put_wide(
    page: TextPage, report: Report, spots: Sequence[CellAddress], layout: Layout, block: range
) -> None:
    """Let texts that are too long for a column of numbers take the rest of the line.

    Of several cases each has a line that begins with its title, unless all say the same.
    """
    table: list[Sequence[Styled]] = []
    titles = case_titles(report)
    for spot in spots:
        texts = [report.texts(report.outcomes[case], spot)[0] for case in block]
        cases = block if len(set(texts)) > 1 else block[:1]
        label = printable(spot_label(report, spot))
        for case, shown in zip(cases, texts, strict=False):
            text = [_value(shown, report.value(report.outcomes[case], spot), spot.cell)]
            if len(cases) > 1:
                text.insert(0, (f"{printable(titles[case])}: ".replace("\\x0a", ", "), "cyan"))
            if layout.name:
                text.append((f"  {spot_name(report.model, spot)}", "dim"))
            table.append([[(label, "")], text])
            label = ""
    page.put_table([TextColumn(layout.label), TextColumn(shrinks=True)], table)


def _value(text: str, value: Value, cell: Cell) -> Span:
    failed = isinstance(value, Failure) or (isinstance(value, Series) and value.failure is not None)
    style = "bold red" if failed else "blue" if cell.kind == "input" else "bold"
    return printable(text), style
