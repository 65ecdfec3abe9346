"""Type-check a graph into a model: units, scenarios, expectations and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.check.cases import ScenarioReader
from calcgraph.check.cells import check_cells
from calcgraph.check.charts import read_charts
from calcgraph.check.order import order_cells
from calcgraph.check.values import SILENT
from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.type import Kind, Type
from calcgraph.model import Cell, Model
from calcgraph.sheet.places import said_once, with_import
from calcgraph.units import make_unit_book

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.graph import Graph, Node
    from calcgraph.sheet.declarations import Setting
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


def settle(graph: Graph, vocabulary: Vocabulary) -> tuple[Model, list[Diagnostic]]:
    """Type-check every cell; cells that depend on a broken one are skipped silently."""
    book, findings = _unit_book(graph.sheets, vocabulary)
    graph, cells = check_cells(graph, book, findings)
    done = tuple(
        cell if cell is not None else _broken(node)
        for cell, node in zip(cells, graph.nodes, strict=True)
    )
    cases = ScenarioReader(graph, book, cells, findings)
    order = order_cells(graph, done, _wanted(graph, done), findings)
    model = Model(
        graph,
        book,
        done,
        tuple(cases.figures()),
        cases.scenarios(),
        tuple(cases.tests()),
        tuple(cases.outputs()),
        order.order,
        order.needs,
        order.groups,
        read_charts(cases),
    )
    reported = [finding for finding in findings if finding.code is not SILENT]
    return model, with_import(graph.sheets, said_once(reported))


def _wanted(graph: Graph, cells: Sequence[Cell]) -> list[int] | None:
    """Return the cells to compute: none of those that only unused variants read; None for all."""
    sheets = graph.sheets
    if len(sheets.plain) == len(sheets.sheets) and graph.variants is None:
        return None
    asked = set(graph.asked)
    return [
        cell.number
        for cell in cells
        if cell.kind != "helper" and (cell.is_listed or cell.number in asked)
    ]


def _broken(node: Node) -> Cell:
    """Return a placeholder for a cell with findings; such a model never becomes a plan."""
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
        hint = problem.hint or "write `count`, or a multiple of what is known: `256 gpu`"
        findings.append(Diagnostic(BAD_UNIT_DECLARATION, problem.message, label, hint))
    return book, findings


def _squeezed(setting: Setting) -> str:
    return "".join(setting.value.text.text.split())


def _disagreement(name: str, first: Scalar, second: Scalar) -> Diagnostic:
    message = f"`{name}` is {second.text.text} here and {first.text.text} in {first.span.file_line}"
    others = (Label(first.span, "first here"),)
    return Diagnostic(
        CONVENTION_CLASH, message, Label(second.span), "state the same in both", others
    )
