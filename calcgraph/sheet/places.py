"""Places of findings: each reported once, with the import that leads to its file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic, Label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.sheet.imports import Sheets

IMPORTED = "imported here"


def said_once(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Leave out what was said before: variants check the formulas of their sheets again."""
    found: dict[tuple[str, str, str, int, int], Diagnostic] = {}
    for finding in findings:
        span = finding.label.span
        key = (finding.code.id, finding.message, span.source.name, span.start, span.end)
        found.setdefault(key, finding)
    return list(found.values())


def with_import(sheets: Sheets, findings: list[Diagnostic]) -> list[Diagnostic]:
    """Let a finding in an imported file say where that is imported first."""
    if not findings:
        return findings
    first: dict[str, Label] = {}
    for key, sheet in sheets.sheets.items():
        for decl in sheet.imports:
            to = sheets.imports[key].get(decl.alias)
            if to is not None and to != sheets.root:
                name = sheets.sheets[to].source.name
                first.setdefault(name, Label(decl.path.span, IMPORTED))
    found: list[Diagnostic] = []
    for finding in findings:
        label = first.get(finding.label.span.source.name)
        said = label is None or any(
            other.span.source is label.span.source for other in finding.others
        )
        found.append(finding if said else replace(finding, others=(*finding.others, label)))  # type: ignore[arg-type]
    return found
