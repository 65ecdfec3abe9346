"""From the entries of a series as given to those in effect: scenarios, and gaps filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.excel.blocks import cell_mark, head_mark, make_block
from calcgraph.excel.given import given_entries, is_filled
from calcgraph.excel.grid import ref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.excel.blocks import Block, Entry
    from calcgraph.excel.builder import Builder
    from calcgraph.model import Cell


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
    """Give the final block its formula; a straight line needs to know what is given around."""
    final = builder.spelling.blocks[cell.number]
    given = same_place(final, source)
    match cell.fill:
        case "zero":
            final.text = f'IF({given}="",0,{given})'
        case "previous":
            final.text = f'IF({given}="",{_beside(final, final, -1)},{given})'
            final.opening_text, final.opening_values = '""', [""] * final.height
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
    before.opening_text, before.opening_values = "0", [0.0] * final.height
    line = cell_mark(final.number, source.number, "=", "*")
    if final.frame.is_down:
        line = cell_mark(final.number, source.number, "*", "#0")
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
    """Say where the current label lies and those around it: days of periods, else positions."""
    line, (low, high) = final.frame.line, around
    if builder.request.model.dim(line).kind != "time":
        return f"({_position(final)}+1)", low, high
    final.needs[line, "key"] = None
    days = ref(builder.spelling.list_of(line, "key"))
    now = head_mark(final.number, line, "key")
    return now, f"INDEX({days},{low})", f"INDEX({days},{high})"


def _position(block: Block) -> str:
    return head_mark(block.number, block.frame.line, "index")


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
    return cell_mark(here.number, there.number, "=", "=" if here.frame.column else "#0")


def _beside(here: Block, there: Block, step: int) -> str:
    code = f"={step:+}"
    if here.frame.column:
        return cell_mark(here.number, there.number, "=", code)
    return cell_mark(here.number, there.number, code, "#0")
