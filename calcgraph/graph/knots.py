"""Strongly connected components (Kosaraju), for the recurrences of healthy sheets.

networkx has them too, and reports circles; but a plain ``eval`` must not import it, which takes
ten times as long as starting Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


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
