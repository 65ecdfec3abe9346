"""The pages people type into: inputs and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.core.type import Kind
from calcgraph.core.value import Series
from calcgraph.excel.builder import cached, is_number
from calcgraph.excel.formula import literal, number_text
from calcgraph.excel.grid import Rule, Spot, letters, ref
from calcgraph.excel.places import place_text, source_key, yaml_path
from calcgraph.excel.style import number_format, wrapped_height
from calcgraph.sheet.declarations import InputDecl

if TYPE_CHECKING:
    from calcgraph.core.value import Value
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Page
    from calcgraph.graph import Table
    from calcgraph.model import Cell

INPUT_WIDTHS = (37, 17, 15, 24, 14, 12, 12, 14, 10, 14, 46, 24, 16)
INPUT_HEADS = (
    "Assumption", "Value", "Unit", "Key", "In use", "Lowest allowed", "Highest allowed",
    "As exported", "Change", "Status", "Note", "Source", "YAML",
)  # fmt: skip
LIST_LIMIT = 255


def add_inputs(builder: Builder) -> None:
    """Write one row an input: value, bounds, what was exported, whether it is sound."""
    model = builder.request.model
    groups: dict[str, list[Cell]] = {}
    for cell in model.cells:
        decl = model.graph.nodes[cell.number].decl
        if cell.kind == "input" and isinstance(decl, InputDecl):
            prefix = cell.name.rpartition(".")[0]
            groups.setdefault(" ".join(p for p in (prefix, decl.heading) if p), []).append(cell)
    if not groups:
        return
    purpose = "Every assumption. Blue on yellow may be changed; the model follows at once."
    page = builder.page("Inputs", "Inputs", purpose, INPUT_WIDTHS)
    page.freeze = "B5"
    builder.heads(page, INPUT_HEADS, (2, 5, 6, 7, 8, 9))
    for heading, cells in groups.items():
        builder.section(page, heading or "Inputs", len(INPUT_HEADS))
        for cell in cells:
            _input_row(builder, page, cell)
    page.words.append(f"J5:J{page.row}")


def _input_row(builder: Builder, page: Page, cell: Cell) -> None:
    request, spelling = builder.request, builder.spelling
    decl = request.model.graph.nodes[cell.number].decl
    assert isinstance(decl, InputDecl), "inputs are declared as such"
    row, value = page.row, request.before.values[cell.number]
    shape = number_format(value, cell.type)
    unit = "" if cell.type.unit.percent or str(cell.type.unit) == "1" else str(cell.type.unit)
    source = decl.about.source
    page.put(row, 1, Spot(label_of(request.model, cell)))
    page.put(row, 2, Spot(_plain(value), style="input", format=shape, hint=_prompt(cell, decl)))
    page.put(row, 3, Spot(unit if cell.type.kind is Kind.NUMBER else None, style="unit"))
    page.put(row, 4, Spot(cell.name, style="key"))
    name = spelling.cells[cell.number]
    if cell.number in spelling.live:
        live = request.now.values[cell.number]
        guard = f'IF({ref(name)}="","",{ref(name)})' if cell.may_be_na else ref(name)
        page.put(row, 5, Spot(cached(live), guard, "link", shape))
    else:
        page.put(row, 5, Spot(style="link"))
    for at, bound in ((6, cell.bounds.least), (7, cell.bounds.most)):
        page.put(row, at, Spot(bound, style="constant", format=number_format(bound, cell.type)))
    page.put(row, 8, Spot(_plain(value), style="constant", format=shape))
    page.put(row, 9, _change(cell, value, row))
    page.put(row, 10, Spot("OK", _status(builder, cell, row), "status"))
    page.put(row, 11, Spot(decl.about.note or None, style="note"))
    page.put(
        row,
        12,
        Spot(source.title if source else None, style="note", link=source.url if source else ""),
    )
    page.put(row, 13, Spot(place_text(decl.key.span), style="place"))
    _accept(builder, page, cell, decl)
    base = spelling.base.get(cell.number, name)
    builder.name(page, base, row, 2)
    facts = (unit, yaml_path(request.model, cell), "", place_text(decl.key.span))
    builder.list(base, "input", facts)
    builder.page_of[cell.number] = (page.name, row)
    note, title = decl.about.note, source.title if source else ""
    builder.grow(page, (note, 11, 9), (title, 12, 9), (label_of(request.model, cell), 1, 10))
    page.row += 1


def _plain(value: Value) -> float | bool | str | None:
    assert not isinstance(value, Series), "an input is one value"
    return value if isinstance(value, float | bool | str) else None


def _change(cell: Cell, value: Value, row: int) -> Spot:
    if not is_number(cell.type) or cell.type.kind is Kind.DATE:
        return Spot(style="constant")
    formula = f'IF(AND(ISNUMBER(B{row}),ISNUMBER(H{row})),IF(H{row}=0,0,B{row}/H{row}-1),"")'
    return Spot(0.0 if isinstance(value, float) else "", formula, "constant", '+0.0%;-0.0%;"–"')


def _status(builder: Builder, cell: Cell, row: int) -> str:
    """Say in the workbook whether an input is sound, and whether it was changed."""
    here, was = f"B{row}", f"H{row}"
    same = f"{here}={was}" if is_number(cell.type) else f"EXACT({here},{was})"
    sound = f'IF({same},"OK","CHANGED")'
    if is_number(cell.type):
        bounds = [f"{here}<F{row}"] if cell.bounds.least is not None else []
        bounds += [f"{here}>G{row}"] if cell.bounds.most is not None else []
        if cell.bounds.choices:
            choices = ",".join(
                f"{here}={number_text(c)}" for c in cell.bounds.choices if isinstance(c, float)
            )
            bounds.append(f"NOT(OR({choices}))")
        if bounds:
            test = bounds[0] if len(bounds) == 1 else f"OR({','.join(bounds)})"
            sound = f'IF({test},"OUT OF RANGE",{sound})'
        text = f'IF(ISNUMBER({here}),{sound},"NOT A NUMBER")'
    elif cell.type.kind is Kind.TRUTH:
        text = f'IF(ISLOGICAL({here}),{sound},"NOT TRUE OR FALSE")'
    elif cell.type.table:
        keys = ref(builder.spelling.keys[cell.type.table])
        text = f'IF(ISNUMBER(MATCH({here},{keys},0)),{sound},"NOT A KEY")'
    elif cell.bounds.choices:
        choices = ",".join(f"EXACT({here},{literal(str(c))})" for c in cell.bounds.choices)
        text = f'IF(OR({choices}),{sound},"NOT A CHOICE")'
    else:
        text = sound
    if not cell.may_be_na:
        return text
    return f'IF({here}="",IF({was}="","OK","CHANGED"),{text})'


def _prompt(cell: Cell, decl: InputDecl) -> str:
    parts = [decl.about.note]
    if cell.type.kind is Kind.NUMBER and str(cell.type.unit) != "1":
        parts.insert(0, f"in {cell.type.unit}")
    if decl.about.source and decl.about.source.title:
        parts.append(f"source: {decl.about.source.title}")
    return "; ".join(part for part in parts if part)


def _accept(builder: Builder, page: Page, cell: Cell, decl: InputDecl) -> None:
    """Let Excel refuse what the engine would refuse."""
    place, prompt = f"B{page.row}", _prompt(cell, decl)[:250]
    least, most = cell.bounds.least, cell.bounds.most
    if cell.type.table:
        page.rules.append(
            Rule(place, "list", ref(builder.spelling.keys[cell.type.table]), prompt=prompt)
        )
    elif cell.bounds.choices:
        texts = [number_text(c) if isinstance(c, float) else str(c) for c in cell.bounds.choices]
        joined = ",".join(texts)
        if len(joined) <= LIST_LIMIT and not any("," in text or '"' in text for text in texts):
            page.rules.append(Rule(place, "list", f'"{joined}"', prompt=prompt))
    elif cell.type.kind is Kind.TRUTH:
        page.rules.append(Rule(place, "list", '"TRUE,FALSE"', prompt=prompt))
    elif is_number(cell.type):
        low = number_text(least) if least is not None else "-1E+300"
        high = number_text(most) if most is not None else "1E+300"
        page.rules.append(Rule(place, "decimal", low, high, prompt))


def add_tables(builder: Builder) -> None:
    """Write the catalogues as blocks, the rows in use below each, live columns beside."""
    tables = builder.request.model.graph.tables
    if not tables:
        return
    purpose = "Catalogues. Blue on yellow may be changed; keys and columns are the model's."
    page = builder.page("Tables", "Tables", purpose, (34, *(14,) * 40))
    for name, table in tables.items():
        builder.section(page, table.decl.about.label or name, len(table.columns) + 1)
        _table(builder, page, table)
        page.row += 1


def _table(builder: Builder, page: Page, table: Table) -> None:
    request, spelling = builder.request, builder.spelling
    head, first = page.row, page.row + 2
    last = first + len(table.labels) - 1
    page.put(head, 1, Spot("key", style="header"))
    page.put(head + 1, 1, Spot(style="unit"))
    for at, label in enumerate(table.labels):
        page.put(first + at, 1, Spot(label, style="text"))
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
        unit = str(cell.type.unit) if cell.type.kind is Kind.NUMBER else str(cell.type.kind.value)
        path = f"tables.{table.decl.name}.columns.{column}"
        builder.list(base, "column", (unit, path, "", where))
    labels = [label_of(request.model, request.model.cells[n]) for n in table.columns.values()]
    page.heights[head] = max(27, *(wrapped_height(label, 13, 9) + 8 for label in labels))
    page.row = last + 1
    _live_columns(builder, page, table, (head, first, last))
    _rows_in_use(builder, page, table)
    source = table.decl.about.source
    if source:
        page.put(page.row, 1, Spot(f"source: {source_key(source)}", style="purpose"))
        page.row += 1


def _column(builder: Builder, page: Page, cell: Cell, place: tuple[int, int]) -> None:
    request = builder.request
    head, at = place
    series = request.before.values[cell.number]
    assert isinstance(series, Series), "a column is a series"
    page.put(head, at, Spot(label_of(request.model, cell), style="header right"))
    unit = str(cell.type.unit) if cell.type.kind is Kind.NUMBER else cell.type.kind.value
    page.put(head + 1, at, Spot("" if unit == "1" else unit, style="unit"))
    for row, value in enumerate(series.data, head + 2):
        page.put(row, at, Spot(value, style="input", format=number_format(value, cell.type)))


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
        page.put(head, at, Spot(f"{label_of(request.model, cell)} (live)", style="header right"))
        for offset, value in enumerate(live.data):
            own = f"{letters(position)}{first + offset}"
            scenario = builder.places.get(f"cg.live.{number}.{offset}")
            formula = scenario or (f'IF({own}="","",{own})' if cell.may_be_na else own)
            shape = number_format(value, cell.type)
            page.put(first + offset, at, Spot(cached(value), formula, "calc", shape))
        builder.name(page, spelling.cells[number], first, at, last)
        where = place_text(table.decl.key.span)
        builder.list(
            spelling.cells[number],
            "live",
            ("", f"tables.{table.decl.name}.columns.{name}", "", where),
        )
        at += 1


def _rows_in_use(builder: Builder, page: Page, table: Table) -> None:
    """Find the row of each input that holds a key of the table, once."""
    request, spelling = builder.request, builder.spelling
    for (name, number), row_name in spelling.rows.items():
        if name != table.name:
            continue
        cell = request.model.cells[number]
        value = request.now.values[number]
        text = f"MATCH({ref(spelling.cells[number])},{ref(spelling.keys[name])},0)"
        if cell.may_be_na:
            text = f'IF({ref(spelling.cells[number])}="","",{text})'
        found = float(table.positions[value] + 1) if isinstance(value, str) else ""
        page.put(page.row, 1, Spot(f"row of {cell.name}", style="purpose"))
        page.put(page.row, 2, Spot(found, text, "calc", "0"))
        builder.name(page, row_name, page.row, 2)
        builder.list(row_name, "row", ("", "", "", ""))
        page.row += 1
