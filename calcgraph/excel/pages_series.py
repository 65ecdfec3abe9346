"""The page of series: inputs along dims, as given and as they are once gaps are filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.dim import plain_dim
from calcgraph.core.value import Failure
from calcgraph.excel.blocks import flat
from calcgraph.excel.builder import HEAD, cached, key_width, note_cell, unit_text
from calcgraph.excel.choices import column_rule
from calcgraph.excel.described import shape_of
from calcgraph.excel.entries import mark_entries, status_cell
from calcgraph.excel.gaps import SeriesRow, lines_of, same_place
from calcgraph.excel.grid import XlsxCell, letters, ref
from calcgraph.excel.pages_rows import (
    add_heads,
    band,
    first_period,
    front_of,
    labels_down,
    put_front,
    row_widths,
    share_labels,
)
from calcgraph.excel.places import place_text, yaml_path
from calcgraph.excel.style import input_format, number_format
from calcgraph.sheet.declarations import InputDecl

if TYPE_CHECKING:
    from collections.abc import Callable

    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Page
    from calcgraph.model import Cell, Model

HEADS = ("Assumption", "Status", "Unit", "Key", "Note", "Source", "YAML")
PURPOSE = "Assumptions along time and other dims. Blue on yellow may be changed, empty ones too."


def add_series(builder: Builder) -> None:
    """Write the inputs along dims: a row a series, or one for each label of its outer dims."""
    model, blocks = builder.request.model, builder.spelling.blocks
    cells = [cell for cell in model.cells if cell.kind == "input" and cell.type.dims]
    across = [cell for cell in cells if not blocks[cell.number].frame.is_down]
    if across:
        _across(builder, across)
    down: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells:
        if blocks[cell.number].frame.is_down:
            down.setdefault(blocks[cell.number].frame.rows, []).append(cell)
    for sharing in down.values():
        _down(builder, sharing)


def _across(builder: Builder, cells: list[Cell]) -> None:
    blocks = [builder.spelling.blocks[cell.number] for cell in cells]
    widths = (36, 16, 15, key_width(builder, blocks), 30, 20, 15, *row_widths(builder, blocks))
    page = builder.page("Series", "Series", PURPOSE, widths)
    page.freeze = "D5"
    start = page.periods = first_period(blocks)
    builder.heads(page, HEADS, "lculnnn")
    band(page)
    share_labels(builder, page, blocks)
    frames: dict[str, list[Cell]] = {}
    for cell in cells:
        frames.setdefault(builder.spelling.blocks[cell.number].frame.column, []).append(cell)
    for column, sharing in frames.items():
        lines = [lines_of(builder, cell) for cell in sharing]
        all_blocks = [line.block for group in lines for line in group]
        add_heads(builder, page, column, (all_blocks, start))
        for cell, group in zip(sharing, lines, strict=True):
            for line in group:
                _rows(builder, page, cell, (line, start))
    page.words.append(f"B{HEAD + 1}:B{page.row}")


def _rows(builder: Builder, page: Page, cell: Cell, place: tuple[SeriesRow, int]) -> None:
    """Write the rows of a line."""
    line, start = place
    block, model = line.block, builder.request.model
    block.put(page.name, page.row, start)
    front = front_of(block)
    for at, head in enumerate(front, start - 1 - len(front)):
        block.heads[head] = at
    shape = _shape(model, cell, line)
    for offset in range(block.height):
        labels = labels_down(builder, block, offset)
        read = [model.dim(dim).labels[at] for dim, at in labels.items()]
        _beside_row(builder, page, cell, (line, read))
        if line.is_input:
            last = page.at(page.row, start + block.width - 1)
            values = f"{page.at(page.row, start)}:{last}"
            page.put(page.row, 2, status_cell(builder, cell, values, offset))
        put_front(builder, page, block, (front, start, offset))
        for at in range(block.width):
            spot = _spot(builder, cell, (line, shape), flat(model, block, offset, at))
            page.put(page.row, start + at, spot)
        if block.opening_text:
            spot = XlsxCell(cached(block.opening_values[offset]), block.opening_text, "calc")
            page.put(page.row, start - 1, spot)
        page.row += 1
    _named(builder, page, cell, line)


def _spot(builder: Builder, cell: Cell, shown: tuple[SeriesRow, str], at: int) -> XlsxCell:
    """Write an entry: typed in, as the scenario has it, or a formula."""
    line, shape = shown
    value = line.block.values[at]
    if line.is_input:
        assert not isinstance(value, Failure), "what is given has not failed"
        return XlsxCell(value, style="input", format=shape)
    text = line.block.text
    if text == "live":
        given = builder.spelling.given[cell.number]
        own = same_place(line.block, given)
        scenario = f"cg.live.{cell.number}.{at}"
        is_touched = (cell.number, at) in builder.spelling.touched
        text = ref(scenario) if is_touched else f'IF({own}="","",{own})'
    return XlsxCell(cached(value), text, "calc", shape)


def _shape(model: Model, cell: Cell, line: SeriesRow) -> str:
    numbers = [value for value in line.block.values if isinstance(value, float)]
    sample = max(numbers, key=lambda n: (len(repr(n)), abs(n)), default=None)
    choose: Callable[..., str] = input_format if line.is_input else number_format
    return shape_of(model, sample, cell.type, choose)


def _beside_row(
    builder: Builder, page: Page, cell: Cell, place: tuple[SeriesRow, list[str]]
) -> None:
    line, read = place
    decl = builder.request.model.graph.nodes[cell.number].decl
    assert isinstance(decl, InputDecl), "inputs are declared as such"
    row, source, is_input = page.row, decl.about.source, line.is_input
    label = ", ".join((line.label, *read))
    key = f"{cell.name}[{', '.join(read)}]" if read else cell.name
    page.put(row, 1, XlsxCell(label, style="text" if is_input else "note"))
    page.put(row, 2, XlsxCell(style="calc"))
    page.put(row, 3, XlsxCell(unit_text(cell.type) or None, style="unit"))
    page.put(row, 4, XlsxCell(key if is_input else None, style="key"))
    page.put(row, 5, XlsxCell(decl.about.note or None if is_input else None, style="note"))
    is_sourced = source is not None and is_input
    noted = note_cell(source.title, source.url) if source and is_sourced else XlsxCell(style="note")
    page.put(row, 6, noted)
    page.put(row, 7, XlsxCell(place_text(decl.key.span) if is_input else None, style="place"))
    note = decl.about.note if is_input else ""
    builder.grow(page, (label, 1, 10), (note, 5, 10))


def _named(builder: Builder, page: Page, cell: Cell, line: SeriesRow) -> None:
    """Name the entries as given, and those in effect; let Excel refuse what is of another kind."""
    spelling, block = builder.spelling, line.block
    node = builder.request.model.graph.nodes[cell.number]
    facts = (
        unit_text(cell.type), yaml_path(builder.request.model, cell), "",
        place_text(node.decl.key.span),
    )  # fmt: skip
    if line.is_input:
        mark_entries(page, cell, block)
        base = spelling.base.get(cell.number, spelling.cells[cell.number])
        builder.places[base] = block.place()
        builder.list(base, "series input", facts)
        builder.page_of[cell.number] = (page.name, block.row)
        place = block.place().rpartition("!")[2].replace("$", "")
        rule = column_rule(builder, cell, place)
        if rule:
            page.rules.append(rule)
    elif block.number == cell.number:
        name = spelling.cells[cell.number]
        builder.places[name] = block.place()
        builder.list(name, "series in effect", facts)


def _down(builder: Builder, cells: list[Cell]) -> None:
    """Write inputs along tables, grids and long dims as columns on a page of their own."""
    model, spelling = builder.request.model, builder.spelling
    rows = spelling.blocks[cells[0].number].frame.rows
    said = f"Series by {' and '.join(plain_dim(dim) for dim in rows)}"
    lines = [(cell, line) for cell in cells for line in lines_of(builder, cell)]
    needs = {need for _, line in lines for need in line.block.needs if need[1] != "key"}
    front = [*((dim, "key") for dim in rows), *sorted(needs)]
    widths = (*[24.0] * len(front), *[14.0] * len(lines))
    page = builder.page(builder.sheet_names.take(said), said, PURPOSE, widths)
    first = HEAD + 4
    page.freeze = f"{letters(len(front) + 1)}{first}"
    for at, (cell, line) in enumerate(lines, len(front) + 1):
        block = line.block
        block.put(page.name, first, at)
        page.put(HEAD, at, XlsxCell(line.label, style="header right"))
        page.put(HEAD + 1, at, XlsxCell(unit_text(cell.type) or None, style="unit right"))
        status = XlsxCell(style="status")
        if line.is_input:
            values = f"{page.at(first, at)}:{page.at(first + block.height - 1, at)}"
            status = status_cell(builder, cell, values)
        page.put(HEAD + 2, at, status)
        shape = _shape(model, cell, line)
        for offset in range(block.height):
            spot = _spot(builder, cell, (line, shape), flat(model, block, offset, 0))
            page.put(first + offset, at, spot)
        if block.opening_text:
            spot = XlsxCell(cached(block.opening_values[0]), block.opening_text, "calc")
            page.put(first - 1, at, spot)
        _named(builder, page, cell, line)
    last = letters(len(front) + len(lines))
    page.words.append(f"{letters(len(front) + 1)}{HEAD + 2}:{last}{HEAD + 2}")
    _down_front(builder, page, front, ([line for _, line in lines], first))


def _down_front(
    builder: Builder, page: Page, front: list[tuple[str, str]], place: tuple[list[SeriesRow], int]
) -> None:
    lines, first = place
    shown = lines[0].block
    for offset in range(shown.height):
        page.row = first + offset
        put_front(builder, page, shown, (front, len(front) + 2, offset))
    for column, head in enumerate(front, 1):
        page.put(HEAD, column, XlsxCell(plain_dim(head[0]), style="header note"))
        page.put(HEAD + 1, column, XlsxCell(style="unit"))
        page.put(HEAD + 2, column, XlsxCell("Status" if column == 1 else None, style="note"))
        for line in lines:
            line.block.heads[head] = column
    page.row = first + shown.height
