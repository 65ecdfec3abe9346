"""The machine's own page: what pull compares a returned workbook with, and the engine's values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series
from calcgraph.excel.blocks import NOWHERE, cell_mark, flat
from calcgraph.excel.choices import add_choices
from calcgraph.excel.described import entry_text
from calcgraph.excel.entries import changes_name
from calcgraph.excel.grid import XlsxCell
from calcgraph.excel.pages_parity import add_parity
from calcgraph.excel.pages_scenarios import EMPTY, override_text, own_changes, touched
from calcgraph.excel.places import place_text, yaml_path

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
        page.cells.pop((3, column), None)
    builder.heads(page, HEADS, "n" * len(HEADS))
    page.last_printed = 9
    _facts(builder, page)
    for cell in builder.request.model.cells:
        if cell.kind == "input" and not cell.type.dims:
            _base_row(builder, page, cell)
    add_parity(builder, page)
    _whole_series(builder, page)
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
        page.put(page.row, 1, XlsxCell(key, style="place"))
        page.put(page.row, 3, XlsxCell(text, style="place"))
        if key == "scenario":
            builder.name(page, "cg.exported_scenario", page.row, 3)
        page.row += 1


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
        page.put(page.row, column, XlsxCell(fact, style="place"))
    page.row += 1


def _exact(value: Value) -> str:
    """Write an input so that reading it again gives the same value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else value if isinstance(value, str) else ""


def _whole_series(builder: Builder, page: Page) -> None:
    """Count what stands in the cells of each series: a formula for every label, and no more cells.

    Excel 2010 cannot tell a formula from a number typed over it; that is seen by parity.
    """
    first = page.row
    for number, block in builder.spelling.blocks.items():
        if not block.text:
            continue
        row, name = page.row, builder.spelling.name_of(number) or block.label
        count = block.height * block.width
        now = cell_mark(NOWHERE, number, "*", "*")
        size = f"ROWS({now})*COLUMNS({now})"
        page.put(row, 1, XlsxCell(f"{name}: formulas", style="place"))
        page.put(row, 9, XlsxCell(float(count), style="place", format="0"))
        page.put(row, 10, XlsxCell(float(count), f"COUNTA({now})", "place", "0"))
        page.put(row, 11, XlsxCell(True, f"AND(J{row}=I{row},{size}=I{row})", "place"))  # noqa: FBT003
        page.row += 1
    if page.row > first:
        builder.name(page, "cg.series", first, 11, page.row - 1)


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
            if not table.is_grid:
                keys = [f"{table.name}[{k}].{column}" for k in table.labels]
                _copy_of_column(builder, page, number, keys)
    for cell in builder.request.model.cells:
        if cell.kind == "input" and cell.type.dims:
            _copy_of_series(builder, page, cell)
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
    _copies(builder, page, name, [(k, cell, v) for k, v in zip(keys, series.whole, strict=True)])


def _copy_of_series(builder: Builder, page: Page, cell: Cell) -> None:
    """Copy the entries of an input along dims as given, and say of each whether it differs."""
    model, spelling = builder.request.model, builder.spelling
    block = spelling.given.get(cell.number, spelling.blocks[cell.number])
    name = spelling.base.get(cell.number, spelling.cells[cell.number])
    first, size = page.row, block.height * block.width
    flags = f"{page.at(first, LIVE, sheet=True)}:{page.at(first + size - 1, LIVE)}"
    builder.places[changes_name(cell.number)] = flags
    for at in range(size):
        down, across = divmod(at, block.width)
        if across == 0:
            last = page.at(page.row + block.width - 1, LIVE)
            row = f"{page.at(page.row, LIVE, sheet=True)}:{last}"
            builder.places[changes_name(cell.number, down)] = row
        position = flat(model, block, down, across)
        value = block.values[position]
        assert not isinstance(value, Failure), "what is given has not failed"
        key = f"{cell.name}[{entry_text(model, cell.type.dims, position)}]"
        facts: tuple[Cached, ...] = (key, name, value, _exact(value), *_unit_and_kind(cell))
        for column, fact in enumerate(facts, 1):
            page.put(page.row, column, XlsxCell(fact, style="place"))
        page.put(page.row, ROW_WITHIN, XlsxCell(float(at + 1), style="place", format="0"))
        now = cell_mark(NOWHERE, block.number, f"#{down}", f"#{across}")
        page.put(page.row, LIVE, XlsxCell(0.0, f"IF({now}=C{page.row},0,1)", "place", "0"))
        page.row += 1


def _copy_of_overrides(builder: Builder, page: Page) -> None:
    """Copy the overrides of every scenario as exported."""
    targets, own = touched(builder.request), own_changes(builder.request)
    for name, changes in own.items():
        copies: list[tuple[str, Cell, Cached]] = []
        for target in targets:
            value: Cached = changes.get(target)
            if target in changes and value is None:
                value = EMPTY
            cell, _, key = override_text(builder, target)
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
            page.put(page.row, column, XlsxCell(fact, style="place"))
        page.put(page.row, ROW_WITHIN, XlsxCell(float(at), style="place", format="0"))
        page.row += 1
    if copies:
        mine = f"'{page.name}'!$C${first}:$C${page.row - 1}"
        count = f"SUMPRODUCT(--({builder.places[name]}<>{mine}))"
        page.put(first, LIVE, XlsxCell(0.0, count, "place", "0"))


def _unit_and_kind(cell: Cell) -> tuple[str, str]:
    unit = str(cell.type.unit) if cell.type.kind is Kind.NUMBER else ""
    return unit, cell.type.kind.value
