"""Iterative traversal of trees and graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


N = TypeVar("N")
T = TypeVar("T")


def fold_tree(
    root: N, parts_of: Callable[[N], Sequence[N]], visit: Callable[[N, Sequence[T]], T]
) -> T:
    """Fold a tree from its leaves up; ``visit`` takes a node and the results of its parts."""
    todo: list[tuple[N, bool]] = [(root, False)]
    done: list[T] = []
    while todo:
        node, ready = todo.pop()
        parts = parts_of(node)
        if parts and not ready:
            todo.append((node, True))
            todo.extend((part, False) for part in reversed(parts))
            continue
        first = len(done) - len(parts)
        results = done[first:]
        del done[first:]
        done.append(visit(node, results))
    return done[0]


def reachable(start: Iterable[int], arrows: Callable[[int], Iterable[int]]) -> set[int]:
    """Return the start nodes and all that are reachable; ``arrows`` returns a node's successors."""
    found = set(start)
    waiting = list(found)
    while waiting:
        new = [number for number in arrows(waiting.pop()) if number not in found]
        found.update(new)
        waiting.extend(new)
    return found
