"""The front page: scenario, master check, headline results, contents, how to send edits back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.excel.builder import cached
from calcgraph.excel.grid import Page, Rule, Spot, ref
from calcgraph.excel.request import BASE
from calcgraph.excel.style import kpi_format

if TYPE_CHECKING:
    from calcgraph.excel.builder import Builder
    from calcgraph.model import Cell

WIDTHS = (1, 34, 2, 34, 2, 34, 2, 34)
COLUMNS = (2, 4, 6, 8)
MOST = 8
SHORT = 30
LEGEND = (
    ("input", "an assumption: change it"),
    ("what-if", "a choice outside of the model"),
    ("calc", "a formula: leave it"),
    ("link", "the same value as elsewhere"),
    ("constant", "as exported, for comparison"),
)
HOW = (
    "Change blue cells; every result follows at once.",
    "Inputs says OK, CHANGED or OUT OF RANGE in each row.",
    "Send the file back under any name: your changes are read into the YAML.",
    "Keep rows and formulas as they are.",
)


def add_summary(builder: Builder, counts: tuple[int, int]) -> None:
    """Write the front page; ``counts`` are all formulas and the different ones."""
    request = builder.request
    page = Page("Summary", request.title, "", WIDTHS)
    page.freeze = "A5"
    builder.pages.insert(0, page)
    _head(builder, page)
    row = _headline(builder, page, 5)
    row = _contents(builder, page, row + 1)
    for column in COLUMNS:
        page.put(row, column, Spot("About" if column == COLUMNS[0] else None, style="section"))
    for at, text in enumerate(_about(builder, counts), row + 1):
        page.put(at, 2, Spot(text, style="purpose"))
    page.row = row + 6


def _head(builder: Builder, page: Page) -> None:
    request = builder.request
    head, _, rest = request.title.partition(" - ")
    style = "headline" if len(head) <= SHORT else "long headline"
    page.put(1, 2, Spot(head, style=style))
    purpose = rest or " ".join(request.description.split())
    page.put(2, 2, Spot(purpose[:88] + ("…" if len(purpose) > 88 else ""), style="purpose"))  # noqa: PLR2004
    page.put(1, 6, Spot("Scenario, choose here", style="kpi label"))
    page.put(1, 8, Spot("Master check", style="kpi label"))
    page.put(2, 6, Spot(request.scenario, style="selector"))
    builder.name(page, "cg.scenario", 2, 6)
    page.spots[2, 8] = Spot(request.status, ref("cg.status"), "kpi")
    page.words.append("H2")
    shown = f"{request.file} · {request.fingerprint[:12]}"
    exported = f" · exported {request.exported}" if request.exported else ""
    page.put(3, 2, Spot(shown + exported, style="kpi note"))
    state = ref("cg.input_state")
    page.put(3, 4, Spot("Inputs: as exported", state, "kpi note"))
    names = [BASE, *request.model.scenarios]
    if request.model.scenarios:
        page.rules.append(
            Rule("F2", "list", ref("cg.scenario_names"), prompt="the scenario the model reads")
        )
        notes = f"INDEX({ref('cg.scenario_notes')},{ref('cg.scenario_number')})"
        note = (
            "the model as written"
            if request.scenario == BASE
            else request.model.scenarios[request.scenario].note or "–"
        )
        page.put(3, 6, Spot(note, notes, "kpi note"))
    else:
        page.rules.append(
            Rule("F2", "list", f'"{names[0]}"', prompt="this model has no other scenario")
        )
    count = len(request.checks)
    text = f"{count} checks of the model  ›" if count else "Checks  ›"
    page.put(3, 8, Spot(text, style="go", link="Checks"))
    page.heights.update({1: 30, 2: 24})


def _headline(builder: Builder, page: Page, row: int) -> int:
    """Show the headline cells, four a line."""
    cells = [builder.request.model.cells[n] for n in dict.fromkeys(builder.request.model.outputs)]
    cells = [cell for cell in cells if cell.kind in {"calc", "input"}][: MOST * 2]
    for at, cell in enumerate(cells):
        _tile(builder, page, cell, (row + at // 4 * 4, COLUMNS[at % 4]))
    return row + (len(cells) + 3) // 4 * 4


def _tile(builder: Builder, page: Page, cell: Cell, place: tuple[int, int]) -> None:
    row, column = place
    request = builder.request
    value = request.now.values[cell.number]
    name = ref(builder.spelling.cells[cell.number])
    formula = f'IF({name}="","",{name})' if cell.may_be_na else name
    page.put(row, column, Spot(label_of(request.model, cell), style="kpi label"))
    shape = kpi_format(value, cell.type)
    page.put(row + 1, column, Spot(cached(value), formula, "kpi", shape))
    where = builder.page_of.get(cell.number)
    if where:
        page.put(
            row + 2, column, Spot(f"{cell.name}  ›", style="go", link=f"{where[0]}!B{where[1]}")
        )
    page.heights[row + 1] = 27


def _contents(builder: Builder, page: Page, row: int) -> int:
    """List the sheets in two columns, beside how to edit and what the colours mean."""
    page.put(row, 2, Spot("Contents", style="section"))
    page.put(row, 4, Spot(style="section"))
    page.put(row, 6, Spot("How to edit and send back", style="section"))
    page.put(row, 8, Spot("Colours", style="section"))
    others = [other for other in builder.pages if other.name != page.name]
    half = (len(others) + 1) // 2
    for at, other in enumerate(others):
        place = (row + 1 + at % half, 2 if at < half else 4)
        page.put(*place, Spot(f"{other.name}  ›", style="go", link=other.name))
    for at, text in enumerate(HOW, row + 1):
        page.put(at, 6, Spot(text, style="lesson"))
    for at, (style, text) in enumerate(LEGEND, row + 1):
        page.put(at, 8, Spot(text, style=style))
    for at in range(row + 1, row + 1 + max(half, len(HOW), len(LEGEND))):
        page.heights[at] = 26 if at <= row + len(HOW) else 16
    return row + max(half, len(HOW), len(LEGEND)) + 1


def _about(builder: Builder, counts: tuple[int, int]) -> list[str]:
    request = builder.request
    return [
        f"made by calcgraph from {request.file}; fingerprint {request.fingerprint}",
        f"{counts[0]:,} formulas, {counts[1]:,} of them different",
        "units were checked before export: a number stands in the unit beside it",
        "conversion factors are named constants on Units; names are listed on Map",
    ]
