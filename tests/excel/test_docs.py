"""What docs/excel.md says of formulas is what the exported workbook holds."""

import re

import pytest

from calcgraph.book import open_book
from calcgraph.excel.names import OWN_SHEETS
from excel.conftest import ROOT, Made

ONE_PAGE = ROOT / "tests" / "golden" / "one_page" / "llama70b.yaml"
PAGE = (ROOT / "docs" / "excel.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([^`]+)` \| `(=[^`]+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE)


def test_there_are_examples() -> None:
    assert len(ROWS) >= 7


@pytest.fixture(scope="module")
def one_page() -> Made:
    return Made(open_book(ONE_PAGE))


@pytest.mark.parametrize(("cell", "written", "formula"), ROWS)
def test_example_is_true(cell: str, written: str, formula: str, one_page: Made) -> None:
    assert one_page.formula(cell) == formula
    source = ONE_PAGE.read_text(encoding="utf-8")
    assert written.partition("…")[0] in source


def test_every_sheet_is_described(one_page: Made) -> None:
    described = set(re.findall(r"\w+", " ".join(re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE))))

    own = set(one_page.sheets) & set(OWN_SHEETS)
    assert len(own) >= 9
    assert own <= described
    assert {"Series", "Dims"} <= described
