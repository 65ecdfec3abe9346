"""Results to text: one format a file, loaded when asked for; ``RENDERERS`` is their table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from calcgraph.render.results import Report


@dataclass(frozen=True, slots=True)
class Screen:
    """Where a text is going: with colours or not, how wide, and whether it shows ASCII alone."""

    color: bool = False
    width: int = 10_000
    ascii: bool = False


def _table(report: Report, screen: Screen) -> Iterable[str]:
    from calcgraph.render.table_format import render_table

    return (render_table(report, color=screen.color, width=screen.width),)


def _json(report: Report, _: Screen) -> Iterable[str]:
    from calcgraph.render.json_format import render_json

    return render_json(report)


def _csv(report: Report, _: Screen) -> Iterable[str]:
    from calcgraph.render.csv_format import render_csv

    return render_csv(report)


def _markdown(report: Report, _: Screen) -> Iterable[str]:
    from calcgraph.render.markdown_format import render_markdown

    return (render_markdown(report),)


RENDERERS: dict[str, Callable[[Report, Screen], Iterable[str]]] = {
    "table": _table,
    "json": _json,
    "csv": _csv,
    "markdown": _markdown,
}
