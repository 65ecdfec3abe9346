"""Results as JSON: stable and versioned."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from calcgraph.analysis.addresses import (
    blame_name,
    dim_names,
    dims_of,
    entry_of,
    labels_at,
    spelled,
    spot_name,
)
from calcgraph.analysis.descriptions import label_of
from calcgraph.analysis.number_format import full_text
from calcgraph.core.values import Failure, Kind, Series
from calcgraph.functions.kernels.scalar import show_date
from calcgraph.model import unit_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calcgraph.analysis.addresses import CellAddress
    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.core.values import Value
    from calcgraph.model import Cell, Model
    from calcgraph.report.report import Outcome, Report

VERSION = 1
LINES = 1


def render_json(report: Report) -> Iterator[str]:
    """Yield all cells, checks and expectations in pieces; several cases form a list."""
    head: dict[str, Any] = {"calcgraph": VERSION, "sheet": report.name}
    if len(report.outcomes) == 1:
        head.update(_outcome(report, report.outcomes[0]))
        yield _lines(head, 0) + "\n"
        return
    prints = "\0".join(outcome.fingerprint for outcome in report.outcomes)
    head["fingerprint"] = hashlib.sha256(prints.encode()).hexdigest()
    yield _lines(head, 0).removesuffix("\n}")
    cases, start = _Cases(report), ',\n "cases": [\n  '
    for outcome in report.outcomes:
        yield start + cases.text(outcome)
        start = ",\n  "
    yield "\n ]\n}\n"


class _Cases:
    """Writes case by case, each on one line; what is as in the case before is not written anew."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.spots = [(spot, _dumped(spot_name(report.model, spot))) for spot in report.spots]
        self.cells: dict[int, tuple[Value, str]] = {}
        self.figures: dict[int, tuple[Value, bool | None, str]] = {}

    def text(self, outcome: Outcome) -> str:
        """Write a case."""
        cells = [
            f"{name}: {self.cell(at, spot, outcome)}" for at, (spot, name) in enumerate(self.spots)
        ]
        figures = [self.figure(at, figure) for at, figure in enumerate(outcome.figures)]
        head = _dumped(_head(outcome)).removesuffix("}")
        checks = _dumped([_check(check) for check in outcome.checks])
        return (
            f'{head}, "cells": {{{", ".join(cells)}}}, "checks": {checks}, '
            f'"expectations": [{", ".join(figures)}]}}'
        )

    def cell(self, at: int, spot: CellAddress, outcome: Outcome) -> str:
        """Write a cell or an entry."""
        value = outcome.values[spot.cell.number]
        if at not in self.cells or self.cells[at][0] is not value:
            found = cell_json(self.report.model, spot, entry_of(value, spot.row))
            self.cells[at] = value, _dumped(found)
        return self.cells[at][1]

    def figure(self, at: int, figure: FigureResult) -> str:
        """Write an expectation."""
        seen = self.figures.get(at)
        if seen is None or seen[0] is not figure.actual or seen[1] is not figure.ok:
            text = _dumped(_figure(self.report.model, figure))
            seen = self.figures[at] = figure.actual, figure.ok, text
        return seen[2]


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _lines(value: object, depth: int) -> str:
    """Write mappings and lists down to the third level one entry a line: good to read and diff."""
    if not value or depth > LINES or not isinstance(value, dict | list):
        return _dumped(value)
    space = " " * (depth + 1)
    if isinstance(value, dict):
        entries = [f"{json.dumps(key)}: {_lines(item, depth + 1)}" for key, item in value.items()]
        marks = "{}"
    else:
        entries = [_lines(item, depth + 1) for item in value]
        marks = "[]"
    inner = f",\n{space}".join(entries)
    return f"{marks[0]}\n{space}{inner}\n{' ' * depth}{marks[1]}"


def _head(outcome: Outcome) -> dict[str, Any]:
    return {"set": dict(outcome.settings), "scenario": "+".join(outcome.scenarios) or None}


