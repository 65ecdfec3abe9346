"""Pages that explain: units and factors, sources, and the map of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.excel.sheets.builder import note_cell
from calcgraph.excel.xlsx.pages import XlsxCell, ref
from calcgraph.excel.xlsx.styles import plain_format
from calcgraph.sheet.declarations import CalcDecl, InputDecl

if TYPE_CHECKING:
    from calcgraph.excel.formulas.translator import ConversionFactor
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Page
    from calcgraph.sheet.declarations import Provenance

STALE_DAYS = 365
LARGE = 10**15


def add_units(builder: Builder) -> None:
    """Write each conversion factor as a named constant, and what each unit of the model means."""
    purpose = "Factors used in formulas, each a named constant, and what every unit means."
    page = builder.page("Units", "Units", purpose, (34, 24, 18, 28, 56, 14))
    heads = ("Conversion factor", "Value", "Unit", "Name", "Why", "Used by")
    builder.heads(page, heads, "lrulnr")
    if builder.spelling.factors:
        builder.section(page, "Conversion factors", 6)
    for key, factor in builder.spelling.factors.items():
        _factor_row(builder, page, factor, builder.spelling.uses[key])
    builder.section(page, "Units of this model", 6)
    meanings = {unit.name: unit.meaning for unit in builder.request.model.book.listing()}
    for name in _atoms(builder):
        _unit_row(builder, page, name, meanings.get(name, ""))


def _factor_row(builder: Builder, page: Page, factor: ConversionFactor, uses: int) -> None:
    row, ratio = page.row, f"{factor.small}/{factor.big}"
    shape = "#,##0_)" if factor.value < LARGE else "0E+00_)"
    why = f"1 {factor.big} = {factor.value:,} {factor.small}"
    page.put(row, 1, XlsxCell(f"{factor.small} per {factor.big}"))
    page.put(row, 2, XlsxCell(float(factor.value), style="constant", format=shape))
    page.put(row, 3, XlsxCell(ratio, style="unit"))
    page.put(row, 4, XlsxCell(factor.name, style="key"))
    page.put(row, 5, XlsxCell(why, style="note"))
    page.put(row, 6, XlsxCell(f"{uses} formula{'' if uses == 1 else 's'}", style="unit right"))
    builder.name(page, factor.name, row, 2)
    builder.list(factor.name, "factor", (ratio, "", "", ""))
    page.row += 1


def _unit_row(builder: Builder, page: Page, name: str, meaning: str) -> None:
    atom = builder.request.model.book.atom(name)
    assert atom is not None, "the model's units are known"
    row, size = page.row, float(atom.scale)
    shown = XlsxCell(size if size != 1 else None, style="constant", format=plain_format(size))
    page.put(row, 1, XlsxCell(name))
    page.put(row, 2, shown)
    page.put(row, 3, XlsxCell(str(atom.dimension), style="unit"))
    page.put(row, 4, XlsxCell(style="key"))
    page.put(row, 5, XlsxCell(meaning or f"1 {name} = {size:,.15g} {atom.dimension}", style="note"))
    page.put(row, 6, XlsxCell(style="note"))
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
    page = builder.page("Sources", "Sources", purpose, (56, 13, 12, 16, 84, 10))
    builder.heads(page, ("Source", "Checked", "State", "Owner", "Address", "Used by"), "nrcnnr")
    page.put(page.row, 1, XlsxCell("Day to judge by", style="text"))
    page.put(page.row, 2, XlsxCell(None, style="what-if", format="yyyy-mm-dd"))
    builder.name(page, "cg.today", page.row, 2)
    page.row += 1
    builder.section(page, "Sources", 6)
    first = page.row
    for source, used in sources.items():
        row = page.row
        title, url, checked, owner = source
        page.put(row, 1, XlsxCell(title, style="note"))
        page.put(
            row,
            2,
            XlsxCell(_day(checked) if checked else None, style="constant", format="yyyy-mm-dd"),
        )
        today = ref("cg.today")
        age = f'IF({today}-B{row}>{STALE_DAYS},"STALE","fresh")'
        text = f'IF(OR({today}="",B{row}=""),"",{age})'
        page.put(row, 3, XlsxCell("", text, "status"))
        page.put(row, 4, XlsxCell(owner or None, style="note"))
        page.put(row, 5, note_cell(url, url))
        page.put(row, 6, XlsxCell(float(used), style="constant", format="0_)"))
        builder.grow(page, (title, 1, 9), (url, 5, 9))
        page.row += 1
    page.words.append(f"C{first}:C{page.row - 1}")


def _day(checked: str) -> float:
    from datetime import date

    from calcgraph.functions.kernels.scalar import from_date

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
    """Write every name: its place in the workbook, what it is, its place in the YAML."""
    purpose = "Every name in the workbook, and where it is written in the model."
    page = builder.page("Map", "Map", purpose, (38, 26, 12, 18, 44, 72, 16))
    builder.heads(
        page,
        ("Name", "Cell", "Kind", "Unit", "YAML path", "Formula, as written in the model", "YAML"),
        "lnnunln",
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
            page.put(row, column, XlsxCell(text or None, style=style))
        builder.grow(page, (entry.formula, 6, 9 * 1.1))
        page.row += 1
