"""Pages that explain: units and factors, sources, the map of names, and the machine's own data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.core.value import Series
from calcgraph.excel.builder import cached, is_number
from calcgraph.excel.grid import Spot, letters, ref
from calcgraph.excel.pages_scenarios import own_changes, touched
from calcgraph.excel.places import place_text, yaml_path
from calcgraph.render.numbers import exact_text
from calcgraph.sheet.declarations import CalcDecl, InputDecl

if TYPE_CHECKING:
    from calcgraph.core.value import Value
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Cached, Page
    from calcgraph.model import Cell
    from calcgraph.sheet.declarations import Provenance

STALE_DAYS = 365


def add_units(builder: Builder) -> None:
    """Write each conversion factor as a named constant, and what each unit of the model means."""
    purpose = "Factors used in formulas, each a named constant, and what every unit means."
    page = builder.page("Units", "Units", purpose, (42, 24, 18, 28, 56, 15))
    builder.heads(page, ("Conversion factor", "Value", "Unit", "Name", "Why", "Used by"), (2,))
    if builder.spelling.factors:
        builder.section(page, "Conversion factors", 6)
    for key, factor in builder.spelling.factors.items():
        row = page.row
        uses = builder.spelling.uses[key]
        why = f"1 {factor.big} = {factor.value:,} {factor.small}"
        page.put(row, 1, Spot(f"{factor.small} per {factor.big}"))
        page.put(
            row,
            2,
            Spot(
                float(factor.value),
                style="constant",
                format="#,##0_)" if factor.value < 1e15 else "0E+00_)",
            ),
        )
        page.put(row, 3, Spot(f"{factor.small}/{factor.big}", style="unit"))
        page.put(row, 4, Spot(factor.name, style="key"))
        page.put(row, 5, Spot(why, style="note"))
        page.put(row, 6, Spot(f"{uses} formula{'' if uses == 1 else 's'}", style="note"))
        builder.name(page, factor.name, row, 2)
        builder.list(factor.name, "factor", (f"{factor.small}/{factor.big}", "", "", ""))
        page.row += 1
    builder.section(page, "Units of this model", 6)
    meanings = {unit.name: unit for unit in builder.request.model.book.listing()}
    for name in _atoms(builder):
        atom = builder.request.model.book.atom(name)
        known = meanings.get(name)
        assert atom is not None, "the model's units are known"
        page.put(page.row, 1, Spot(name))
        size = f"{float(atom.scale):.15g}" if atom.scale != 1 else ""
        page.put(
            page.row,
            2,
            Spot(float(atom.scale) if size else None, style="constant", format="General"),
        )
        page.put(page.row, 3, Spot(str(atom.dimension), style="unit"))
        for column, style in ((4, "key"), (6, "note")):
            page.put(page.row, column, Spot(style=style))
        page.put(page.row, 5, Spot(known.meaning if known else None, style="note"))
        page.row += 1


def _atoms(builder: Builder) -> list[str]:
    found: dict[str, None] = {}
    for cell in builder.request.model.cells:
        if cell.kind in {"input", "column", "calc"}:
            found.update((atom.name, None) for atom, _ in cell.type.unit.atoms)
    return list(found)


def add_sources(builder: Builder) -> None:
    """Write each source once, with the day it was checked; a day typed in flags the old ones."""
    sources = _sources(builder)
    if not sources:
        return
    purpose = "Where figures come from. Type a day to see which were checked over a year before."
    page = builder.page("Sources", "Sources", purpose, (60, 15, 15, 18, 60, 12))
    builder.heads(page, ("Source", "Checked", "State", "Owner", "Address", "Used by"))
    page.put(page.row, 1, Spot("Day to judge by", style="text"))
    page.put(page.row, 2, Spot(None, style="what-if", format="yyyy-mm-dd"))
    builder.name(page, "cg.today", page.row, 2)
    page.row += 1
    builder.section(page, "Sources", 6)
    first = page.row
    for source, used in sources.items():
        row = page.row
        title, url, checked, owner = source
        page.put(row, 1, Spot(title, style="note"))
        page.put(
            row, 2, Spot(_day(checked) if checked else None, style="constant", format="yyyy-mm-dd")
        )
        text = f'IF(OR({ref("cg.today")}="",B{row}=""),"",IF({ref("cg.today")}-B{row}>{STALE_DAYS},"STALE","fresh"))'
        page.put(row, 3, Spot("", text, "status"))
        page.put(row, 4, Spot(owner or None, style="note"))
        page.put(row, 5, Spot(url or None, style="note", link=url))
        page.put(row, 6, Spot(float(used), style="constant", format="0"))
        builder.grow(page, (title, 1, 9), (url, 5, 9))
        page.row += 1
    page.words.append(f"C{first}:C{page.row - 1}")


def _day(checked: str) -> float:
    from datetime import date

    from calcgraph.functions.scalar import from_date

    return from_date(date.fromisoformat(checked if checked.count("-") == 2 else f"{checked}-01"))  # noqa: PLR2004


def _sources(builder: Builder) -> dict[tuple[str, str, str, str], int]:
    found: dict[tuple[str, str, str, str], int] = {}

    def use(source: Provenance | None) -> None:
        if source is not None and (source.title or source.url):
            key = (source.title, source.url, source.checked, source.owner)
            found[key] = found.get(key, 0) + 1

    for node in builder.request.model.graph.nodes:
        match node.decl:
            case InputDecl(about=about):
                use(about.source)
            case CalcDecl(about=about, expects=expects):
                use(about.source)
                for expectation in expects:
                    use(expectation.source)
            case _:
                pass
    for table in builder.request.model.graph.tables.values():
        use(table.decl.about.source)
        for row in table.decl.rows:
            use(row.about.source)
    return found


def add_map(builder: Builder) -> None:
    """Write every name: where it stands, what it is, where it is written."""
    purpose = "Every name in the workbook, and where it is written in the model."
    page = builder.page("Map", "Map", purpose, (38, 26, 12, 18, 44, 72, 16))
    builder.heads(
        page,
        ("Name", "Cell", "Kind", "Unit", "YAML path", "Formula, as written in the model", "YAML"),
    )
    for entry in builder.map:
        row = page.row
        facts = (
            entry.name,
            entry.place,
            entry.kind,
            entry.unit,
            entry.path,
            entry.formula,
            entry.yaml,
        )
        styles = ("key", "place", "note", "unit", "place", "formula", "place")
        for column, (text, style) in enumerate(zip(facts, styles, strict=True), 1):
            page.put(row, column, Spot(text or None, style=style))
        builder.grow(page, (entry.formula, 6, 9 * 1.1))
        page.row += 1


def add_base(builder: Builder) -> None:
    """Write what pull compares a returned workbook with, and the engine's values for parity."""
    request = builder.request
    widths = (34, 34, 24, 28, 20, 10, 44, 18, 24, 24, 10)
    page = builder.page("_Base", "_Base", "Machine data, do not edit.", widths)
    for column in (2, 4):
        page.spots.pop((3, column), None)
    heads = (
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
    )
    builder.heads(page, heads)
    facts = (
        ("fingerprint", request.fingerprint),
        ("sheet", request.file),
        ("version", "1"),
        ("scenario", request.scenario),
    )
    for key, text in facts:
        page.put(page.row, 1, Spot(key, style="place"))
        page.put(page.row, 3, Spot(text, style="place"))
        if key == "scenario":
            builder.name(page, "cg.exported_scenario", page.row, 3)
        page.row += 1
    for cell in request.model.cells:
        if cell.kind == "input":
            _base_row(builder, page, cell)
    first = page.row
    for cell in request.model.cells:
        if cell.kind == "calc":
            _parity_row(builder, page, cell)
    if page.row == first:
        page.put(page.row, 10, Spot(0.0, style="place"))
        page.put(page.row, 11, Spot(value=True, style="place"))
        page.row += 1
    builder.name(page, "cg.live_values", first, 10, page.row - 1)
    builder.name(page, "cg.parity", first, 11, page.row - 1)
    builder.places["cg.changes"] = _changes(builder, page)