def _outcome(report: Report, outcome: Outcome) -> dict[str, Any]:
    found = {**_head(outcome), "fingerprint": outcome.fingerprint}
    found["cells"] = {
        spot_name(report.model, spot): cell_json(
            report.model, spot, entry_of(outcome.values[spot.cell.number], spot.row)
        )
        for spot in report.spots
    }
    found["checks"] = [_check(check) for check in outcome.checks]
    found["expectations"] = [_figure(report.model, figure) for figure in outcome.figures]
    return found


def cell_json(model: Model, spot: CellAddress, value: Value) -> dict[str, Any]:
    """Return a cell or an entry: its value in its unit, and how it looks.

    Of several dims the labels are a list for each, and values lists in lists, the last innermost.
    """
    cell = spot.cell
    value = spelled(model, value, cell.type)
    failures: list[dict[str, Any]] = []
    found: dict[str, Any] = {}
    if isinstance(value, Series):
        dims = dims_of(model, cell)
        labels = [list(dim.labels) for dim in dims]
        found["dims"] = list(dim_names(cell))
        found["labels"] = labels[0] if len(dims) == 1 else labels
        values = [_plain(item, cell) for item in value.data]
        found["value"] = _nested(values, [dim.size for dim in dims])
        if value.failure is not None:
            failures = [
                {"at": _at(labels_at(model, cell, row)), **_failure(model, item)}
                for row, item in enumerate(value.data)
                if isinstance(item, Failure)
            ]
    else:
        found["value"] = _plain(value, cell)
    found["unit"] = _unit(cell)
    found["text"] = full_text(value, cell.type)
    found["kind"] = "input" if cell.kind in {"column", "axis"} else cell.kind
    found["label"] = label_of(model, cell)
    found["status"] = _status(value)
    if isinstance(value, Failure):
        found["error"] = _failure(model, value)
    if failures:
        found["errors"] = failures
    return found


def _unit(cell: Cell) -> str | None:
    is_key = cell.type.kind is not Kind.NUMBER or cell.type.table
    return None if is_key else unit_text(cell.type.unit)


def _status(value: Value) -> str:
    if isinstance(value, Failure) or (isinstance(value, Series) and value.failure is not None):
        return "error"
    return "na" if value is None else "ok"


def _failure(model: Model, failure: Failure) -> dict[str, Any]:
    return {
        "kind": failure.kind,
        "blame": blame_name(model, failure),
        "message": failure.message,
    }


def _at(labels: Sequence[str]) -> str | list[str]:
    return labels[0] if len(labels) == 1 else list(labels)


def _nested(values: list[Any], sizes: Sequence[int]) -> list[Any]:
    """Cut a flat list into lists in lists."""
    for size in reversed(sizes[1:]):
        values = [values[at : at + size] for at in range(0, len(values), size)]
    return values


def _plain(value: object, cell: Cell) -> object:
    if isinstance(value, Failure):
        return None
    if cell.type.kind is Kind.DATE and isinstance(value, float):
        return show_date(value)
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:  # noqa: PLR2004 - exact
        return int(value) if value else 0
    return value


def _check(check: CheckResult) -> dict[str, Any]:
    severity = "error" if check.is_error else "warning"
    found: dict[str, Any] = {
        "name": check.name,
        "ok": check.ok,
        "severity": severity,
        "message": check.message,
    }
    if check.dims:
        found["failing"] = [_at(labels) for labels in check.failing]
    return found


def _figure(model: Model, result: FigureResult) -> dict[str, Any]:
    decl, cell = result.figure.decl, result.cell
    actual = spelled(model, result.actual, cell.type)
    found: dict[str, Any] = {
        "cell": cell.name,
        "expected": _plain(spelled(model, result.figure.expected, cell.type), cell),
        "actual": None if isinstance(actual, Series) else _plain(actual, cell),
        "unit": _unit(cell),
        "ok": result.ok,
    }
    if result.row is not None:
        found["at"] = _at(labels_at(model, cell, result.row))
    if decl.source:
        found["source"] = decl.source.title
    if decl.verdict:
        found["verdict"], found["why"] = decl.verdict, decl.why
    return found
