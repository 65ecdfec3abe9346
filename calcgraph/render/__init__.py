"""Results to text: one format a file; ``RENDERERS`` is the table of formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.render.csv_format import render_csv
from calcgraph.render.json_format import render_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from calcgraph.render.results import Report


@dataclass(frozen=True, slots=True)
class Screen:
    """Where a text is going: with colours or not, and how wide it is."""

    color: bool = False
    width: int = 10_000


def _table(report: Report, screen: Screen) -> str:
    from calcgraph.render.table_format import render_table

    return render_table(report, color=screen.color, width=screen.width)


def _markdown(report: Report, _: Screen) -> str:
    from calcgraph.render.markdown_format import render_markdown

    return render_markdown(report)


RENDERERS: dict[str, Callable[[Report, Screen], str]] = {
    "table": _table,
    "json": lambda report, _: render_json(report),
    "csv": lambda report, _: render_csv(report),
    "markdown": _markdown,
}
