"""Workbooks as bytes, made without the command line; the large one is made once."""

import io
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import openpyxl
import pytest

from calcgraph.book import Book, open_book
from calcgraph.book.workbook_export import request_of
from calcgraph.excel import workbook_bytes
from differential.workbooks import Written, read_written
from excel.small import SMALL

ROOT = Path(__file__).parents[2]
Make = Callable[[str], "Made"]


class Made:
    """A workbook beside the book it was made of."""

    def __init__(self, book: Book, *, as_names: bool = True) -> None:
        self.book = book
        self.raw = workbook_bytes(request_of(book), as_names=as_names)
        self.written: Written = read_written(io.BytesIO(self.raw))  # type: ignore[arg-type]

    @cached_property
    def opened(self) -> openpyxl.Workbook:
        return openpyxl.load_workbook(io.BytesIO(self.raw))

    @property
    def sheets(self) -> list[str]:
        return self.opened.sheetnames

    def formula(self, name: str) -> str:
        """Give the formula of the cell that a defined name means."""
        return self.written.formulas[self.written.names[name]]

    def values(self, sheet: str) -> dict[str, object]:
        return {place: v for (page, place), v in self.written.values.items() if page == sheet}

    def texts(self) -> set[object]:
        return set(self.written.values.values())


@pytest.fixture(scope="session")
def estimate() -> Made:
    return Made(open_book(ROOT / "docs" / "examples" / "estimate.yaml"))


@pytest.fixture
def make(sheet: Callable[..., str]) -> Make:
    return lambda text: Made(open_book(sheet(text)))


@pytest.fixture
def name(sheet: Callable[..., str]) -> str:
    return sheet(SMALL)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("exported") / "sheet.yaml"
    path.write_text(f"calcgraph: 1\n{SMALL}", encoding="utf-8")
    return Made(open_book(path)).raw


@pytest.fixture
def out(exported: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "out.xlsx"
    path.write_bytes(exported)
    return path
