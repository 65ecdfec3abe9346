"""A sheet and all that it imports, read by a loader that the caller brings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.core.diagnostics import Diagnostic, Label
from calcgraph.core.source import Source
from calcgraph.functions import CALLABLE
from calcgraph.sheet.csv_reader import series_entries, table_rows
from calcgraph.sheet.declarations import CsvData, ImportDecl, InputDecl, Sheet, TableDecl
from calcgraph.sheet.fields import SheetReading
from calcgraph.sheet.reader import read_sheet
from calcgraph.sheet.schema import IMPORT, IMPORT_CYCLE, LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


IMPORTED = "imported here"


def said_once(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Leave out what was said before: variants check the formulas of their sheets again."""
    found: dict[tuple[str, str, str, int, int], Diagnostic] = {}
    for finding in findings:
        span = finding.label.span
        key = (finding.code.id, finding.message, span.source.name, span.start, span.end)
        found.setdefault(key, finding)
    return list(found.values())


def with_import(sheets: Sheets, findings: list[Diagnostic]) -> list[Diagnostic]:
    """Add to a finding in an imported file where that file is first imported."""
    if not findings:
        return findings
    first: dict[str, Label] = {}
    for key, sheet in sheets.sheets.items():
        for decl in sheet.imports:
            to = sheets.imports[key].get(decl.alias)
            if to is not None and to != sheets.root:
                name = sheets.sheets[to].source.name
                first.setdefault(name, Label(decl.path.span, IMPORTED))
    found: list[Diagnostic] = []
    for finding in findings:
        label = first.get(finding.label.span.source.name)
        said = label is None or any(
            other.span.source is label.span.source for other in finding.others
        )
        found.append(finding if said else replace(finding, others=(*finding.others, label)))  # type: ignore[arg-type]
    return found


FROM_HERE = "a path starts at the folder of this file"
FILES = 64
DEPTH = 8


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file cannot be read."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Sheets:
    """All sheets of a model by file.

    ``paths`` say by which aliases each is first reached: without passing a variant where there is
    such a way, and ``plain`` are the files where there is. ``data`` are the CSV files by path.
    """

    root: str
    sheets: dict[str, Sheet] = field(default_factory=dict)
    imports: dict[str, dict[str, str]] = field(default_factory=dict)
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()
    data: dict[str, Source] = field(default_factory=dict)


Open: TypeAlias = "Callable[[str, str], tuple[str, Source] | Unreadable]"
"""From the file that names it and a path as written, the key and the text of another file."""


def _no_files(_importer: str, _path: str) -> Unreadable:
    return Unreadable("cannot be read here", "write the values into the sheet")


def read_sheets(
    key: str, source: Source, open_import: Open, open_data: Open = _no_files
) -> tuple[Sheets, list[Diagnostic]]:
    """Read a sheet and what it imports, breadth first, variants last.

    ``open_import(importing key, path)`` gives the key and text of another sheet, or why not;
    ``open_data`` those of a CSV file.
    """
    reader = _ImportReader(Sheets(key), open_import, open_data)
    reader.add(key, source, ())
    waiting = [(key, decl) for decl in reader.found.sheets[key].imports]
    variants: list[tuple[str, ImportDecl]] = []
    plain: frozenset[str] = frozenset()
    while waiting or variants:
        if not waiting:
            plain = plain or frozenset(reader.found.sheets)
            waiting, variants = variants, []
        importer, decl = waiting.pop(0)
        if decl.settings and not plain:
            variants.append((importer, decl))
        elif target := reader.follow(importer, decl):
            waiting += [(target, inner) for inner in reader.found.sheets[target].imports]
    found = replace(reader.found, plain=plain or frozenset(reader.found.sheets))
    return found, with_import(found, [*reader.findings, *_circles(found)])


