"""The Series sheet: entries, gaps and fills."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import Failure, Kind, visible_dim
from calcgraph.excel.formulas.pieces import literal, number_text
from calcgraph.excel.layout.blocks import block_reference, flat, header_reference, make_block
from calcgraph.excel.layout.given_entries import given_entries, is_filled
from calcgraph.excel.sheets.builder import (
    HEAD,
    cached,
    is_number,
    key_width,
    note_cell,
    place_text,
    shape_of,
    unit_text,
    yaml_path,
)
from calcgraph.excel.sheets.inputs_sheet import column_rule
from calcgraph.excel.sheets.rows import (
    add_heads,
    band,
    first_period,
    front_of,
    labels_down,
    put_front,
    row_widths,
    share_labels,
)
from calcgraph.excel.xlsx.pages import XlsxCell, letters, ref
from calcgraph.excel.xlsx.styles import input_format, number_format
from calcgraph.sheet.declarations import InputDecl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.excel.layout.blocks import Block, Entry
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Page
    from calcgraph.model import Cell, Model


SOUND = "OK"


def changes_name(number: int, row: int | None = None) -> str:
    """Name what says of each entry, or of those of a row, whether it differs from the export."""
    return f"cg.changes.{number}" + ("" if row is None else f".{row}")


def status_cell(builder: Builder, cell: Cell, values: str, row: int | None = None) -> XlsxCell:
    """Show what is wrong with a row or column of entries, else how many were changed."""
    text = f'"{SOUND}"'
    changed = f"SUM({ref(changes_name(cell.number, row))})"
    found = [*faults(builder, cell, values), (changed, "CHANGED")]
    for count, word in reversed(found):
        text = f'IF({count}>0,{count}&" {word}",{text})'
    return XlsxCell(SOUND, text, "status")


def faults(builder: Builder, cell: Cell, values: str) -> list[tuple[str, str]]:
    """List the counts of invalid entries, each with its word."""
    there = f"COUNTA({values})"
    found: list[tuple[str, str]] = []
    known = _known(builder, cell, values)
    if is_number(cell.type):
        found.append((f"({there}-COUNT({values}))", "NOT A NUMBER"))
        outside = _outside(cell, values)
        found += [(outside, "OUT OF RANGE")] if outside else []
    elif cell.type.kind is Kind.TRUTH:
        trues = f"COUNTIF({values},TRUE)-COUNTIF({values},FALSE)"
        found.append((f"({there}-{trues})", "NOT TRUE OR FALSE"))
    elif known:
        found.append((f"({there}-{known})", "NOT A CHOICE"))
    if not is_filled(cell.fill) and not cell.may_be_na:
        found.append((f"(ROWS({values})*COLUMNS({values})-{there})", "MISSING"))
    return found


def _outside(cell: Cell, values: str) -> str:
    """Count the entries below and above the bounds."""
    least, most = cell.bounds.least, cell.bounds.most
    parts = [f'COUNTIF({values},"<"&{number_text(least)})'] if least is not None else []
    parts += [f'COUNTIF({values},">"&{number_text(most)})'] if most is not None else []
    return parts[0] if len(parts) == 1 else f"({'+'.join(parts)})" if parts else ""


def _known(builder: Builder, cell: Cell, values: str) -> str:
    """Count the entries that are one of the choices, or a key of the table."""
    if cell.type.table in builder.spelling.keys:
        keys = ref(builder.spelling.keys[cell.type.table])
        return f"SUMPRODUCT(--ISNUMBER(MATCH({values},{keys},0)))"
    choices = [literal(str(choice)) for choice in cell.bounds.choices]
    return "-".join(f"SUMPRODUCT(--EXACT({values},{choice}))" for choice in choices)


def mark_entries(page: Page, cell: Cell, block: Block) -> None:
    """Colour the entries that differ from the export; the status says how many there are."""
    first = f"{letters(block.column)}{block.row}"
    last = f"{letters(block.column + block.width - 1)}{block.row + block.height - 1}"
    place = f"ROW()-{block.row}"
    if block.width > 1:
        place = f"({place})*{block.width}+COLUMN()-{block.column}"
    test = f"INDEX({ref(changes_name(cell.number))},{place}+1)=1"
    page.marks.append((f"{first}:{last}", test))


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """Rows of one series: as given, under the scenario, on the way, or in effect."""

    block: Block
    label: str
    is_input: bool = False


def lines_of(builder: Builder, cell: Cell) -> list[SeriesRow]:
    """Lay out what leads from the entries as given to the ones in effect."""
    request, spelling = builder.request, builder.spelling
    final = spelling.blocks[cell.number]
    label = label_of(request.model, cell)
    if cell.number not in spelling.base:
        return [SeriesRow(final, label, is_input=True)]
    given = _extra(builder, cell, given_entries(request.before, cell.number))
    spelling.given[cell.number] = given
    lines = [SeriesRow(given, label, is_input=True)]
    source = given
    if cell.number in spelling.live:
        source = final
        if is_filled(cell.fill):
            source = _extra(builder, cell, given_entries(request.now, cell.number))
        source.text = "live"
        lines.append(SeriesRow(source, f"{label}, under the scenario"))
    if is_filled(cell.fill):
        lines.extend(_filled(builder, cell, source))
        lines.append(SeriesRow(final, f"{label}, in effect"))
    return lines


def _extra(builder: Builder, cell: Cell, values: Sequence[Entry]) -> Block:
    spelling = builder.spelling
    frame = spelling.blocks[cell.number].frame
    number = len(spelling.model.cells) + len(spelling.blocks)
    block = make_block(spelling.model, number, cell.type.dims, frame)
    block.values = values
    spelling.blocks[number] = block
    return block


def _filled(builder: Builder, cell: Cell, source: Block) -> list[SeriesRow]:
    """Set the final block's formula; a straight line needs the given entries around a gap."""
    final = builder.spelling.blocks[cell.number]
    given = same_place(final, source)
    match cell.fill:
        case "zero":
            final.text = f'IF({given}="",0,{given})'
        case "previous":
            final.text = f'IF({given}="",{_beside(final, final, -1)},{given})'
            final.initial_formula, final.initial_values = '""', [""] * final.height
        case _:
            return _straight(builder, cell, (final, source))
    return []


