"""Sheets to one acyclic graph of cells: names resolved, sub-models instantiated, cells sorted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Diagnostic, Label
from calcgraph.graph.name_resolution import NameResolver, named_dims, previous_label_names
from calcgraph.graph.names import CellTarget, ColumnTarget, ImportPath, Scopes, Target, resolve
from calcgraph.graph.nodes import Declared, DeclaredDim, Node, Table, declare, expressions
from calcgraph.graph.ordering import circle_finding, find_order, find_recurrences
from calcgraph.graph.submodels import (
    MAX_INSTANCES,
    ImportPaths,
    SubmodelInstances,
    TooManyInstances,
    open_binding,
    read_bindings,
    unread_bindings,
)
from calcgraph.sheet.declarations import CalcDecl, InputDecl
from calcgraph.sheet.imports import with_import
from calcgraph.sheet.schema import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from calcgraph.core.values import Dim
    from calcgraph.graph.digraph import CellGraph, QuantityGraph
    from calcgraph.graph.names import Variant
    from calcgraph.graph.submodels import ParameterBinding
    from calcgraph.sheet.imports import Sheets


@dataclass(frozen=True)
class Graph:
    """The cells of a model and what each reads; ``order`` sorts them topologically.

    ``nodes`` and their needs are the record; ``digraph`` is the same in networkx, built when asked
    for, since importing networkx takes ten times as long as starting Python. ``recurrences`` are
    cells that depend on each other through the previous label. ``dims`` is filled by the type
    checker; ``roots`` maps a dim to the one it copies. ``asked`` are cells that are wanted although
    nothing reads them.
    """

    sheets: Sheets
    nodes: tuple[Node, ...]
    names: dict[str, int]
    tables: dict[str, Table]
    scopes: Scopes
    order: tuple[int, ...]
    places: dict[str, DeclaredDim] = field(default_factory=dict)
    dims: dict[str, Dim] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    recurrences: tuple[tuple[int, ...], ...] = ()
    over: dict[Variant, tuple[str, ...]] = field(default_factory=dict)
    variants: SubmodelInstances | None = None
    asked: tuple[int, ...] = ()

    @cached_property
    def digraph(self) -> CellGraph:
        """The dependency graph over cell numbers; edges run from a cell to its readers."""
        from calcgraph.graph.digraph import cell_digraph

        return cell_digraph([node.needs for node in self.nodes])

    def networkx(
        self, cells: Iterable[int], attributes: Mapping[str, Callable[[int], object]]
    ) -> QuantityGraph:
        """Build the dependency graph over the names of some cells, the others contracted.

        ``attributes`` are functions of a cell's number, called when the attribute of its node is
        first read.
        """
        from calcgraph.graph.digraph import named_digraph

        names = {cell: self.nodes[cell].name for cell in cells}
        return named_digraph([node.needs for node in self.nodes], names, attributes)

    def resolve(self, sheet: str, path: Iterable[str]) -> Target | None:
        """Resolve a dotted name as seen from a sheet; ``None`` if it is unknown.

        A cell behind a variant resolves to its instance there; ``None`` if nothing reads it.
        """
        target = resolve(self.scopes, self.tables, sheet, path)
        if isinstance(target, CellTarget | ColumnTarget) and target.import_path:
            number = self.read_in(target.number, target.import_path)
            return None if number is None else replace(target, number=number)
        return target

    def read_in(self, cell: int, within: ImportPath) -> int | None:
        """Find the instance of a cell within variants, if there is one."""
        if not within or self.variants is None:
            return cell
        return self.variants.found.get((cell, within))

    def tables_seen(self, sheet: str) -> list[str]:
        """List the tables that a sheet can name, its own and those it imports."""
        start = ".".join((*self.sheets.paths[sheet], ""))
        return [name.removeprefix(start) for name in self.tables if name.startswith(start)]

    def ancestors(self, number: int) -> set[int]:
        """Find all cells that a cell depends on."""
        from calcgraph.graph.digraph import ancestors

        return ancestors(self.digraph, number)


def build_graph(sheets: Sheets, asked: Iterable[str] = ()) -> tuple[Graph, list[Diagnostic]]:
    """Number the cells, resolve the names in their formulas, and sort them; also return mistakes.

    ``asked`` are addresses of cells in variants that are wanted although nothing reads them. A cell
    of a circle, or with an unknown name, keeps its number; its broken references are left out.
    """
    declared = declare(sheets)
    findings: list[Diagnostic] = []
    for node in declared.nodes:
        if isinstance(node.decl, InputDecl | CalcDecl) and node.decl.dims:
            dims = named_dims(declared, node.sheet, node.decl.dims, findings)
            declared.nodes[node.number] = replace(node, dims=dims)
    resolver = NameResolver(declared)
    nodes = [_with_needs(node, resolver, findings) for node in declared.nodes]
    bindings = read_bindings(sheets, declared, resolver.targets, findings)
    variants, wanted = None, tuple[int, ...]()
    if bindings:
        try:
            variants, wanted = _instantiate(sheets, declared, nodes, bindings, asked)
            nodes = variants.nodes
        except TooManyInstances as error:
            findings.append(_too_many(sheets, error))
    order, recurrences, circles = find_order(nodes)
    findings.extend(circle_finding(nodes, circle) for circle in circles)
    graph = Graph(
        sheets, tuple(nodes), _names(nodes), declared.tables,
        declared.scopes, order, declared.dims, {}, {}, recurrences,
        {variant: next(iter(bound.values())).dims for variant, bound in bindings.items() if bound},
        variants, wanted,
    )  # fmt: skip
    return graph, with_import(sheets, findings)


def _too_many(sheets: Sheets, error: TooManyInstances) -> Diagnostic:
    sheet, alias = error.variant
    decl = next(decl for decl in sheets.sheets[sheet].imports if decl.alias == alias)
    message = f"variants of variants compute more than {MAX_INSTANCES:,} cells again"
    hint = "import a sheet once, with `over` a dim, in place of many times"
    return Diagnostic(LIMIT, message, Label(decl.path.span), hint)


def _names(nodes: Sequence[Node]) -> dict[str, int]:
    """Map names to cells; of a sheet that only a variant imports, to the variant's cells."""
    names: dict[str, int] = {}
    for node in nodes:
        if node.within or node.of or node.name not in names:
            names[node.name] = node.number
    return names


