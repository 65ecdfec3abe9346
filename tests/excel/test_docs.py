"""What docs/excel.md says of formulas is what the exported workbook holds."""

import re

import pytest

from calcgraph.book import open_book
from calcgraph.excel.layout.defined_names import OWN_SHEETS
from excel.conftest import ROOT, Made

SOURCES = [
    ROOT / "tests" / "golden" / "one_page" / "llama70b.yaml",
    ROOT / "tests" / "differential" / "sheets" / "series.yaml",
    ROOT / "tests" / "differential" / "sheets" / "tables.yaml",
]
PAGE = (ROOT / "docs" / "excel.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([^`]+)` \| `(=[^`]+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE)


def test_there_are_examples() -> None:
    assert len(ROWS) >= 7


@pytest.fixture(scope="module")
def books() -> list[Made]:
    return [Made(open_book(path)) for path in SOURCES]


@pytest.mark.parametrize(("cell", "written", "formula"), ROWS)
def test_example_is_true(cell: str, written: str, formula: str, books: list[Made]) -> None:
    made = next(made for made in books if cell in made.book)
    source = SOURCES[books.index(made)].read_text(encoding="utf-8")

    assert made.formula(cell) == formula
    assert written in source


def test_every_sheet_is_described(books: list[Made]) -> None:
    described = set(re.findall(r"\w+", " ".join(re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE))))

    own = set(books[0].sheets) & set(OWN_SHEETS)
    assert len(own) >= 9
    assert own <= described
    assert {"Series", "Dims"} <= described
