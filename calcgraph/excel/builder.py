"""Pages being filled, the names that places get, and what all pages have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.core.value import Failure
from calcgraph.excel.grid import Page, XlsxCell, ref
from calcgraph.excel.names import SheetNames
from calcgraph.excel.style import wrapped_height
from calcgraph.excel.texts import is_web

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.type import Type
    from calcgraph.core.value import Value
    from calcgraph.excel.blocks import Block
    from calcgraph.excel.grid import Cached
    from calcgraph.excel.request import Request
    from calcgraph.excel.spelling import Spelling
    from calcgraph.model import Cell

HEAD = 4
LISTED = {"input", "calc"}
HEADERS = {
    "l": "header",
    "r": "header right",
    "u": "header unit",
    "n": "header note",
    "c": "header center",
}
ERRORS = {"div0": "#DIV/0!", "overflow": "#NUM!", "domain": "#NUM!", "key": "#N/A"}


@dataclass(frozen=True, slots=True)
class MapRow:
    """One line of the map: a name, where it stands, what it is."""

    name: str
    place: str
    kind: str
    unit: str
    path: str
    formula: str
    yaml: str


@dataclass(slots=True)
class Builder:
    """A workbook being put together."""

    request: Request
    spelling: Spelling
    sheet_names: SheetNames = field(default_factory=SheetNames)
    pages: list[Page] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    map: list[MapRow] = field(default_factory=list)
    page_of: dict[int, tuple[str, int]] = field(default_factory=dict)
    was: dict[int, str] = field(default_factory=dict)
    lists: dict[str, Cell] = field(default_factory=dict)
    pill: str = field(init=False)

    def __post_init__(self) -> None:
        """Judge all checks once: every page says what came of them."""
        self.pill = self.request.pill

    def page(self, name: str, title: str, purpose: str, widths: tuple[float, ...]) -> Page:
        """Start a page with its frame: title, purpose, the way back, the state of the model.

        ``name`` is one of our own sheets', or one that was taken.
        """
        page = Page(name, title, purpose, widths)
        page.put(1, 1, XlsxCell(title, style="title"))
        page.put(2, 1, XlsxCell(purpose, style="purpose"))
        page.put(3, 1, XlsxCell("‹ Summary", style="go", link="Summary"))
        page.put(3, 2, XlsxCell(self.pill, ref("cg.pill"), "pill"))
        state = f'"Scenario: "&{ref("cg.scenario")}&"  ·  "&{ref("cg.input_state")}'
        shown = f"Scenario: {self.request.scenario}  ·  Inputs: as exported"
        page.put(3, 4, XlsxCell(shown, state, "purpose"))
        page.heights[1], page.heights[HEAD] = 24, 27
        page.row = HEAD + 1
        self.pages.append(page)
        return page

    def heads(self, page: Page, heads: tuple[str, ...], kinds: str) -> None:
        """Write the header row; ``kinds`` has a letter for each column, as in ``HEADERS``."""
        for at, (text, kind) in enumerate(zip(heads, kinds, strict=True), 1):
            page.put(HEAD, at, XlsxCell(text, style=HEADERS[kind]))

    def section(self, page: Page, text: str, columns: int) -> None:
        """Write a section's heading across the page."""
        for column in range(1, columns + 1):
            page.put(page.row, column, XlsxCell(text if column == 1 else None, style="section"))
        page.heights[page.row] = 21
        page.row += 1

    def grow(self, page: Page, *texts: tuple[str, int, float]) -> None:
        """Make the current row as high as its wrapped texts need: text, column, size."""
        need = 16.0
        for text, column, size in texts:
            mono = size == 9 and column == 5  # noqa: PLR2004 - the column of formulas
            need = max(need, wrapped_height(text, page.widths[column - 1], size, mono=mono))
        page.heights[page.row] = min(need, 400.0)

    def name(self, page: Page, name: str, row: int, column: int, last: int = 0) -> None:
        """Give a cell, or the cells down to ``last``, a name."""
        place = page.at(row, column, sheet=True)
        if last:
            place += f":{page.at(last, column)}"
        self.places[name] = place

    def choices(self, cell: Cell) -> str:
        """Name the list of what an input may be; it is written with the machine's data."""
        name = f"cg.choices.{cell.name}"
        self.lists[name] = cell
        return name

    def list(self, name: str, kind: str, facts: tuple[str, str, str, str]) -> None:
        """Put a name on the map: unit, path in the YAML, formula, file and line."""
        unit, path, formula, yaml = facts
        place = self.places[name].replace("$", "").replace("'", "")
        self.map.append(MapRow(name, place, kind, unit, path, formula, yaml))


def cached(value: Value) -> Cached:
    """Give what Excel shows: a number, a truth, a text, an error; nothing as an empty text."""
    if isinstance(value, Failure):
        return ERRORS[value.kind]
    if value is None:
        return ""
    assert isinstance(value, float | bool | str), "series are not cached as one value"
    return value


def note_cell(text: str, url: str = "") -> XlsxCell:
    """Give a note, which is a link where it comes with an address of the web."""
    return XlsxCell(text or None, style="linked note" if text and is_web(url) else "note", url=url)


def key_width(builder: Builder, blocks: Sequence[Block] = ()) -> float:
    """Give the width that the longest key needs, with the labels of rows of blocks."""
    model = builder.request.model
    lengths = [len(cell.name) for cell in model.cells if cell.kind in LISTED]
    for block in blocks:
        labels = [max(map(len, model.dim(dim).labels)) + 2 for dim in block.frame.rows]
        if block.number < len(model.cells):
            lengths.append(len(model.cells[block.number].name) + sum(labels))
    return min(max(max(lengths, default=0) * 0.98 + 2, 14), 40)


def unit_text(type_: Type) -> str:
    """Give what stands in the column of units: nothing beside texts, shares and pure numbers."""
    unit = type_.unit
    if type_.kind is not Kind.NUMBER or unit.percent or str(unit) == "1":
        return ""
    return str(unit)


def is_number(type_: Type) -> bool:
    """Whether a value is kept as a number: dates are, in Excel."""
    return type_.kind in {Kind.NUMBER, Kind.DATE}
