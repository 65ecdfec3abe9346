"""What a sheet declares, read but not yet understood: texts and formulas with their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calcgraph.core.source import Source
    from calcgraph.lang.expr import Formula, Text
    from calcgraph.sheet.yaml_tree import Scalar


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a figure comes from; ``checked`` is a day, ``2026-09-01``."""

    title: str
    url: str = ""
    checked: str = ""
    owner: str = ""
    place: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """A published or budgeted figure; ``verdict`` is ``wrong`` where it is known to be so."""

    value: Scalar
    within: Scalar | None = None
    source: Provenance | None = None
    verdict: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Described:
    """What people read about a cell."""

    label: str = ""
    note: str = ""
    source: Provenance | None = None
    format: str = ""


@dataclass(frozen=True, slots=True)
class InputDecl:
    """A cell that somebody sets; ``choices`` is a list of values or the name of a table."""

    name: str
    key: Scalar
    heading: str
    value: Scalar | None
    unit: Scalar | None = None
    least: Scalar | None = None
    most: Scalar | None = None
    choices: tuple[Scalar, ...] | Scalar | None = None
    uncertain: Scalar | None = None
    about: Described = field(default_factory=Described)


@dataclass(frozen=True, slots=True)
class CalcDecl:
    """A cell that a formula computes; ``formula`` is none where it could not be read."""

    name: str
    key: Scalar
    heading: str
    formula: Formula | None
    text: Scalar | None
    expects: tuple[Expectation, ...] = ()
    about: Described = field(default_factory=Described)


@dataclass(frozen=True, slots=True)
class ColumnDecl:
    """A column of a table; ``unit`` is a unit, ``text``, ``truth``, ``date`` or a table's name."""

    name: str
    key: Scalar
    unit: Scalar | None
    about: Described = field(default_factory=Described)


@dataclass(frozen=True, slots=True)
class RowDecl:
    """A row of a table: an entry for each column, or none."""

    label: str
    key: Scalar
    entries: tuple[Scalar | None, ...]
    about: Described = field(default_factory=Described)


@dataclass(frozen=True, slots=True)
class TableDecl:
    """A catalogue."""

    name: str
    key: Scalar
    columns: tuple[ColumnDecl, ...]
    rows: tuple[RowDecl, ...]
    about: Described = field(default_factory=Described)


@dataclass(frozen=True, slots=True)
class CheckDecl:
    """A condition that must hold; ``message`` is a text with holes."""

    name: str
    key: Scalar
    condition: Formula | None
    message: Text | None
    is_error: bool = True


@dataclass(frozen=True, slots=True)
class Setting:
    """An address and the value it is given in a scenario or test."""

    address: Scalar
    value: Scalar


@dataclass(frozen=True, slots=True)
class ScenarioDecl:
    """Inputs set together under a name."""

    name: str
    key: Scalar
    extends: Scalar | None
    settings: tuple[Setting, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class CaseDecl:
    """A test: inputs set, and the figures expected then, each with its address."""

    name: str
    key: Scalar
    settings: tuple[Setting, ...]
    expects: tuple[tuple[Scalar, Expectation], ...]


@dataclass(frozen=True, slots=True)
class ImportDecl:
    """Another sheet under an alias."""

    alias: str
    key: Scalar
    path: Scalar


@dataclass(frozen=True, slots=True)
class Sheet:
    """One file, as declared.

    ``lost`` are names in what could not be read, ``unread`` says that nothing could: who uses such
    a name is not told that it is unknown.
    """

    source: Source
    title: str = ""
    description: str = ""
    conventions: dict[str, Setting] = field(default_factory=dict)
    units: dict[str, Setting] = field(default_factory=dict)
    imports: tuple[ImportDecl, ...] = ()
    tables: tuple[TableDecl, ...] = ()
    inputs: tuple[InputDecl, ...] = ()
    calcs: tuple[CalcDecl, ...] = ()
    checks: tuple[CheckDecl, ...] = ()
    scenarios: tuple[ScenarioDecl, ...] = ()
    outputs: tuple[Scalar, ...] = ()
    tests: tuple[CaseDecl, ...] = ()
    lost: frozenset[str] = frozenset()
    unread: bool = False
