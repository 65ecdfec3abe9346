"""Settings as written after ``--set`` to changes of inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from calcgraph.book.errors import SettingError
from calcgraph.book.written import address_and_value
from calcgraph.check.settings import Settings
from calcgraph.core.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.model import Change, Model

Read: TypeAlias = "tuple[list[Change], list[str]]"
"""The changes of a case, and what a user should be told about them."""


def settings_of(model: Model) -> Settings:
    """Give what knows which inputs can be set, and to what."""
    return Settings(model.graph, model.book, model.cells, model.graph.sheets.root)


class SettingReader:
    """Reads settings of many cases, each setting once."""

    def __init__(self, model: Model) -> None:
        """Read settings of a model."""
        self.settings = settings_of(model)
        self.known: dict[tuple[str, str], tuple[Change, str] | Diagnostic] = {}

    def each(self, cases: Iterable[Iterable[tuple[str, str]]]) -> list[Read]:
        """Give changes and notes of each case; raises ``SettingError`` with all refused, once."""
        found: list[Read] = []
        findings: dict[int, Diagnostic] = {}
        for pairs in cases:
            try:
                found.append(self.read(pairs))
            except SettingError as error:
                findings.update({id(finding): finding for finding in error.diagnostics})
        if findings:
            raise SettingError(list(findings.values()))
        return found

    def read(self, pairs: Iterable[tuple[str, str]]) -> Read:
        """Give the changes of one case, and notes; raises ``SettingError`` with all refused."""
        changes: list[Change] = []
        notes: list[str] = []
        findings: list[Diagnostic] = []
        for name, text in pairs:
            found = self.one(name, text)
            if isinstance(found, Diagnostic):
                findings.append(found)
                continue
            changes.append(found[0])
            if found[1]:
                notes.append(f"`{name}` is `{found[1]}`")
        if findings:
            raise SettingError(findings)
        return changes, notes

    def one(self, name: str, text: str) -> tuple[Change, str] | Diagnostic:
        """Read one setting."""
        if (name, text) not in self.known:
            found = self.settings.change(*address_and_value(name, text))
            assert found is not None, "a checked model has no broken input"
            self.known[name, text] = found
        return self.known[name, text]
