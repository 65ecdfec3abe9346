"""Sheets of tables and dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import Kind, Series
from calcgraph.excel.sheets.builder import block_format, cached, key_format, place_text, source_key
from calcgraph.excel.sheets.inputs_sheet import column_rule
from calcgraph.excel.sheets.rows import FACTS, fact
from calcgraph.excel.xlsx.pages import XlsxCell, letters, ref
from calcgraph.excel.xlsx.styles import (
    input_format,
    number_format,
    number_width,
    text_width,
    wrapped_height,
)

if TYPE_CHECKING:
    from calcgraph.core.values import Dim
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Cached, Page
    from calcgraph.graph import Table
    from calcgraph.model import Cell


ORDER = ("key", "index", "end", "length")


def add_dims(builder: Builder) -> None:
    """Write a block a dim that formulas look up, and each grid with its columns."""
    wanted = _wanted(builder)
    rows = _rows(builder)
    if not wanted and not rows:
        return
    purpose = "The labels of the dims that formulas look up. They are the model's: leave them."
    page = builder.page("Dims", "Dims", purpose, _dim_widths(builder, wanted))
    for name, facts in wanted.items():
        _dim(builder, page, builder.request.model.dim(name), facts)
    if rows:
        builder.section(page, "Positions in use", 4)
    for dim, cell in rows:
        row_in_use(builder, page, dim, cell)


def _wanted(builder: Builder) -> dict[str, list[str]]:
    """List the facts that formulas use of each dim; a grid always has its labels."""
    model, spelling = builder.request.model, builder.spelling
    found = {name: ["key"] for name, table in model.graph.tables.items() if table.is_grid}
    for name, what in spelling.lists:
        facts = found.setdefault(name, ["key"])
        if what not in facts:
            facts.append(what)
    return {name: sorted(facts, key=ORDER.index) for name, facts in found.items()}


def _rows(builder: Builder) -> list[tuple[str, int]]:
    tables = builder.request.model.graph.tables
    return [
        (dim, cell)
        for dim, cell in builder.spelling.rows
        if dim not in tables or tables[dim].is_grid
    ]


def _dim_widths(builder: Builder, wanted: dict[str, list[str]]) -> tuple[float, ...]:
    labels = [text_width(x, 10) for name in wanted for x in builder.request.model.dim(name).labels]
    tables = builder.request.model.graph.tables
    most = max((len(tables[name].columns) for name in wanted if name in tables), default=0)
    return (min(max([*labels, 24.0]) + 3, 40.0), *[14.0] * max(most, 4))


def _dim(builder: Builder, page: Page, dim: Dim, facts: list[str]) -> None:
    tables, spelling = builder.request.model.graph.tables, builder.spelling
    builder.section(page, dim.name, len(page.widths))
    head, first = page.row, page.row + 1
    last = first + dim.size - 1
    for column, what in enumerate(facts, 1):
        text = "label" if what == "key" else FACTS[what].removesuffix(" of")
        page.put(
            head, column, XlsxCell(text, style="header note" if column == 1 else "header right")
        )
        shape = key_format(dim) if what == "key" else "yyyy-mm-dd" if what == "end" else "0"
        for at in range(dim.size):
            style = "note" if what == "key" else "constant"
            spot = XlsxCell(fact(dim, what, at), style=style, format=shape)
            page.put(first + at, column, spot)
        name = spelling.lists.get((dim.name, what))
        if name:
            builder.name(page, name, first, column, last)
            builder.list(name, "labels", ("", f"dims.{dim.name}", "", ""))
    if dim.name in tables:
        for column, (name, number) in enumerate(tables[dim.name].columns.items(), len(facts) + 1):
            _axis(builder, page, (name, number), (head, column))
    page.row = last + 2


def _axis(builder: Builder, page: Page, axis: tuple[str, int], place: tuple[int, int]) -> None:
    """Write a column of a grid: constants, for the model lists them."""
    (name, number), (head, column) = axis, place
    cell, block = builder.request.model.cells[number], builder.spelling.blocks[number]
    block.put(page.name, head + 1, column)
    unit = str(cell.type.unit) if cell.type.kind.value == "number" else ""
    text = f"{name} ({unit})" if unit not in {"", "1"} else name
    page.put(head, column, XlsxCell(text, style="header right"))
    shape = block_format(builder.request.model, block, cell.type, dash=False)
    for at, value in enumerate(block.values, head + 1):
        assert isinstance(value, float | bool | str), "a grid has all of its values"
        page.put(at, column, XlsxCell(value, style="constant", format=shape))
    own = builder.spelling.cells[number]
    builder.places[own] = block.place()
    builder.list(own, "grid column", (unit, f"dims.{cell.name}", "", ""))


def row_in_use(builder: Builder, page: Page, dim: str, number: int) -> None:
    """Find the position of the key that an input or result holds, once."""
    spelling, cell = builder.spelling, builder.request.model.cells[number]
    value = builder.request.now.values[number]
    name = ref(spelling.cells[number])
    text = f"MATCH({name},{ref(spelling.list_of(dim, 'key'))},0)"
    if cell.may_be_na:
        text = f'IF({name}="","",{text})'
    positions = builder.request.model.dim(dim).positions
    found: Cached = "" if value is None else "#N/A"
    if isinstance(value, float | str) and value in positions:
        found = float(positions[value] + 1)
    page.put(page.row, 1, XlsxCell(f"row of {cell.name}", style="purpose"))
    page.put(page.row, 2, XlsxCell(found, text, "calc", "0"))
    own = spelling.rows[dim, number]
    builder.name(page, own, page.row, 2)
    builder.list(own, "row", ("", "", "", ""))
    page.row += 1


def add_tables(builder: Builder) -> None:
    """Write the catalogues as blocks, the rows in use below each, live columns beside."""
    tables = _tables(builder)
    if not tables:
        return
    purpose = "Catalogues. Blue on yellow may be changed; keys and columns are the model's."
    page = builder.page("Tables", "Tables", purpose, _widths(builder))
    for name, table in tables.items():
        builder.section(page, table.decl.about.label or name, len(table.columns) + 1)
        _table(builder, page, table)
        page.row += 1


def _tables(builder: Builder) -> dict[str, Table]:
    """Return the catalogues; grids are listed with the dims, for nobody sets their values."""
    tables = builder.request.model.graph.tables
    return {name: table for name, table in tables.items() if not table.is_grid}


def _widths(builder: Builder) -> tuple[float, ...]:
    """Make each column as wide as what any table has in it, and no wider."""
    widths: dict[int, float] = {}
    for table in _tables(builder).values():
        keys = max((text_width(label, 10) for label in table.labels), default=0.0)
        widths[0] = max(widths.get(0, 18.0), keys + 2)
        columns = list(table.columns.values())
        live = [number for number in columns if number in builder.spelling.live]
        at_live = len(columns) + 2
        for at, number in [*enumerate(columns, 1), *enumerate(live, at_live)]:
            widths[at] = max(widths.get(at, 9.0), _width(builder, number))
    return tuple(widths.get(at, 3.0) for at in range(max(widths, default=0) + 1))


def _width(builder: Builder, number: int) -> float:
    cell = builder.request.model.cells[number]
    series = builder.request.before.values[number]
    assert isinstance(series, Series), "a column is a series"
    unit = str(cell.type.unit) if cell.type.kind is Kind.NUMBER else ""
    words = label_of(builder.request.model, cell).split()
    texts = [text_width(word, 10) for word in words] + [text_width(unit, 9.0)]
    values = [
        number_width(value, input_format(value, cell.type))
        if isinstance(value, float)
        else text_width("" if value is None else str(value), 10)
        for value in series.whole
    ]
    return min(max(*texts, *values, 0.0) + 3, 24.0)


def _table(builder: Builder, page: Page, table: Table) -> None:
    request, spelling = builder.request, builder.spelling
    head, first = page.row, page.row + 2
    last = first + len(table.labels) - 1
    page.put(head, 1, XlsxCell("key", style="header"))
    page.put(head + 1, 1, XlsxCell(style="unit"))
    page.heights[head + 1] = 16
    for at, label in enumerate(table.labels):
        page.put(first + at, 1, XlsxCell(label, style="text"))
    builder.name(page, spelling.keys[table.name], first, 1, last)
    where = place_text(table.decl.key.span)
    builder.list(
        spelling.keys[table.name], "keys", ("", f"tables.{table.decl.name}.rows", "", where)
    )
    for at, (column, number) in enumerate(table.columns.items(), 2):
        cell = request.model.cells[number]
        _column(builder, page, cell, (head, at))
        base = spelling.base.get(number, spelling.cells[number])
        builder.name(page, base, first, at, last)
        spelling.blocks[number].put(page.name, first, at)
        unit = str(cell.type.unit) if cell.type.kind is Kind.NUMBER else str(cell.type.kind.value)
        path = f"tables.{table.decl.name}.columns.{column}"
        builder.list(base, "column", (unit, path, "", where))
    labels = [label_of(request.model, request.model.cells[n]) for n in table.columns.values()]
    widths = page.widths[1:]
    page.heights[head] = max(
        27, *(wrapped_height(label, widths[at], 9.5) + 6 for at, label in enumerate(labels))
    )
    page.row = last + 1
    _live_columns(builder, page, table, (head, first, last))
    _rows_in_use(builder, page, table)
    source = table.decl.about.source
    if source:
        page.put(page.row, 1, XlsxCell(f"source: {source_key(source)}", style="purpose"))
        page.row += 1


def _column(builder: Builder, page: Page, cell: Cell, place: tuple[int, int]) -> None:
    request = builder.request
    head, at = place
    series = request.before.values[cell.number]
    assert isinstance(series, Series), "a column is a series"
    page.put(head, at, XlsxCell(label_of(request.model, cell), style="header right"))
    unit = str(cell.type.unit) if cell.type.kind is Kind.NUMBER else cell.type.kind.value
    page.put(head + 1, at, XlsxCell("" if unit == "1" else unit, style="unit right"))
    for row, value in enumerate(series.whole, head + 2):
        page.put(row, at, XlsxCell(value, style="input", format=input_format(value, cell.type)))
    last = head + 1 + len(series.data)
    rule = column_rule(builder, cell, f"{letters(at)}{head + 2}:{letters(at)}{last}")
    if rule:
        page.rules.append(rule)


def _live_columns(builder: Builder, page: Page, table: Table, rows: tuple[int, int, int]) -> None:
    """Write a column as the scenario makes it, for columns that some scenario touches."""
    head, first, last = rows
    request, spelling = builder.request, builder.spelling
    at = len(table.columns) + 3
    for position, (name, number) in enumerate(table.columns.items(), 2):
        if number not in spelling.live:
            continue
        cell = request.model.cells[number]
        live, base = request.now.values[number], request.before.values[number]
        assert isinstance(live, Series), "a column is a series"
        assert isinstance(base, Series), "a column is a series"
        page.put(
            head, at, XlsxCell(f"{label_of(request.model, cell)} (live)", style="header right")
        )
        for offset, value in enumerate(live.data):
            own = f"{letters(position)}{first + offset}"
            scenario = builder.places.get(f"cg.live.{number}.{offset}")
            formula = scenario or (f'IF({own}="","",{own})' if cell.may_be_na else own)
            shape = number_format(value, cell.type)
            page.put(first + offset, at, XlsxCell(cached(value), formula, "calc", shape))
        builder.name(page, spelling.cells[number], first, at, last)
        spelling.blocks[number].put(page.name, first, at)
        where = place_text(table.decl.key.span)
        builder.list(
            spelling.cells[number],
            "live",
            ("", f"tables.{table.decl.name}.columns.{name}", "", where),
        )
        at += 1


def _rows_in_use(builder: Builder, page: Page, table: Table) -> None:
    """Find the row of each input that holds a key of the table, once."""
    for name, number in builder.spelling.rows:
        if name == table.name:
            row_in_use(builder, page, name, number)
