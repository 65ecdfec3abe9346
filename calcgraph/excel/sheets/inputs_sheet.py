"""The Inputs sheet, with choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import Kind, Series
from calcgraph.excel.formulas.pieces import literal, number_text
from calcgraph.excel.sheets.builder import (
    cached,
    is_number,
    key_width,
    note_cell,
    place_text,
    shape_of,
    unit_text,
    yaml_path,
)
from calcgraph.excel.xlsx.pages import Rule, XlsxCell, ref
from calcgraph.excel.xlsx.styles import constant_format, input_format
from calcgraph.sheet.declarations import InputDecl

if TYPE_CHECKING:
    from calcgraph.core.values import Value
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Page
    from calcgraph.model import Cell


TRUTHS = "cg.choices.truth"
FARTHEST = "1E+300"
LONGEST_PROMPT = 250


def input_rule(builder: Builder, cell: Cell, place: str) -> Rule | None:
    """Make Excel reject what the engine would reject."""
    prompt = _prompt(builder, cell)
    if cell.bounds.choices and cell.type.table not in builder.spelling.keys:
        return Rule(place, "list", ref(builder.choices(cell)), prompt=prompt)
    least, most = cell.bounds.least, cell.bounds.most
    low = number_text(least) if least is not None else f"-{FARTHEST}"
    high = number_text(most) if most is not None else FARTHEST
    return _rule(builder, cell, place, (low, high, prompt))


def column_rule(builder: Builder, cell: Cell, place: str) -> Rule | None:
    """Make Excel reject values of another type than the table's column."""
    return _rule(builder, cell, place, (f"-{FARTHEST}", FARTHEST, ""))


def _rule(builder: Builder, cell: Cell, place: str, facts: tuple[str, str, str]) -> Rule | None:
    low, high, prompt = facts
    if cell.type.table in builder.spelling.keys:
        return Rule(place, "list", ref(builder.spelling.keys[cell.type.table]), prompt=prompt)
    if cell.type.kind is Kind.TRUTH:
        return Rule(place, "list", ref(TRUTHS), prompt=prompt)
    if is_number(cell.type):
        return Rule(place, "decimal", low, high, prompt)
    return None


def _prompt(builder: Builder, cell: Cell) -> str:
    decl = builder.request.model.graph.nodes[cell.number].decl
    assert isinstance(decl, InputDecl), "inputs are declared as such"
    unit, source = unit_text(cell.type), decl.about.source
    parts = [
        f"in {unit}" if unit else "",
        decl.about.note,
        f"source: {source.title}" if source and source.title else "",
    ]
    text = "; ".join(part for part in parts if part)
    return text if len(text) <= LONGEST_PROMPT else f"{text[:LONGEST_PROMPT]}…"


def add_choices(builder: Builder, page: Page) -> None:
    """Write the choices, a row an input: lists within rules are short and depend on the language.

    A list of Excel refers to these rows; so a truth is a truth and a number a number everywhere.
    """
    rows = {TRUTHS: (True, False)} | {
        name: cell.bounds.choices for name, cell in builder.lists.items()
    }
    for name, choices in rows.items():
        page.put(page.row, 1, XlsxCell(name, style="place"))
        for at, choice in enumerate(choices, 2):
            page.put(page.row, at, XlsxCell(choice, style="place"))
        first = page.at(page.row, 2, sheet=True)
        builder.places[name] = f"{first}:{page.at(page.row, 1 + len(choices))}"
        page.row += 1


INPUT_WIDTHS = (36, 16, 15, 14, 11, 12, 14, 9, 15, 48, 34, 15)
KINDS = "lrulrrrrrcnnn"
INPUT_HEADS = (
    "Assumption", "Value", "Unit", "Key", "In use", "Lowest allowed", "Highest allowed",
    "As exported", "Change", "Status", "Note", "Source", "YAML",
)  # fmt: skip


def add_inputs(builder: Builder) -> None:
    """Write one row an input: value, bounds, what was exported, whether it is sound."""
    model = builder.request.model
    groups: dict[str, list[Cell]] = {}
    for cell in model.cells:
        decl = model.graph.nodes[cell.number].decl
        if cell.kind == "input" and isinstance(decl, InputDecl) and not cell.type.dims:
            prefix = cell.name.rpartition(".")[0]
            groups.setdefault(" ".join(p for p in (prefix, decl.heading) if p), []).append(cell)
    if not groups:
        return
    purpose = "Every assumption. Blue on yellow may be changed; the model follows at once."
    widths = (*INPUT_WIDTHS[:3], key_width(builder), *INPUT_WIDTHS[3:])
    page = builder.page("Inputs", "Inputs", purpose, widths)
    page.freeze = "D5"
    builder.heads(page, INPUT_HEADS, KINDS)
    for heading, cells in groups.items():
        builder.section(page, heading or "Inputs", len(INPUT_HEADS))
        for cell in cells:
            _input_row(builder, page, cell)
    page.words.append(f"J5:J{page.row}")
    page.marks.append((f"E5:E{page.row}", 'AND(E5<>"",E5<>B5)'))


def _input_row(builder: Builder, page: Page, cell: Cell) -> None:
    request, spelling = builder.request, builder.spelling
    decl = request.model.graph.nodes[cell.number].decl
    assert isinstance(decl, InputDecl), "inputs are declared as such"
    row, value = page.row, request.before.values[cell.number]
    shape = shape_of(request.model, value, cell.type, input_format)
    unit = unit_text(cell.type)
    source = decl.about.source
    page.put(row, 1, XlsxCell(label_of(request.model, cell)))
    page.put(row, 2, XlsxCell(_plain(value), style="input", format=shape))
    page.put(row, 3, XlsxCell(unit or None, style="unit"))
    page.put(row, 4, XlsxCell(cell.name, style="key"))
    name = spelling.cells[cell.number]
    if cell.number in spelling.live:
        live = request.now.values[cell.number]
        guard = f'IF({ref(name)}="","",{ref(name)})' if cell.may_be_na else ref(name)
        page.put(row, 5, XlsxCell(cached(live), guard, "link", shape))
    else:
        page.put(row, 5, XlsxCell(style="link"))
    for at, bound in ((6, cell.bounds.least), (7, cell.bounds.most)):
        page.put(
            row, at, XlsxCell(bound, style="constant", format=constant_format(bound, cell.type))
        )
    page.put(row, 8, XlsxCell(_plain(value), style="constant", format=shape))
    page.put(row, 9, _change(cell, value, row))
    page.put(row, 10, XlsxCell("OK", _status(builder, cell, row), "status"))
    page.put(row, 11, XlsxCell(decl.about.note or None, style="note"))
    page.put(row, 12, note_cell(source.title, source.url) if source else XlsxCell(style="note"))
    page.put(row, 13, XlsxCell(place_text(decl.key.span), style="place"))
    rule = input_rule(builder, cell, f"B{row}")
    if rule:
        page.rules.append(rule)
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


def _change(cell: Cell, value: Value, row: int) -> XlsxCell:
    if not is_number(cell.type) or cell.type.kind is Kind.DATE:
        return XlsxCell(style="constant")
    formula = f'IF(AND(ISNUMBER(B{row}),ISNUMBER(H{row})),IF(H{row}=0,0,B{row}/H{row}-1),"")'
    return XlsxCell(0.0 if isinstance(value, float) else "", formula, "constant", '+0.0%;-0.0%;"–"')


def _status(builder: Builder, cell: Cell, row: int) -> str:
    """Show in the workbook whether an input is valid, and whether it was changed."""
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
