"""Warnings about sheets without mistakes: unused, unsourced and stale inputs."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label, Severity
from calcgraph.sheet.declarations import InputDecl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.graph import Graph, Node
    from calcgraph.sheet.declarations import Provenance, TableDecl

UNUSED_INPUT = Code(
    "CG311",
    "input is not used",
    "No formula uses this input, so changing it changes nothing. Often its name is misspelt where "
    "it was meant to be used.",
    Severity.WARNING,
)
NO_SOURCE = Code(
    "CG314",
    "input has no source",
    "A number that nobody can trace cannot be reviewed: say where it comes from, or that it is an "
    "assumption, under `source`.",
    Severity.WARNING,
)
STALE = Code(
    "CG315",
    "source was checked long ago",
    "Prices and rates move. A source with `checked` more than a year ago wants another look.",
    Severity.WARNING,
)
FRESH_DAYS = 366


def review(graph: Graph, today: date) -> list[Diagnostic]:
    """Review the inputs and tables of every sheet that is imported without a variant.

    Only the sheet's own inputs are reported as unused: others may use those of an imported sheet.
    A headline cell is used.
    """
    plain, root = graph.sheets.plain, graph.sheets.root
    shown = {output.text.text for output in graph.sheets.sheets[root].outputs}
    used = {need for node in graph.nodes for need in node.needs}
    found: list[Diagnostic] = []
    for node in graph.nodes:
        decl = node.decl
        if not isinstance(decl, InputDecl) or node.of or node.within or node.sheet not in plain:
            continue
        if node.sheet == root and node.number not in used and node.name not in shown:
            found.append(_unused(node))
        if decl.about.source is None:
            found.append(_unsourced(f"the input `{node.name}`", decl))
        found.extend(_stale(decl.about.source, today))
    for table in graph.tables.values():
        if table.is_grid or table.sheet not in plain:
            continue
        found.extend(_stale(table.decl.about.source, today))
        rows = [row for row in table.decl.rows if row.about.source]
        for row in rows:
            found.extend(_stale(row.about.source, today))
        if table.decl.about.source is None and len(rows) < len(table.decl.rows):
            found.append(_unsourced(f"the table `{table.name}`", table.decl))
    return found


def _unused(node: Node) -> Diagnostic:
    hint = "use it in a formula, or delete it"
    return Diagnostic(
        UNUSED_INPUT, f"nothing uses the input `{node.name}`", Label(node.decl.key.span), hint
    )


def _unsourced(what: str, decl: InputDecl | TableDecl) -> Diagnostic:
    hint = "add `source: …`; for an assumption, name who made it"
    return Diagnostic(NO_SOURCE, f"{what} has no source", Label(decl.key.span), hint)


def _stale(source: Provenance | None, today: date) -> Iterator[Diagnostic]:
    if source is None or not source.checked or source.place is None:
        return
    text = source.checked if source.checked.count("-") == 2 else f"{source.checked}-01"  # noqa: PLR2004
    try:
        age = (today - date.fromisoformat(text)).days
    except ValueError:
        return
    if age > FRESH_DAYS:
        message = f"`{source.title}` was last checked {source.checked}, {age} days ago"
        yield Diagnostic(
            STALE, message, Label(source.place.span), "look again, and update `checked`"
        )
