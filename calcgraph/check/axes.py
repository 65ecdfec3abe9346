"""Read declared dims: labels, counts, calendar periods and grids."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import MAXYEAR, date
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from calcgraph.check.grids import grid_columns, keep_rows
from calcgraph.check.values import read_as, row_key
from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.dim import Dim
from calcgraph.core.nearest import did_you_mean
from calcgraph.core.type import DATE, NUMBER
from calcgraph.functions.scalar import from_date, to_date
from calcgraph.graph import DimTarget, LostTarget, TableTarget
from calcgraph.graph.dims import dims_seen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.check.units import FormulaChecker
    from calcgraph.core.dim import DimKind
    from calcgraph.core.value import Scalar as ScalarValue
    from calcgraph.graph import DimPlace, Graph
    from calcgraph.model import Cell
    from calcgraph.sheet.yaml_tree import Scalar
    from calcgraph.units import UnitBook

BAD_DIM = Code(
    "CG318",
    "dim cannot be read",
    "`dims:` declares labels, `[us, eu]`; positions, `{count: 64}`; periods, `{from: 2026-01, to: "
    "2028-12}`; the labels of another, `{like: month}`; or a grid of all combinations.",
)
MONTHS = {"month": 1, "quarter": 3, "year": 12}
MOST = 200_000


@dataclass(slots=True)
class DimensionReader:
    """Reads the dims of a model; ``roots`` maps each dim to the one it is ``like``."""

    graph: Graph
    book: UnitBook
    cells: list[Cell | None]
    findings: list[Diagnostic]
    dims: dict[str, Dim] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)

    def read(self, checker: FormulaChecker) -> None:
        """Read all dims; the columns of grids become cells."""
        for name, table in self.graph.tables.items():
            if not table.is_grid and table.labels:
                self.dims[name] = make_dim(name, "table", table.labels, table.labels)
                self.done.add(name)
        for name in self.graph.places:
            self.dim(name, checker)

    def dim(self, name: str, checker: FormulaChecker) -> Dim | None:
        """Read one dim; ``None`` if it is broken, which is reported once."""
        if name in self.done or name not in self.graph.places or name in self.open:
            return self.dims.get(name)
        self.open.add(name)
        place = self.graph.places[name]
        decl = place.decl
        found: Dim | None = None
        match decl.kind:
            case "labels":
                texts = tuple(label.text.text.strip() for label in decl.labels)
                found = make_dim(name, "labels", texts, texts) if texts else None
            case "count" if decl.count is not None:
                found = self.count(name, decl.count)
            case "time" if decl.start is not None and decl.end is not None:
                found = self.periods(name, decl.start, decl.end, decl.step)
            case "like" if decl.like is not None:
                found = self.like(place, decl.like, checker)
            case "grid":
                found = self.grid(place, checker)
            case _:
                pass
        self.open.discard(name)
        self.done.add(name)
        if found is not None:
            self.dims[name] = found
        return found

    def count(self, name: str, node: Scalar) -> Dim | None:
        """Read ``{count: 64}``: positions from 0."""
        read = read_as(node, NUMBER, self.book)
        hint = (
            "labels cannot depend on an input: write the largest count, and a condition in a cell"
        )
        if isinstance(read, Diagnostic):
            is_name = not any(char.isdigit() for char in node.text.text[:1])
            self.findings.append(replace(read, hint=hint) if is_name else read)
            return None
        if not isinstance(read, float) or read != int(read) or not 1 <= read <= MOST:
            self.report(f"a count is a whole number from 1 to {MOST:,}", node, hint)
            return None
        keys = tuple(float(at) for at in range(int(read)))
        return make_dim(name, "count", keys, tuple(map(str, range(int(read)))))

    def periods(self, name: str, start: Scalar, end: Scalar, step: Scalar | None) -> Dim | None:
        """Read a time axis: the periods from one date to another."""
        days = [read_as(node, DATE, self.book) for node in (start, end)]
        self.findings += [day for day in days if isinstance(day, Diagnostic)]
        first, last = days
        if not isinstance(first, float) or not isinstance(last, float):
            return None
        word = step.text.text.strip() if step is not None else "month"
        if word != "day" and to_date(first).day != 1:
            self.report(f"a {word} begins on the first of a month", start, "write `2026-01`")
            return None
        if last < first:
            self.report(f"`to` is before `from` ({start.text.text.strip()})", end, "swap them")
            return None
        if to_date(last).year == MAXYEAR:
            self.report(
                f"`to` is in the last possible year, {MAXYEAR}", end, "write an earlier one"
            )
            return None
        starts = _starts(to_date(first), last, word)
        if starts is None:
            self.report(f"more than {MOST:,} periods", end, "take a longer step")
            return None
        keys, after = starts[:-1], starts[1:]
        shown = tuple(_label(day, word) for day in keys)
        return replace(make_dim(name, "time", keys, shown), ends=tuple(after), step=word)

    def like(self, place: DimPlace, node: Scalar, checker: FormulaChecker) -> Dim | None:
        """Read ``{like: month}``: the same labels as a separate dim."""
        text = node.text.text.strip()
        target = self.graph.resolve(place.sheet, text.split("."))
        if isinstance(target, LostTarget):
            return None
        if not isinstance(target, DimTarget | TableTarget):
            seen = [name for name in dims_seen(self.graph, place.sheet) if name != place.decl.name]
            hint = did_you_mean(text, seen, "name another dim, or a table")
            self.report(f"`{text}` is not a dim", node, hint)
            return None
        other = target.dim if isinstance(target, DimTarget) else target.table
        if other in self.open:
            self.report(f"`{place.decl.name}` is like itself", node, "give one of them labels")
            return None
        found = self.dim(other, checker)
        if found is None:
            return None
        self.roots[place.name] = self.roots.get(other, other)
        kind: DimKind = "labels" if found.kind in {"table", "grid"} else found.kind
        return replace(found, name=place.name, kind=kind)

    def grid(self, place: DimPlace, checker: FormulaChecker) -> Dim | None:
        """Read a grid: all combinations, first column slowest, filtered by its condition."""
        table = self.graph.tables[place.name]
        columns = grid_columns(place.decl, self.book, self.findings)
        if columns is None:
            return None
        size = prod(len(column.values) for column in columns)
        if size > MOST:
            label = Label(place.decl.key.span)
            message = f"a grid of {size:,} rows before its condition; {MOST:,} is the most"
            hint = "leave some values out"
            self.findings.append(Diagnostic(BAD_DIM, message, label, hint))
            return None
        rows: Sequence[tuple[ScalarValue, ...]] = list(product(*(c.values for c in columns)))
        kept = keep_rows(checker, place, table, columns, rows)
        if kept is None:
            return None
        types = [column.type for column in columns]
        labels = tuple(row_key(row, types) for row in kept)
        for column, values in zip(columns, zip(*kept, strict=True), strict=True):
            number = table.columns[column.name]
            self.cells[number] = column.cell(number, self.graph.nodes[number].name, place, values)
        return make_dim(place.name, "grid", labels, labels)

    def report(self, message: str, node: Scalar, hint: str) -> None:
        """Report a finding."""
        self.findings.append(Diagnostic(BAD_DIM, message, Label(node.span), hint))


def make_dim(name: str, kind: DimKind, keys: Sequence[ScalarValue], labels: Sequence[str]) -> Dim:
    """Build a dim from keys and labels."""
    positions = {key: at for at, key in enumerate(keys)}
    return Dim(name, kind, tuple(keys), tuple(labels), positions)


def _starts(first: date, last: float, step: str) -> list[float] | None:
    """Return the first days of the periods up to ``last``, and the day after the last period."""
    start = from_date(first)
    if step == "day":
        count = int(last - start) + 1
        return None if count > MOST else [start + at for at in range(count + 1)]
    found = [start]
    year, month = first.year, first.month
    while found[-1] <= last and len(found) <= MOST:
        month += MONTHS[step]
        year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
        found.append(from_date(date(year, month, 1)))
    return found if len(found) <= MOST else None


def _label(day: float, step: str) -> str:
    text = to_date(day).isoformat()
    return text if step == "day" else text[:7]
