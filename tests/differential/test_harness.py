"""The harness itself: it computes, believes no cache, and sees what differs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

from differential.office import NEEDED, Office, OfficeFailed, Recalculated
from differential.values import Values, Wrong, agree, differences
from differential.workbooks import poison, read_written, strip

ROWS = {
    "B1": 3.0,
    "B2": "=run.price*2",
    "B3": "=B1/0",
    "B4": '=IF(B1>2,"","x")',
    "B5": "=B1>2",
    "B6": '="a"&"&<b>"',
    "B7": "=0.1+0.2",
    "B8": "=NA()",
    "B9": "=B4+1",
    "B10": True,
    "B11": "'=text",
    "B12": "=INDEX(B1:B2,MATCH(6,B1:B2,0))",
    "B13": "=LN(-1)",
    "B14": '=SUMPRODUCT((B1:B2<>"")*1)',
    "B15": "=no_such_name",
    "B16": '=IFERROR(B3,FIXED(B1/7,3,TRUE))&" GB"',
    "B17": "=NOT(B10)",
}
COME_TO: Values = {
    ("A sheet", "B2"): 6.0,
    ("A sheet", "B3"): Wrong("#DIV/0!"),
    ("A sheet", "B4"): "",
    ("A sheet", "B5"): True,
    ("A sheet", "B6"): "a&<b>",
    ("A sheet", "B7"): 0.1 + 0.2,
    ("A sheet", "B8"): Wrong("#N/A"),
    ("A sheet", "B9"): Wrong("#VALUE!"),
    ("A sheet", "B12"): 6.0,
    ("A sheet", "B13"): Wrong("#NUM!"),
    ("A sheet", "B14"): 2.0,
    ("A sheet", "B15"): Wrong("#NAME?"),
    ("A sheet", "B16"): "0.429 GB",
    ("A sheet", "B17"): False,
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook with a bit of everything; openpyxl caches no value."""
    path = tmp_path_factory.mktemp("small") / "small.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "A sheet"
    for address, held in ROWS.items():
        sheet[address] = held
    sheet["B11"] = "=text"
    sheet["B11"].data_type = "s"
    sheet["B5"].number_format = "General"
    book.defined_names["run.price"] = DefinedName("run.price", attr_text="'A sheet'!$B$1")
    book.save(path)
    return path


@pytest.fixture(scope="module")
def cached(small: Path, office: Office) -> Path:
    """The same with cached values, as LibreOffice writes them."""
    return office.save_as(small, small.with_name("cached.xlsx"))


@pytest.fixture(scope="module")
def recalculated(small: Path, office: Office) -> Recalculated:
    return office.recalculate(small)


@pytest.mark.parametrize("place", COME_TO, ids=lambda place: place[1])
def test_libreoffice_computes(recalculated: Recalculated, place: tuple[str, str]) -> None:
    actual = recalculated.values[place]

    assert actual == COME_TO[place]
    assert type(actual) is type(COME_TO[place])


def test_libreoffice_gives_formulas_and_what_is_none(recalculated: Recalculated) -> None:
    assert set(recalculated.formulas) == {*COME_TO, ("A sheet", "B10")}
    assert recalculated.formulas["A sheet", "B10"] == "=TRUE()"
    assert recalculated.formulas["A sheet", "B2"] == "=run.price*2"
    assert recalculated.values["A sheet", "B11"] == "=text"
    assert recalculated.values["A sheet", "B10"] is True
    assert recalculated.values["A sheet", "B1"] == 3.0


@pytest.mark.parametrize("name", ["formulon", "ironcalc"])
def test_engines_compute(name: str, small: Path, request: pytest.FixtureRequest) -> None:
    evaluate: Callable[[Path], Values] = request.getfixturevalue(name)

    actual = evaluate(small)

    assert actual == COME_TO


def test_what_is_written_is_read(small: Path, cached: Path) -> None:
    before, after = read_written(small), read_written(cached)

    assert before.formulas["A sheet", "B2"] == "run.price*2"
    assert before.names == after.names == {"run.price": ("A sheet", "B1")}
    assert before.uncached == set(COME_TO)
    assert after.uncached == set()
    assert differences(COME_TO, after.cached) == {}
    assert before.values["A sheet", "B11"] == "=text"


def test_stripped_is_without_cache_and_else_the_same(cached: Path, tmp_path: Path) -> None:
    before = read_written(cached)

    after = read_written(strip(cached, tmp_path / "stripped.xlsx"))

    assert after.uncached == set(before.formulas)
    assert after.formulas == before.formulas
    assert after.names == before.names
    assert after.values == {p: v for p, v in before.values.items() if p not in before.formulas}


@pytest.mark.parametrize(("address", "lie"), [("B2", 999.0), ("B6", "lie"), ("B3", 1.0)])
def test_a_stale_cache_is_seen_and_not_believed(
    address: str, lie: float | str, cached: Path, office: Office, tmp_path: Path
) -> None:
    place = ("A sheet", address)
    poisoned = poison(cached, tmp_path / "poisoned.xlsx", place, lie)

    recalculated = office.recalculate(poisoned)

    found = differences(read_written(poisoned).cached, recalculated.values)
    assert found == {place: (lie, COME_TO[place])}


