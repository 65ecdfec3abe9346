"""A graph to its checked model: units settled, settings and figures read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.check.cells import check_cells
from calcgraph.check.figures import read_figure
from calcgraph.check.order import find_order_of
from calcgraph.check.settings import Settings
from calcgraph.check.values import SILENT
from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.nearest import did_you_mean
from calcgraph.core.type import Kind, Type
from calcgraph.graph import CellTarget, ColumnTarget, LostTarget, SheetTarget, TableTarget
from calcgraph.model import Case, Cell, Change, Figure, Model, Scenario
from calcgraph.sheet.declarations import CalcDecl
from calcgraph.units import make_unit_book

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.source import Span
    from calcgraph.graph import Graph, Node
    from calcgraph.sheet.declarations import CaseDecl, ScenarioDecl, Setting
    from calcgraph.sheet.imports import Sheets
    from calcgraph.sheet.yaml_tree import Scalar
    from calcgraph.units import UnitBook, Vocabulary

CONVENTION_CLASH = Code(
    "CG408",
    "sheets disagree about a unit",
    "Conventions and own units hold for the whole model; two sheets that state them differently "
    "cannot be put together.",
)
BAD_UNIT_DECLARATION = Code(
    "CG409",
    "own unit or convention cannot be read",
    "`units:` adds a count, `rack: count`, or a multiple, `pod: 256 gpu`; `conventions:` says how "
    "long a `year` and a `month` are.",
)
UNKNOWN_CELL = Code(
    "CG312", "no such cell", "An output or a test's figure names a cell of the model."
)
UNKNOWN_SCENARIO = Code(
    "CG313", "no such scenario", "`extends` and --scenario name one of `scenarios:`."
)


def settle(graph: Graph, vocabulary: Vocabulary) -> tuple[Model, list[Diagnostic]]:
    """Check every cell; where one is broken, what needs it is left out without a word."""
    book, findings = _unit_book(graph.sheets, vocabulary)
    graph, cells = check_cells(graph, book, findings)
    done = tuple(
        cell if cell is not None else _broken(node)
        for cell, node in zip(cells, graph.nodes, strict=True)
    )
    order = find_order_of(graph, done, _wanted(graph, done), findings)
    model = Model(
        graph,
        book,
        done,
        tuple(_figures(graph, book, cells, findings)),
        _scenarios(graph, book, cells, findings),
        tuple(_cases(graph, book, cells, findings)),
        tuple(_outputs(graph, findings)),
        order.order,
        order.needs,
        order.groups,
    )
    return model, [finding for finding in findings if finding.code is not SILENT]


def _wanted(graph: Graph, cells: Sequence[Cell]) -> list[int] | None:
    """Leave out what only variants could read of their sheets, and do not; none for all cells."""
    sheets = graph.sheets
    if len(sheets.plain) == len(sheets.sheets):
        return None
    asked = set(graph.asked)
    return [
        cell.number
        for cell in cells
        if cell.kind != "helper" and (cell.is_listed or cell.number in asked)
    ]


def _broken(node: Node) -> Cell:
    """Stand in for a cell that has findings; such a model never becomes a plan."""
    return Cell(node.number, node.name, node.kind, Type(Kind.ANY))


def _unit_book(sheets: Sheets, vocabulary: Vocabulary) -> tuple[UnitBook, list[Diagnostic]]:
    findings: list[Diagnostic] = []
    merged: dict[str, dict[str, Setting]] = {"conventions": {}, "units": {}}
    for sheet in sheets.sheets.values():
        for section, declared in (("conventions", sheet.conventions), ("units", sheet.units)):
            for name, text in declared.items():
                first = merged[section].setdefault(name, text)
                if _squeezed(first) != _squeezed(text):
                    findings.append(_disagreement(name, first.value, text.value))
    texts = [
        {name: setting.value.text.text.strip() for name, setting in merged[s].items()}
        for s in merged
    ]
    book, problems = make_unit_book(vocabulary, *texts)
    for problem in problems:
        setting = merged[problem.section][problem.name]
        label = Label((setting.address if problem.in_name else setting.value).span)
        findings.append(Diagnostic(BAD_UNIT_DECLARATION, problem.message, label, problem.hint))
    return book, findings


def _squeezed(setting: Setting) -> str:
    return "".join(setting.value.text.text.split())


def _disagreement(name: str, first: Scalar, second: Scalar) -> Diagnostic:
    message = f"`{name}` is {second.text.text} here and {first.text.text} in {first.span.file_line}"
    others = (Label(first.span, "first here"),)
    return Diagnostic(
        CONVENTION_CLASH, message, Label(second.span), "state the same in both", others
    )


def _figures(
    graph: Graph, book: UnitBook, cells: Sequence[Cell | None], findings: list[Diagnostic]
) -> list[Figure]:
    found: list[Figure] = []
    for node in graph.nodes:
        cell = cells[node.number]
        if cell is None or not isinstance(node.decl, CalcDecl):
            continue
        for decl in node.decl.expects:
            _keep(read_figure(cell, decl, book), found, findings)
    return found


def _keep(found: Figure | Diagnostic, figures: list[Figure], findings: list[Diagnostic]) -> None:
    if isinstance(found, Diagnostic):
        findings.append(found)
    else:
        figures.append(found)


def _changes(
    settings: Settings, decls: Sequence[Setting], findings: list[Diagnostic]
) -> tuple[Change, ...]:
    changes: list[Change] = []
    for decl in decls:
        found = settings.change(decl.address, decl.value)
        if isinstance(found, Diagnostic):
            findings.append(found)
        elif found is not None:
            changes.append(found[0])
    return tuple(changes)


def _scenarios(
    graph: Graph, book: UnitBook, cells: Sequence[Cell | None], findings: list[Diagnostic]
) -> dict[str, Scenario]:
    """Read the scenarios of the evaluated sheet; what one extends comes first."""
    root = graph.sheets.root
    settings = Settings(graph, book, cells, root)
    decls = {decl.name: decl for decl in graph.sheets.sheets[root].scenarios}
    own = {name: _changes(settings, decl.settings, findings) for name, decl in decls.items()}
    found: dict[str, Scenario] = {}
    for name, decl in decls.items():
        chain, finding = _chain(decls, decl)
        if finding:
            findings.append(finding)
            continue
        changes = tuple(change for link in chain for change in own[link])
        found[name] = Scenario(name, changes, decl.note)
    return found


def _chain(
    decls: dict[str, ScenarioDecl], decl: ScenarioDecl
) -> tuple[list[str], Diagnostic | None]:
    """Follow ``extends`` to the first; the chain is given from there on."""
    chain = [decl.name]
    current = decl
    while current.extends is not None:
        name, span = current.extends.text.text.strip(), current.extends.span
        if name not in decls and current is not decl:
            return [], None  # said at `current`
        if name not in decls:
            known = ", ".join(other for other in decls if other != decl.name)
            hint = did_you_mean(name, decls, f"there are: {known}" if known else "leave it out")
            return [], Diagnostic(
                UNKNOWN_SCENARIO, f"there is no scenario `{name}`", Label(span), hint
            )
        if name in chain:
            circle = chain[chain.index(name) :]
            if decl.name != next(one for one in decls if one in circle):
                return [], None  # said at the first of them
            message = f"scenarios extend each other in a circle: {' -> '.join([*circle, name])}"
            hint = "leave one `extends` out"
            return [], Diagnostic(UNKNOWN_SCENARIO, message, Label(span), hint)
        chain.append(name)
        current = decls[name]
    return chain[::-1], None


def _cases(
    graph: Graph, book: UnitBook, cells: Sequence[Cell | None], findings: list[Diagnostic]
) -> list[Case]:
    """Read the tests of every sheet; addresses are seen from the sheet they stand in."""
    found: list[Case] = []
    for key, sheet in graph.sheets.sheets.items():
        settings = Settings(graph, book, cells, key)
        for decl in sheet.tests:
            changes = _changes(settings, decl.settings, findings)
            figures = _case_figures(graph, book, cells, key, decl, findings)
            found.append(Case(decl.name, changes, tuple(figures), decl.key.span))
    return found


def _case_figures(
    graph: Graph,
    book: UnitBook,
    cells: Sequence[Cell | None],
    sheet: str,
    decl: CaseDecl,
    findings: list[Diagnostic],
) -> list[Figure]:
    figures: list[Figure] = []
    for address, expectation in decl.expects:
        number = _cell_number(graph, sheet, address.text.text.strip(), address.span, findings)
        cell = None if number is None else cells[number]
        if cell is not None and cell.type.dims:
            message = f"`{cell.name}` is a column, not a single value"
            hint = "expect a figure of a calculated cell that reads one entry"
            findings.append(Diagnostic(UNKNOWN_CELL, message, Label(address.span), hint))
        elif cell is not None:
            _keep(read_figure(cell, expectation, book), figures, findings)
    return figures


def _outputs(graph: Graph, findings: list[Diagnostic]) -> list[int]:
    root = graph.sheets.root
    found: list[int] = []
    for node in graph.sheets.sheets[root].outputs:
        number = _cell_number(graph, root, node.text.text.strip(), node.span, findings)
        if number is not None:
            found.append(number)
    return found


def _cell_number(
    graph: Graph, sheet: str, name: str, span: Span, findings: list[Diagnostic]
) -> int | None:
    target = graph.resolve(sheet, name.split("."))
    if isinstance(target, CellTarget | ColumnTarget):
        return target.number
    if isinstance(target, LostTarget):
        return None
    prefix = ".".join((*graph.sheets.paths[sheet], ""))
    known = [
        node.name.removeprefix(prefix) for node in graph.nodes if node.kind in {"input", "calc"}
    ]
    message, hint = f"there is no cell `{name}`", did_you_mean(name, known, "name a cell")
    if isinstance(target, TableTarget | SheetTarget):
        what = "a table" if isinstance(target, TableTarget) else "an imported sheet"
        message, hint = f"`{name}` is {what}, not a cell", "name a cell"
    findings.append(Diagnostic(UNKNOWN_CELL, message, Label(span), hint))
    return None
