"""Results to text: one format a file, imported on first use; ``RENDERERS`` is their table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from calcgraph.report.report import Report
    from calcgraph.report.text_page import Screen


def _table(report: Report, screen: Screen) -> Iterable[str]:
    from calcgraph.report.table import render_table

    return (render_table(report, color=screen.color, width=screen.width),)


def _json(report: Report, _: Screen) -> Iterable[str]:
    from calcgraph.report.json import render_json

    return render_json(report)


def _csv(report: Report, _: Screen) -> Iterable[str]:
    from calcgraph.report.csv import render_csv

    return render_csv(report)


def _markdown(report: Report, _: Screen) -> Iterable[str]:
    from calcgraph.report.markdown import render_markdown

    return (render_markdown(report),)


RENDERERS: dict[str, Callable[[Report, Screen], Iterable[str]]] = {
    "table": _table,
    "json": _json,
    "csv": _csv,
    "markdown": _markdown,
}
