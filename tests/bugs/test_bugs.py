"""Faults that users of neighbouring tools reported, and our own: each stays away for good.

A file holds ``bug`` (who met it, and what went wrong), a whole ``sheet``, and either ``expect``,
cells with their value and unit, or ``error``, a pattern that the words on stderr must match.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from calcgraph.cli import main

BUGS = sorted(Path(__file__).parent.glob("*.yaml"))
KEYS = [{"bug", "sheet", "expect"}, {"bug", "sheet", "error"}]


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("path", BUGS, ids=[path.stem for path in BUGS])
def test_bug_stays_away(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    case = read(path)
    Path("sheet.yaml").write_text(case["sheet"], encoding="utf-8")

    code = main(["eval", "sheet.yaml", "--format", "json"])

    found = capsys.readouterr()
    if "error" in case:
        assert code == 3
        assert re.search(case["error"], found.err)
        return
    assert (code, found.err) == (0, "")
    cells = json.loads(found.out)["cells"]
    for name, (value, unit) in case["expect"].items():
        is_number = isinstance(value, float)
        expected = pytest.approx(value, rel=1e-12, abs=0) if is_number else value
        assert (cells[name]["value"], cells[name]["unit"]) == (expected, unit)


@pytest.mark.parametrize("path", BUGS, ids=[path.stem for path in BUGS])
def test_file_has_the_shape_of_all(path: Path) -> None:
    assert set(read(path)) in KEYS


def test_numbers_are_taken_once() -> None:
    numbers = [int(path.name[:3]) for path in BUGS]

    assert numbers == list(range(1, len(BUGS) + 1))