def _straight(builder: Builder, cell: Cell, blocks: tuple[Block, Block]) -> list[SeriesRow]:
    """Interpolate between the entries given before and after, found once for each label."""
    final, source = blocks
    final.needs[final.frame.line, "index"] = None
    before, after = (_extra(builder, cell, _around(source, step)) for step in (-1, 1))
    for block, step in ((before, -1), (after, 1)):
        block.needs[final.frame.line, "index"] = None
        place = f"{_position(block)}+1"
        own = same_place(block, source)
        block.text = f'IF({own}="",{_beside(block, block, step)},{place})'
    before.initial_formula, before.initial_values = "0", [0.0] * final.height
    line = block_reference(final.number, source.number, "=", "*")
    if final.frame.is_down:
        line = block_reference(final.number, source.number, "*", "#0")
    low, high = same_place(final, before), same_place(final, after)
    first, last = f"INDEX({line},{low})", f"INDEX({line},{high})"
    now, left, right = _days(builder, final, (low, high))
    between = f"{first}+({last}-{first})*(({now}-{left})/({right}-{left}))"
    given = same_place(final, source)
    outside = f"IF({high}=0,{first},{between})"
    final.text = f'IF({given}<>"",{given},IF({low}=0,IF({high}=0,"",{last}),{outside}))'
    label = label_of(builder.request.model, cell)
    return [
        SeriesRow(before, f"{label}: last given before, its position"),
        SeriesRow(after, f"{label}: next given, its position"),
    ]


def _days(builder: Builder, final: Block, around: tuple[str, str]) -> tuple[str, str, str]:
    """Locate the current label and those around it: days of periods, else positions."""
    line, (low, high) = final.frame.line, around
    if builder.request.model.dim(line).kind != "time":
        return f"({_position(final)}+1)", low, high
    final.needs[line, "key"] = None
    days = ref(builder.spelling.list_of(line, "key"))
    now = header_reference(final.number, line, "key")
    return now, f"INDEX({days},{low})", f"INDEX({days},{high})"


def _position(block: Block) -> str:
    return header_reference(block.number, block.frame.line, "index")


def _around(source: Block, step: int) -> list[Entry]:
    """Find for each label the position from 1 of the nearest entry given on one side; 0 if none."""
    length = source.width if source.frame.column else source.height
    found: list[Entry] = []
    for start in range(0, len(source.values), length):
        part = list(source.values[start : start + length])
        near, line = 0.0, [0.0] * length
        for at in range(length)[::-step]:
            near = near if part[at] is None else float(at + 1)
            line[at] = near
        found.extend(line)
    return found


def same_place(here: Block, there: Block) -> str:
    """Refer to the same labels in a block of the same dims."""
    return block_reference(here.number, there.number, "=", "=" if here.frame.column else "#0")


def _beside(here: Block, there: Block, step: int) -> str:
    code = f"={step:+}"
    if here.frame.column:
        return block_reference(here.number, there.number, "=", code)
    return block_reference(here.number, there.number, code, "#0")


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
        if block.initial_formula:
            spot = XlsxCell(cached(block.initial_values[offset]), block.initial_formula, "calc")
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
    """Name the entries as given, and those in effect; make Excel reject other types."""
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
    said = f"Series by {' and '.join(visible_dim(dim) for dim in rows)}"
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
        if block.initial_formula:
            spot = XlsxCell(cached(block.initial_values[0]), block.initial_formula, "calc")
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
        page.put(HEAD, column, XlsxCell(visible_dim(head[0]), style="header note"))
        page.put(HEAD + 1, column, XlsxCell(style="unit"))
        page.put(HEAD + 2, column, XlsxCell("Status" if column == 1 else None, style="note"))
        for line in lines:
            line.block.heads[head] = column
    page.row = first + shown.height
