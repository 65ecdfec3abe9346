"""Graph reachability, without recursion: dependency chains may be long."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def reached(start: Iterable[int], arrows: Callable[[int], Iterable[int]]) -> set[int]:
    """Return the start nodes and all that are reachable; ``arrows`` returns a node's successors."""
    found = set(start)
    waiting = list(found)
    while waiting:
        new = [number for number in arrows(waiting.pop()) if number not in found]
        found.update(new)
        waiting.extend(new)
    return found
