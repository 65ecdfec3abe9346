"""A sheet opened: the only part that reads files."""

from calcgraph.book.book import Book, open_book
from calcgraph.book.errors import CellError, SettingError, SheetError, UnknownName
from calcgraph.book.files import FileError

__all__ = [
    "Book",
    "CellError",
    "FileError",
    "SettingError",
    "SheetError",
    "UnknownName",
    "open_book",
]
