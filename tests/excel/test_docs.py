"""What docs/excel.md says of formulas is what the exported workbook holds."""

import re

import pytest

from excel.conftest import ROOT, Made

PAGE = (ROOT / "docs" / "excel.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([^`]+)` \| `(=[^`]+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE)


def test_there_are_examples() -> None:
    assert len(ROWS) >= 7


@pytest.mark.parametrize(("cell", "written", "formula"), ROWS)
def test_example_is_true(cell: str, written: str, formula: str, llama: Made) -> None:
    assert llama.formula(cell) == formula
    source = (ROOT / "sheets" / "llama70b.yaml").read_text(encoding="utf-8")
    assert written.partition("…")[0] in source


def test_every_sheet_is_described(llama: Made) -> None:
    described = set(re.findall(r"\w+", " ".join(re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE))))
    results = [cell.name for cell in llama.book.cells() if cell.kind == "calc"]
    headings = {llama.written.names[name][0] for name in results}

    own = set(llama.sheets) - headings
    assert len(own) >= 9
    assert own <= described
