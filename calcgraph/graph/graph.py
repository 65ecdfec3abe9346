"""Sheets to one acyclic graph of cells: names tied, variants made, order found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.graph.bindings import open_binding, read_bindings, unread_bindings
from calcgraph.graph.cells import Declared, DimPlace, Node, Table, declare, expressions
from calcgraph.graph.dims import named_dims
from calcgraph.graph.names import CellTarget, ColumnTarget, Scopes, Target, Via, resolve
from calcgraph.graph.order import circle_finding, find_order, knots_of
from calcgraph.graph.paths import Paths
from calcgraph.graph.tie import Ties, places_before
from calcgraph.graph.variants import MOST, TooMany, Variants
from calcgraph.sheet import codes
from calcgraph.sheet.declarations import CalcDecl, InputDecl
from calcgraph.sheet.places import with_import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from calcgraph.core.dim import Dim
    from calcgraph.graph.bindings import Binding
    from calcgraph.graph.digraph import CellGraph, QuantityGraph
    from calcgraph.graph.names import Variant
    from calcgraph.sheet.imports import Sheets


@dataclass(frozen=True)
class Graph:
    """The cells of a model, and who needs whom; ``order`` puts what is needed first.

    ``nodes`` and their needs are the record; ``digraph`` is the same in networkx, built when asked
    for, since importing networkx takes ten times as long as starting Python.
    ``knots`` are cells that depend on each other through the label before. ``dims`` are known once
    the check has read them; ``roots`` say which one each is like. ``asked`` are cells wanted though
    nothing reads them.
    """

    sheets: Sheets
    nodes: tuple[Node, ...]
    names: dict[str, int]
    tables: dict[str, Table]
    scopes: Scopes
    order: tuple[int, ...]
    places: dict[str, DimPlace] = field(default_factory=dict)
    dims: dict[str, Dim] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    knots: tuple[tuple[int, ...], ...] = ()
    over: dict[Variant, tuple[str, ...]] = field(default_factory=dict)
    variants: Variants | None = None
    asked: tuple[int, ...] = ()

    @cached_property
    def digraph(self) -> CellGraph:
        """The dependency graph over cell numbers: edges go to who needs a cell."""
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
        """Find what a dotted name stands for in a sheet; none where it stands for nothing.

        A cell behind a variant is the one computed there; none where nothing reads it.
        """
        target = resolve(self.scopes, self.tables, sheet, path)
        if isinstance(target, CellTarget | ColumnTarget) and target.via:
            number = self.read_in(target.number, target.via)
            return None if number is None else replace(target, number=number)
        return target

    def read_in(self, cell: int, within: Via) -> int | None:
        """Find the cell that stands for one of a sheet within variants, if there is one."""
        if not within or self.variants is None:
            return cell
        return self.variants.found.get((cell, within))

    def tables_seen(self, sheet: str) -> list[str]:
        """List the tables at or below a sheet, as it may name them."""
        start = ".".join((*self.sheets.paths[sheet], ""))
        return [name.removeprefix(start) for name in self.tables if name.startswith(start)]

    def ancestors(self, number: int) -> set[int]:
        """Find all cells that a cell depends on."""
        from calcgraph.graph.digraph import ancestors

        return ancestors(self.digraph, number)


def build_graph(sheets: Sheets, asked: Iterable[str] = ()) -> tuple[Graph, list[Diagnostic]]:
    """Number the cells, tie names to them, and put them in order.

    ``asked`` are addresses of cells in variants that are wanted though nothing reads them. Cells
    of a circle, and formulas with unknown names, keep their place but tie nothing.
    """
    declared = declare(sheets)
    findings: list[Diagnostic] = []
    for node in declared.nodes:
        if isinstance(node.decl, InputDecl | CalcDecl) and node.decl.dims:
            dims = named_dims(declared, node.sheet, node.decl.dims, findings)
            declared.nodes[node.number] = replace(node, dims=dims)
    ties = Ties(declared)
    tied = [_tied(node, ties, findings) for node in declared.nodes]
    bindings = read_bindings(sheets, declared, ties.targets, findings)
    variants, wanted = None, tuple[int, ...]()
    if bindings:
        try:
            variants, wanted = _made_again(sheets, declared, tied, bindings, asked)
            tied = variants.nodes
        except TooMany as error:
            findings.append(_too_many(sheets, error))
    order, knots, circles = find_order(tied)
    findings.extend(circle_finding(tied, circle) for circle in circles)
    graph = Graph(
        sheets, tuple(tied), _names(tied), declared.tables,
        declared.scopes, order, declared.dims, {}, {}, knots,
        {way: next(iter(bound.values())).dims for way, bound in bindings.items() if bound},
        variants, wanted,
    )  # fmt: skip
    return graph, with_import(sheets, findings)


def _too_many(sheets: Sheets, error: TooMany) -> Diagnostic:
    sheet, alias = error.way
    decl = next(decl for decl in sheets.sheets[sheet].imports if decl.alias == alias)
    message = f"variants of variants compute more than {MOST:,} cells again"
    hint = "import a sheet once, with `over` a dim, in place of many times"
    return Diagnostic(codes.LIMIT, message, Label(decl.path.span), hint)


def _names(nodes: Sequence[Node]) -> dict[str, int]:
    """Find cells by name: of a sheet that only a variant imports, those of the variant."""
    names: dict[str, int] = {}
    for node in nodes:
        if node.within or node.of or node.name not in names:
            names[node.name] = node.number
    return names


def _tied(node: Node, ties: Ties, findings: list[Diagnostic]) -> Node:
    """Tie the names of a cell's formula; ``needs`` are those outside of variants."""
    exprs = expressions(node)
    if not exprs:
        return node
    targets = ties.targets(node.sheet, exprs[0], findings)
    before = places_before(exprs[0])
    needs = dict.fromkeys(
        target.number
        for target in targets.values()
        if isinstance(target, CellTarget | ColumnTarget) and not target.via
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


def _made_again(
    sheets: Sheets,
    declared: Declared,
    tied: list[Node],
    bindings: dict[Variant, dict[int, Binding]],
    asked: Iterable[str],
) -> tuple[Variants, tuple[int, ...]]:
    """Make the cells of variants that are read, or asked for."""
    paths = Paths(sheets, declared)
    knots = {cell: knot for knot in knots_of(tied) for cell in knot}
    wanted = list(_asked_in_variants(sheets, declared, asked))
    for target in wanted:
        bound = bindings[target.via[-1]]
        if declared.nodes[target.number].kind == "input" and target.number not in bound:
            way = target.via[-1]
            bound[target.number] = open_binding(declared, sheets, target.number, way)
    variants = Variants(list(tied), tied, bindings, knots, paths.name)
    for number, node in enumerate(tied):
        if any(getattr(target, "via", ()) for target in node.targets.values()):
            variants.nodes[number] = variants.tied(node)
    numbers = tuple(variants.number(target.number, target.via) for target in wanted)
    variants.finish()
    for cell, within in unread_bindings(bindings, variants.found):
        variants.number(cell, within)
    variants.finish()
    return variants, numbers


def _asked_in_variants(
    sheets: Sheets, declared: Declared, asked: Iterable[str]
) -> Iterator[CellTarget]:
    """Find the cells in variants that outputs, scenarios, tests and users name."""
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
        if isinstance(target, CellTarget) and target.via:
            yield target
