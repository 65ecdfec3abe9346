"""The page of dims: labels that formulas look up, the columns of grids, and positions in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.excel.described import block_format, key_format
from calcgraph.excel.grid import XlsxCell, ref
from calcgraph.excel.pages_rows import FACTS, fact
from calcgraph.excel.style import text_width

if TYPE_CHECKING:
    from calcgraph.core.dim import Dim
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Cached, Page

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
    """List the facts asked for of each dim; a grid is written with its labels in any case."""
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
