"""Results as CSV: one line a value, a column for each dim and for each case."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import all_labels, dim_names, entry_of, spelled
from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import Failure, Kind
from calcgraph.functions.kernels.scalar import show_date, show_truth
from calcgraph.model import BASE, unit_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from calcgraph.analysis.addresses import CellAddress
    from calcgraph.core.values import Value
    from calcgraph.model import Cell
    from calcgraph.report.report import Outcome, Report

# What spreadsheets take for the start of a formula, full-width forms included.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def render_csv(report: Report) -> Iterator[str]:
    """Write name, unit, label and kind, a column for each dim, and the values of each case.

    A cell along dims has a line for each of its values, with their labels in the dims' columns.
    """
    cases = [_case_name(outcome) for outcome in report.outcomes]
    spots = report.shown or report.spots
    dims = list(dict.fromkeys(name for spot in spots for name in dim_names(spot.cell)))
    values = cases if len(cases) > 1 else ["value"]
    yield _written([["name", "unit", "label", "kind", *dims, *values]])
    for spot in spots:
        yield _written(_rows(report, spot, dims))


def _written(rows: Iterable[Sequence[str]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def safe_text(text: str) -> str:
    """Keep a spreadsheet from reading a text as a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _case_name(outcome: Outcome) -> str:
    settings = [f"{name}={value}" for name, value in outcome.settings.items()]
    return safe_text(" ".join([*outcome.scenarios, *settings]) or BASE)


def _rows(report: Report, spot: CellAddress, dims: Sequence[str]) -> Iterator[list[str]]:
    model, cell = report.model, spot.cell
    is_number = cell.type.kind is Kind.NUMBER and not cell.type.table
    unit = unit_text(cell.type.unit) if is_number else ""
    kind = "input" if cell.kind in {"column", "axis"} else cell.kind
    head = [cell.name, unit, safe_text(label_of(model, cell)), kind]
    values = [spelled(model, o.values[cell.number], cell.type) for o in report.outcomes]
    places = [dims.index(name) for name in dim_names(cell)]
    for row, labels in enumerate(all_labels(model, cell)):
        if spot.row not in {None, row}:
            continue
        at = [""] * len(dims)
        for place, label in zip(places, labels, strict=True):
            at[place] = safe_text(label)
        yield [*head, *at, *_texts([entry_of(value, row) for value in values], cell)]


def _texts(values: Sequence[Value], cell: Cell) -> Iterator[str]:
    """Write a value in each case; one that is the same as before is not written anew."""
    before: tuple[Value, str] | None = None
    for value in values:
        if before is None or before[0] is not value:
            before = value, _text(value, cell)
        yield before[1]


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
