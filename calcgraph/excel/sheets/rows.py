"""Rows along a dim: a row a cell, or a row for each label of its other dims; labels on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.values import visible_dim
from calcgraph.excel.layout.blocks import in_order
from calcgraph.excel.sheets.builder import (
    HEAD,
    BlockText,
    block_format,
    block_text,
    cached,
    key_format,
)
from calcgraph.excel.xlsx.pages import XlsxCell
from calcgraph.excel.xlsx.styles import TEXT_FORMAT, number_width, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Dim
    from calcgraph.excel.layout.blocks import Block, Entry
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Page

FIRST = 8
"""The first column behind label, value, unit, key, formula, note and place."""
LABEL, OPENING, PERIOD, WIDEST = 12.0, 12.0, 10.3, 30.0
FACTS = {"index": "position of", "end": "day behind", "length": "days of"}


def row_widths(builder: Builder, blocks: list[Block]) -> list[float]:
    """Return the widths of the columns after those of single cells."""
    if not blocks:
        return []
    widest = max(block.width for block in blocks)
    texts = [
        text_width(value, 10) + 3.0
        for block in blocks
        for value in block.values
        if isinstance(value, str)
    ]
    numbers = [widest_number(builder, block, dash=True) + 2.5 for block in blocks]
    period = min(max([PERIOD, *texts, *numbers]), WIDEST)
    return [LABEL] * _fronts(blocks) + [max(OPENING, min(period, 20.0))] + [period] * widest


def widest_number(builder: Builder, block: Block, *, dash: bool) -> float:
    """Estimate the width of the widest number of a block."""
    numbers = [value for value in block.values if isinstance(value, float)]
    if not numbers:
        return 0.0
    words = block_text(builder, block)
    shape = block_format(builder.request.model, block, words.type, dash=dash)
    return max(number_width(number, shape) for number in (max(numbers), min(numbers)))


def first_period(blocks: list[Block]) -> int:
    """Find the column of the first label."""
    return FIRST + _fronts(blocks) + 1


def _fronts(blocks: list[Block]) -> int:
    """Count the columns for labels and facts of the dims that go down."""
    return max((len(front_of(block)) for block in blocks), default=0)


def front_of(block: Block) -> list[tuple[str, str]]:
    """List the columns in front of each row: the labels, then the facts that formulas use."""
    needs = [need for need in block.needs if need[0] in block.frame.rows and need[1] != "key"]
    return [*((dim, "key") for dim in block.frame.rows), *needs]


def add_rows(builder: Builder, page: Page, blocks: list[Block], all_blocks: list[Block]) -> None:
    """Write the blocks of a section, frame by frame, each under its labels."""
    if not blocks:
        return
    page.freeze = "D5"
    start = first_period(all_blocks)
    page.periods = start
    band(page)
    share_labels(builder, page, all_blocks)
    frames: dict[str, list[Block]] = {}
    for block in blocks:
        frames.setdefault(block.frame.column, []).append(block)
    for column, sharing in frames.items():
        add_heads(builder, page, column, (sharing, start))
        for block in sharing:
            add_block(builder, page, block, start)


def share_labels(builder: Builder, page: Page, blocks: list[Block]) -> None:
    """Write the labels into the header, which stays in view, where all rows share them."""
    columns = {block.frame.column for block in blocks}
    if len(columns) > 1:
        return
    (page.labels,) = columns
    start, dim = first_period(blocks), builder.request.model.dim(page.labels)
    for at, key in enumerate(dim.keys, start):
        page.put(HEAD, at, XlsxCell(key, style="header right", format=key_format(dim)))
    if any(block.has_initial_value for block in blocks):
        page.put(HEAD, start - 1, XlsxCell("opening", style="header right"))


def band(page: Page) -> None:
    """Extend the header above the labels."""
    for column in range(FIRST, len(page.widths) + 1):
        page.put(HEAD, column, XlsxCell(style="header"))


def add_heads(builder: Builder, page: Page, column: str, place: tuple[list[Block], int]) -> None:
    """Write the labels, and below them the facts that some formula uses."""
    blocks, start = place
    dim = builder.request.model.dim(column)
    needs = {need[1]: None for block in blocks for need in block.needs if need[0] == column}
    others = [what for what in needs if what != "key"]
    if page.labels == column:
        for block in blocks:
            block.heads[column, "key"] = HEAD
    for what in others if _are_above(page, column, blocks) else ("key", *others):
        is_key = what == "key"
        name = visible_dim(column)
        page.put(
            page.row,
            1,
            XlsxCell(
                f"by {name}" if is_key else f"{FACTS[what]} {name}",
                style="header" if is_key else "purpose",
            ),
        )
        if is_key:
            for at in range(2, start):
                page.put(page.row, at, XlsxCell(style="header"))
            _front_heads(page, blocks, start)
        for at in range(0 if is_key and page.labels == column else dim.size):
            style = "header right" if is_key else "constant"
            spot = XlsxCell(fact(dim, what, at), style=style, format=_fact_format(dim, what))
            page.put(page.row, start + at, spot)
        for block in blocks:
            block.heads.setdefault((column, what), page.row)
        page.row += 1


def _are_above(page: Page, column: str, blocks: list[Block]) -> bool:
    """Whether the header already shows all labels of blocks."""
    return page.labels == column and not any(front_of(block) for block in blocks)


def _front_heads(page: Page, blocks: list[Block], start: int) -> None:
    """Name the columns of labels in front, and the opening."""
    if any(block.has_initial_value for block in blocks) and not page.labels:
        page.put(page.row, start - 1, XlsxCell("opening", style="header right"))
    for block in blocks:
        front = front_of(block)
        for at, (dim, what) in enumerate(front, start - 1 - len(front)):
            is_key, plain = what == "key", visible_dim(dim)
            text, style = (plain, "header note") if is_key else (f"{FACTS[what]} {plain}", "header")
            page.put(page.row, at, XlsxCell(text, style=style))
            if not is_key:
                page.heights[page.row] = 27


def fact(dim: Dim, what: str, at: int) -> float | str | bool | None:
    """Return a label's key, its position from 0, the day after it, or its days."""
    match what:
        case "key":
            return dim.keys[at]
        case "index":
            return float(at)
        case "end":
            return dim.ends[at]
        case _:
            start = dim.keys[at]
            assert isinstance(start, float), "only periods have a length"
            return dim.ends[at] - start


