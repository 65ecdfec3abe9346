"""Names of cells in variants: the import aliases that lead to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calcgraph.graph.cells import Declared
    from calcgraph.graph.names import ImportPath
    from calcgraph.sheet.imports import Sheets


@dataclass(frozen=True, slots=True)
class ImportPaths:
    """The shortest chain of import aliases from one sheet to another."""

    sheets: Sheets
    declared: Declared
    found: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)

    def name(self, cell: int, within: ImportPath) -> str:
        """Name a cell within variants: ``cand.step.memory``."""
        here, words = self.sheets.root, list[str]()
        for sheet, alias in within:
            words += [*self.import_path(here, sheet), alias]
            here = self.sheets.imports[sheet][alias]
        node = self.declared.nodes[cell]
        return ".".join((*words, *self.import_path(here, node.sheet), _own_name(node.name)))

    def import_path(self, start: str, end: str) -> tuple[str, ...]:
        """Find the shortest chain of aliases between two sheets; plain imports are preferred."""
        if start not in self.found:
            self.found[start] = self._import_paths(start)
        return self.found[start].get(end, self.sheets.paths[end])

    def _import_paths(self, start: str) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {start: ()}
        for is_plain in (True, False):
            waiting = list(found)
            while waiting:
                here = waiting.pop(0)
                for decl in self.sheets.sheets[here].imports:
                    to = self.sheets.imports[here].get(decl.alias)
                    if to is not None and to not in found and (not is_plain or not decl.settings):
                        found[to] = (*found[here], decl.alias)
                        waiting.append(to)
        return found


def _own_name(name: str) -> str:
    return name.rpartition(".")[2]
