"""The machine's own page: what pull compares a returned workbook with, and the engine's values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.core.value import Series
from calcgraph.excel.builder import cached, is_number
from calcgraph.excel.grid import Spot, letters, ref
from calcgraph.excel.pages_scenarios import own_changes, touched
from calcgraph.excel.places import place_text, yaml_path

if TYPE_CHECKING:
    from calcgraph.core.value import Value
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Cached, Page
    from calcgraph.model import Cell


def add_base(builder: Builder) -> None:
    """Write what pull compares a returned workbook with, and the engine's values for parity."""
    request = builder.request
    widths = (34, 34, 24, 28, 20, 10, 44, 18, 24, 24, 10)
    page = builder.page("_Base", "_Base", "Machine data, do not edit.", widths)
    for column in (2, 4):
        page.spots.pop((3, column), None)
    heads = (
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
    )
    builder.heads(page, heads)
    facts = (
        ("fingerprint", request.fingerprint),
        ("sheet", request.file),
        ("version", "1"),
        ("scenario", request.scenario),
    )
    for key, text in facts:
        page.put(page.row, 1, Spot(key, style="place"))
        page.put(page.row, 3, Spot(text, style="place"))
        if key == "scenario":
            builder.name(page, "cg.exported_scenario", page.row, 3)
        page.row += 1
    for cell in request.model.cells:
        if cell.kind == "input":
            _base_row(builder, page, cell)
    first = page.row
    for cell in request.model.cells:
        if cell.kind == "calc":
            _parity_row(builder, page, cell)
    if page.row == first:
        page.put(page.row, 10, Spot(0.0, style="place"))
        page.put(page.row, 11, Spot(value=True, style="place"))
        page.row += 1
    builder.name(page, "cg.live_values", first, 10, page.row - 1)
    builder.name(page, "cg.parity", first, 11, page.row - 1)
    builder.places["cg.changes"] = _changes(builder, page)


def _base_row(builder: Builder, page: Page, cell: Cell) -> None:
    request = builder.request
    value = request.before.values[cell.number]
    node = request.model.graph.nodes[cell.number]
    name = builder.spelling.base.get(cell.number, builder.spelling.cells[cell.number])
    plain = value if isinstance(value, float | bool | str) else None
    facts: tuple[Cached, ...] = (
        cell.name, name, plain, _exact(value),
        str(cell.type.unit) if cell.type.kind is Kind.NUMBER else "", cell.type.kind.value,
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
        text = f"IF(ISNUMBER(J{row}),ABS(J{row}-I{row})<=1E-9*MAX(ABS(J{row}),ABS(I{row})),FALSE)"
    else:
        text = f'IF(ISERROR(J{row}),FALSE,EXACT(J{row}&"",I{row}&""))'
    page.put(row, 11, Spot(value=True, formula=text, style="place"))
    page.row += 1


def _changes(builder: Builder, page: Page) -> str:
    """Count what differs from the export: inputs, entries of tables, overrides of scenarios."""
    parts: list[str] = []
    inputs = next((p for p in builder.pages if p.name == "Inputs"), None)
    if inputs is not None:
        statuses = f"'Inputs'!$J$5:$J${inputs.row - 1}"
        parts.append(f'COUNTA({statuses})-COUNTIF({statuses},"OK")')
    page.row += 1
    tables = builder.request.model.graph.tables.values()
    parts.extend(_copy_of_table(builder, page, table.columns) for table in tables)
    if builder.request.model.scenarios:
        parts.append(_copy_of_overrides(builder, page))
    return "+".join(part for part in parts if part) or "0"


def _copy_of_table(builder: Builder, page: Page, columns: dict[str, int]) -> str:
    """Copy a table's entries as exported, and compare the blocks cell by cell."""
    numbers = list(columns.values())
    first = page.row
    blocks: list[list[Value]] = []
    for number in numbers:
        series = builder.request.before.values[number]
        assert isinstance(series, Series), "a column is a series"
        blocks.append(list(series.data))
    for at, block in enumerate(blocks, 1):
        for row, value in enumerate(block, first):
            page.put(row, at, Spot(cached(value) if value is not None else None, style="place"))
    count = len(blocks[0]) if blocks else 0
    if not count:
        return ""
    page.row = first + count + 1
    names = [builder.spelling.base.get(n, builder.spelling.cells[n]) for n in numbers]
    start = builder.places[names[0]].split(":")[0]
    end = builder.places[names[-1]].split(":")[1]
    mine = f"$A${first}:${letters(len(numbers))}${first + count - 1}"
    return f"SUMPRODUCT(--({start}:{end}<>'{page.name}'!{mine}))"


def _copy_of_overrides(builder: Builder, page: Page) -> str:
    """Copy the overrides as exported, and compare them cell by cell."""
    spots = touched(builder.request)
    own = own_changes(builder.request)
    names = list(builder.request.model.scenarios)
    if not spots:
        return ""
    first = page.row
    for row, spot in enumerate(spots, first):
        for at, name in enumerate(names, 1):
            value: Cached = own[name].get(spot)
            if spot in own[name] and value is None:
                value = "n/a"
            page.put(row, at, Spot(value, style="place"))
    page.row = first + len(spots) + 1
    scenarios = next(p for p in builder.pages if p.name == "Scenarios")
    top, last = 7, 6 + len(spots)
    theirs = f"'{scenarios.name}'!$F${top}:${letters(5 + len(names))}${last}"
    mine = f"'{page.name}'!$A${first}:${letters(len(names))}${first + len(spots) - 1}"
    return f"SUMPRODUCT(--({theirs}<>{mine}))"
