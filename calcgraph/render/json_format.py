"""Results as JSON: stable and versioned."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from calcgraph.analysis.described import label_of
from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series
from calcgraph.functions.scalar import show_date
from calcgraph.model import unit_text
from calcgraph.render.numbers import full_text

if TYPE_CHECKING:
    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.core.value import Value
    from calcgraph.model import Cell, Model
    from calcgraph.render.results import Outcome, Report

VERSION = 1
LINES = 1


def render_json(report: Report) -> str:
    """Write all cells, checks and expectations; several cases stand in a list."""
    head: dict[str, Any] = {"calcgraph": VERSION, "sheet": report.name}
    if len(report.outcomes) == 1:
        head.update(_outcome(report, report.outcomes[0], with_fingerprint=True))
    else:
        prints = "\0".join(outcome.fingerprint for outcome in report.outcomes)
        head["fingerprint"] = hashlib.sha256(prints.encode()).hexdigest()
        head["cases"] = [_outcome(report, outcome) for outcome in report.outcomes]
    return _lines(head, 0) + "\n"


def _lines(value: object, depth: int) -> str:
    """Write mappings and lists down to the third level one entry a line: good to read and diff."""
    if not value or depth > LINES or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    space = " " * (depth + 1)
    if isinstance(value, dict):
        entries = [f"{json.dumps(key)}: {_lines(item, depth + 1)}" for key, item in value.items()]
        marks = "{}"
    else:
        entries = [_lines(item, depth + 1) for item in value]
        marks = "[]"
    inner = f",\n{space}".join(entries)
    return f"{marks[0]}\n{space}{inner}\n{' ' * depth}{marks[1]}"


def _outcome(report: Report, outcome: Outcome, *, with_fingerprint: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = {
        "set": dict(outcome.settings),
        "scenario": "+".join(outcome.scenarios) or None,
    }
    if with_fingerprint:
        found["fingerprint"] = outcome.fingerprint
    found["cells"] = {
        cell.name: cell_json(report.model, cell, outcome.values[cell.number])
        for cell in report.cells
    }
    found["checks"] = [_check(check) for check in outcome.checks]
    found["expectations"] = [_figure(figure) for figure in outcome.figures]
    return found


def cell_json(model: Model, cell: Cell, value: Value) -> dict[str, Any]:
    """Give one cell: its value in its unit, and how it looks."""
    unit = unit_text(cell.type.unit) if cell.type.kind is Kind.NUMBER else None
    found: dict[str, Any] = {}
    if isinstance(value, Series):
        table = model.table(value.dims[0])
        found["dims"] = list(value.dims)
        found["labels"] = list(table.labels)
        found["value"] = [_plain(item, cell) for item in value.data]
    else:
        found["value"] = None if isinstance(value, Failure) else _plain(value, cell)
    found["unit"] = unit
    found["text"] = full_text(value, cell.type)
    found["kind"] = "input" if cell.kind == "column" else cell.kind
    found["label"] = label_of(model, cell)
    found["status"] = "error" if isinstance(value, Failure) else "na" if value is None else "ok"
    if isinstance(value, Failure):
        found["error"] = {
            "kind": value.kind,
            "blame": model.cells[value.cell].name,
            "message": value.message,
        }
    return found


def _plain(value: object, cell: Cell) -> object:
    if cell.type.kind is Kind.DATE and isinstance(value, float):
        return show_date(value)
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:  # noqa: PLR2004 - exact
        return int(value) if value else 0
    return value


def _check(check: CheckResult) -> dict[str, Any]:
    severity = "error" if check.is_error else "warning"
    return {"name": check.name, "ok": check.ok, "severity": severity, "message": check.message}


def _figure(result: FigureResult) -> dict[str, Any]:
    decl = result.figure.decl
    is_number = result.cell.type.kind is Kind.NUMBER
    actual = (
        None if isinstance(result.actual, Failure | Series) else _plain(result.actual, result.cell)
    )
    found: dict[str, Any] = {
        "cell": result.cell.name,
        "expected": _plain(result.figure.expected, result.cell),
        "actual": actual,
        "unit": unit_text(result.cell.type.unit) if is_number else None,
        "ok": result.ok,
    }
    if decl.source:
        found["source"] = decl.source.title
    if decl.verdict:
        found["verdict"], found["why"] = decl.verdict, decl.why
    return found