def _fact_format(dim: Dim, what: str) -> str:
    return key_format(dim) if what == "key" else "yyyy-mm-dd" if what == "end" else "0"


def add_block(builder: Builder, page: Page, block: Block, start: int) -> None:
    """Write a block: a row, or one for each combination of the labels of its other dims."""
    words = block_text(builder, block)
    block.put(page.name, page.row, start)
    front = front_of(block)
    for at, head in enumerate(front, start - 1 - len(front)):
        block.heads[head] = at
    if block.number < len(builder.request.model.cells):
        builder.page_of[block.number] = (page.name, page.row)
    shape = block_format(builder.request.model, block, words.type, dash=True)
    values = in_order(builder.request.model, block)
    for offset in range(block.height):
        labels = labels_down(builder, block, offset)
        _beside(builder, page, words, labels)
        put_front(builder, page, block, (front, start, offset))
        within = values[offset * block.width : (offset + 1) * block.width]
        _values(page, block, within, (shape, start, offset))
        page.row += 1
    name_block(builder, block, words)


def labels_down(builder: Builder, block: Block, offset: int) -> dict[str, int]:
    """Return the positions of the labels of a row."""
    found: dict[str, int] = {}
    for dim in reversed(block.frame.rows):
        offset, found[dim] = divmod(offset, builder.request.model.dim(dim).size)
    return {dim: found[dim] for dim in block.frame.rows}


def _beside(builder: Builder, page: Page, words: BlockText, labels: dict[str, int]) -> None:
    """Write label, unit, key and formula in front of a row."""
    model, row = builder.request.model, page.row
    read = [model.dim(dim).labels[at] for dim, at in labels.items()]
    is_first = not any(labels.values())
    label = ", ".join((words.label, *read))
    key = f"{words.key}[{', '.join(read)}]" if read and words.key else words.key
    page.put(row, 1, XlsxCell(label, style="text" if words.key else "note"))
    page.put(row, 2, XlsxCell(style="calc"))
    page.put(row, 3, XlsxCell(words.unit or None, style="unit"))
    page.put(row, 4, XlsxCell(key or None, style="key"))
    page.put(
        row, 5, XlsxCell(words.written if is_first and words.written else None, style="formula")
    )
    page.put(row, 6, XlsxCell(words.note if is_first and words.note else None, style="note"))
    page.put(row, 7, XlsxCell(words.place or None, style="place"))
    if is_first:
        builder.grow(page, (label, 1, 10), (words.written, 5, 9), (words.note, 6, 9))


def put_front(
    builder: Builder, page: Page, block: Block, place: tuple[list[tuple[str, str]], int, int]
) -> None:
    """Write the labels in front of a row, and the facts that formulas use."""
    front, start, offset = place
    labels = labels_down(builder, block, offset)
    for at, (name, what) in enumerate(front, start - 1 - len(front)):
        dim = builder.request.model.dim(name)
        value = fact(dim, what, labels[name])
        style = "note" if what == "key" else "constant"
        page.put(page.row, at, XlsxCell(value, style=style, format=_fact_format(dim, what)))


def _values(page: Page, block: Block, values: Sequence[Entry], place: tuple[str, int, int]) -> None:
    shape, start, offset = place
    style = "calc text" if shape == TEXT_FORMAT else "calc"
    if block.has_initial_value:
        before = cached(block.initial_values[offset])
        page.put(page.row, start - 1, XlsxCell(before, block.initial_formula, style, shape))
    for at, value in enumerate(values):
        page.put(page.row, start + at, XlsxCell(cached(value), block.text, style, shape))


def name_block(builder: Builder, block: Block, words: BlockText) -> None:
    """Name all values of a cell, and add them to the map."""
    name = builder.spelling.name_of(block.number)
    if not name:
        return
    builder.places[name] = block.place()
    builder.list(name, "series", (words.unit, words.path, words.written, words.place))
