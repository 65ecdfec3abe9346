"""A sheet opened: the only part that reads files."""

from calcgraph.book.book import Book
from calcgraph.book.errors import CellError, SettingError, SheetError, UnknownName
from calcgraph.book.files import FileError
from calcgraph.book.open import open_book

__all__ = [
    "Book",
    "CellError",
    "FileError",
    "SettingError",
    "SheetError",
    "UnknownName",
    "open_book",
]
