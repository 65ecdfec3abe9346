"""Results as a Markdown table, for issues and reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import spot_name
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
from calcgraph.report.series_table import grids_of, is_series
from calcgraph.report.table_layout import setting_columns, spot_label, value_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.analysis.addresses import CellAddress
    from calcgraph.report.report import Report
    from calcgraph.report.series_table import SeriesGrid

WIDTH = 10_000
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|~"} | {"\n": " ", "\r": " "})


def render_markdown(report: Report) -> str:
    """Write the selected or headline cells, and the checks that do not hold."""
    titles = [title.replace("\n", ", ") for title in case_titles(report)]
    lines = [f"**{_escaped(report.title)}**", ""]
    told = [_escaped(line) for line in run_header(report)]
    lines += [*("\\\n".join(told).split("\n")), ""] if told else []
    if len(report.outcomes) > MANY:
        return "\n".join([*lines, *_case_table(report), *_broken(report, titles)]) + "\n"
    spots = selected_cells(report)
    single = [spot for spot in spots if not is_series(spot)]
    if single or not spots:
        lines += _singles(report, single, titles)
    for grid in grids_of(report, [spot for spot in spots if is_series(spot)], WIDTH):
        lines += ([""] if lines[-1] else []) + _grid(grid)
    for outcome, title in zip(report.outcomes, titles, strict=True):
        where = f" ({_escaped(title)})" if len(titles) > 1 else ""
        told = [
            f"- **{check_status(check)}**{where} {_escaped(check.name + check_tail(check))}"
            for check in outcome.checks
            if check.ok is False
        ]
        told += [
            f"- **ERROR**{where} {_escaped(describe_expectation(report.model, figure))}"
            for figure in outcome.figures
            if figure.fails
        ]
        lines += ["", *told] if told else []
    return "\n".join(lines) + "\n"


def _case_table(report: Report) -> list[str]:
    """One row a case."""
    columns = [*setting_columns(report), *value_columns(report, selected_cells(report))]
    units = [f", {column.unit}" if column.unit else "" for column in columns]
    heads = [column.label + unit for column, unit in zip(columns, units, strict=True)]
    rows = zip(*(column.texts for column in columns), strict=True)
    lines = ["| " + " | ".join(map(_escaped, texts)) + " |" for texts in (heads, *rows)]
    return [lines[0], "|" + "---:|" * len(columns), *lines[1:]]


def _broken(report: Report, titles: Sequence[str]) -> list[str]:
    """One line a check that some case breaks, or a published figure that some fails."""
    told: dict[str, list[int]] = {}
    for case, outcome in enumerate(report.outcomes):
        names = [(check_status(check), check.name) for check in outcome.checks if check.ok is False]
        names += [("ERROR", figure.cell.name) for figure in outcome.figures if figure.fails]
        for word, name in names:
            told.setdefault(f"- **{word}** {_escaped(name)}", []).append(case)
    lines = [f"{line}: {_escaped(where_text(titles, cases))}" for line, cases in told.items()]
    return ["", *lines] if lines else []


def _singles(report: Report, spots: Sequence[CellAddress], titles: Sequence[str]) -> list[str]:
    """One row a single value, one column a case."""
    names = _escaped(", ".join(case_names(report)))
    lines = [
        "| " + " | ".join([names, *(_escaped(title) for title in titles), "cell"]) + " |",
        "|---|" + "---:|" * len(titles) + "---|",
    ]
    for spot in spots:
        values = [_escaped(report.full_text(outcome, spot)) for outcome in report.outcomes]
        label = _escaped(spot_label(report, spot))
        name = spot_name(report.model, spot)
        lines.append("| " + " | ".join([label, *values, f"`{name}`"]) + " |")
    return lines


def _grid(grid: SeriesGrid) -> list[str]:
    """Write a table of series."""
    units = [f", {unit}" if unit else "" for unit in grid.units] or [""] * len(grid.rows)
    lines = [f"{_escaped(grid.title)}", ""] if grid.title else []
    heads = [grid.corner.replace("\n", ", "), *(head.replace("\n", ", ") for head in grid.heads)]
    lines.append("| " + " | ".join(map(_escaped, heads)) + " |")
    lines.append("|---|" + "".join("---|" if left else "---:|" for left in grid.left))
    for (head, entries), unit in zip(grid.rows, units, strict=True):
        cells = [head + unit, *(entry.text for entry in entries)]
        lines.append("| " + " | ".join(map(_escaped, cells)) + " |")
    return [*lines, "", _escaped(grid.note)] if grid.note else lines


def _escaped(text: str) -> str:
    """Keep a text from being read as markup."""
    return text.translate(_MARKS)