def _base_row(builder: Builder, page: Page, cell: Cell) -> None:
    request = builder.request
    value = request.before.values[cell.number]
    node = request.model.graph.nodes[cell.number]
    name = builder.spelling.base.get(cell.number, builder.spelling.cells[cell.number])
    plain = value if isinstance(value, float | bool | str) else None
    facts: tuple[Cached, ...] = (
        cell.name, name, plain, exact_text(value, cell.type),
        str(cell.type.unit) if cell.type.kind is Kind.NUMBER else "", cell.type.kind.value,
        yaml_path(request.model, cell), place_text(node.decl.key.span),
    )  # fmt: skip
    for column, fact in enumerate(facts, 1):
        page.put(page.row, column, Spot(fact, style="place"))
    page.row += 1


def _parity_row(builder: Builder, page: Page, cell: Cell) -> None:
    """Hold the engine's value beside the live one."""
    row = page.row
    value = builder.request.now.values[cell.number]
    name = ref(builder.spelling.cells[cell.number])
    shown = cached(value)
    page.put(row, 1, Spot(cell.name, style="place"))
    page.put(row, 2, Spot(builder.spelling.cells[cell.number], style="place"))
    is_error = isinstance(shown, str) and shown.startswith("#")
    page.put(row, 9, Spot(shown if shown != "" else None, style="place"))
    page.put(
        row, 10, Spot(shown, name if not cell.may_be_na else f'IF({name}="","",{name})', "place")
    )
    if is_error:
        text = f"ISERROR(J{row})"
    elif is_number(cell.type) and shown != "":
        text = f"IF(ISNUMBER(J{row}),ABS(J{row}-I{row})<=1E-9*MAX(ABS(J{row}),ABS(I{row})),FALSE)"
    else:
        text = f'IF(ISERROR(J{row}),FALSE,EXACT(J{row}&"",I{row}&""))'
    page.put(row, 11, Spot(value=True, formula=text, style="place"))
    page.row += 1


