"""Settings from Python values and from text."""

from __future__ import annotations

from datetime import date, datetime, time
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from calcgraph.book.errors import SettingError
from calcgraph.core.diagnostics import Diagnostic
from calcgraph.core.source import Slice, Source
from calcgraph.core.values import Kind
from calcgraph.functions.kernels.scalar import from_date
from calcgraph.sheet.yaml_reader import YamlScalar
from calcgraph.typecheck.overrides import AddressResolver, ResolvedInput
from calcgraph.units import to_pint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.core.values import Scalar, Type
    from calcgraph.model import Change, Model


class NotNative(Exception):
    """A Python value that is not of the kind its input takes."""


def plain_python(value: Any) -> Any:  # noqa: ANN401 - whatever Python has
    """Return numpy's numbers and truths as Python's, and a ``datetime`` at midnight as its day."""
    if hasattr(value, "magnitude"):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, datetime) and value == datetime.combine(value, time(), value.tzinfo):
        return value.date()
    return value


def native_value(value: Any, type_: Type) -> Scalar:  # noqa: ANN401 - whatever Python has
    """Return ``value`` as the engine stores it, a pint quantity converted to the input's unit.

    Raises ``NotNative`` for a value of another kind or dimension, and for texts.
    """
    if value is None:
        return None
    if isinstance(value, bool):
        if type_.kind is Kind.TRUTH:
            return value
    elif type_.kind in {Kind.NUMBER, Kind.ANY}:
        return _number(value, type_)
    elif type_.kind is Kind.DATE and isinstance(value, date) and not isinstance(value, datetime):
        try:
            return from_date(value)
        except ValueError:  # earlier than the first day a sheet can hold
            raise NotNative from None
    raise NotNative


def _number(value: Any, type_: Type) -> float:  # noqa: ANN401 - whatever Python has
    """Return a number, or a pint quantity, in the unit of the input."""
    factor = 1.0
    try:
        if hasattr(value, "magnitude") and hasattr(value, "to"):
            factor, unit = to_pint(type_.unit)
            value = float(value.to(unit).magnitude)
        if isinstance(value, float | int):
            number = float(value) / factor
            if isfinite(number):
                return number
    except (TypeError, OverflowError):  # pint's word for another dimension; too large an int
        pass
    raise NotNative


def text_of(value: Any) -> str:  # noqa: ANN401 - whatever Python has
    """Write a Python value as a user would after ``--set``, for findings to quote."""
    if hasattr(value, "magnitude") and hasattr(value, "units"):
        return f"{value.magnitude} {value.units}".strip()
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float | int) else str(value)


def address_and_value(name: str, text: str) -> tuple[YamlScalar, YamlScalar]:
    """Make a source of ``name=value``, so that findings can point into it."""
    source = Source("--set", f"{name}={text}")
    address = Slice(source, name, 0)
    style = '"' if len(text) > 1 and text[0] == text[-1] == '"' else ""
    start = len(name) + 1 + len(style)
    value = Slice(source, text[1:-1] if style else text, start)
    return YamlScalar(address, address.whole), YamlScalar(value, value.whole, style)


NamedValue: TypeAlias = tuple[str, object]
"""The address of an input and its value; a text is read as after ``--set``."""
Read: TypeAlias = "tuple[list[Change], list[str]]"
"""The changes of a case, and notes for the user about them."""


class SettingReader:
    """Reads the settings of many cases, each distinct setting once."""

    def __init__(self, model: Model) -> None:
        """Resolve addresses as seen from the root sheet of ``model``."""
        self.settings = AddressResolver(
            model.graph, model.book, model.cells, model.graph.sheets.root
        )
        self.known: dict[tuple[str, type, str], tuple[Change, str] | Diagnostic] = {}

    def each(self, cases: Iterable[Iterable[NamedValue]]) -> list[Read]:
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

    def read(self, pairs: Iterable[NamedValue]) -> Read:
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
        if isinstance(found, ResolvedInput) and not isinstance(value, str):
            try:
                number = native_value(value, found.cell.type)
            except NotNative:
                pass
            else:
                return self.settings.admit(found, address, written, number)
        return self.settings.change(address, written)
