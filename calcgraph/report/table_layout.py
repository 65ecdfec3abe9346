"""Columns, widths and alignment of terminal tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from textwrap import wrap
from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import dims_of, labels_at, spot_name
from calcgraph.analysis.descriptions import label_of
from calcgraph.analysis.number_format import range_text, value_text
from calcgraph.core.values import Kind, Series, visible_dim
from calcgraph.language.tokens import printable
from calcgraph.report.report import case_names, case_titles
from calcgraph.report.series_table import is_series
from calcgraph.report.text_charts import sparkline
from calcgraph.report.text_page import GAP, cell_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from calcgraph.analysis.addresses import CellAddress
    from calcgraph.core.values import Value
    from calcgraph.model import Cell
    from calcgraph.report.report import Report


LEAST_LABEL = 20
LONGEST = 24
LONGEST_OF_SEVERAL = 48
"""The longest text in side-by-side columns; with a longer one, each case has its own line."""
WIDTH = 10_000


@dataclass(frozen=True, slots=True)
class Layout:
    """How wide the columns are, the same for all tables of a report.

    ``name`` is 0 if names are left out; ``blocks`` are the cases shown side by side.
    ``shape`` is for pictures of series, 0 where there are none.
    """

    label: int
    values: tuple[int, ...]
    unit: int
    name: int
    blocks: tuple[range, ...]
    shape: int = 0


def make_layout(report: Report, groups: Sequence[Sequence[CellAddress]], width: int) -> Layout:
    """Measure the contents and fit them to the screen.

    Where it is too wide long texts are broken, and names go, unless there is one case only, and
    pictures where there is no room for labels; then labels are broken, then cases go below each
    other.
    """
    for longest in (WIDTH, LONGEST):
        found = _measure(report, groups, longest)
        if _width(found) <= width:
            return found
    several = len(found.values) > 1
    if several or width - _width(replace(found, label=0)) < LEAST_LABEL:
        found = replace(found, name=0)
    if width - _width(replace(found, label=0)) < min(found.label, LEAST_LABEL):
        found = replace(found, shape=0)
    widest = found.values.index(max(found.values))
    room = width - _width(replace(found, label=0, blocks=(range(widest, widest + 1),)))
    most = max(min(width // 2, room) if several else room, LEAST_LABEL)
    if _width(found) > width:
        found = replace(found, label=min(found.label, most))
    return replace(found, blocks=tuple(_blocks(found, width)))


def row_texts(report: Report, spot: CellAddress) -> tuple[list[str], str]:
    """Return a value in every case, and its unit; of a series where it begins and ends."""
    if is_series(spot):
        values = [report.value(outcome, spot) for outcome in report.outcomes]
        pairs = [_range(report, value, spot.cell) for value in values]
    else:
        pairs = [report.texts(outcome, spot) for outcome in report.outcomes]
    return [text for text, _ in pairs], next((unit for _, unit in pairs if unit), "")


def is_wide_text(report: Report, spot: CellAddress) -> bool:
    """Whether a value is a text that would push numbers far from their labels."""
    if is_series(spot) or spot.cell.type.kind is not Kind.TEXT:
        return False
    most = LONGEST if len(report.outcomes) == 1 else LONGEST_OF_SEVERAL
    return any(cell_width(report.texts(outcome, spot)[0]) > most for outcome in report.outcomes)


def shape_text(report: Report, spot: CellAddress) -> str:
    """Picture a series: how many values along which dims, and how numbers go along time."""
    if not is_series(spot):
        return ""
    dims = dims_of(report.model, spot.cell)
    sizes = " x ".join(f"{dim.size:,} {visible_dim(dim.name)}" for dim in dims)
    value = report.value(report.outcomes[0], spot)
    is_time = len(dims) == 1 and dims[0].kind == "time" and isinstance(value, Series)
    picture = sparkline(value.data) if is_time and isinstance(value, Series) else ""
    return f"{sizes}  {picture}".rstrip()


def _range(report: Report, value: Value, cell: Cell) -> tuple[str, str]:
    """Return the first and the last of a time series, of others the least and the most."""
    if not isinstance(value, Series):
        return value_text(value, cell.type)
    dims = dims_of(report.model, cell)
    if len(dims) > 1 or dims[0].kind != "time":
        return range_text(value, cell.type)
    pairs = [value_text(item, cell.type) for item in (value.data[0], value.data[-1])]
    texts = [text for text, _ in pairs]
    unit = next((unit for _, unit in pairs if unit), "")
    return texts[0] if len(value.data) == 1 else " … ".join(map(_short, texts)), unit


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def align_points(texts: Sequence[str]) -> list[str]:
    """Pad numbers on the right so that their decimal points line up."""
    tails = [_tail(text) for text in texts]
    widest = max((len(tail) for tail in tails if tail is not None), default=0)
    return [
        text if tail is None else text + " " * (widest - len(tail))
        for text, tail in zip(texts, tails, strict=True)
    ]


def _measure(report: Report, groups: Sequence[Sequence[CellAddress]], longest: int) -> Layout:
    titles = case_titles(report)
    rows = [[row_texts(report, spot) for spot in spots] for spots in groups]
    narrow = [
        [
            (row[0], spot.cell.type.kind is Kind.TEXT)
            for row, spot in zip(group, spots, strict=True)
            if not is_wide_text(report, spot)
        ]
        for group, spots in zip(rows, groups, strict=True)
    ]
    values = [_widest(narrow, at, longest) for at in range(len(titles))]
    if len(titles) > 1:
        heads = [_most(title.split("\n")) for title in titles]
        values = [max(pair) for pair in zip(values, heads, strict=True)]
    spots = [spot for group in groups for spot in group]
    labels = [*(spot_label(report, spot) for spot in spots), *case_names(report)]
    unit = _most(unit for group in rows for _, unit in group)
    name = _most(spot_name(report.model, spot) for spot in spots)
    shape = _most(shape_text(report, spot) for spot in spots)
    return Layout(_most(labels), tuple(values), unit, name, (range(len(titles)),), shape)


def _widest(groups: Sequence[Sequence[tuple[list[str], bool]]], at: int, longest: int) -> int:
    """Measure a column of values, some of them texts: a long text is broken, a number never."""
    found = 0
    for group in groups:
        texts = align_points([row[at] for row, _ in group])
        for text, (_, is_text) in zip(texts, group, strict=True):
            found = max(found, min(cell_width(text), longest) if is_text else len(text))
    return found


def spot_label(report: Report, spot: CellAddress) -> str:
    """Return the label of a cell; for an entry, with the labels of its address."""
    label = label_of(report.model, spot.cell)
    if spot.row is None:
        return label
    return f"{label}, {', '.join(labels_at(report.model, spot.cell, spot.row))}"


def _most(texts: Iterable[str]) -> int:
    return max(map(cell_width, texts), default=0)


def _width(layout: Layout) -> int:
    values = sum(layout.values[at] + GAP for at in layout.blocks[0])
    name = GAP + layout.name if layout.name else 0
    shape = GAP + layout.shape if layout.shape else 0
    return layout.label + GAP + values + layout.unit + shape + name


def _blocks(layout: Layout, width: int) -> list[range]:
    """Cut the cases into blocks that fit beside the labels, one at least in each."""
    room = width - _width(replace(layout, blocks=(range(0),)))
    blocks: list[range] = []
    first, used = 0, 0
    for at, value in enumerate(layout.values):
        if at > first and used + value + GAP > room:
            blocks.append(range(first, at))
            first, used = at, 0
        used += value + GAP
    return [*blocks, range(first, len(layout.values))]


def _tail(text: str) -> str | None:
    """Return a number's text from the decimal point on; ``None`` if it is not a number."""
    if not text[:1].isdigit() and text[:2].lstrip("-")[:1].isdigit() is False:
        return None
    digits = text.replace(",", "").replace("-", "", 1).replace(".", "", 1).rstrip("%")
    if not digits.replace("e", "", 1).replace("-", "", 1).isdigit():
        return None
    point = text.find(".")
    return text[point:] if point >= 0 else text[len(text.rstrip("%")) :]


