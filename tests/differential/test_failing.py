"""Where a label fails, what reads it fails in every engine, and what does not need it in none."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from calcgraph.book import Book, open_book
from calcgraph.book.workbook_export import request_of
from calcgraph.core.values import Failure
from calcgraph.excel import workbook_bytes
from differential.along import Along, export_along
from differential.engines import formulon_values
from differential.office import Office
from differential.values import Place, Value, Wrong, differences, told
from differential.workbooks import read_written, strip

SHEET = Path(__file__).parent / "failing" / "failing.yaml"
SETTINGS = (
    "",
    "at=0 chip_at=1",
    "at=2 chip_at=2 zero=0",
    "at=4 chip_at=4 shift=0.5",
    "zero=0.001 at=1",
)
FAILING = {
    "at=0": (
        "a_sum a_min a_max a_mean a_product a_count a_trues a_first a_last a_any a_all a_argmin "
        "a_argmax a_where a_npv a_irr a_join a_first_word t_last_all"
    ),
    "zero=0.001 at=1": "h_sum h_count h_first h_last h_any h_where",
    "at=2": "o_first o_last o_where t_both",
    "chip_at=2": "a_lookup a_lookup_1 a_lookup_value",
    "zero=0": "x c and_1 and_3 or_2 or_3 isb",
}
"""Names of single cells that need what fails."""
NEEDLESS = {
    "zero=0": {
        "and_2": False, "or_1": True, "both": True, "deep": False, "three": False, "iff": 1.0,
        "ifs_1": 1.0, "sw": 5.0, "caught": 7.0,
    },
    "at=2": {"ok_last": 10.0, "picked": 1.0},
}  # fmt: skip
"""What cells that do not need what fails come to, by hand."""


@cache
def book_of(settings: str) -> Book:
    pairs = [(name, value) for name, _, value in (s.partition("=") for s in settings.split())]
    return open_book(SHEET).set_texts(pairs)


@pytest.mark.parametrize("settings", FAILING)
def test_what_reads_all_of_a_line_fails_with_a_label(settings: str) -> None:
    book = book_of(settings)

    found = {name: value_of(book, name) for name in FAILING[settings].split()}

    assert [name for name, value in found.items() if not isinstance(value, Failure)] == []


@pytest.mark.parametrize("settings", NEEDLESS)
def test_what_is_not_needed_may_fail(settings: str) -> None:
    book = book_of(settings)

    assert {n: value_of(book, n) for n in NEEDLESS[settings]} == NEEDLESS[settings]


def value_of(book: Book, name: str) -> object:
    return book.evaluation.values[book.cell(name).number]


@pytest.mark.parametrize("settings", SETTINGS)
def test_another_engine_fails_where_ours_does(settings: str, tmp_path: Path) -> None:
    book, path = book_of(settings), tmp_path / "book.xlsx"
    path.write_bytes(workbook_bytes(request_of(book)))
    made = Along(book, path, strip(path, tmp_path / "stripped.xlsx"), read_written(path))

    found = differences(made.written.cached, formulon_values(made.stripped), rough(made))

    assert not found, told(found, made.written.formulas)
    assert not differences(made.calculated(book), made.written.cached)


def rough(made: Along) -> dict[Place, float]:
    """Allow for what is found by trial, where it stands and where parity reads it."""
    (place,) = made.places("a_irr")
    reading = [at for at, text in made.written.formulas.items() if text == "a_irr"]
    return dict.fromkeys([place, *reading], 1e-6)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Along:
    return export_along(SHEET, tmp_path_factory.mktemp("failing"))


@pytest.mark.parametrize("settings", SETTINGS[1:])
def test_libreoffice_fails_where_ours_does(settings: str, exported: Along, office: Office) -> None:
    book = book_of(settings)
    changes: dict[str, Value] = {}
    for setting in settings.split():
        name, _, value = setting.partition("=")
        changes["!".join(exported.entry(name)[0])] = float(value)

    values = office.recalculate(exported.stripped, changes).values

    expected: dict[Place, Value] = exported.calculated(book)
    assert any(isinstance(value, Wrong) for value in expected.values())
    found = differences(expected, values, rough(exported))
    assert not found, told(found, exported.written.formulas)
