"""Which names Excel takes for something else, and that what we write instead works everywhere.

The rule is Excel's own: a name may not look like a cell's address, in A1 form up to XFD1048576 or
in R1C1 form, nor be a truth; it has at most 255 characters and its case does not count. LibreOffice
resolves such names all the same, so it proves only that the escaped ones work; that the bare ones
do not is shown by engines that read references first.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils import column_index_from_string
from openpyxl.workbook.defined_name import DefinedName

from calcgraph.excel.layout.defined_names import LONGEST_NAME, NameBook, excel_name
from differential.office import Office
from differential.values import Values


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


A1_FORM = words("""
    tp8 dp16 pp4 h100 a100 b200 gb200 h20 mi300 q1 q4 fy26 fy2026 tax2025 log10 log2 a1 a01 z99 e5
    x86 p50 p99 xfd1 xfd1048576 xfa7 aaa1048576 c16384 r1048576 cv19 day1 dim3 iso9001
""")
R1C1_FORM = words("""
    r c rc r1 c3 r01 r1c1 r12c r12c345 rc1 r2d2 c4ball r1c1x rc1x r1.price c1.price r1_x
""")
TRUTHS = ("true", "false")
FREE = words("""
    xfe1 xfd1048577 aaaa1 abcd1 abcd1234 e2e1 a0 tp a tp8x tp8_x tp_8 gpt3_175b llama3_70b hw.tp8
    hw.h100 run.mfu tp8.x a1.b q1.days q1_days c.x r.x rc.x row rows col cols run cost rate rcx r_1
    c_1 true.x true_cost trues x.1 cg.base int pv max_r average sumif
""")
ESCAPED = (*A1_FORM, *R1C1_FORM, *TRUTHS)
TABLE = {**{name: f"_{name}" for name in ESCAPED}, **{name: name for name in FREE}}
FAR_COLUMN, FAR = 10_000, "NTP"  # beyond every address of the table
LONG = "a" * 251, "tp8_" + "b" * 251


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_names(tmp_path_factory.mktemp("names") / "bare.xlsx", list(A1_FORM))


@pytest.fixture(scope="module")
def escaped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    names = [excel_name(name) for name in (*TABLE, *LONG)]
    return write_names(tmp_path_factory.mktemp("names") / "escaped.xlsx", names)


def write_names(path: Path, names: list[str]) -> Path:
    """Row by row: in `Far` what each name means, 10 and up; in `Here` what it makes, plus 1."""
    book = openpyxl.Workbook()
    here, far = book.active, book.create_sheet("Far")
    here.title = "Here"
    for row, name in enumerate(names, 1):
        far.cell(row, 1, 9 + row)
        here.cell(row, FAR_COLUMN, f"={name}+1")
        book.defined_names[name] = DefinedName(name, attr_text=f"Far!$A${row}")
    book.save(path)
    return path


def read_names(values: Values) -> list[object]:
    """Give what the formulas come to, row by row."""
    found = {int(a.removeprefix(FAR)): v for (s, a), v in values.items() if s == "Here"}
    return [found.get(row) for row in range(1, max(found) + 1)]


def test_the_table_is_long() -> None:
    assert len(TABLE) == len(ESCAPED) + len(FREE) >= 40
    assert all(name.islower() or not name.isalpha() for name in TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_a_name_is_escaped_where_excel_reads_it_otherwise(name: str) -> None:
    assert excel_name(name) == TABLE[name]
    assert excel_name(name.upper()) == TABLE[name].upper()


@given(st.from_regex(r"[a-z]{1,4}[0-9]{1,8}", fullmatch=True))
def test_every_address_is_escaped_and_nothing_else(name: str) -> None:
    letters = name.rstrip("0123456789")
    row = int(name.removeprefix(letters))
    fits = len(letters) <= 3 and column_index_from_string(letters.upper()) <= 16_384
    is_address = (fits and 1 <= row <= 1_048_576) or letters in {"r", "c", "rc"}

    assert excel_name(name) == (f"_{name}" if is_address else name)


@given(st.from_regex(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*", fullmatch=True))
def test_what_is_escaped_is_free(name: str) -> None:
    once = excel_name(name)

    assert excel_name(once) == once


@pytest.mark.parametrize("name", ["formulon", "ironcalc"])
def test_engines_read_bare_ones_as_references(
    name: str, bare: Path, request: pytest.FixtureRequest
) -> None:
    evaluate: Callable[[Path], Values] = request.getfixturevalue(name)

    assert read_names(evaluate(bare)) == [1.0] * len(A1_FORM)


@pytest.mark.usefixtures("ironcalc")
@pytest.mark.parametrize("name", ["r", "c", "true", "false"])
def test_a_strict_engine_refuses_the_others(name: str) -> None:
    ironcalc = importlib.import_module("ironcalc")
    model = ironcalc.create("names")

    with pytest.raises(ironcalc.WorkbookError, match="Invalid defined name"):
        model.new_defined_name(name, None, "Sheet1!$A$1")
    model.new_defined_name(excel_name(name), None, "Sheet1!$A$1")


@pytest.mark.parametrize("name", ["formulon", "ironcalc"])
def test_escaped_names_work_in_engines(
    name: str, escaped: Path, request: pytest.FixtureRequest
) -> None:
    evaluate: Callable[[Path], Values] = request.getfixturevalue(name)

    assert read_names(evaluate(escaped)) == [11.0 + row for row in range(len(TABLE) + len(LONG))]


def test_escaped_names_work_in_libreoffice(escaped: Path, office: Office) -> None:
    values = office.recalculate(escaped).values

    assert read_names(values) == [11.0 + row for row in range(len(TABLE) + len(LONG))]


def test_names_are_unique_whatever_their_case() -> None:
    book = NameBook()

    taken = [
        book.take(name) for name in ("gpus", "GPUS", "q1.days", "q1_days", "tp8", "TP8", "Gpus")
    ]

    assert taken[0] == "gpus"
    assert taken[2:5] == ["q1.days", "q1_days", "_tp8"]
    assert len({name.lower() for name in taken}) == len(taken)
    assert all(excel_name(name) == name for name in taken)


@given(st.lists(st.text("abrc1_.", min_size=1).map(lambda text: f"r{text}"), max_size=30))
def test_names_taken_are_legal(wanted: list[str]) -> None:
    book = NameBook()

    taken = [book.take(name) for name in wanted]

    assert len({name.lower() for name in taken}) == len(taken)
    assert all(excel_name(name) == name for name in taken)


@pytest.mark.parametrize("name", ["a" * 255, "a" * 300, "r1" + "x" * 253, "_" * 255])
def test_long_names_fit(name: str) -> None:
    book = NameBook()

    taken = [book.take(name) for _ in range(12)]

    assert len(set(taken)) == 12
    assert max(map(len, taken)) <= LONGEST_NAME
