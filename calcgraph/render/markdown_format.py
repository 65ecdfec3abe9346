"""Results as a Markdown table, for issues and reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.render.numbers import full_text
from calcgraph.render.results import case_titles, check_word, label_of, wanted_cells

if TYPE_CHECKING:
    from calcgraph.render.results import Report

_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|~"} | {"\n": " ", "\r": " "})


def render_markdown(report: Report) -> str:
    """Write headline cells, or those asked for, and the checks that do not hold."""
    titles = [title.replace("\n", ", ") for title in case_titles(report)]
    lines = [f"**{_escaped(report.title)}**", ""]
    lines.append("| " + " | ".join(["", *(_escaped(title) for title in titles), "cell"]) + " |")
    lines.append("|---|" + "---:|" * len(titles) + "---|")
    for cell in wanted_cells(report):
        values = [_escaped(full_text(o.values[cell.number], cell.type)) for o in report.outcomes]
        label = _escaped(label_of(report.model, cell))
        lines.append("| " + " | ".join([label, *values, f"`{cell.name}`"]) + " |")
    for outcome, title in zip(report.outcomes, titles, strict=True):
        where = f" ({_escaped(title)})" if len(titles) > 1 else ""
        broken = [check for check in outcome.checks if check.ok is False]
        if broken:
            lines.append("")
        lines += [
            f"- **{check_word(check)}**{where} {_escaped(check.name)}: {_escaped(check.message)}"
            for check in broken
        ]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """Keep a text from being read as markup."""
    return text.translate(_MARKS)
