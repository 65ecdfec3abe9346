"""What every sheet needs: the request, positions, descriptions."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from calcgraph.analysis.descriptions import label_of
from calcgraph.analysis.explain import formula_text
from calcgraph.analysis.results import check_results, figure_results
from calcgraph.core.values import NUMBER, Failure, Kind, Type, visible_dim
from calcgraph.excel.layout.defined_names import SheetNames
from calcgraph.excel.xlsx.pages import Page, XlsxCell, ref
from calcgraph.excel.xlsx.styles import PERIOD, TEXT_FORMAT, number_format, wrapped_height
from calcgraph.excel.xlsx.writer import is_web
from calcgraph.model import BASE, Load
from calcgraph.sheet.declarations import CalcDecl, CheckDecl, InputDecl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.core.source import Span
    from calcgraph.core.values import Dim, Value
    from calcgraph.engine import Evaluation
    from calcgraph.excel.formulas.translator import FormulaTranslator
    from calcgraph.excel.layout.blocks import Block
    from calcgraph.excel.xlsx.pages import Cached
    from calcgraph.model import Cell, Change, Model
    from calcgraph.sheet.declarations import Provenance

    Choose: TypeAlias = Callable[[Value, Type], str]


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
    """One line of the map: a name, its place, what it is."""

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
    spelling: FormulaTranslator
    sheet_names: SheetNames = field(default_factory=SheetNames)
    pages: list[Page] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    map: list[MapRow] = field(default_factory=list)
    page_of: dict[int, tuple[str, int]] = field(default_factory=dict)
    was: dict[int, str] = field(default_factory=dict)
    lists: dict[str, Cell] = field(default_factory=dict)
    pill: str = field(init=False)

    def __post_init__(self) -> None:
        """Evaluate all checks once: every page shows the outcome."""
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
        """Name a cell, or the cells down to ``last``."""
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
        """Add a name to the map: unit, path in the YAML, formula, file and line."""
        unit, path, formula, yaml = facts
        place = self.places[name].replace("$", "").replace("'", "")
        self.map.append(MapRow(name, place, kind, unit, path, formula, yaml))


def cached(value: Value) -> Cached:
    """Return what Excel shows: a number, truth value, text or error; nothing as an empty text."""
    if isinstance(value, Failure):
        return ERRORS[value.kind]
    if value is None:
        return ""
    assert isinstance(value, float | bool | str), "series are not cached as one value"
    return value


def note_cell(text: str, url: str = "") -> XlsxCell:
    """Return a note's cell, which is a link where the note has a web address."""
    return XlsxCell(text or None, style="linked note" if text and is_web(url) else "note", url=url)


def key_width(builder: Builder, blocks: Sequence[Block] = ()) -> float:
    """Return the width that the longest key needs, including the labels of rows of blocks."""
    model = builder.request.model
    lengths = [len(cell.name) for cell in model.cells if cell.kind in LISTED]
    for block in blocks:
        labels = [max(map(len, model.dim(dim).labels)) + 2 for dim in block.frame.rows]
        if block.number < len(model.cells):
            lengths.append(len(model.cells[block.number].name) + sum(labels))
    return min(max(max(lengths, default=0) * 0.98 + 2, 14), 40)


def unit_text(type_: Type) -> str:
    """Return the text of the unit column: empty for texts, shares and pure numbers."""
    unit = type_.unit
    if type_.kind is not Kind.NUMBER or unit.percent or str(unit) == "1":
        return ""
    return str(unit)


def is_number(type_: Type) -> bool:
    """Whether a value is kept as a number: dates are, in Excel."""
    return type_.kind in {Kind.NUMBER, Kind.DATE}


@dataclass(frozen=True, slots=True)
class Request:
    """An export.

    ``before`` is the sheet with what was set but without its scenario, ``now`` with both;
    ``settings`` are the changes that were set. ``exported`` is a day, or empty.
    """

    name: str
    file: str
    title: str
    description: str
    before: Evaluation
    now: Evaluation
    scenario: str
    settings: tuple[Change, ...]
    fingerprint: str
    exported: str = ""

    @property
    def model(self) -> Model:
        """The checked model."""
        return self.now.plan.model

    @property
    def checks(self) -> list[CheckResult]:
        """What became of the checks."""
        return check_results(self.now)

    @property
    def figures(self) -> list[FigureResult]:
        """What became of the expected figures."""
        return figure_results(self.now)

    @property
    def failing(self) -> int:
        """How many checks of severity error do not hold, and figures that do not agree.

        Figures speak of the model as written: under a scenario they are not judged.
        """
        figures = self.figures if self.scenario == BASE else []
        return sum(c.fails for c in self.checks) + sum(f.fails for f in figures)

    @property
    def warning(self) -> int:
        """How many warnings there are."""
        return sum(check.ok is False and not check.is_error for check in self.checks)

    @property
    def pill(self) -> str:
        """What every page says about the checks."""
        if self.failing:
            return f"{self.failing} ERROR{'' if self.failing == 1 else 'S'}"
        if self.warning:
            return f"{self.warning} WARNING{'' if self.warning == 1 else 'S'}"
        return "Checks OK"

    @property
    def status(self) -> str:
        """The master check."""
        if self.failing:
            return self.pill
        return f"OK, {self.pill}" if self.warning else "OK"