def _changes(builder: Builder, page: Page) -> str:
    """Count what differs from the export: inputs, entries of tables, overrides of scenarios."""
    parts: list[str] = []
    inputs = next((p for p in builder.pages if p.name == "Inputs"), None)
    if inputs is not None:
        statuses = f"'Inputs'!$J$5:$J${inputs.row - 1}"
        parts.append(f'COUNTA({statuses})-COUNTIF({statuses},"OK")')
    page.row += 1
    for table in builder.request.model.graph.tables.values():
        parts.append(_copy_of_table(builder, page, table.columns))
    if builder.request.model.scenarios:
        parts.append(_copy_of_overrides(builder, page))
    return "+".join(part for part in parts if part) or "0"


def _copy_of_table(builder: Builder, page: Page, columns: dict[str, int]) -> str:
    """Copy a table's entries as exported, and compare the blocks cell by cell."""
    numbers = list(columns.values())
    first = page.row
    blocks: list[list[Value]] = []
    for number in numbers:
        series = builder.request.before.values[number]
        assert isinstance(series, Series), "a column is a series"
        blocks.append(list(series.data))
    for at, block in enumerate(blocks, 1):
        for row, value in enumerate(block, first):
            page.put(row, at, Spot(cached(value) if value is not None else None, style="place"))
    count = len(blocks[0]) if blocks else 0
    if not count:
        return ""
    page.row = first + count + 1
    names = [builder.spelling.base.get(n, builder.spelling.cells[n]) for n in numbers]
    start = builder.places[names[0]].split(":")[0]
    end = builder.places[names[-1]].split(":")[1]
    mine = f"$A${first}:${letters(len(numbers))}${first + count - 1}"
    return f"SUMPRODUCT(--({start}:{end}<>'{page.name}'!{mine}))"


def _copy_of_overrides(builder: Builder, page: Page) -> str:
    """Copy the overrides as exported, and compare them cell by cell."""
    spots = touched(builder.request)
    own = own_changes(builder.request)
    names = list(builder.request.model.scenarios)
    if not spots:
        return ""
    first = page.row
    for row, spot in enumerate(spots, first):
        for at, name in enumerate(names, 1):
            value: Cached = own[name].get(spot)
            if spot in own[name] and value is None:
                value = "n/a"
            page.put(row, at, Spot(value, style="place"))
    page.row = first + len(spots) + 1
    scenarios = next(p for p in builder.pages if p.name == "Scenarios")
    top, last = 7, 6 + len(spots)
    theirs = f"'{scenarios.name}'!$F${top}:${letters(5 + len(names))}${last}"
    mine = f"'{page.name}'!$A${first}:${letters(len(names))}${first + len(spots) - 1}"
    return f"SUMPRODUCT(--({theirs}<>{mine}))"
