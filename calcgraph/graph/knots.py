"""Cells that depend on each other in a circle, knot by knot.

networkx knows this too, but importing it alone takes ten times as long as starting Python, and
every sheet with a recurrence has knots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def find_knots(needs: Mapping[int, Iterable[int]]) -> list[tuple[int, ...]]:
    """Give the strongly connected sets of more than one cell, or of one that needs itself.

    Kosaraju's way: walk forward and note in which order cells are left, then walk back from the
    last left. Without recursion; in order of the least cell.
    """
    users: dict[int, list[int]] = {cell: [] for cell in needs}
    for cell, others in needs.items():
        for other in others:
            if other in users:
                users[other].append(cell)
    seen: set[int] = set()
    knots: list[tuple[int, ...]] = []
    for start in reversed(_left_in_order({c: list(n) for c, n in needs.items()})):
        if start in seen:
            continue
        knot = _reached(start, users, seen)
        if len(knot) > 1 or start in needs[start]:
            knots.append(tuple(sorted(knot)))
    return sorted(knots)


def _left_in_order(needs: dict[int, list[int]]) -> list[int]:
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