def place_text(span: Span) -> str:
    """Return file and line: ``llama70b:91``."""
    line = span.source.position(span.start)[0]
    return f"{PurePosixPath(span.source.name).stem}:{line}"


def yaml_path(model: Model, cell: Cell) -> str:
    """Return the path of a cell in its file: ``inputs.Cluster.gpus``."""
    decl = model.graph.nodes[cell.number].decl
    if not isinstance(decl, InputDecl | CalcDecl):
        return ""
    section = "inputs" if isinstance(decl, InputDecl) else "calc"
    return ".".join(part for part in (section, decl.heading, decl.name) if part)


def source_key(source: Provenance) -> str:
    """Return a source on one line."""
    checked = f", checked {source.checked}" if source.checked else ""
    return f"{source.title}{checked}"


def note_text(decl: CalcDecl) -> str:
    """Return a result's note and source on one line."""
    source = decl.about.source.title if decl.about.source else ""
    return "; ".join(part for part in (decl.about.note, source and f"source: {source}") if part)


DAY = "yyyy-mm-dd"


@dataclass(frozen=True, slots=True)
class BlockText:
    """The texts beside the values of a block; ``type`` is the type of the values."""

    label: str
    key: str
    type: Type
    written: str = ""
    note: str = ""
    place: str = ""
    path: str = ""

    @property
    def unit(self) -> str:
        """The unit, as the column of units shows it."""
        return unit_text(self.type)


def block_text(builder: Builder, block: Block) -> BlockText:
    """Describe a block: as its cell, or as what it helps with."""
    model = builder.request.model
    if block.number >= len(model.cells):
        return BlockText(block.label, "", _type_of(builder, block))
    cell = model.cells[block.number]
    node = model.graph.nodes[cell.number]
    place = place_text(node.decl.key.span)
    if isinstance(node.decl, CheckDecl):
        name = node.decl.name
        label = {"check": name, "message": f"{name}: what is wrong"}.get(cell.kind, f"{name}, part")
        return BlockText(label, "", cell.type, place=place)
    label, written = label_of(model, cell), ""
    if isinstance(node.decl, CalcDecl) and cell.kind == "calc":
        written = formula_text(node).split(" -> ")[0]
        path = yaml_path(model, cell)
        return BlockText(label, cell.name, cell.type, written, note_text(node.decl), place, path)
    owner = model.cells[cell.owner] if cell.kind == "helper" else cell
    label = f"part of {label_of(model, owner)}" if cell.kind == "helper" else label
    return BlockText(label, cell.name, cell.type, place=place)


def _type_of(builder: Builder, block: Block) -> Type:
    if isinstance(block.op, Load) and not block.is_position:
        return builder.request.model.cells[block.op.cell].type
    return NUMBER


def entry_text(model: Model, dims: Sequence[str], position: int) -> str:
    """Return the labels of one value of a block: ``us, 2026-07``."""
    found: list[str] = []
    for dim in reversed(dims):
        position, at = divmod(position, model.dim(dim).size)
        found.append(model.dim(dim).labels[at])
    return ", ".join(reversed(found))


def shape_of(model: Model, value: Value, type_: Type, choose: Choose = number_format) -> str:
    """Choose the format of a value: periods look like their labels, anything else as chosen."""
    if type_.kind is Kind.DATE and type_.table:
        dim = model.graph.dims.get(visible_dim(type_.table))
        if dim is not None and dim.kind == "time" and dim.step != "day":
            return PERIOD
    return choose(value, type_)


def block_format(model: Model, block: Block, type_: Type, *, dash: bool) -> str:
    """Choose one format for all values: by the largest; ``dash`` shows a zero as a dash."""
    numbers = [value for value in block.values if isinstance(value, float)]
    sample = max(numbers, key=abs, default=None)
    if sample is None and block.values and isinstance(block.values[0], str | bool):
        return number_format(block.values[0], type_)
    shape = shape_of(model, sample, type_)
    is_plain = type_.kind is NUMBER.kind and ";" not in shape and shape != TEXT_FORMAT
    if is_plain and sample is not None and any(n != round(n) for n in numbers):
        shape = shape.replace("General_)", "0.00_)")
    return f'{shape};-{shape};"–"_)' if is_plain and dash else shape


def key_format(dim: Dim) -> str:
    """Choose how labels look: months as months, days as days."""
    if dim.kind == "time":
        return DAY if dim.step == "day" else "yyyy-mm"
    return "0" if dim.kind == "count" else "General"
