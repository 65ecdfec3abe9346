"""Every input of the repository's sheets says its unit, what it is, where from and of which day."""

from pathlib import Path

import pytest

from calcgraph.core.source import Source
from calcgraph.sheet.declarations import InputDecl, TableDecl
from calcgraph.sheet.reader import read_sheet

SHEETS = Path(__file__).parents[2] / "sheets"
NAMES = sorted(path.relative_to(SHEETS).as_posix() for path in SHEETS.glob("**/*.yaml"))


def missing(decl: InputDecl) -> list[str]:
    about = decl.about
    parts = {
        "label": about.label,
        "note": about.note,
        "source": about.source and about.source.title,
        "day": about.source and about.source.checked,
    }
    return [f"{decl.name}: {part}" for part, there in parts.items() if not there]


def unsourced(table: TableDecl) -> list[str]:
    rows = [row.label for row in table.rows if not row.about.source]
    return [] if table.about.source else [f"{table.name}: {row}" for row in rows]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_put_in_is_described(name: str) -> None:
    path = SHEETS / name
    sheet, said = read_sheet(Source(name, path.read_text(encoding="utf-8")))

    assert said == []
    assert [one for decl in sheet.inputs for one in missing(decl)] == []
    assert [one for table in sheet.tables for one in unsourced(table)] == []
    assert sheet.title
    assert sheet.description
