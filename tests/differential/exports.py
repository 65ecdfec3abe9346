"""A sheet, its workbook, and which cell of the one is which of the other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from calcgraph.book import Book, open_book
from calcgraph.cli import main
from calcgraph.core.values import Failure, Series
from calcgraph.excel import excel_name
from differential.values import Place, Value, Values, Wrong
from differential.workbooks import Written, read_written, strip

SCENARIO = "cg.scenario"


@dataclass(frozen=True)
class Export:
    """A workbook beside the book it was made of; ``stripped`` is it without its cached values."""

    book: Book
    path: Path
    stripped: Path
    written: Written

    def place(self, name: str, row: int = 0) -> Place:
        """Find the workbook's cell of a model's cell, or of a row of a column.

        An input that scenarios override is found where it is typed, not where it is in force.
        """
        known = {key.lower(): place for key, place in self.written.names.items()}
        wanted = excel_name(name).lower()
        sheet, address = known.get(f"{wanted}.base", known.get(wanted, ("", "")))
        assert sheet, f"the workbook has no name for `{name}`"
        column = address.rstrip("0123456789")
        return sheet, f"{column}{int(address.removeprefix(column)) + row}"

    def calculated(self, book: Book) -> Values:
        """Give what every calculated cell with one value should hold, as the engine has it."""
        return {
            self.place(cell.name): expected(book, cell.number)
            for cell in book.cells()
            if cell.kind == "calc" and not cell.type.dims
        }

    def inputs(self, book: Book) -> Values:
        """Give what every input should hold, entries of tables too; nothing where it is empty.

        Series have tests of their own.
        """
        found: Values = {}
        for cell in book.cells():
            value = book.evaluation.values[cell.number]
            if cell.kind == "column" and isinstance(value, Series):
                entries = {self.place(cell.name, row): held for row, held in enumerate(value.data)}
                found.update(entries)
            elif cell.kind == "input" and not cell.type.dims:
                found[self.place(cell.name)] = expected(book, cell.number)
        return found


def expected(book: Book, number: int) -> Value:
    """Give what a cell should hold: an error where it failed."""
    value = book.evaluation.values[number]
    if isinstance(value, Failure):
        return Wrong(value.kind)
    assert not isinstance(value, Series), "a series has more than one cell"
    return value


def export(sheet: Path, folder: Path) -> Export:
    """Export a sheet as a user does."""
    path = folder / f"{sheet.stem}.xlsx"
    code = main(["export", str(sheet), "-o", str(path)])
    assert code == 0, "the sheet can be exported"
    stripped = strip(path, folder / f"{sheet.stem}.stripped.xlsx")
    return Export(open_book(sheet), path, stripped, read_written(path))
