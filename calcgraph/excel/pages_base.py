"""The machine's own page: what pull compares a returned workbook with, and the engine's values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.core.value import Series
from calcgraph.evaluate import compute_part
from calcgraph.excel.builder import cached, is_number
from calcgraph.excel.choices import add_choices
from calcgraph.excel.grid import Spot, ref
from calcgraph.excel.literals import number_text
from calcgraph.excel.pages_scenarios import EMPTY, own_changes, spot_words, touched
from calcgraph.excel.places import place_text, yaml_path
from calcgraph.model import Apply

if TYPE_CHECKING:
    from calcgraph.core.value import Value
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Cached, Page
    from calcgraph.model import Cell

LIVE, ROW_WITHIN = 10, 12


HEADS = (
    "key",
    "name",
    "value",
    "exact text",
    "unit",
    "kind",
    "YAML path",
    "file:line",
    "engine",
    "live",
    "equal",
    "row",
)
WIDTHS = (44, 34, 24, 24, 16, 9, 44, 18, 24, 24, 10, 8)


def add_base(builder: Builder) -> None:
    """Write what pull compares a returned workbook with, and the engine's values for parity."""
    page = builder.page("_Base", "_Base", "Machine data, do not edit.", WIDTHS)
    for column in (2, 4):
        page.spots.pop((3, column), None)
    builder.heads(page, HEADS, "n" * len(HEADS))
    page.last_printed = 9
    _facts(builder, page)
    for cell in builder.request.model.cells:
        if cell.kind == "input":
            _base_row(builder, page, cell)
    _parity(builder, page)
    builder.places["cg.changes"] = _changes(builder, page)
    page.row += 1
    add_choices(builder, page)


def _facts(builder: Builder, page: Page) -> None:
    """Write what was exported, from what."""
    request = builder.request
    facts = {
        "fingerprint": request.fingerprint,
        "sheet": request.file,
        "version": "1",
        "scenario": request.scenario,
    }
    for key, text in facts.items():
        page.put(page.row, 1, Spot(key, style="place"))
        page.put(page.row, 3, Spot(text, style="place"))
        if key == "scenario":
            builder.name(page, "cg.exported_scenario", page.row, 3)
        page.row += 1


def _parity(builder: Builder, page: Page) -> None:
    """Hold the engine's values beside the live ones, cell by cell."""
    first = page.row
    for cell in builder.request.model.cells:
        if cell.kind == "calc":
            _parity_row(builder, page, cell)
    if page.row == first:
        page.put(page.row, 10, Spot(0.0, style="place"))
        page.put(page.row, 11, Spot(value=True, style="place"))
        page.row += 1
    builder.name(page, "cg.live_values", first, 10, page.row - 1)
    builder.name(page, "cg.parity", first, 11, page.row - 1)


def _base_row(builder: Builder, page: Page, cell: Cell) -> None:
    request = builder.request
    value = request.before.values[cell.number]
    node = request.model.graph.nodes[cell.number]
    name = builder.spelling.base.get(cell.number, builder.spelling.cells[cell.number])
    plain = value if isinstance(value, float | bool | str) else None
    facts: tuple[Cached, ...] = (
        cell.name, name, plain, _exact(value), *_unit_and_kind(cell),
        yaml_path(request.model, cell), place_text(node.decl.key.span),
    )  # fmt: skip
    for column, fact in enumerate(facts, 1):
        page.put(page.row, column, Spot(fact, style="place"))
    page.row += 1


def _exact(value: Value) -> str:
    """Write an input so that reading it again gives the same value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else value if isinstance(value, str) else ""


def _parity_row(builder: Builder, page: Page, cell: Cell) -> None:
    """Hold the engine's value beside the live one."""
    row = page.row
    value = builder.request.now.values[cell.number]
    name = ref(builder.spelling.cells[cell.number])
    shown = cached(value)
    builder.was[cell.number] = page.at(row, 9, sheet=True)
    page.put(row, 1, Spot(cell.name, style="place"))
    page.put(row, 2, Spot(builder.spelling.cells[cell.number], style="place"))
    is_error = isinstance(shown, str) and shown.startswith("#")
    page.put(row, 9, Spot(shown if shown != "" else None, style="place"))
    page.put(
        row, 10, Spot(shown, name if not cell.may_be_na else f'IF({name}="","",{name})', "place")
    )
    if is_error:
        text = f"ISERROR(J{row})"
    elif is_number(cell.type) and shown != "":
        near = f"ABS(J{row}-I{row})<=1E-9*MAX(ABS(J{row}),ABS(I{row})){_noise(builder, cell)}"
        text = f"IF(ISNUMBER(J{row}),{near},FALSE)"
    else:
        text = f'IF(ISERROR(J{row}),FALSE,EXACT(J{row}&"",I{row}&""))'
    page.put(row, 11, Spot(value=True, formula=text, style="place"))
    page.row += 1


