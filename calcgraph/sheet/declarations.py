"""What a sheet declares, read but not yet understood: texts and formulas with their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from calcgraph.core.source import Source, Span
    from calcgraph.language.ast import Formula, Text
    from calcgraph.sheet.yaml_reader import YamlScalar


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a figure comes from; ``checked`` is a day, ``2026-09-01``."""

    title: str
    url: str = ""
    checked: str = ""
    owner: str = ""
    place: YamlScalar | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """What people read about a cell."""

    label: str = ""
    note: str = ""
    source: Provenance | None = None


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A column of a grid: the values it takes."""

    name: str
    key: YamlScalar
    values: tuple[YamlScalar, ...]


@dataclass(frozen=True, slots=True)
class DimDecl:
    """A dim: ``labels``, a ``count``, a time axis from ``start`` to ``end``, ``like`` or a grid.

    Which of them it is says what is given; ``where`` is the condition of a grid.
    """

    name: str
    key: YamlScalar
    kind: Literal["labels", "count", "time", "like", "grid"]
    labels: tuple[YamlScalar, ...] = ()
    count: YamlScalar | None = None
    start: YamlScalar | None = None
    end: YamlScalar | None = None
    step: YamlScalar | None = None
    like: YamlScalar | None = None
    columns: tuple[GridColumn, ...] = ()
    where: Formula | None = None
    about: Metadata = field(default_factory=Metadata)


@dataclass(frozen=True, slots=True)
class SeriesEntry:
    """A value of a series, and its labels.

    With a key for each dim it is one label's. Without keys it is every label's. One of a list has
    no key of the last dim but its ``position`` there, from 0: a list holds a value for each label.
    """

    keys: tuple[YamlScalar, ...]
    value: YamlScalar
    position: int | None = None


@dataclass(frozen=True, slots=True)
class CsvData:
    """A file with values: its path as written, and once it is read its text.

    One without ``source`` could not be read, and that has been said.
    """

    path: YamlScalar
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class ExpectationDecl:
    """A published or budgeted figure; ``verdict`` is ``wrong`` where it is known to be so.

    ``at`` are the keys of the entry of a series that it speaks of.
    """

    value: YamlScalar
    within: YamlScalar | None = None
    source: Provenance | None = None
    verdict: str = ""
    why: str = ""
    at: tuple[YamlScalar, ...] = ()


@dataclass(frozen=True, slots=True)
class InputDecl:
    """A cell that somebody sets; ``choices`` is a list of values or the name of a table.

    One with ``dims`` has ``entries`` in place of a value, written or from a CSV file; one without
    any is broken, and that has been said.
    """

    name: str
    key: YamlScalar
    heading: str
    value: YamlScalar | None
    unit: YamlScalar | None = None
    least: YamlScalar | None = None
    most: YamlScalar | None = None
    choices: tuple[YamlScalar, ...] | YamlScalar | None = None
    uncertain: YamlScalar | None = None
    about: Metadata = field(default_factory=Metadata)
    dims: tuple[YamlScalar, ...] = ()
    entries: tuple[SeriesEntry, ...] = ()
    fill: YamlScalar | None = None
    csv: CsvData | None = None


@dataclass(frozen=True, slots=True)
class CalcDecl:
    """A cell that a formula computes; ``formula`` is none where it could not be read."""

    name: str
    key: YamlScalar
    heading: str
    formula: Formula | None
    text: YamlScalar | None
    expects: tuple[ExpectationDecl, ...] = ()
    about: Metadata = field(default_factory=Metadata)
    dims: tuple[YamlScalar, ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnDecl:
    """A column of a table; ``unit`` is a unit, ``text``, ``truth``, ``date`` or a table's name."""

    name: str
    key: YamlScalar
    unit: YamlScalar | None
    about: Metadata = field(default_factory=Metadata)


@dataclass(frozen=True, slots=True)
class RowDecl:
    """A row of a table: an entry for each column, or none."""

    label: str
    key: YamlScalar
    entries: tuple[YamlScalar | None, ...]
    about: Metadata = field(default_factory=Metadata)


@dataclass(frozen=True, slots=True)
class TableDecl:
    """A catalogue; rows under composite ``keys``, columns themselves, are named ``a/b``."""

    name: str
    key: YamlScalar
    columns: tuple[ColumnDecl, ...]
    rows: tuple[RowDecl, ...]
    about: Metadata = field(default_factory=Metadata)
    keys: tuple[YamlScalar, ...] = ()
    csv: CsvData | None = None


@dataclass(frozen=True, slots=True)
class CheckDecl:
    """A condition that must hold; ``message`` is a text with holes."""

    name: str
    key: YamlScalar
    condition: Formula | None
    message: Text | None
    is_error: bool = True


@dataclass(frozen=True, slots=True)
class Setting:
    """An address and the value it is given in a scenario, a test or a variant.

    ``formula`` is given where the value is one: only the ``set`` of a variant may hold it.
    """

    address: YamlScalar
    value: YamlScalar
    formula: Formula | None = None


@dataclass(frozen=True, slots=True)
class ScenarioDecl:
    """Inputs set together under a name."""

    name: str
    key: YamlScalar
    extends: YamlScalar | None
    settings: tuple[Setting, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class CaseDecl:
    """A test: inputs set, and the figures expected then, each with its address."""

    name: str
    key: YamlScalar
    settings: tuple[Setting, ...]
    expects: tuple[tuple[YamlScalar, ExpectationDecl], ...]


@dataclass(frozen=True, slots=True)
class ChartDecl:
    """A picture: ``x`` names a dim or a series, ``y`` series; ``log`` axes by powers of ten."""

    place: Span
    kind: str
    x: YamlScalar
    y: tuple[YamlScalar, ...]
    title: str = ""
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportDecl:
    """Another sheet under an alias; with ``settings`` it is a variant of it.

    ``over`` names the dims along which the variant is lifted.
    """

    alias: str
    key: YamlScalar
    path: YamlScalar
    settings: tuple[Setting, ...] = ()
    over: tuple[YamlScalar, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """One file, as declared.

    ``lost`` are names in what could not be read, ``unread`` says that nothing could be read: a use
    of such a name is not reported as unknown.
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
    outputs: tuple[YamlScalar, ...] = ()
    tests: tuple[CaseDecl, ...] = ()
    charts: tuple[ChartDecl, ...] = ()
    lost: frozenset[str] = frozenset()
    unread: bool = False
