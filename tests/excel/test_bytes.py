"""The bytes of a workbook hang on the sheet alone; and the one in exports/ is the sheet's."""

import io
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import canonicalize

import openpyxl
import pytest

from excel.conftest import ROOT, Made

ONE_PAGE = ROOT / "tests" / "golden" / "one_page"
COMMITTED = ROOT / "exports" / "llama70b.xlsx"
Cli = Callable[[str], Any]


def canonical(raw: bytes) -> dict[str, str]:
    """Give each part in one spelling: attributes sorted, spaces between elements left out."""
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        return {name: canonicalize(book.read(name).decode()) for name in book.namelist()}


def test_the_committed_workbook_is_what_the_sheet_gives(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert cli(f"export sheets/llama70b.yaml -o {tmp_path}/llama70b.xlsx").code == 0

    fresh = canonical((tmp_path / "llama70b.xlsx").read_bytes())
    committed = canonical(COMMITTED.read_bytes())

    renew = "renew it: calcgraph export sheets/llama70b.yaml -o exports/llama70b.xlsx --force"
    assert list(committed) == list(fresh), renew
    differing = [part for part in fresh if fresh[part] != committed[part]]
    assert not differing, f"exports/llama70b.xlsx is not what the sheet gives; {renew}"


def test_python_and_the_command_write_the_same(
    estimate: Made, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert cli(f"export docs/examples/estimate.yaml -o {tmp_path}/estimate.xlsx").code == 0

    assert canonical(estimate.raw) == canonical((tmp_path / "estimate.xlsx").read_bytes())


def exported(sheet: Path, folder: Path, **more: str) -> bytes:
    """Export in a process of its own, in another place and under other circumstances."""
    kept = {k: v for k, v in os.environ.items() if k != "SOURCE_DATE_EPOCH"}
    environment = {**kept, "PYTHONPATH": str(ROOT / "tests"), **more}
    out = folder / "out.xlsx"
    command = [sys.executable, "-m", "excel.workbook_lint", "export", str(sheet), "-o", str(out)]
    subprocess.run(command, cwd=folder, env=environment, check=True)
    return out.read_bytes()


def test_bytes_hang_on_nothing_else(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "another folder"
    shutil.copytree(ONE_PAGE, one)
    shutil.copytree(ONE_PAGE, two)

    first = exported(one / "llama70b.yaml", one, TZ="UTC", LC_ALL="C", PYTHONHASHSEED="1")
    second = exported(
        Path("llama70b.yaml"),
        two,
        TZ="Pacific/Kiritimati",
        LC_ALL="de_DE.UTF-8",
        PYTHONHASHSEED="2",
        USER="somebody",
        HOME=str(two),
        OPENPYXL_LXML="True",
    )

    assert first == second
    text = "".join(canonical(first).values())
    assert str(tmp_path) not in text
    assert "openpyxl" not in text.replace("openpyxl.org", "")


def test_nothing_tells_when_or_by_whom(estimate: Made) -> None:
    with zipfile.ZipFile(io.BytesIO(estimate.raw)) as book:
        assert {item.date_time for item in book.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {item.create_system for item in book.infolist()} == {3}
        core = book.read("docProps/core.xml").decode()
        app = book.read("docProps/app.xml").decode()
    assert "<Application>calcgraph</Application>" in app
    assert core.count("1980-01-01T00:00:00Z") == 2
    assert "lastModifiedBy" not in core


def test_a_day_is_shown_only_where_it_is_given(
    cli: Cli, sheet: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = sheet("title: T\ninputs: {x: 1}\ncalc: {y: = x -> 1}")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert cli(f"export {name} -o without.xlsx").code == 0
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796083200")
    assert cli(f"export {name} -o with.xlsx").code == 0

    stamp = openpyxl.load_workbook(tmp_path / "with.xlsx")["Summary"]["B3"].value
    plain = openpyxl.load_workbook(tmp_path / "without.xlsx")["Summary"]["B3"].value
    assert stamp == f"{plain} · exported 2026-12-01"
    properties = openpyxl.load_workbook(tmp_path / "with.xlsx").properties
    assert properties.created.isoformat() == "2026-12-01T00:00:00"


def test_relationships_are_relative(estimate: Made) -> None:
    with zipfile.ZipFile(io.BytesIO(estimate.raw)) as book:
        relations = [name for name in book.namelist() if name.endswith(".rels")]
        assert len(relations) >= 3
        for name in relations:
            assert b'Target="/' not in book.read(name)