class _ImportReader:
    """Collects sheets, their files and what is wrong with them."""

    def __init__(self, found: Sheets, open_import: Open, open_data: Open) -> None:
        self.found = found
        self.open_import = open_import
        self.open_data = open_data
        self.findings: list[Diagnostic] = []

    def add(self, key: str, source: Source, path: tuple[str, ...]) -> None:
        """Read one sheet and its CSV files."""
        sheet, findings = read_sheet(source)
        self.findings += findings
        self.found.sheets[key] = replace(
            sheet,
            tables=tuple(self.filled_table(key, table) for table in sheet.tables),
            inputs=tuple(self.filled_input(key, decl) for decl in sheet.inputs),
        )
        self.found.imports[key] = {}
        self.found.paths[key] = path

    def follow(self, importer: str, decl: ImportDecl) -> str:
        """Read what is imported, and give its key if it is new."""
        opened = _open(self.found, importer, decl, self.open_import)
        if isinstance(opened, Diagnostic):
            self.findings.append(opened)
            return ""
        target, text = opened
        self.found.imports[importer][decl.alias] = target
        if target in self.found.sheets:
            return ""
        self.add(target, text, (*self.found.paths[importer], decl.alias))
        return target

    def filled_table(self, importer: str, table: TableDecl) -> TableDecl:
        """Return a table with the rows of its file; without columns if they cannot be read."""
        if table.csv is None or not table.columns:
            return table
        source = self.text(importer, table.csv)
        reading = SheetReading(CALLABLE)
        rows = table_rows(reading, table, source) if source else None
        self.findings += reading.findings
        csv = replace(table.csv, source=source)
        if rows is None:
            return replace(table, columns=(), csv=csv)
        return replace(table, rows=rows, csv=csv)

    def filled_input(self, importer: str, decl: InputDecl) -> InputDecl:
        """Return a series with the values of its file."""
        if decl.csv is None:
            return decl
        source = self.text(importer, decl.csv)
        reading = SheetReading(CALLABLE)
        entries = series_entries(reading, decl, source) if source else None
        self.findings += reading.findings
        return replace(decl, entries=entries or (), csv=replace(decl.csv, source=source))

    def text(self, importer: str, csv: CsvData) -> Source | None:
        """Open a CSV file, or say why it cannot be."""
        path = csv.path.text.text.strip()
        opened = self.open_data(importer, path)
        if isinstance(opened, Unreadable):
            finding = f"`{path}` {opened.message}"
            label = Label(csv.path.span)
            self.findings.append(Diagnostic(IMPORT, finding, label, opened.hint or FROM_HERE))
            return None
        key, source = opened
        self.found.data[key] = source
        return source


def _open(
    found: Sheets, importer: str, decl: ImportDecl, open_import: Open
) -> tuple[str, Source] | Diagnostic:
    path = decl.path.text.text.strip()
    label = Label(decl.path.span)
    opened = open_import(importer, path)
    if isinstance(opened, Unreadable):
        hint = opened.hint or FROM_HERE
        return Diagnostic(IMPORT, f"`{path}` {opened.message}", label, hint)
    too_many = opened[0] not in found.sheets and len(found.sheets) >= FILES
    if too_many or len(found.paths[importer]) >= DEPTH:
        message = (
            f"more than {FILES} sheets" if too_many else f"imports nest deeper than {DEPTH} levels"
        )
        return Diagnostic(LIMIT, message, label, "put what belongs together into one sheet")
    return opened


def _circles(found: Sheets) -> list[Diagnostic]:
    """Find imports that lead back to their own sheet, and lose them: nothing is read there."""
    state: dict[str, str] = {}
    findings: list[Diagnostic] = []

    def visit(key: str, trail: tuple[str, ...]) -> None:
        state[key] = "open"
        for decl in found.sheets[key].imports:
            target = found.imports[key].get(decl.alias)
            if target is None:
                continue
            if state.get(target) == "open":
                names = [
                    found.sheets[item].source.name
                    for item in (*trail[trail.index(target) :], target)
                ]
                message = f"sheets import each other in a circle: {' -> '.join(names)}"
                hint = "move what both need into a third sheet"
                findings.append(Diagnostic(IMPORT_CYCLE, message, Label(decl.path.span), hint))
                del found.imports[key][decl.alias]
            elif target not in state:
                visit(target, (*trail, target))
        state[key] = "done"

    visit(found.root, (found.root,))
    return findings
