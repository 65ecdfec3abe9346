"""Instances of sub-model cells: only those that are read and that differ are made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from calcgraph.graph.names import CellTarget, ColumnTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from calcgraph.graph.bindings import ParameterBinding
    from calcgraph.graph.cells import Node
    from calcgraph.graph.names import ImportPath, Target, Variant

State: TypeAlias = "tuple[int, ImportPath]"
"""A cell, or the first of a recurrence, and the variants it is wanted in."""


MAX_INSTANCES = 50_000
"""Limit on the cells of variants; the planner needs 5,000."""


class TooManyInstances(Exception):
    """Raised when nested variants need too many cells; ``variant`` is one of them."""

    def __init__(self, variant: Variant) -> None:
        """Name the import."""
        super().__init__(variant)
        self.variant = variant


@dataclass(slots=True)
class SubmodelInstances:
    """Finds the instance of a cell in a variant of its sheet, and makes one if it differs.

    ``recurrences`` maps a cell to those it forms a recurrence with: they are instantiated together
    or not at all. ``name`` names a cell in variants. ``plain`` are the cells as their sheets
    declare them; ``nodes`` are the same with names resolved into variants, then the instances.
    """

    nodes: list[Node]
    plain: Sequence[Node]
    bindings: Mapping[Variant, dict[int, ParameterBinding]]
    recurrences: Mapping[int, tuple[int, ...]]
    name: Callable[[int, ImportPath], str]
    found: dict[tuple[int, ImportPath], int] = field(default_factory=dict)
    unfinished: list[int] = field(default_factory=list)

    def number(self, cell: int, within: ImportPath) -> int:
        """Find the instance of a cell within variants; make it if it differs."""
        if not within:
            return cell
        if (cell, within) not in self.found:
            self._decide_all((self._leader(cell), within))
        return self.found[cell, within]

    def finish(self) -> None:
        """Resolve what new instances read, which may make more of them."""
        while self.unfinished:
            number = self.unfinished.pop()
            node = self.nodes[number]
            self.nodes[number] = self.with_needs(node)

    def with_needs(self, node: Node) -> Node:
        """Resolve the names of a node to the instances in the variants they pass through."""
        targets = {at: self.in_instance(target, node.within) for at, target in node.targets.items()}
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

    def in_instance(self, target: Target, within: ImportPath) -> Target:
        """Resolve a name to the instance in the variants it passes through."""
        if isinstance(target, CellTarget | ColumnTarget):
            return replace(
                target, number=self.number(target.number, (*within, *target.import_path))
            )
        return target

    def _leader(self, cell: int) -> int:
        return self.recurrences[cell][0] if cell in self.recurrences else cell

    def _members(self, leader: int) -> tuple[int, ...]:
        return self.recurrences.get(leader, (leader,))

    def _decide_all(self, wanted: State) -> None:
        """Resolve dependencies depth first, iteratively."""
        todo, open_ = [wanted], set[State]()
        while todo:
            state = todo[-1]
            if self._is_done(state):
                todo.pop()
                continue
            missing = [other for other in self._dependencies(*state) if not self._is_done(other)]
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

    def _dependencies(self, leader: int, within: ImportPath) -> Iterator[State]:
        """List what must be decided first: what is read, here and with one variant less."""
        for fewer in self._outer_instances(within):
            yield leader, fewer
        if self._binding(leader, within) is None:
            for instance in (within, *self._outer_instances(within)):
                for cell, import_path in self._reads(leader):
                    yield self._leader(cell), (*instance, *import_path)
            return
        binding = self._binding(leader, within)
        assert binding is not None, "it was asked for"
        for outer in (within[:-1], *self._outer_instances(within[:-1])):
            for cell, import_path in _cells(binding.targets):
                yield self._leader(cell), (*outer, *import_path)

    def _outer_instances(self, within: ImportPath) -> list[ImportPath]:
        return [(*within[:at], *within[at + 1 :]) for at in range(len(within) - 1, -1, -1)]

    def _binding(self, cell: int, within: ImportPath) -> ParameterBinding | None:
        return self.bindings[within[-1]].get(cell) if within else None

    def _reads(self, leader: int) -> list[tuple[int, ImportPath]]:
        """List what a cell, or a recurrence as a whole, reads."""
        members = self._members(leader)
        return [
            (number, import_path)
            for member in members
            for number, import_path in _cells(self.plain[member].targets)
            if import_path or number not in members
        ]

    def _decide(self, leader: int, within: ImportPath) -> None:
        binding = self._binding(leader, within)
        if binding is not None:
            for fewer in self._outer_instances(within[:-1]):
                if self._reads_the_same(_cells(binding.targets), within[:-1], fewer):
                    self.found[leader, within] = self.found[leader, (*fewer, within[-1])]
                    return
            self._make(leader, within)
            return
        reads = self._reads(leader)
        for fewer in self._outer_instances(within):
            if self._reads_the_same(reads, within, fewer):
                for member in self._members(leader):
                    self.found[member, within] = self.number(member, fewer)
                return
        self._make(leader, within)

    def _reads_the_same(
        self, reads: Sequence[tuple[int, ImportPath]], one: ImportPath, other: ImportPath
    ) -> bool:
        return all(
            self.number(cell, (*one, *import_path)) == self.number(cell, (*other, *import_path))
            for cell, import_path in reads
        )

    def _make(self, leader: int, within: ImportPath) -> None:
        """Make instances for a variant; what they read is resolved later."""
        if len(self.found) > MAX_INSTANCES:
            raise TooManyInstances(within[0])
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


def _cells(targets: Mapping[int, Target]) -> list[tuple[int, ImportPath]]:
    """List the cells that names refer to, each with the variants it is read through."""
    found = {
        (target.number, target.import_path): None
        for target in targets.values()
        if isinstance(target, CellTarget | ColumnTarget)
    }
    return list(found)