@pytest.mark.parametrize("name", ["formulon", "ironcalc"])
def test_engines_do_not_believe_a_cache(
    name: str, cached: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    evaluate: Callable[[Path], Values] = request.getfixturevalue(name)
    poisoned = poison(cached, tmp_path / "poisoned.xlsx", ("A sheet", "B2"), 999.0)

    assert evaluate(poisoned)["A sheet", "B2"] == 6.0


@pytest.mark.parametrize("target", ["run.price", "A sheet!B1", "'A sheet'!$B$1"])
def test_a_change_reaches_what_depends_on_it(target: str, small: Path, office: Office) -> None:
    after = office.recalculate(small, {target: 1 / 3})

    assert after.values["A sheet", "B1"] == 1 / 3
    assert after.values["A sheet", "B2"] == 2 / 3
    assert after.values["A sheet", "B5"] is False
    assert after.values["A sheet", "B4"] == "x"


def test_a_change_may_be_a_text_a_truth_or_nothing(small: Path, office: Office) -> None:
    after = office.recalculate(
        small, {"run.price": None, "A sheet!B10": False, "A sheet!C1": "=1", "A sheet!C2": "017"}
    )

    assert ("A sheet", "B1") not in after.values
    assert after.values["A sheet", "B2"] == 0.0
    assert after.values["A sheet", "B17"] is True
    assert after.values["A sheet", "C1"] == "=1"
    assert after.values["A sheet", "C2"] == "017"


def test_a_change_of_what_is_not_there_is_refused(small: Path, office: Office) -> None:
    with pytest.raises(OfficeFailed, match="no name or cell nothing"):
        office.recalculate(small, {"nothing": 1.0})


def test_doubles_travel_exactly(office: Office, tmp_path: Path) -> None:
    numbers = [1 / 3, 0.1, 70_553_706_496.0, 1.5e308, -1e-300, 2.0**53 - 1]
    book = openpyxl.Workbook()
    for row, number in enumerate(numbers, 1):
        book.active.cell(row, 1, number)
        book.active.cell(row, 2, f"=A{row}*1")
    book.save(tmp_path / "numbers.xlsx")

    values = office.recalculate(tmp_path / "numbers.xlsx").values

    assert [values["Sheet", f"B{row}"] for row in range(1, len(numbers) + 1)] == numbers


def test_printing(small: Path, office: Office, tmp_path: Path) -> None:
    pictures = office.pictures(small, tmp_path)

    assert [picture.read_bytes()[:4] for picture in pictures] == [b"\x89PNG"]


def test_agreement() -> None:
    assert agree(1.0, 1.0 + 5e-13)
    assert not agree(1.0, 1.0 + 2e-12)
    assert agree(0.0, 1e-16, slack=1e-15)
    assert not agree(0.0, 1e-300)
    assert agree(a=True, b=1.0)
    assert agree("", None)
    assert not agree("", 0.0)
    assert not agree("a", "A")
    assert agree(Wrong("#DIV/0!"), Wrong("#NUM!"))
    assert not agree(Wrong("#DIV/0!"), "")


def test_libreoffice_ends_with_who_started_it(tmp_path: Path) -> None:
    """Even where that one has no time to say goodbye."""
    script = (
        "import os, sys; sys.path.insert(0, sys.argv[1]);"
        "from differential.office import Office; office = Office().__enter__();"
        "print(office._server.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    tests = Path(__file__).parents[1]
    started = subprocess.run(
        [sys.executable, "-c", script, tests],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    group = int(started.stdout)

    for _ in range(100):
        if not _alive(group):
            break
        time.sleep(0.1)

    assert not _alive(group)


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_without_libreoffice_tests_are_skipped_or_fail(tmp_path: Path) -> None:
    def outcome(needed: str) -> str:
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                f"{__file__}::test_printing",
            ],
            env={"PATH": str(tmp_path), NEEDED: needed},
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).parents[2],
        ).stdout

    reason = "LibreOffice (soffice with python3-uno) is not installed: there is no soffice"
    skipped, failed = outcome("0"), outcome("1")
    assert reason in skipped
    assert "1 skipped" in skipped
    assert reason in failed
    assert "1 error" in failed


def test_changes_are_tried_one_after_another(tmp_path: Path, office: Office) -> None:
    """What was typed is put back as it was: a text without what its format adds, a truth."""
    path = tmp_path / "changed.xlsx"
    book = openpyxl.Workbook()
    book.active.title = "P"
    for address, value in {"A1": "x", "A2": True, "A3": 1 / 3, "A5": "007"}.items():
        book.active[address] = value
    book.active["A1"].number_format = "General;General;General;@_)"
    book.active["B1"] = '=A1&A5&"|"&IF(A2,1,0)&IF(A3=1/3,1,0)&IF(ISBLANK(A4),1,0)'
    book.save(path)
    changes = {"P!A1": "y", "P!A2": 0.0, "P!A3": 1.0, "P!A4": "z", "P!A5": None}

    before, between, after = office.recalculate_each(path, [{}, changes, {}])

    assert between["P", "B1"] == "y|000"
    assert before["P", "B1"] == after["P", "B1"] == "x007|111"
    assert before["P", "A3"] == after["P", "A3"] == 1 / 3
