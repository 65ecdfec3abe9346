"""Find what the trees of cells read, order the cells, and group recurrences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label
from calcgraph.core.traversal import reachable
from calcgraph.graph.ordering import sort_cells
from calcgraph.model import Load, Lookup, Previous, Reduce, Scan, fold_op

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.graph import Graph, Node
    from calcgraph.model import Cell, Op

WITHIN_A_PERIOD = Code(
    "CG322",
    "circular reference through a whole series",
    "A cell may depend on itself at the label before, `prev(x, initial)`. An aggregation, an entry "
    "or a running function needs all labels at once, so it cannot be part of such a circle.",
)
NEEDS_UNIT = Code(
    "CG410",
    "cell that depends on itself has no declared unit",
    "The type of a cell at the label before must be known before its formula is checked: write "
    "`-> unit` after it, or start with a truth, text or date.",
)


@dataclass(frozen=True, slots=True)
class CellReads:
    """The cells that a tree reads: at the same label, at the one before, or at several labels."""

    same_label: frozenset[int]
    before: frozenset[int]
    all_labels: frozenset[int]


def reads_of(op: Op | None, dims: Iterable[str] = ()) -> CellReads:
    """Find what a tree reads; along ``dims``, those of a recurrence, an entry counts as several."""
    if op is None:
        return CellReads(frozenset(), frozenset(), frozenset())
    same_label, before, all_labels, over = set[int](), set[int](), set[int](), set(dims)

    def visit(node: Op, parts: Sequence[int]) -> int:
        match node:
            case Load(cell):
                same_label.add(cell)
                return cell
            case Lookup(cell, at, _):
                (same_label if over <= set(at) else all_labels).add(cell)
            case Previous():
                before.add(parts[0])
            case Reduce(_, gone, args, _) if over & set(gone):
                all_labels.update(arg.cell for arg in args if isinstance(arg, Load))
            case Scan(_, dim, _, _) if dim in over or not over:
                all_labels.update(part for part in parts if part >= 0)
            case _:
                pass
        return -1

    fold_op(op, visit)
    # The Load below a `prev` counted its cell as read at the same label too.
    only = {cell for cell in before if cell not in _loads_apart(op)}
    return CellReads(frozenset(same_label - only), frozenset(only), frozenset(all_labels))


def _loads_apart(op: Op) -> set[int]:
    """Find the cells read by a ``Load`` other than the first argument of a ``Previous``."""
    found: set[int] = set()
    todo = [op]
    while todo:
        node = todo.pop()
        if isinstance(node, Load):
            found.add(node.cell)
        elif isinstance(node, Previous):
            todo.append(node.args[1])
        else:
            todo.extend(getattr(node, "args", ()))
    return found


@dataclass(frozen=True, slots=True)
class Order:
    """Cells in evaluation order, what each one reads, and the recurrences."""

    order: tuple[int, ...]
    needs: tuple[tuple[int, ...], ...]
    groups: tuple[tuple[int, ...], ...]


def order_cells(
    graph: Graph, cells: Sequence[Cell], wanted: Iterable[int] | None, findings: list[Diagnostic]
) -> Order:
    """Sort cells topologically: the ``wanted`` ones and their dependencies, or all."""
    is_plain = not graph.recurrences and len(cells) == len(graph.order) and wanted is None
    if is_plain:
        needs = tuple(node.needs for node in graph.nodes)
        return Order(graph.order, needs, ())
    reads = [reads_of(cell.op) for cell in cells]
    full = {n: [*r.same_label, *r.all_labels, *r.before] for n, r in enumerate(reads)}
    prior = {n: r.before for n, r in enumerate(reads)}
    order, groups, circles = sort_cells(full, prior)
    findings.extend(_circle_finding(graph.nodes, cells, circle) for circle in circles)
    for group in groups:
        findings.extend(_whole_findings(graph, cells, group))
    if wanted is not None:
        kept = reachable(wanted, full.__getitem__)
        order = tuple(number for number in order if number in kept)
        groups = tuple(group for group in groups if group[0] in kept)
    return Order(order, tuple(tuple(dict.fromkeys(full[n])) for n in range(len(cells))), groups)


def _circle_finding(
    nodes: Sequence[Node], cells: Sequence[Cell], circle: Sequence[int]
) -> Diagnostic:
    names = [_shown(cells, number) for number in (*circle[::-1], circle[-1])]
    shown = list(dict.fromkeys(names))
    message = f"circular reference within one period: {' -> '.join([*shown, shown[0]])}"
    place = nodes[_owner(cells, circle[-1])].decl.key.span
    hint = "read one of them at the label before: `prev(x, initial)`"
    return Diagnostic(WITHIN_A_PERIOD, message, Label(place), hint)


def _whole_findings(
    graph: Graph, cells: Sequence[Cell], group: Sequence[int]
) -> Iterable[Diagnostic]:
    """Report cells of a recurrence that need more of it than the label before."""
    members = set(group)
    dims = {op.dim for number in group for op in _prevs(cells[number].op) if _looks_at(op, members)}
    for number in group:
        reads = reads_of(cells[number].op, dims)
        broken = sorted(reads.all_labels & members)
        if broken or len(dims) > 1:
            name = _shown(cells, number)
            other = _shown(cells, broken[0]) if broken else ""
            what = (
                f"needs all of `{other}`" if broken else f"goes along {' and '.join(sorted(dims))}"
            )
            message = f"`{name}` depends on itself, but {what}"
            place = graph.nodes[_owner(cells, number)].decl.key.span
            hint = "a recurrence reads the label before only: `prev(x, initial)`"
            hint = hint if broken else "use the same dim in all of its `prev`"
            yield Diagnostic(WITHIN_A_PERIOD, message, Label(place), hint)
            return


def _looks_at(op: Previous, members: set[int]) -> bool:
    return isinstance(op.args[0], Load) and op.args[0].cell in members


def _prevs(op: Op | None) -> list[Previous]:
    found: list[Previous] = []

    def visit(node: Op, _: Sequence[None]) -> None:
        if isinstance(node, Previous):
            found.append(node)

    if op is not None:
        fold_op(op, visit)
    return found


def _owner(cells: Sequence[Cell], number: int) -> int:
    return cells[number].owner if cells[number].owner >= 0 else number


def _shown(cells: Sequence[Cell], number: int) -> str:
    return cells[_owner(cells, number)].name
