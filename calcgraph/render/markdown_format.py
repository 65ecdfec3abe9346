"""Results as a Markdown table, for issues and reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.render.numbers import full_text
from calcgraph.render.results import (
    case_names,
    case_titles,
    check_word,
    figure_words,
    situation,
    wanted_cells,
)

if TYPE_CHECKING:
    from calcgraph.render.results import Report

_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|~"} | {"\n": " ", "\r": " "})


def render_markdown(report: Report) -> str:
    """Write headline cells, or those asked for, and the checks that do not hold."""
    titles = [title.replace("\n", ", ") for title in case_titles(report)]
    lines = [f"**{_escaped(report.title)}**", ""]
    told = [_escaped(line) for line in situation(report)]
    lines += [*("\\\n".join(told).split("\n")), ""] if told else []
    names = _escaped(", ".join(case_names(report)))
    lines.append("| " + " | ".join([names, *(_escaped(title) for title in titles), "cell"]) + " |")
    lines.append("|---|" + "---:|" * len(titles) + "---|")
    for cell in wanted_cells(report):
        values = [_escaped(full_text(o.values[cell.number], cell.type)) for o in report.outcomes]
        label = _escaped(label_of(report.model, cell))
        lines.append("| " + " | ".join([label, *values, f"`{cell.name}`"]) + " |")
    for outcome, title in zip(report.outcomes, titles, strict=True):
        where = f" ({_escaped(title)})" if len(titles) > 1 else ""
        told = [
            f"- **{check_word(check)}**{where} {_escaped(check.name)}: {_escaped(check.message)}"
            for check in outcome.checks
            if check.ok is False
        ]
        told += [
            f"- **ERROR**{where} {_escaped(figure_words(figure))}"
            for figure in outcome.figures
            if figure.fails
        ]
        lines += ["", *told] if told else []
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """Keep a text from being read as markup."""
    return text.translate(_MARKS)
