"""The front page: scenario, master check, headline results, contents, how to send edits back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.core.values import Kind
from calcgraph.excel.layout.blocks import NOWHERE, block_reference
from calcgraph.excel.sheets.builder import cached, is_number, shape_of
from calcgraph.excel.sheets.chart_sheets import put_on_summary
from calcgraph.excel.xlsx.pages import Page, Rule, XlsxCell, letters, ref
from calcgraph.excel.xlsx.styles import KPI_SCALES, LARGE, SMALL, kpi_format
from calcgraph.model import BASE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Value
    from calcgraph.excel.sheets.builder import Builder
    from calcgraph.excel.xlsx.pages import Plot
    from calcgraph.model import Cell

WIDTHS = (1, 34, 2, 34, 2, 34, 2, 34)
COLUMNS = (2, 4, 6, 8)
MOST = 16
SHORT, LINE, LARGE_TEXT = 30, 88, 16
LEGEND = (
    ("input", "an assumption: change it"),
    ("what-if", "a choice outside of the model"),
    ("calc", "a formula: leave it"),
    ("link", "the same value as elsewhere"),
    ("constant", "as exported, for comparison"),
)
HOW = (
    "Change blue cells; every result follows at once.",
    "Inputs says of each row: OK, CHANGED,",
    "OUT OF RANGE or NOT A NUMBER.",
    "Choose a scenario at the top of this page.",
    "Keep rows and formulas as they are.",
    "To propose changes, send the file back:",
    "its blue cells hold all of them.",
)
AS_WRITTEN = "the model as written"


def add_summary(builder: Builder, counts: tuple[int, int], plots: Sequence[Plot]) -> None:
    """Write the front page; ``counts`` are all formulas and the different ones."""
    request = builder.request
    page = Page("Summary", request.title, "", WIDTHS)
    page.freeze = "A4"
    builder.pages.insert(0, page)
    _head(builder, page)
    row = _headline(builder, page, 5)
    row = put_on_summary(page, plots, row)
    row = _contents(builder, page, row)
    for column in range(COLUMNS[0], COLUMNS[-1] + 1):
        page.put(row, column, XlsxCell("About" if column == COLUMNS[0] else None, style="section"))
    page.heights[row] = 21
    for at, text in enumerate(_about(builder, counts), row + 1):
        page.put(at, 2, XlsxCell(text, style="caption"))
        page.heights[at] = 14


def _head(builder: Builder, page: Page) -> None:
    request = builder.request
    head, _, rest = request.title.partition(" - ")
    page.put(1, 2, XlsxCell(head, style="headline" if len(head) <= SHORT else "long headline"))
    purpose = rest or " ".join(request.description.split())
    purpose = purpose[:1].upper() + purpose[1:]
    page.put(
        2, 2, XlsxCell(purpose if len(purpose) <= LINE else f"{purpose[:LINE]}…", style="purpose")
    )
    exported = f" · exported {request.exported}" if request.exported else ""
    stamp = f"{request.file} · {request.fingerprint[:12]}{exported}"
    page.put(3, 2, XlsxCell(stamp, style="caption"))
    page.put(3, 4, XlsxCell("Inputs: as exported", ref("cg.input_state"), "caption"))
    page.put(1, 6, XlsxCell("Scenario, choose here", style="caption"))
    page.put(1, 8, XlsxCell("Master check", style="caption"))
    page.put(2, 8, XlsxCell(request.status, ref("cg.status"), "master"))
    page.words.append("H2")
    count = len(request.checks)
    words = f"{count} check{'' if count == 1 else 's'} of the model  ›" if count else "Checks  ›"
    page.put(3, 8, XlsxCell(words, style="go", link="Checks"))
    _selector(builder, page)
    page.heights.update({1: 30, 2: 24, 3: 18, 4: 8})


def _selector(builder: Builder, page: Page) -> None:
    request = builder.request
    page.put(2, 6, XlsxCell(request.scenario, style="selector"))
    builder.name(page, "cg.scenario", 2, 6)
    if not request.model.scenarios:
        prompt = "this model has no other scenario"
        page.rules.append(Rule("F2", "list", f'"{BASE}"', prompt=prompt))
        return
    prompt = "the scenario the model reads"
    page.rules.append(Rule("F2", "list", ref("cg.scenario_names"), prompt=prompt))
    scenario = request.model.scenarios.get(request.scenario)
    note = (scenario.note or "–") if scenario else AS_WRITTEN
    notes = f"INDEX({ref('cg.scenario_notes')},{ref('cg.scenario_number')})"
    page.put(3, 6, XlsxCell(note, notes, "caption"))


def _headline(builder: Builder, page: Page, row: int) -> int:
    """Show the headline cells, four a line."""
    cells = [builder.request.model.cells[n] for n in dict.fromkeys(builder.request.model.outputs)]
    cells = [cell for cell in cells if cell.kind in {"calc", "input"}][:MOST]
    for at, cell in enumerate(cells):
        _tile(builder, page, cell, (row + at // 4 * 4, COLUMNS[at % 4]))
    return row + (len(cells) + 3) // 4 * 4


def _tile(builder: Builder, page: Page, cell: Cell, place: tuple[int, int]) -> None:
    """Show a label, a value with its unit, and what became of it since the export."""
    if cell.type.dims:
        _series_tile(builder, page, cell, place)
        return
    row, column = place
    request = builder.request
    value = request.now.values[cell.number]
    name = ref(builder.spelling.cells[cell.number])
    formula = f'IF({name}="","",{name})' if cell.may_be_na else name
    where = builder.page_of.get(cell.number)
    label = label_of(request.model, cell)
    shown = f"{label}  ›" if where else label
    link = f"{where[0]}!B{where[1]}" if where else ""
    page.put(row, column, XlsxCell(shown, style="kpi label", link=link))
    is_long = isinstance(value, str) and len(value) > LARGE_TEXT
    look = "kpi text" if is_long else "kpi"
    page.put(
        row + 1, column, XlsxCell(cached(value), formula, look, kpi_shape(builder, value, cell))
    )
    was = builder.was.get(cell.number)
    if was and isinstance(value, float | str) and cell.type.kind is not Kind.DATE:
        page.put(row + 2, column, XlsxCell("", _since(name, was, value, cell), "kpi note"))
    page.heights.update({row: 18, row + 1: 26, row + 2: 15, row + 3: 8})


def _series_tile(builder: Builder, page: Page, cell: Cell, place: tuple[int, int]) -> None:
    """Show the last value along time; of other series how many there are; both lead to them."""
    (row, column), model = place, builder.request.model
    block, where = builder.spelling.blocks[cell.number], builder.page_of[cell.number]
    dims = [model.dim(name) for name in cell.type.dims]
    link = f"{where[0]}!{letters(block.column)}{where[1]}"
    label = label_of(model, cell)
    page.put(row, column, XlsxCell(f"{label}  ›", style="kpi label", link=link))
    count = len(block.values)
    counted = f"{count:,} value{'' if count == 1 else 's'} by {', '.join(d.name for d in dims)}"
    if len(dims) == 1 and dims[0].kind == "time":
        mark = block_reference(NOWHERE, cell.number, f"#{block.height - 1}", f"#{block.width - 1}")
        formula = f'IF({mark}="","",{mark})' if cell.may_be_na else mark
        shape = kpi_shape(builder, block.values[-1], cell)
        page.put(row + 1, column, XlsxCell(cached(block.values[-1]), formula, "kpi", shape))
        page.put(
            row + 2, column, XlsxCell(f"in {dims[0].labels[-1]}, of {counted}", style="kpi note")
        )
    else:
        page.put(row + 1, column, XlsxCell(counted, style="kpi note"))
    page.heights.update({row: 18, row + 1: 26, row + 2: 15, row + 3: 8})


def kpi_shape(builder: Builder, value: Value, cell: Cell) -> str:
    """Choose the format of a headline value; what is not applicable says so."""
    shape = shape_of(builder.request.model, value, cell.type, kpi_format).removesuffix("_)")
    if not cell.may_be_na or not is_number(cell.type) or ";" in shape:
        return shape
    return f'{shape};-{shape};{shape};"n/a"'


def _since(name: str, was: str, value: float | str, cell: Cell) -> str:
    """Show a value at the export, and by how much it differs now, where it can differ."""
    scenario, exported = ref("cg.scenario"), ref("cg.exported_scenario")
    changed = ref("cg.inputs_changed")
    word = f'IF({changed}>0,"exported",{exported})&" "'
    text = f"{word}&{was}"
    if isinstance(value, float):
        text = f"{word}&{_fixed(was, value, cell)}"
        if value:
            share = f'IF({name}<{was},"","+")&FIXED(({name}/{was}-1)*100,1)&"%"'
            text += f'&IF(ISNUMBER({name}),",  "&{share},"")'
    return f'IF(AND({scenario}={exported},{changed}=0),"",IFERROR({text},""))'


def _fixed(was: str, value: float, cell: Cell) -> str:
    """Write an exported value as its tile does, without the unit."""
    if cell.type.unit.percent:
        return f'FIXED({was}*100,1)&"%"'
    for letter, scale, _ in KPI_SCALES:
        if scale <= abs(value) < scale * 1e5:
            return f'FIXED({was}/1E+{len(str(int(scale))) - 1},2)&" {letter}"'
    size = abs(value)
    if size >= LARGE or 0 < size < SMALL:
        return f"{was}"
    decimals = 0 if value == round(value) else max(3 - math.floor(math.log10(size)), 0)
    return f"FIXED({was},{decimals})"


def _contents(builder: Builder, page: Page, row: int) -> int:
    """List the sheets in two columns, beside how to edit and what the colours mean."""
    titles = {2: "Contents", 6: "How to edit and send back", 8: "Colours"}
    for column in range(COLUMNS[0], COLUMNS[-1] + 1):
        page.put(row, column, XlsxCell(titles.get(column), style="section"))
    page.heights[row] = 21
    others = [other for other in builder.pages if other.name != page.name]
    half = (len(others) + 1) // 2
    for at, other in enumerate(others):
        place = (row + 1 + at % half, 2 if at < half else 4)
        page.put(*place, XlsxCell(f"{other.name}  ›", style="go", link=other.name))
    for at, text in enumerate(HOW, row + 1):
        page.put(at, 6, XlsxCell(text, style="lesson"))
    for at, (style, text) in enumerate(LEGEND, row + 1):
        page.put(at, 8, XlsxCell(text, style=style, align="left"))
    end = row + 1 + max(half, len(HOW), len(LEGEND))
    page.heights.update(dict.fromkeys(range(row + 1, end), 15))
    return end


def _about(builder: Builder, counts: tuple[int, int]) -> list[str]:
    request = builder.request
    return [
        f"Made by calcgraph from {request.file}; fingerprint {request.fingerprint}.",
        f"{counts[0]:,} formulas, {counts[1]:,} of them different; every name is listed on Map.",
        "Units were checked before the export; each number is in the unit next to it.",
    ]
