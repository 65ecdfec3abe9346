"""What a sheet declares, read but not yet understood: texts and formulas with their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from calcgraph.core.source import Source, Span
    from calcgraph.language.ast import Formula, Text
    from calcgraph.sheet.yaml_reader import Scalar


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a figure comes from; ``checked`` is a day, ``2026-09-01``."""

    title: str
    url: str = ""
    checked: str = ""
    owner: str = ""
    place: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Described:
    """What people read about a cell."""

    label: str = ""
    note: str = ""
    source: Provenance | None = None


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A column of a grid: the values it takes."""

    name: str
    key: Scalar
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class DimDecl:
    """A dim: ``labels``, a ``count``, a time axis from ``start`` to ``end``, ``like`` or a grid.

    Which of them it is says what is given; ``where`` is the condition of a grid.
    """

    name: str
    key: Scalar
    kind: Literal["labels", "count", "time", "like", "grid"]
    labels: tuple[Scalar, ...] = ()
    count: Scalar | None = None
    start: Scalar | None = None
    end: Scalar | None = None
    step: Scalar | None = None
    like: Scalar | None = None
    columns: tuple[GridColumn, ...] = ()
    where: Formula | None = None
    about: Described = field(default_factory=Described)


@dataclass(frozen=True, slots=True)
class SeriesEntry:
    """A value of a series, and where it stands.

    With a key for each dim it is one label's. Without keys it is every label's. One of a list has
    no key of the last dim but its ``position`` there, from 0: a list holds a value for each label.
    """

    keys: tuple[Scalar, ...]
    value: Scalar
    position: int | None = None


@dataclass(frozen=True, slots=True)
class CsvData:
    """A file with values: its path as written, and once it is read its text.

    One without ``source`` could not be read, and that has been said.
    """

    path: Scalar
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """A published or budgeted figure; ``verdict`` is ``wrong`` where it is known to be so.

    ``at`` are the keys of the entry of a series that it speaks of.
    """

    value: Scalar
    within: Scalar | None = None
    source: Provenance | None = None
    verdict: str = ""
    why: str = ""
    at: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True)
class InputDecl:
    """A cell that somebody sets; ``choices`` is a list of values or the name of a table.

    One with ``dims`` has ``entries`` in place of a value, written or from a CSV file; one without
    any is broken, and that has been said.
    """

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
    dims: tuple[Scalar, ...] = ()
    entries: tuple[SeriesEntry, ...] = ()
    fill: Scalar | None = None
    csv: CsvData | None = None


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
    dims: tuple[Scalar, ...] = ()


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
    """A catalogue; rows under composite ``keys``, columns themselves, are named ``a/b``."""

    name: str
    key: Scalar
    columns: tuple[ColumnDecl, ...]
    rows: tuple[RowDecl, ...]
    about: Described = field(default_factory=Described)
    keys: tuple[Scalar, ...] = ()
    csv: CsvData | None = None


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
    """An address and the value it is given in a scenario, a test or a variant.

    ``formula`` is given where the value is one: only the ``set`` of a variant may hold it.
    """

    address: Scalar
    value: Scalar
    formula: Formula | None = None


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
class ChartDecl:
    """A picture: ``x`` names a dim or a series, ``y`` series; ``log`` axes by powers of ten."""

    place: Span
    kind: str
    x: Scalar
    y: tuple[Scalar, ...]
    title: str = ""
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportDecl:
    """Another sheet under an alias; with ``settings`` it is a variant of it.

    ``over`` names the dims along which the variant is lifted.
    """

    alias: str
    key: Scalar
    path: Scalar
    settings: tuple[Setting, ...] = ()
    over: tuple[Scalar, ...] = ()


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
    dims: tuple[DimDecl, ...] = ()
    tables: tuple[TableDecl, ...] = ()
    inputs: tuple[InputDecl, ...] = ()
    calcs: tuple[CalcDecl, ...] = ()
    checks: tuple[CheckDecl, ...] = ()
    scenarios: tuple[ScenarioDecl, ...] = ()
    outputs: tuple[Scalar, ...] = ()
    tests: tuple[CaseDecl, ...] = ()
    charts: tuple[ChartDecl, ...] = ()
    lost: frozenset[str] = frozenset()
    unread: bool = False
