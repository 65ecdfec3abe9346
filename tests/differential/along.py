"""Where a workbook keeps each value of a cell along dims, found by the shape of its range."""

from __future__ import annotations

import io
import itertools
import re
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path

import openpyxl
from openpyxl.utils import column_index_from_string, get_column_letter

from calcgraph.book import Book, open_book
from calcgraph.cli import main
from calcgraph.core.values import Failure, Series
from calcgraph.excel import excel_name
from differential.values import Place, Value, Values, Wrong
from differential.workbooks import Written, read_written, strip

RANGE = re.compile(r"(?:'((?:[^']|'')+)'|([^'!]+))!\$([A-Z]+)\$([0-9]+)(?::\$([A-Z]+)\$([0-9]+))?")


@dataclass(frozen=True)
class Range:
    """A named range: its sheet, first row and column, and size."""

    sheet: str
    row: int
    column: int
    height: int
    width: int

    def place(self, down: int, across: int) -> Place:
        return self.sheet, f"{get_column_letter(self.column + across)}{self.row + down}"


@dataclass(frozen=True)
class Along:
    """A sheet with dims and its workbook."""

    book: Book
    path: Path
    stripped: Path
    written: Written

    @cached_property
    def ranges(self) -> dict[str, Range]:
        names = openpyxl.load_workbook(io.BytesIO(self.path.read_bytes())).defined_names
        found: dict[str, Range] = {}
        for name, defined in names.items():
            hit = RANGE.fullmatch(defined.attr_text)
            if hit:
                quoted, plain, left, top, right, bottom = hit.groups()
                row, column = int(top), column_index_from_string(left)
                height = int(bottom or top) - row + 1
                width = column_index_from_string(right or left) - column + 1
                sheet = quoted.replace("''", "'") if quoted else plain
                found[name.lower()] = Range(sheet, row, column, height, width)
        return found

    def places(self, name: str, *, typed: bool = False) -> list[Place]:
        """Give the place of each value of a cell, the last dim fastest; of one as typed in."""
        found = self.ranges[excel_name(name).lower()]
        if typed:
            found = self.ranges.get(excel_name(f"{name}.base").lower(), found)
        cell = self.book.cell(name)
        sizes = [self.book.model.dim(dim).size for dim in cell.type.dims]
        across = self.across(sizes, found)
        places: list[Place] = []
        for labels in itertools.product(*(range(size) for size in sizes)):
            down = 0
            for at, size in enumerate(sizes):
                down = down * size + labels[at] if at != across else down
            places.append(found.place(down, 0 if across is None else labels[across]))
        return places

    def across(self, sizes: list[int], found: Range) -> int | None:
        """Find the dim that goes across, by the shape; sheets of tests have no two alike."""
        for at in reversed(range(len(sizes))):
            if found.width == sizes[at] and found.height == prod(sizes) // sizes[at]:
                return at
        assert (found.width, found.height) == (1, prod(sizes)), f"{found} holds {sizes}"
        return None

    def calculated(self, book: Book) -> Values:
        """Give what every calculated cell of the model should hold, value by value."""
        found: Values = {}
        for cell in book.cells():
            if cell.kind == "calc":
                found.update(self.held(book, cell.name))
        return found

    def held(self, book: Book, name: str, *, typed: bool = False) -> Values:
        cell = book.cell(name)
        value = book.evaluation.values[cell.number]
        values = value.data if isinstance(value, Series) else [value]
        places = self.places(name, typed=typed)
        return {
            place: Wrong(one.kind) if isinstance(one, Failure) else one
            for place, one in zip(places, values, strict=True)
        }

    def entry(self, address: str) -> tuple[Place, int]:
        """Find where an entry is typed in: ``fx[2026-03]``, ``cost[us, 2026-01]``, or an input."""
        name, _, rest = address.partition("[")
        labels = [label.strip() for label in rest.rstrip("]").split(",") if label]
        position = 0
        for dim, label in zip(self.book.cell(name).type.dims, labels, strict=True):
            known = self.book.model.dim(dim)
            position = position * known.size + known.labels.index(label)
        return self.places(name, typed=True)[position], position


def export_along(sheet: Path, folder: Path) -> Along:
    """Export a sheet as a user does."""
    path = folder / f"{sheet.stem}.xlsx"
    code = main(["export", str(sheet), "-o", str(path)])
    assert code == 0, "the sheet can be exported"
    stripped = strip(path, folder / f"{sheet.stem}.stripped.xlsx")
    return Along(open_book(sheet), path, stripped, read_written(path))


def same_value(value: Value) -> Value:
    return "" if value is None else value
