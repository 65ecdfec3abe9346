"""Sheets of calculated cells and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.analysis.explain import formula_text
from calcgraph.core.values import visible_dim
from calcgraph.excel.layout.blocks import in_order
from calcgraph.excel.sheets.builder import (
    HEAD,
    BlockText,
    block_format,
    block_text,
    cached,
    key_format,
    key_width,
    note_text,
    place_text,
    shape_of,
    unit_text,
    yaml_path,
)
from calcgraph.excel.sheets.rows import (
    FACTS,
    add_rows,
    fact,
    labels_down,
    name_block,
    row_widths,
    widest_number,
)
from calcgraph.excel.sheets.sections import OF_CHECKS
from calcgraph.excel.xlsx.pages import XlsxCell, letters
from calcgraph.excel.xlsx.styles import TEXT_FORMAT, text_width, wrapped_height
from calcgraph.sheet.declarations import CalcDecl

if TYPE_CHECKING:
    from calcgraph.excel.layout.blocks import Block
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.sheets.sections import Section
    from calcgraph.excel.xlsx.pages import Page
    from calcgraph.model import Cell


MOST, PLAIN = 22, 8.43
COLUMNS_PURPOSE = "A row a label, a column a result; below, how each is calculated."


def add_columns(builder: Builder, section: Section) -> None:
    """Write the columns of a section, at most 22 a page."""
    frames: dict[tuple[str, ...], list[Block]] = {}
    for block in section.down:
        frames.setdefault(block.frame.rows, []).append(block)
    for rows, blocks in frames.items():
        by = " and ".join(visible_dim(dim).rpartition(".")[2] for dim in rows)
        names = [section.title, f"{section.title} by {by}"]
        name = builder.sheet_names.take_one(*(names if len(frames) == 1 else reversed(names)))
        for start in range(0, len(blocks), MOST):
            name = builder.sheet_names.take(name) if start else name
            _page(builder, (section.title, name), rows, blocks[start : start + MOST])


def _page(
    builder: Builder, names: tuple[str, str], rows: tuple[str, ...], blocks: list[Block]
) -> None:
    title, name = names
    by = " and ".join(visible_dim(dim) for dim in rows)
    said = f"{title} by {by}"
    words = [block_text(builder, block) for block in blocks]
    front = _front(rows, blocks)
    widths = [_front_width(builder, head) for head in front]
    widths += [_width(builder, block, one) for block, one in zip(blocks, words, strict=True)]
    page = builder.page(name, said, COLUMNS_PURPOSE, tuple(widths))
    first = HEAD + 2 + any(block.has_initial_value for block in blocks)
    page.freeze = f"{letters(len(front) + 1)}{first}"
    _front_columns(builder, page, front, (blocks, first))
    for at, (block, one) in enumerate(zip(blocks, words, strict=True), len(front) + 1):
        block.put(page.name, first, at)
        _column(builder, page, block, one)
        name_block(builder, block, one)
    page.heights[HEAD] = max(
        27.0,
        *(
            wrapped_height(one.label, widths[len(front) + at], 9.5) + 6
            for at, one in enumerate(words)
        ),
    )
    page.row = first + max(block.height for block in blocks) + 1
    _how(builder, page, words)


def _front(rows: tuple[str, ...], blocks: list[Block]) -> list[tuple[str, str]]:
    """List the columns in front of each row: the labels, then the facts that formulas use."""
    needs = {need: None for block in blocks for need in block.needs if need[1] != "key"}
    return [*((dim, "key") for dim in rows), *needs]


def _front_width(builder: Builder, head: tuple[str, str]) -> float:
    dim = builder.request.model.dim(head[0])
    longest = max((text_width(label, 10) for label in dim.labels), default=8.0)
    return min(max(longest + 3, 14.0), 40.0) if head[1] == "key" else 10.0


def _width(builder: Builder, block: Block, words: BlockText) -> float:
    texts = [text_width(value, 10) for value in block.values[:200] if isinstance(value, str)]
    longest = max(text_width(word, 10) for word in (*words.label.split(), words.unit))
    number = widest_number(builder, block, dash=False) + 2.5
    return max(min(max(longest + 3, 11.0), 26.0), min(max([number, *(t + 3 for t in texts)]), 48.0))


def _front_columns(
    builder: Builder,
    page: Page,
    front: list[tuple[str, str]],
    place: tuple[list[Block], int],
) -> None:
    blocks, first = place
    labels = [labels_down(builder, blocks[0], offset) for offset in range(blocks[0].height)]
    for column, (name, what) in enumerate(front, 1):
        dim = builder.request.model.dim(name)
        plain = visible_dim(name)
        page.put(
            HEAD,
            column,
            XlsxCell(
                plain if what == "key" else f"{FACTS[what]} {plain}",
                style="header note" if what == "key" else "header",
            ),
        )
        page.put(HEAD + 1, column, XlsxCell(style="unit"))
        shape = key_format(dim) if what == "key" else "yyyy-mm-dd" if what == "end" else "0"
        style = "note" if what == "key" else "constant"
        for row, at in enumerate(labels, first):
            page.put(row, column, XlsxCell(fact(dim, what, at[name]), style=style, format=shape))
        for block in blocks:
            block.heads[name, what] = column
    if first > HEAD + 2:
        page.put(first - 1, 1, XlsxCell("before the first", style="note"))


def _column(builder: Builder, page: Page, block: Block, words: BlockText) -> None:
    shape = block_format(builder.request.model, block, words.type, dash=False)
    style = "calc text" if shape == TEXT_FORMAT else "calc"
    column, top = block.column, block.row
    page.put(HEAD, column, XlsxCell(words.label, style="header right"))
    page.put(HEAD + 1, column, XlsxCell(words.unit or None, style="unit right"))
    if block.has_initial_value:
        before = cached(block.initial_values[0])
        page.put(top - 1, column, XlsxCell(before, block.initial_formula, style, shape))
    for offset, value in enumerate(in_order(builder.request.model, block)):
        page.put(top + offset, column, XlsxCell(cached(value), block.text, style, shape))
    if block.number < len(builder.request.model.cells):
        builder.page_of[block.number] = (page.name, top)


def _how(builder: Builder, page: Page, words: list[BlockText]) -> None:
    """Explain below the block how each column is calculated."""
    builder.section(page, "How each column is calculated", max(len(page.widths), 5))
    label, key = (
        max(text_width(text, 10) for text in texts)
        for texts in zip(*((one.label, one.key) for one in words), strict=True)
    )
    key_at = _column_behind(page, 1, label + 2)
    text_at = _column_behind(page, key_at, key + 2) if key else key_at
    for one in words:
        row = page.row
        page.put(row, 1, XlsxCell(one.label, style="plain"))
        if one.key:
            page.put(row, key_at, XlsxCell(one.key, style="caption"))
        text = "  ·  ".join(part for part in (one.written, one.note, one.place) if part)
        page.put(row, text_at, XlsxCell(text or None, style="caption"))
        page.row += 1


def _column_behind(page: Page, first: int, width: float) -> int:
    """Find the column that starts after a text that flows over columns from ``first`` on."""
    at = first
    while width > 0:
        width -= page.widths[at - 1] if at <= len(page.widths) else PLAIN
        at += 1
    return at


WIDTHS = (40, 17, 15, 60, 40, 15)
NARROWER = (52, 30, 15)
KINDS = "lrullnn"
HEADS = ("Result", "Value", "Unit", "Key", "How it is calculated, as written", "Note", "YAML")
FEW = 6
CALC_PURPOSE = "Every result, its formula, and where it is written."


def add_calcs(builder: Builder, sections: list[Section]) -> None:
    """Write headings as pages; a short one joins the page before it; blocks have their own."""
    for sharing in _pages(sections):
        title = sharing[0].title
        name = builder.sheet_names.take(title)
        blocks = [block for section in sharing for block in section.across]
        behind = NARROWER if blocks else WIDTHS[3:]
        widths = (*WIDTHS[:3], key_width(builder, blocks), *behind)
        page = builder.page(name, title, CALC_PURPOSE, (*widths, *row_widths(builder, blocks)))
        builder.heads(page, HEADS, KINDS)
        for section in sharing:
            builder.section(page, section.title, len(HEADS))
            for cell in section.cells:
                _row(builder, page, cell)
            add_rows(builder, page, section.across, blocks)
    for section in sections:
        add_columns(builder, section)


def _pages(sections: list[Section]) -> list[list[Section]]:
    """Distribute headings over pages: a new page where there is enough to fill it."""
    pages: list[list[Section]] = []
    for section in sections:
        rows = len(section.cells) + len(section.across)
        is_apart = not pages or rows >= FEW or section.title == OF_CHECKS
        if rows and is_apart:
            pages.append([section])
        elif rows:
            pages[-1].append(section)
    return pages


def _row(builder: Builder, page: Page, cell: Cell) -> None:
    request, row = builder.request, page.row
    node = request.model.graph.nodes[cell.number]
    decl = node.decl
    assert isinstance(decl, CalcDecl), "calculated cells are declared as such"
    value = request.now.values[cell.number]
    unit = unit_text(cell.type)
    name = builder.spelling.cells.get(cell.number, "")
    formula = builder.spelling.texts[cell.number]
    shape = shape_of(request.model, value, cell.type)
    style = "calc text" if shape == TEXT_FORMAT else "calc"
    written = formula_text(node).split(" -> ")[0]
    label = label_of(request.model, cell)
    page.put(row, 1, XlsxCell(label))
    page.put(row, 2, XlsxCell(cached(value), formula, style, shape))
    page.put(row, 3, XlsxCell(unit or None, style="unit"))
    page.put(row, 4, XlsxCell(cell.name, style="key"))
    page.put(row, 5, XlsxCell(written, style="formula"))
    note = note_text(decl)
    page.put(row, 6, XlsxCell(note or None, style="note"))
    page.put(row, 7, XlsxCell(place_text(decl.key.span), style="place"))
    builder.name(page, name, row, 2)
    builder.list(
        name, "calc", (unit, yaml_path(request.model, cell), written, place_text(decl.key.span))
    )
    builder.page_of[cell.number] = (page.name, row)
    builder.grow(page, (label, 1, 10), (written, 5, 9), (note, 6, 9))
    if isinstance(value, str) and text_width(value, 10) > WIDTHS[1]:
        page.put(row, 2, XlsxCell(value, formula, "note", shape))
        builder.grow(page, (label, 1, 10), (written, 5, 9), (note, 6, 9), (value, 2, 9))
    page.row += 1
