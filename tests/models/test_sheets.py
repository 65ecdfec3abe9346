"""Every sheet of the repository runs, and what it says was published or measured holds."""

from functools import cache
from pathlib import Path

import pytest

import calcgraph as cg
from calcgraph.core.source import Span
from calcgraph.core.values import Series, Value

SHEETS = Path(__file__).parents[2] / "sheets"
NAMES = sorted(path.relative_to(SHEETS).as_posix() for path in SHEETS.glob("**/*.yaml"))


@cache
def open_sheet(name: str) -> cg.Book:
    return cg.open(SHEETS / name, root=SHEETS)


def holds(value: Value) -> bool:
    """Whether a check holds for every label; what is not applicable is skipped."""
    entries = value.data if isinstance(value, Series) else [value]
    return all(one is True or one is None for one in entries)


def is_of(place: Span, name: str) -> bool:
    return Path(place.file_line.rpartition(":")[0]).name == Path(name).name


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_runs_and_its_figures_hold(name: str) -> None:
    book = open_sheet(name)

    own = [case for case in book.model.cases if is_of(case.place, name)]  # others run with theirs
    results = [
        (case.name, result)
        for case, found in zip(own, book.run_cases(own), strict=True)
        for result in found
    ]
    results += [("as written", result) for result in book.expectations]
    wrong = [(case, r.cell.name, r.actual) for case, r in results if r.ok is False]

    assert not book.evaluation.failures
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_no_check_of_severity_error_fails_as_written(name: str) -> None:
    book = open_sheet(name)

    values = book.evaluation.values
    assert [c.name for c in book.checks if c.is_error and not holds(values[c.cell])] == []