def _noise(builder: Builder, cell: Cell) -> str:
    """Allow for a sum or difference that Excel takes for 0: 1e-15 of its largest operand."""
    op = cell.op
    if not isinstance(op, Apply) or op.function.name not in {"+", "-"}:
        return ""
    sides = [compute_part(builder.request.now, cell.number, side) for side in op.args]
    sizes = [abs(side) for side in sides if isinstance(side, float)]
    return f"+{number_text(float(f'{max(sizes) * 1e-15:.0e}'))}" if any(sizes) else ""


def _changes(builder: Builder, page: Page) -> str:
    """Count what differs from the export: inputs, entries of tables, overrides of scenarios."""
    parts: list[str] = []
    inputs = next((p for p in builder.pages if p.name == "Inputs"), None)
    if inputs is not None:
        statuses = f"'Inputs'!$J$5:$J${inputs.row - 1}"
        parts.append(f'COUNTA({statuses})-COUNTIF({statuses},"OK")')
    first = page.row
    for table in builder.request.model.graph.tables.values():
        for column, number in table.columns.items():
            _copy_of_column(
                builder, page, number, [f"{table.name}[{k}].{column}" for k in table.labels]
            )
    if builder.request.model.scenarios:
        _copy_of_overrides(builder, page)
    if page.row > first:
        parts.append(f"SUM('{page.name}'!$J${first}:$J${page.row - 1})")
    return "+".join(parts) or "0"


def _copy_of_column(builder: Builder, page: Page, number: int, keys: list[str]) -> None:
    """Copy a column's entries as exported."""
    cell = builder.request.model.cells[number]
    series = builder.request.before.values[number]
    assert isinstance(series, Series), "a column is a series"
    name = builder.spelling.base.get(number, builder.spelling.cells[number])
    _copies(builder, page, name, [(k, cell, v) for k, v in zip(keys, series.data, strict=True)])


def _copy_of_overrides(builder: Builder, page: Page) -> None:
    """Copy the overrides of every scenario as exported."""
    spots, own = touched(builder.request), own_changes(builder.request)
    for name, changes in own.items():
        copies: list[tuple[str, Cell, Cached]] = []
        for spot in spots:
            value: Cached = changes.get(spot)
            if spot in changes and value is None:
                value = EMPTY
            cell, _, key = spot_words(builder, spot)
            copies.append((f"{name}: {key}", cell, value))
        _copies(builder, page, f"cg.scenario.{name}", copies)


def _copies(
    builder: Builder, page: Page, name: str, copies: list[tuple[str, Cell, Cached]]
) -> None:
    """Copy a named block cell by cell, and count in its first row what differs from it."""
    first = page.row
    for at, (key, cell, value) in enumerate(copies, 1):
        facts: tuple[Cached, ...] = (key, name, value, _exact(value), *_unit_and_kind(cell))
        for column, fact in enumerate(facts, 1):
            page.put(page.row, column, Spot(fact, style="place"))
        page.put(page.row, ROW_WITHIN, Spot(float(at), style="place", format="0"))
        page.row += 1
    if copies:
        mine = f"'{page.name}'!$C${first}:$C${page.row - 1}"
        count = f"SUMPRODUCT(--({builder.places[name]}<>{mine}))"
        page.put(first, LIVE, Spot(0.0, count, "place", "0"))


def _unit_and_kind(cell: Cell) -> tuple[str, str]:
    unit = str(cell.type.unit) if cell.type.kind is Kind.NUMBER else ""
    return unit, cell.type.kind.value
