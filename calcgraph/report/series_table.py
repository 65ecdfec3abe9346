"""Series to small tables: periods across, other labels down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import dim_names, dims_of
from calcgraph.analysis.descriptions import label_of
from calcgraph.analysis.number_format import value_text
from calcgraph.core.shape import Shape
from calcgraph.core.values import Failure, Kind, Series
from calcgraph.report.report import case_names, case_titles
from calcgraph.report.text_charts import sparkline
from calcgraph.report.text_page import cell_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.analysis.addresses import CellAddress
    from calcgraph.core.values import Dim, Value
    from calcgraph.model import Cell
    from calcgraph.report.report import Report

ACROSS = 13
"""The most periods in one row."""
MOST, FIRST, LAST = 40, 6, 3
GAP = "…"


@dataclass(frozen=True, slots=True)
class GridEntry:
    """The text of one value, and whether it is a failure."""

    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class SeriesGrid:
    """A table of texts: heads of columns, and rows with their heads.

    ``units`` and ``names`` are those of rows, where each row is a cell; ``left`` says of each
    column whether it holds texts; ``note`` says what is left out.
    """

    title: str
    corner: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[GridEntry, ...]], ...]
    left: tuple[bool, ...]
    units: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    note: str = ""


def is_series(spot: CellAddress) -> bool:
    """Whether it is a whole series, not an entry of it or a single value."""
    return bool(spot.cell.type.dims) and spot.row is None


def grids_of(report: Report, spots: Sequence[CellAddress], width: int) -> list[SeriesGrid]:
    """Lay series out as tables; series over the same single dim share one."""
    groups: dict[tuple[str, ...], list[CellAddress]] = {}
    several = len(report.outcomes) > 1
    for spot in spots:
        dims = spot.cell.type.dims
        is_alone = several or len(dims) > 1
        groups.setdefault((*dims, spot.cell.name) if is_alone else dims, []).append(spot)
    found: list[SeriesGrid] = []
    for group in groups.values():
        if len(group[0].cell.type.dims) > 1:
            found += _crossed(report, group[0], width)
        elif several:
            found.append(_cases(report, group[0]))
        else:
            found += _shared(report, group, width)
    return found


def cut(size: int, most: int = MOST, first: int = FIRST, last: int = LAST) -> list[int | None]:
    """Return the places to show: all, or the first and the last ones around a gap."""
    if size <= most:
        return list(range(size))
    return [*range(first), None, *range(size - last, size)]


def _shared(report: Report, spots: Sequence[CellAddress], width: int) -> list[SeriesGrid]:
    """Lay series of one dim out as a table: short time series across, others down."""
    dim = dims_of(report.model, spots[0].cell)[0]
    if dim.kind == "time" and dim.size <= ACROSS and not any(map(_is_text, spots)):
        grid = _across(report, spots, dim)
        if _width(grid) <= width:
            return [grid]
    return _down(report, spots, dim, width)


def _across(report: Report, spots: Sequence[CellAddress], dim: Dim) -> SeriesGrid:
    model, outcome = report.model, report.outcomes[0]
    rows = []
    units = []
    for spot in spots:
        texts, unit = _texts(report.value(outcome, spot), spot.cell)
        rows.append((label_of(model, spot.cell), tuple(texts)))
        units.append(unit)
    names = tuple(spot.cell.name for spot in spots)
    left = (False,) * dim.size
    return SeriesGrid(
        "", dim_names(spots[0].cell)[0], dim.labels, tuple(rows), left, tuple(units), names
    )


def _down(report: Report, spots: Sequence[CellAddress], dim: Dim, width: int) -> list[SeriesGrid]:
    """One row a label; where series do not fit beside each other they go below."""
    model, outcome = report.model, report.outcomes[0]
    heads: list[str] = []
    columns: list[list[GridEntry]] = []
    for spot in spots:
        value = report.value(outcome, spot)
        texts, unit = _texts(value, spot.cell)
        columns.append(texts)
        is_long = dim.kind == "time" and dim.size > ACROSS and isinstance(value, Series)
        picture = sparkline(value.data) if is_long and isinstance(value, Series) else ""
        lines = (label_of(model, spot.cell), unit, picture)
        heads.append("\n".join(line for line in lines if line))
    corner = dim_names(spots[0].cell)[0]
    left = tuple(map(_is_text, spots))
    places = cut(dim.size)
    widths = [_column(head, column) for head, column in zip(heads, columns, strict=True)]
    grids = []
    for block in _blocks(widths, width - max(map(len, (corner, *dim.labels))) - 2):
        rows = tuple(
            (GAP if at is None else dim.labels[at], tuple(_at(columns[i], at) for i in block))
            for at in places
        )
        note = _note(dim.size, None in places)
        grids.append(
            SeriesGrid(
                "",
                corner,
                tuple(heads[i] for i in block),
                rows,
                tuple(left[i] for i in block),
                note=note,
            )
        )
    return grids


def _cases(report: Report, spot: CellAddress) -> SeriesGrid:
    """One row a label, one column a case."""
    dim = dims_of(report.model, spot.cell)[0]
    pairs = [_texts(report.value(outcome, spot), spot.cell) for outcome in report.outcomes]
    places = cut(dim.size)
    rows = tuple(
        (
            GAP if at is None else dim.labels[at],
            tuple(_at(texts, at) for texts, _ in pairs),
        )
        for at in places
    )
    corner = "\n".join([dim_names(spot.cell)[0], *case_names(report)][-_lines(report) :])
    unit = next((unit for _, unit in pairs if unit), "")
    left = (_is_text(spot),) * len(pairs)
    note = _note(dim.size, None in places)
    return SeriesGrid(
        _title(report, spot, unit), corner, tuple(case_titles(report)), rows, left, note=note
    )


def _lines(report: Report) -> int:
    return max(len(case_names(report)), 1)


def _crossed(report: Report, spot: CellAddress, width: int) -> list[SeriesGrid]:
    """Lay one dim out across, the last or the shorter one of two, and the others down."""
    dims, names = dims_of(report.model, spot.cell), dim_names(spot.cell)
    across = len(dims) - 1
    if len(dims) == 2 and dims[1].size > ACROSS >= dims[0].size:  # noqa: PLR2004 - rows and columns
        across = 0
    others = [at for at in range(len(dims)) if at != across]
    shape, lines = Shape(dims), Shape(tuple(dims[at] for at in others))
    columns = cut(dims[across].size, ACROSS)
    rows = cut(lines.size)
    corner = ", ".join(names[at] for at in others) + f" / {names[across]}"
    heads = tuple(GAP if at is None else dims[across].labels[at] for at in columns)
    grids: list[SeriesGrid] = []
    for outcome, title in zip(report.outcomes, case_titles(report), strict=True):
        texts, unit = _texts(report.value(outcome, spot), spot.cell)
        body = []
        for row in rows:
            if row is None:
                body.append((GAP, (GridEntry(""),) * len(columns)))
                continue
            line = lines.unravel(row)
            before, after = line[:across], line[across:]
            entries = tuple(
                _at(texts, None if c is None else shape.ravel((*before, c, *after)))
                for c in columns
            )
            body.append((", ".join(lines.labels(row)), entries))
        where = f", {title}".replace("\n", ", ") if len(report.outcomes) > 1 else ""
        note = _note(len(texts), None in columns or None in rows, "values")
        left = (_is_text(spot),) * len(heads)
        grid = SeriesGrid(
            _title(report, spot, unit) + where, corner, heads, tuple(body), left, note=note
        )
        grids += _split(grid, width)
    return grids


def _split(grid: SeriesGrid, width: int) -> list[SeriesGrid]:
    """Cut a table that is too wide into some below each other."""
    widths = [
        _column(head, [entries[at] for _, entries in grid.rows])
        for at, head in enumerate(grid.heads)
    ]
    room = width - max(cell_width(grid.corner), *(cell_width(head) for head, _ in grid.rows)) - 2
    return [
        SeriesGrid(
            grid.title,
            grid.corner,
            tuple(grid.heads[at] for at in block),
            tuple((head, tuple(entries[at] for at in block)) for head, entries in grid.rows),
            tuple(grid.left[at] for at in block),
            note=grid.note,
        )
        for block in _blocks(widths, room)
    ]


def _blocks(widths: Sequence[int], room: int) -> list[list[int]]:
    blocks: list[list[int]] = [[]]
    used = 0
    for at, width in enumerate(widths):
        if blocks[-1] and used + width + 2 > room:
            blocks.append([])
            used = 0
        blocks[-1].append(at)
        used += width + 2
    return blocks


def _title(report: Report, spot: CellAddress, unit: str) -> str:
    return label_of(report.model, spot.cell) + (f", {unit}" if unit else "")


def _texts(value: Value, cell: Cell) -> tuple[list[GridEntry], str]:
    """Return the text of each value, and the unit of all."""
    if not isinstance(value, Series):
        return [GridEntry(value_text(value, cell.type)[0], failed=isinstance(value, Failure))], ""
    pairs = [(*value_text(item, cell.type), isinstance(item, Failure)) for item in value.data]
    unit = next((unit for _, unit, _ in pairs if unit), "")
    return [GridEntry(text, failed) for text, _, failed in pairs], unit


def _at(texts: Sequence[GridEntry], at: int | None) -> GridEntry:
    return GridEntry("" if at is None else texts[at].text, at is not None and texts[at].failed)


def _is_text(spot: CellAddress) -> bool:
    return spot.cell.type.kind is Kind.TEXT


def _column(head: str, entries: Iterable[GridEntry]) -> int:
    return max(map(cell_width, [*head.split("\n"), *(entry.text for entry in entries)]))


def _width(grid: SeriesGrid) -> int:
    label = max(cell_width(grid.corner), *(cell_width(head) for head, _ in grid.rows))
    widths = [
        _column(head, [entries[at] for _, entries in grid.rows])
        for at, head in enumerate(grid.heads)
    ]
    return label + sum(2 + width for width in widths) + 2 + max(map(len, grid.units), default=0)


def _note(size: int, is_cut: bool, word: str = "labels") -> str:  # noqa: FBT001 - a fact of the table
    return f"{size:,} {word}; --format csv shows all" if is_cut else ""
