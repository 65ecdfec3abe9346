"""Settings, Python values or texts as after ``--set``, to changes of inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from calcgraph.book.errors import SettingError
from calcgraph.book.written import (
    NotNative,
    address_and_value,
    native_value,
    plain_python,
    text_of,
)
from calcgraph.check.settings import Found, Settings
from calcgraph.core.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.model import Change, Model

Setting: TypeAlias = tuple[str, object]
"""The address of an input and its value; a text is read as after ``--set``."""
Read: TypeAlias = "tuple[list[Change], list[str]]"
"""The changes of a case, and notes for the user about them."""


class SettingReader:
    """Reads the settings of many cases, each distinct setting once."""

    def __init__(self, model: Model) -> None:
        """Resolve addresses as seen from the root sheet of ``model``."""
        self.settings = Settings(model.graph, model.book, model.cells, model.graph.sheets.root)
        self.known: dict[tuple[str, type, str], tuple[Change, str] | Diagnostic] = {}

    def each(self, cases: Iterable[Iterable[Setting]]) -> list[Read]:
        """Return the changes and notes of each case.

        Raises ``SettingError`` with every setting that is refused, each once.
        """
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

    def read(self, pairs: Iterable[Setting]) -> Read:
        """Return the changes and notes of one case; raises ``SettingError`` with all refusals."""
        changes: list[Change] = []
        notes: list[str] = []
        findings: list[Diagnostic] = []
        for name, value in pairs:
            found = self.one(name, value)
            if isinstance(found, Diagnostic):
                findings.append(found)
                continue
            changes.append(found[0])
            if found[1]:
                notes.append(f"`{name}` is `{found[1]}`")
        if findings:
            raise SettingError(findings)
        return changes, notes

    def one(self, name: str, value: object) -> tuple[Change, str] | Diagnostic:
        """Read one setting: a change and the full name it was found under, or the refusal."""
        value = plain_python(value)
        key = name, type(value), text_of(value)
        if key not in self.known:
            found = self._change(name, value, key[2])
            assert found is not None, "a checked model has no broken input"
            self.known[key] = found
        return self.known[key]

    def _change(
        self,
        name: str,
        value: Any,  # noqa: ANN401 - whatever Python has
        text: str,
    ) -> tuple[Change, str] | Diagnostic | None:
        """Make a change from a value; one of another kind than its input is judged as a text."""
        address, written = address_and_value(name, text)
        found = self.settings.find(address)
        if isinstance(found, Found) and not isinstance(value, str):
            try:
                number = native_value(value, found.cell.type)
            except NotNative:
                pass
            else:
                return self.settings.admit(found, address, written, number)
        return self.settings.change(address, written)
