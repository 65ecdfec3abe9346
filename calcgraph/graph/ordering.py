"""Topological order of cells, and the cycles that prevent one."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label
from calcgraph.functions import FUNCTIONS
from calcgraph.graph.names import CellTarget, ColumnTarget
from calcgraph.graph.nodes import Node, expressions, names_in
from calcgraph.language.ast import Call, EntryExpr, Name, walk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from calcgraph.core.source import Span


def strongly_connected_components(needs: Mapping[int, Iterable[int]]) -> list[tuple[int, ...]]:
    """Find the components of more than one cell, or of one that needs itself; sorted.

    Kosaraju: a depth-first walk yields a finishing order, and walking back along the edges from
    the last to finish reaches one component at a time. Iterative, since chains may be long.
    """
    users: dict[int, list[int]] = {cell: [] for cell in needs}
    for cell, others in needs.items():
        for other in others:
            if other in users:
                users[other].append(cell)
    seen: set[int] = set()
    components: list[tuple[int, ...]] = []
    for start in reversed(_finishing_order({c: list(n) for c, n in needs.items()})):
        if start in seen:
            continue
        component = _reached(start, users, seen)
        if len(component) > 1 or start in needs[start]:
            components.append(tuple(sorted(component)))
    return sorted(components)


def _finishing_order(needs: dict[int, list[int]]) -> list[int]:
    left: list[int] = []
    seen: set[int] = set()
    for start in needs:
        todo = [(start, False)]
        while todo:
            cell, ready = todo.pop()
            if ready:
                left.append(cell)
            elif cell not in seen:
                seen.add(cell)
                todo.append((cell, True))
                todo.extend((n, False) for n in needs[cell] if n in needs and n not in seen)
    return left


def _reached(start: int, users: dict[int, list[int]], seen: set[int]) -> list[int]:
    todo, found = [start], [start]
    seen.add(start)
    while todo:
        fresh = [user for user in users[todo.pop()] if user not in seen]
        for user in fresh:
            if user not in seen:
                seen.add(user)
                found.append(user)
                todo.append(user)
    return found


LONGEST = 100
PLACES = 12
CIRCULAR_REFERENCE = Code(
    "CG302",
    "circular reference",
    "A cell depends on itself. The check is static: a branch that is never taken counts too, since "
    "a workbook would show a circular reference.",
)


def find_order(
    nodes: Sequence[Node],
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...], list[list[int]]]:
    """Sort the cells of a graph topologically; see ``sort_cells``."""
    return sort_cells(
        {node.number: node.needs for node in nodes},
        {node.number: node.previous_label_needs for node in nodes if node.previous_label_needs},
    )


def sort_cells(
    needs: Mapping[int, Sequence[int]], prior: Mapping[int, Collection[int]]
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...], list[list[int]]]:
    """Sort the cells topologically; also return the recurrences and any circles.

    ``prior`` are the needs that are read at the previous label only. Cells that depend on each
    other through these alone form a recurrence: they are adjacent in the order, sorted by what they
    need at the same label. Cells of circles, and all that depend on them, are left out.
    """
    order, left = _sort(needs)
    if not left:
        return order, (), []
    recurrences: list[tuple[int, ...]] = []
    circles: list[list[int]] = []
    for component in strongly_connected_components({cell: needs[cell] for cell in left}):
        members = set(component)
        now = {cell: [need for need in needs[cell] if need in members] for cell in component}
        now = {cell: [n for n in now[cell] if n not in prior.get(cell, ())] for cell in component}
        inner, stuck = _sort(now)
        if stuck:
            from calcgraph.graph.digraph import find_circles  # networkx: only to report a mistake

            circles += find_circles(now)
        else:
            recurrences.append(inner)
    return _sort_with_recurrences(needs, recurrences), tuple(recurrences), sorted(circles)


def _sort_with_recurrences(
    needs: Mapping[int, Sequence[int]], recurrences: Sequence[tuple[int, ...]]
) -> tuple[int, ...]:
    """Sort cells with each recurrence as one."""
    whole = {cell: component[0] for component in recurrences for cell in component}
    inner = {component[0]: component for component in recurrences}
    joined: dict[int, list[int]] = {}
    for cell, others in needs.items():
        own = whole.get(cell, cell)
        mine = joined.setdefault(own, [])
        mine += [
            to for other in others if (to := whole.get(other, other)) != own or own not in inner
        ]
    order, _ = _sort(joined)
    return tuple(cell for one in order for cell in inner.get(one, (one,)))


def _sort(needs: Mapping[int, Sequence[int]]) -> tuple[tuple[int, ...], list[int]]:
    """Sort cells topologically; also return those that cannot be placed.

    Of the cells that could come next, the first in the sheet does, so that neighbours stay so.
    """
    users: dict[int, list[int]] = {cell: [] for cell in needs}
    missing: dict[int, int] = {}
    for cell, others in needs.items():
        missing[cell] = len(others)
        for other in others:
            users[other].append(cell)
    ready = [cell for cell, count in missing.items() if not count]
    heapify(ready)
    order: list[int] = []
    while ready:
        cell = heappop(ready)
        order.append(cell)
        for user in users[cell]:
            missing[user] -= 1
            if not missing[user]:
                heappush(ready, user)
    if len(order) == len(needs):
        return tuple(order), []
    in_instance = set(order)
    return tuple(order), [cell for cell in needs if cell not in in_instance]


def find_recurrences(nodes: Sequence[Node]) -> list[tuple[int, ...]]:
    """Find the cells that depend on each other, if any read the previous label."""
    if not any(node.previous_label_needs for node in nodes):
        return []
    return strongly_connected_components({node.number: node.needs for node in nodes})


def circle_finding(nodes: Sequence[Node], circle: list[int]) -> Diagnostic:
    """Report a circle, each of its cells with its place.

    ``circle`` lists what is read before what reads it; the message runs the other way, from the
    first cell of the sheet.
    """
    first = circle.index(min(circle))
    turned = circle[first:] + circle[:first]
    path = [turned[0], *reversed(turned[1:]), turned[0]]
    names = [nodes[number].name for number in path]
    labels = [
        Label(_reference(nodes[here], there), f"`{nodes[here].name}` needs `{nodes[there].name}`")
        for here, there in pairwise(path)
    ]
    half = LONGEST // 2
    shown = names if len(names) <= LONGEST else [*names[:half], "…", *names[-half:]]
    hint = "compute one of them from inputs only"
    if len(circle) == 1:
        hint = "use another cell; a value that a person sets belongs under `inputs`"
    if any(_reads_whole(nodes[here], there) for here, there in pairwise(path)):
        hint = (
            "an aggregation or an entry needs all labels; `prev(x, initial)` reads the one before"
        )
    elif any(nodes[number].dims for number in circle):
        hint = "read one of them at the label before: `prev(x, initial)`"
    message = f"circular reference: {' -> '.join(shown)}"
    return Diagnostic(CIRCULAR_REFERENCE, message, labels[0], hint, tuple(labels[1:PLACES]))


def _reference(node: Node, need: int) -> Span:
    for expr in expressions(node):
        for part in names_in(expr):
            target = node.targets.get(part.span.start)
            is_it = isinstance(target, CellTarget | ColumnTarget) and target.number == need
            if is_it and part.span.start not in node.before:
                return part.span
    return node.decl.key.span


def _reads_whole(node: Node, need: int) -> bool:
    """Whether a cell reads all labels of another at once: in an aggregation, or by a key."""
    for expr in expressions(node):
        for part in walk(expr):
            names: list[Name | EntryExpr]
            if isinstance(part, EntryExpr):
                names = [part]
            elif isinstance(part, Call) and _is_along(part):
                names = [name for arg in part.args for name in names_in(arg)]
            else:
                continue
            targets = (node.targets.get(name.span.start) for name in names)
            if any(getattr(target, "number", -1) == need for target in targets):
                return True
    return False


def _is_along(call: Call) -> bool:
    row = FUNCTIONS.get(call.function)
    if row is None or row.name == "prev":
        return False
    return row.along or (row.takes_series and not (row.params[-1] == "…" and len(call.args) > 1))
