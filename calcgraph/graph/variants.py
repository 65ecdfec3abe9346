"""Cells computed again in variants of their sheets: only those that are read and that differ."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.graph.names import CellTarget, ColumnTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from calcgraph.graph.bindings import Binding
    from calcgraph.graph.cells import Node
    from calcgraph.graph.names import Target, Variant, Via

State: TypeAlias = "tuple[int, Via]"
"""Cells that depend on each other, by one of them, and the variants they are asked for in."""


MOST = 50_000
"""So many cells are asked for in variants at most: the planner asks for 5,000."""


class TooMany(Exception):
    """Variants of variants that ask for more cells than anybody means; ``way`` is one of them."""

    def __init__(self, way: Variant) -> None:
        """Say through which import."""
        super().__init__(way)
        self.way = way


@dataclass(slots=True)
class Variants:
    """Finds which cell stands for one of a sheet in a variant of it; makes it where it differs.

    ``knots`` say with which others a cell depends on itself through the label before: they are
    computed again together or not at all. ``name`` gives the name of a cell in variants.
    ``plain`` are the cells of the sheets as their own formulas name what they read, ``nodes`` the
    same once that stands for cells of variants, and behind them what is made.
    """

    nodes: list[Node]
    plain: Sequence[Node]
    bindings: Mapping[Variant, dict[int, Binding]]
    knots: Mapping[int, tuple[int, ...]]
    name: Callable[[int, Via], str]
    found: dict[tuple[int, Via], int] = field(default_factory=dict)
    unfinished: list[int] = field(default_factory=list)

    def number(self, cell: int, within: Via) -> int:
        """Give the cell that stands for one of a sheet within variants."""
        if not within:
            return cell
        if (cell, within) not in self.found:
            self._settle((self._leader(cell), within))
        return self.found[cell, within]

    def finish(self) -> None:
        """Tie what was made to what it reads, which may make more."""
        while self.unfinished:
            number = self.unfinished.pop()
            node = self.nodes[number]
            self.nodes[number] = self.tied(node)

    def tied(self, node: Node) -> Node:
        """Let the names of a node stand for the cells of the variants they pass through."""
        targets = {at: self.placed(target, node.within) for at, target in node.targets.items()}
        now, prior = dict[int, None](), set[int]()
        for at, target in targets.items():
            if isinstance(target, CellTarget | ColumnTarget):
                if at in node.before:
                    prior.add(target.number)
                else:
                    now[target.number] = None
        return replace(
            node,
            targets=targets,
            needs=(*now, *sorted(prior - now.keys()), *([node.switch] if node.switch >= 0 else ())),
            prior=frozenset(prior - now.keys()),
        )

    def placed(self, target: Target, within: Via) -> Target:
        """Let a name stand for the cell of the variants it passes through."""
        if isinstance(target, CellTarget | ColumnTarget):
            return replace(target, number=self.number(target.number, (*within, *target.via)))
        return target

    def _leader(self, cell: int) -> int:
        return self.knots[cell][0] if cell in self.knots else cell

    def _members(self, leader: int) -> tuple[int, ...]:
        return self.knots.get(leader, (leader,))

    def _settle(self, wanted: State) -> None:
        """Decide cell by cell, what is read first; without recursion."""
        todo, open_ = [wanted], set[State]()
        while todo:
            state = todo[-1]
            if self._is_done(state):
                todo.pop()
                continue
            missing = [other for other in self._asked(*state) if not self._is_done(other)]
            fresh = [other for other in missing if other not in open_]
            if state not in open_ and fresh:
                open_.add(state)
                todo.extend(fresh)
                continue
            for other in missing:
                self._make(*other)  # a circle through the variant: the order will say so
            if not self._is_done(state):
                self._decide(*state)
            todo.pop()

    def _is_done(self, state: State) -> bool:
        return not state[1] or state in self.found

    def _asked(self, leader: int, within: Via) -> Iterator[State]:
        """Give what must be known first: what is read, here and with one variant less."""
        for fewer in self._fewer(within):
            yield leader, fewer
        if self._binding(leader, within) is None:
            for way in (within, *self._fewer(within)):
                for cell, via in self._reads(leader):
                    yield self._leader(cell), (*way, *via)
            return
        binding = self._binding(leader, within)
        assert binding is not None, "it was asked for"
        for outer in (within[:-1], *self._fewer(within[:-1])):
            for cell, via in _cells(binding.targets):
                yield self._leader(cell), (*outer, *via)

    def _fewer(self, within: Via) -> list[Via]:
        return [(*within[:at], *within[at + 1 :]) for at in range(len(within) - 1, -1, -1)]

    def _binding(self, cell: int, within: Via) -> Binding | None:
        return self.bindings[within[-1]].get(cell) if within else None

    def _reads(self, leader: int) -> list[tuple[int, Via]]:
        """Give what cells read that depend on each other, themselves left out."""
        members = self._members(leader)
        return [
            (number, via)
            for member in members
            for number, via in _cells(self.plain[member].targets)
            if via or number not in members
        ]

    def _decide(self, leader: int, within: Via) -> None:
        binding = self._binding(leader, within)
        if binding is not None:
            for fewer in self._fewer(within[:-1]):
                if self._same(_cells(binding.targets), within[:-1], fewer):
                    self.found[leader, within] = self.found[leader, (*fewer, within[-1])]
                    return
            self._make(leader, within)
            return
        reads = self._reads(leader)
        for fewer in self._fewer(within):
            if self._same(reads, within, fewer):
                for member in self._members(leader):
                    self.found[member, within] = self.number(member, fewer)
                return
        self._make(leader, within)

    def _same(self, reads: Sequence[tuple[int, Via]], one: Via, other: Via) -> bool:
        return all(
            self.number(cell, (*one, *via)) == self.number(cell, (*other, *via))
            for cell, via in reads
        )

    def _make(self, leader: int, within: Via) -> None:
        """Make cells of their own for a variant; they are tied later."""
        if len(self.found) > MOST:
            raise TooMany(within[0])
        binding = self._binding(leader, within)
        for member in self._members(leader):
            node, number = self.plain[member], len(self.nodes)
            self.found[member, within] = number
            name = self.name(member, within)
            if binding is None:
                self.nodes.append(replace(node, number=number, name=name, within=within))
            else:
                self.nodes.extend(binding.nodes(number, name, within))
            self.unfinished.append(number)


def _cells(targets: Mapping[int, Target]) -> list[tuple[int, Via]]:
    """Give the cells that names stand for, each with the variants it is read through."""
    found = {
        (target.number, target.via): None
        for target in targets.values()
        if isinstance(target, CellTarget | ColumnTarget)
    }
    return list(found)