def _with_needs(node: Node, resolver: NameResolver, findings: list[Diagnostic]) -> Node:
    """Resolve the names in a cell's formula; ``needs`` are the cells outside variants."""
    exprs = expressions(node)
    if not exprs:
        return node
    targets = resolver.targets(node.sheet, exprs[0], findings)
    before = previous_label_names(exprs[0])
    needs = dict.fromkeys(
        target.number
        for target in targets.values()
        if isinstance(target, CellTarget | ColumnTarget) and not target.import_path
    )
    prior = frozenset[int]()
    if before:
        now = {
            target.number
            for at, target in targets.items()
            if at not in before and isinstance(target, CellTarget | ColumnTarget)
        }
        prior = frozenset(needs.keys() - now)
    return Node(  # not `replace`, which takes twice as long, for each formula there is
        node.number, node.name, node.kind, node.sheet, node.decl, node.table, tuple(needs),
        targets, node.dims, before, prior,
    )  # fmt: skip


def _instantiate(
    sheets: Sheets,
    declared: Declared,
    nodes: list[Node],
    bindings: dict[Variant, dict[int, ParameterBinding]],
    asked: Iterable[str],
) -> tuple[SubmodelInstances, tuple[int, ...]]:
    """Create the cells of variants that are read or requested."""
    paths = ImportPaths(sheets, declared)
    recurrences = {cell: group for group in find_recurrences(nodes) for cell in group}
    wanted = list(_asked_in_variants(sheets, declared, asked))
    for target in wanted:
        bound = bindings[target.import_path[-1]]
        if declared.nodes[target.number].kind == "input" and target.number not in bound:
            variant = target.import_path[-1]
            bound[target.number] = open_binding(declared, sheets, target.number, variant)
    variants = SubmodelInstances(list(nodes), nodes, bindings, recurrences, paths.name)
    for number, node in enumerate(nodes):
        if any(getattr(target, "import_path", ()) for target in node.targets.values()):
            variants.nodes[number] = variants.with_needs(node)
    numbers = tuple(variants.number(target.number, target.import_path) for target in wanted)
    variants.finish()
    for cell, within in unread_bindings(bindings, variants.found):
        variants.number(cell, within)
    variants.finish()
    return variants, numbers


def _asked_in_variants(
    sheets: Sheets, declared: Declared, asked: Iterable[str]
) -> Iterator[CellTarget]:
    """Find the cells in variants that outputs, scenarios, tests and the user name."""
    named = [(sheets.root, address) for address in asked]
    for key in sorted(sheets.plain):
        sheet = sheets.sheets[key]
        settings = [setting for case in sheet.tests for setting in case.settings]
        if key == sheets.root:
            settings += [setting for case in sheet.scenarios for setting in case.settings]
        named += [(key, setting.address.text.text) for setting in settings]
        named += [(key, address.text.text) for case in sheet.tests for address, _ in case.expects]
    root = sheets.sheets[sheets.root]
    charted = [name for chart in root.charts for name in (chart.x, *chart.y)]
    named += [(sheets.root, node.text.text) for node in (*root.outputs, *charted)]
    for key, address in named:
        path = address.partition("[")[0].strip().split(".")
        target = resolve(declared.scopes, declared.tables, key, path)
        if isinstance(target, CellTarget) and target.import_path:
            yield target
