"""A graph to a `Model`: every cell checked, every formula lowered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label
from calcgraph.core.values import TEXT, Kind, Type, is_hidden
from calcgraph.functions import FUNCTIONS
from calcgraph.graph import expressions
from calcgraph.language.ast import Call, Name, fold, walk
from calcgraph.model import Apply, Cell, Load, Model
from calcgraph.sheet.declarations import CalcDecl, CheckDecl, ColumnDecl, InputDecl
from calcgraph.sheet.imports import said_once, with_import
from calcgraph.typecheck.chart_checks import read_charts
from calcgraph.typecheck.dimension_checks import DimensionReader
from calcgraph.typecheck.formulas import FormulaChecker
from calcgraph.typecheck.input_checks import InputChecker, size_findings
from calcgraph.typecheck.literals import SILENT
from calcgraph.typecheck.recurrences import NEEDS_UNIT, WITHIN_A_PERIOD, order_cells
from calcgraph.typecheck.scenario_checks import ScenarioReader
from calcgraph.units import make_unit_book

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from calcgraph.graph import Graph, Node
    from calcgraph.language.ast import Expr
    from calcgraph.sheet.declarations import Setting
    from calcgraph.sheet.imports import Sheets
    from calcgraph.sheet.yaml_reader import YamlScalar
    from calcgraph.typecheck.typed import TypedExpr
    from calcgraph.units import UnitBook, Vocabulary


def check_cells(
    graph: Graph, book: UnitBook, findings: list[Diagnostic]
) -> tuple[Graph, list[Cell | None]]:
    """Check all cells; a broken one becomes ``None``. Helper cells follow the others."""
    graph = replace(graph, dims={}, roots={}, tables=dict(graph.tables))
    cells: list[Cell | None] = [None] * len(graph.nodes)
    checker = FormulaChecker(graph, book, cells)
    axes = DimensionReader(graph, book, cells, checker.findings, graph.dims, graph.roots)
    axes.read(checker)
    inputs = InputChecker(graph, book)
    for node in graph.nodes:
        if node.kind == "input" and isinstance(node.decl, InputDecl):
            cells[node.number] = inputs.input(node, node.decl, cells)
        elif node.kind == "column" and isinstance(node.decl, ColumnDecl):
            cells[node.number] = inputs.column(node, node.decl)
    _check_formulas(graph, checker, cells)
    findings.extend(inputs.findings)
    findings.extend(checker.findings)
    findings.extend(size_findings((*graph.nodes, *checker.helpers.nodes), cells, graph.dims))
    plain = graph.sheets.plain
    for number, node in enumerate(graph.nodes):
        cell = cells[number]
        if cell is not None and (node.within or node.of or node.sheet not in plain):
            cells[number] = replace(cell, is_listed=False)
    nodes = (*graph.nodes, *checker.helpers.nodes)
    return replace(graph, nodes=nodes), cells


def _check_formulas(graph: Graph, checker: FormulaChecker, cells: list[Cell | None]) -> None:
    """Type formulas in dependency order; cells that depend on each other are typed together."""
    knots = {cell: knot for knot in graph.recurrences for cell in knot}
    # A message takes the dims of its check, so messages come last.
    for number in sorted(graph.order, key=lambda number: graph.nodes[number].kind == "message"):
        if graph.nodes[number].override_input >= 0:
            cells[number] = _switched(graph.nodes[number], cells)
        elif number not in knots:
            cells[number] = cells[number] or _check_formula(graph.nodes[number], checker, cells)
        elif number == knots[number][0]:
            _check_recurrence(graph, checker, cells, knots[number])


def _check_formula(node: Node, checker: FormulaChecker, cells: list[Cell | None]) -> Cell | None:
    """Type the formula of one cell."""
    match node.decl:
        case CalcDecl(formula=formula) if formula is not None:
            part = checker.formula(node, formula)
            part = _bound(node, checker, cells, part)
        case CheckDecl(condition=formula) if node.kind == "check" and formula is not None:
            part = checker.condition(node, formula)
        case CheckDecl(message=message) if node.kind == "message" and message is not None:
            check = cells[node.number - 1]
            part = None if check is None else checker.message(node, message, check.type.dims)
        case _:
            return None
    if part is None:
        return None
    type_ = part.operand.type
    if node.kind == "message":
        type_ = replace(TEXT, dims=type_.dims)
    return Cell(node.number, node.name, node.kind, type_, part.op, may_be_na=part.may_be_na)


def _switched(node: Node, cells: list[Cell | None]) -> Cell | None:
    """Build an input's override in a variant: its own value, else the importing model's."""
    own, base = cells[node.override_input], cells[node.needs[0]]
    if own is None or base is None:
        return None
    asked = Apply(FUNCTIONS["isblank"], (Load(own.number),), (True,))
    dims = base.type.dims
    op = Apply(
        FUNCTIONS["if"],
        (asked, Load(base.number, dims), Load(own.number)),
        (False, base.may_be_na, False),
    )
    type_ = replace(own.type, dims=dims)
    return Cell(node.number, node.name, "calc", type_, op, may_be_na=base.may_be_na)


def _bound(
    node: Node, checker: FormulaChecker, cells: list[Cell | None], part: TypedExpr | None
) -> TypedExpr | None:
    """Convert a formula bound to an input to that input's unit and kind."""
    base = cells[node.overrides] if node.overrides >= 0 else None
    if part is None or node.overrides < 0:
        return part
    return None if base is None else checker.bind_to_input(node, part, base)


