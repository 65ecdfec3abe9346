"""Results as CSV: one line a cell, one column a case."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series
from calcgraph.functions.scalar import show_date, show_truth
from calcgraph.model import unit_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.core.value import Value
    from calcgraph.model import Cell
    from calcgraph.render.results import Outcome, Report

# What spreadsheets take for the start of a formula, full-width forms included.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def render_csv(report: Report) -> str:
    """Write name, unit, label, kind and the values; texts cannot become formulas."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    cases = [_case_name(outcome) for outcome in report.outcomes]
    writer.writerow(["name", "unit", "label", "kind", *(cases if len(cases) > 1 else ["value"])])
    for cell in report.shown or report.cells:
        for row in _rows(report, cell):
            writer.writerow(row)
    return buffer.getvalue()


def safe_text(text: str) -> str:
    """Keep a spreadsheet from reading a text as a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _case_name(outcome: Outcome) -> str:
    settings = [f"{name}={value}" for name, value in outcome.settings.items()]
    return safe_text(" ".join([*outcome.scenarios, *settings]))


def _rows(report: Report, cell: Cell) -> Iterator[list[str]]:
    unit = unit_text(cell.type.unit) if cell.type.kind is Kind.NUMBER else ""
    kind = "input" if cell.kind == "column" else cell.kind
    label = safe_text(label_of(report.model, cell))
    values = [outcome.values[cell.number] for outcome in report.outcomes]
    if not isinstance(values[0], Series):
        yield [cell.name, unit, label, kind, *(_text(value, cell) for value in values)]
        return
    table, column = cell.name.rpartition(".")[::2]
    for at, key in enumerate(report.model.table(table).labels):
        name = safe_text(f"{table}[{key}].{column}")
        entries = [value.data[at] if isinstance(value, Series) else None for value in values]
        yield [name, unit, label, kind, *(_text(value, cell) for value in entries)]


def _text(value: Value, cell: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, Failure):
        return f"#{value.kind}"
    if isinstance(value, bool):
        return show_truth(value)
    if isinstance(value, float):
        if cell.type.kind is Kind.DATE:
            return show_date(value)
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)  # noqa: PLR2004
    return safe_text(str(value))