NARROWEST = 12
"""Labels are not wrapped to lines shorter than this."""
WIDEST = 48
"""Texts are not wider than this; JSON and CSV contain them in full."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: a label, a unit, and a text for each case."""

    label: str
    unit: str
    texts: Sequence[str]


def setting_columns(report: Report) -> list[Column]:
    """Return a column for each scenario or setting that differs between the cases."""
    return [
        Column(name, "", [outcome.marks[name] for outcome in report.outcomes])
        for name in case_names(report)
    ]


def value_columns(report: Report, spots: Sequence[CellAddress]) -> list[Column]:
    """Return values; of a series where it begins and ends."""
    found = [(spot, *row_texts(report, spot)) for spot in spots]
    return [Column(spot_label(report, spot), unit, texts) for spot, texts, unit in found]


def case_lines(
    report: Report, spots: Sequence[CellAddress], width: int
) -> Iterator[tuple[str, bool]]:
    """Write a table, and whether each line is a head; what finds no room goes below."""
    first = [_Laid.of(column) for column in setting_columns(report)]
    rest = [_Laid.of(column) for column in value_columns(report, spots)]
    taken = sum(column.width + GAP for column in first)
    for block in _column_blocks(rest, max(width - taken, 0)):
        columns = [*first, *block]
        yield "", False
        high = max(len(column.head) for column in columns)
        heads = ([""] * (high - len(column.head)) + column.head for column in columns)
        for line in zip(*heads, strict=True):
            yield _joined_cells(line, columns), True
        for line in zip(*(column.texts for column in columns), strict=True):
            yield _joined_cells(line, columns), False


@dataclass(frozen=True, slots=True)
class _Laid:
    """A column with its width, and its head in lines."""

    head: list[str]
    texts: list[str]
    width: int

    @classmethod
    def of(cls, column: Column) -> _Laid:
        texts = align_points([_cut(printable(text)) for text in column.texts])
        widest = max(map(len, texts))
        head = [
            *wrap(printable(column.label), max(widest, NARROWEST)),
            *([printable(column.unit)] if column.unit else []),
        ]
        return cls(head, texts, max(widest, *map(len, head)))


def _cut(text: str) -> str:
    line = text.replace("\n", " ")
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…"


def _joined_cells(texts: Sequence[str], columns: Sequence[_Laid]) -> str:
    return (" " * GAP).join(
        text.rjust(column.width) for text, column in zip(texts, columns, strict=True)
    )


def _column_blocks(columns: Sequence[_Laid], room: int) -> Iterator[Sequence[_Laid]]:
    """Cut columns into blocks that fit beside the settings, one at least in each."""
    first, used = 0, 0
    for at, column in enumerate(columns):
        if at > first and used + column.width > room:
            yield columns[first:at]
            first, used = at, 0
        used += column.width + GAP
    yield columns[first:]