def _check_recurrence(
    graph: Graph, checker: FormulaChecker, cells: list[Cell | None], knot: tuple[int, ...]
) -> None:
    """Type cells that depend on each other, assuming at first no hidden dims and no na values.

    If that proves wrong, they are typed again with what was found.
    """
    members = [graph.nodes[number] for number in knot]
    before = {need for node in members for need in node.previous_label_needs}
    if _sets_itself(members, checker):
        return
    types: dict[int, Type] = {}
    for node in members:
        type_ = _type_before(node, members, checker) if node.number in before else None
        if type_ is not None:
            types[node.number] = type_
        elif node.number in before:
            return
    hidden: tuple[str, ...] = ()
    may_be_na = False
    findings, helpers = len(checker.findings), checker.helpers.mark()
    for _ in range(4):
        _assume(members, types, hidden, cells, may_be_na=may_be_na)
        made = _check_members(members, types, checker, cells)
        found = [cell for cell in made.values() if cell is not None]
        now = tuple(dict.fromkeys(d for cell in found for d in cell.type.dims if is_hidden(d)))
        na = any(cell.may_be_na for cell in found)
        if (now == hidden and na <= may_be_na) or len(found) < len(made):
            break
        hidden, may_be_na = now, na or may_be_na
        del checker.findings[findings:]
        checker.helpers.roll_back(helpers)
    for number, cell in made.items():
        dims = (*hidden, *graph.nodes[number].dims)
        cells[number] = cell and replace(
            cell, type=replace(cell.type, dims=dims), may_be_na=may_be_na or cell.may_be_na
        )


def _sets_itself(members: Sequence[Node], checker: FormulaChecker) -> bool:
    """Report a variant that sets an input from its own results, at the label before."""
    node = next((node for node in members if node.overrides >= 0), None)
    if node is None:
        return False
    names = ", ".join(other.name for other in members)
    message = f"a variant sets `{node.name}` from its own results: {names}"
    hint = "put what reads the label before into one sheet"
    checker.report(WITHIN_A_PERIOD, message, node.decl.key.span, hint)
    return True


def _assume(
    members: Iterable[Node],
    types: dict[int, Type],
    hidden: tuple[str, ...],
    cells: list[Cell | None],
    *,
    may_be_na: bool,
) -> None:
    """Enter the assumed types of cells read at the label before; the others are still unknown."""
    for node in members:
        cells[node.number] = None
        if node.number in types:
            type_ = replace(types[node.number], dims=(*hidden, *node.dims))
            cells[node.number] = Cell(node.number, node.name, node.kind, type_, may_be_na=may_be_na)


def _check_members(
    members: Iterable[Node],
    types: dict[int, Type],
    checker: FormulaChecker,
    cells: list[Cell | None],
) -> dict[int, Cell | None]:
    """Type the cells of a recurrence in the order in which they need each other at one label."""
    made: dict[int, Cell | None] = {}
    for node in members:
        made[node.number] = _check_formula(node, checker, cells)
        if node.number not in types:
            cells[node.number] = made[node.number]
    return made


def _type_before(node: Node, members: Sequence[Node], checker: FormulaChecker) -> Type | None:
    """Find the type of a cell that depends on itself: from its unit, or from its initial value."""
    decl = node.decl
    if not isinstance(decl, CalcDecl) or decl.formula is None:
        return None
    if not checker.graph.dims.keys() >= set(node.dims):
        return None  # a dim is broken, which was reported
    if decl.formula.unit is not None:
        unit = checker.unit(decl.formula.unit)
        return None if unit is None else Type(Kind.NUMBER, unit)
    for reader, initial in _initials_of(node, members):
        checker.enter(reader)
        mark = len(checker.findings)
        part = fold(initial, checker.visit)
        del checker.findings[mark:]
        if part is not None and part.operand.type.kind is not Kind.NUMBER:
            return replace(part.operand.type, dims=())
    message = f"`{node.decl.name}` depends on itself, and its unit is not declared"
    checker.report(NEEDS_UNIT, message, decl.key.span, "write `-> unit` after its formula")
    return None


def _initials_of(node: Node, members: Iterable[Node]) -> Iterator[tuple[Node, Expr]]:
    """Find a cell's values before the first label: the second argument of each ``prev`` of it."""
    for reader in members:
        for part in (part for expr in expressions(reader) for part in walk(expr)):
            if not isinstance(part, Call) or part.function != "prev" or len(part.args) < 2:  # noqa: PLR2004 - x and its initial
                continue
            x, initial = part.args[:2]
            target = reader.targets.get(x.span.start) if isinstance(x, Name) else None
            if getattr(target, "number", -1) == node.number:
                yield reader, initial


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


def typecheck(graph: Graph, vocabulary: Vocabulary) -> tuple[Model, list[Diagnostic]]:
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


def _disagreement(name: str, first: YamlScalar, second: YamlScalar) -> Diagnostic:
    message = f"`{name}` is {second.text.text} here and {first.text.text} in {first.span.file_line}"
    others = (Label(first.span, "first here"),)
    return Diagnostic(
        CONVENTION_CLASH, message, Label(second.span), "state the same in both", others
    )
