"""Conventions and own units are what the sheet says, exactly, in any order."""

from fractions import Fraction
from itertools import permutations
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcgraph.core.units import Unit
from calcgraph.units import UnitBook, UnitProblem, load_vocabulary, make_unit_book

VOCABULARY = load_vocabulary(use_cache=False)


Size: TypeAlias = tuple[Fraction | int, str]


def book_of(own: dict[str, str], conventions: dict[str, str] | None = None) -> UnitBook:
    book, problems = make_unit_book(VOCABULARY, conventions or {}, own)
    assert problems == []
    return book


def size(book: UnitBook, text: str) -> Size:
    unit = book.unit(text)
    assert isinstance(unit, Unit)
    return unit.scale, str(unit.dimension)


def the_problem(own: dict[str, str], conventions: dict[str, str] | None = None) -> UnitProblem:
    _, problems = make_unit_book(VOCABULARY, conventions or {}, own)
    assert len(problems) == 1
    return problems[0]


@pytest.mark.parametrize(
    ("conventions", "year", "month"),
    [
        ({"year": "365 day", "month": "year/12"}, (31_536_000, "s"), (2_628_000, "s")),
        ({"month": "year/12", "year": "365 day"}, (31_536_000, "s"), (2_628_000, "s")),
        ({"year": "365.25 day"}, (31_557_600, "s"), (1, "month")),
        ({"month": "30 day"}, (1, "year"), (2_592_000, "s")),
        ({"month": "30 day", "year": "12 month"}, (31_104_000, "s"), (2_592_000, "s")),
        ({"month": "year/12"}, (1, "year"), (Fraction(1, 12), "year")),
        ({"year": "8_760 hour"}, (31_536_000, "s"), (1, "month")),
        ({}, (1, "year"), (1, "month")),
    ],
)
def test_a_year_and_a_month_follow_the_conventions(
    conventions: dict[str, str], year: Size, month: Size
) -> None:
    book = book_of({}, conventions)

    assert size(book, "year") == year
    assert size(book, "month") == month


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count", (1, "own")),
        ("256 gpu", (256, "gpu")),
        ("256gpu", None),
        ("1e9 param", (10**9, "param")),
        ("70.6B param", (70_600_000_000, "param")),
        ("128Ki token", (131_072, "token")),
        ("1Ti byte", (1_099_511_627_776, "byte")),
        ("0.01%", (Fraction(1, 10_000), "1")),
        ("-5 gpu", None),
        ("0 gpu", None),
        ("1_000 USD", (1000, "USD")),
        ("0.1 USD", (Fraction(1, 10), "USD")),
        ("2.5 USD/gpu", (Fraction(5, 2), "USD/gpu")),
        ("1", (1, "1")),
        ("gpu/8", (Fraction(1, 8), "gpu")),
        ("3 * 8 gpu", None),
        ("GB/s", (10**9, "byte/s")),
    ],
)
def test_an_own_unit_has_the_exact_size_it_is_given(text: str, expected: Size | None) -> None:
    book, problems = make_unit_book(VOCABULARY, {}, {"own": text})

    assert bool(problems) is (expected is None)
    if expected is not None:
        assert size(book, "own") == expected


def test_own_units_may_build_on_each_other_in_any_order() -> None:
    own = {"pod": "32 box", "box": "8 gpu", "hall": "4 pod"}

    sizes = {size(book_of(dict(order)), "hall") for order in permutations(own.items())}

    assert sizes == {(Fraction(1024), "gpu")}


def test_an_own_unit_may_follow_a_convention() -> None:
    book = book_of({"quarter": "3 month"}, {"month": "year/12", "year": "365 day"})

    assert size(book, "quarter") == (7_884_000, "s")


@pytest.mark.parametrize("own", [{"gpu": "count", "token": "count"}, {"GB": "1e9 byte"}])
def test_to_say_again_what_a_unit_means_is_harmless(own: dict[str, str]) -> None:
    book = book_of(own)

    assert book.own == {}


@pytest.mark.parametrize(
    ("own", "message", "hint"),
    [
        ({"GB": "2 byte"}, "`GB` is 1000000000 byte already", "choose another name"),
        ({"hour": "count"}, "`hour` is 3600 s already", "choose another name"),
        ({"GPU": "count"}, "`GPU` is not accepted as a unit", "write `gpu`"),
        ({"B": "1 byte"}, "`B` is not accepted as a unit", "write `byte`"),
        ({"TFLOPS": "1e12 FLOP/s"}, "`TFLOPS` is not accepted as a unit", "write `TFLOP/s`"),
        ({"a-b": "count"}, "`a-b` cannot be the name of a unit", "a letter"),
        ({"8x": "count"}, "`8x` cannot be the name of a unit", "a letter"),
        ({"%": "count"}, "`%` cannot be the name of a unit", "a letter"),
        ({"year": "365 day"}, "`year` is no unit of a sheet's own", "`conventions: {year: …}`"),
        ({"pod": "0 gpu"}, "`0` is no size", "a number above 0"),
        ({"pod": "-8 gpu"}, "`-8` is no size", "a number above 0"),
        ({"pod": "1e999999999 gpu"}, "`1e999999999` is no size", "a number above 0"),
        ({"pod": "8 GPU"}, "unknown or refused unit `GPU`", "write `gpu`"),
        ({"pod": "8 pod"}, "these units are defined by each other: pod -> pod", "give one"),
        ({"pod": ""}, "there is no unit", "`1`"),
        ({"pod": "50 %"}, "`%` must be alone or first", "`%`"),
        ({"pod": "1e150 kB"}, "`pod` is too large or too small to be computed with", ""),
    ],
)
def test_a_wrong_own_unit_is_one_problem(own: dict[str, str], message: str, hint: str) -> None:
    problem = the_problem(own)

    assert (problem.message, problem.section) == (message, "units")
    assert problem.name in own
    assert hint in problem.hint


@pytest.mark.parametrize(
    ("conventions", "message"),
    [
        ({"week": "5 day"}, "there is no convention `week`"),
        ({"year": "365"}, "a year is a length of time"),
        ({"month": "30 gpu"}, "a month is a length of time"),
        ({"year": "365 days"}, "unknown or refused unit `days`"),
        (
            {"year": "12 month", "month": "year/12"},
            "these units are defined by each other: year -> month -> year",
        ),
    ],
)
def test_a_wrong_convention_is_one_problem(conventions: dict[str, str], message: str) -> None:
    problem = the_problem({}, conventions)

    assert (problem.message, problem.section) == (message, "conventions")


def test_the_use_of_a_unit_that_is_not_well_defined_is_no_new_mistake() -> None:
    book, _ = make_unit_book(VOCABULARY, {"year": "365 days"}, {"pod": "8 GPU"})

    kinds = [getattr(book.unit(text), "kind", None) for text in ("pod", "USD/year", "gpus")]

    assert kinds == ["broken", "broken", "unknown"]


def test_a_long_chain_of_units_is_refused_not_a_crash() -> None:
    own = {f"u{i}": f"2 u{i + 1}" for i in range(5000)} | {"u5000": "count"}

    _, problems = make_unit_book(VOCABULARY, {}, own)

    assert "more than 32 units" in problems[0].message


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=12), max_size=4))
def test_whatever_a_stranger_declares_gives_problems_at_most(own: dict[str, str]) -> None:
    book, problems = make_unit_book(VOCABULARY, own, own)

    assert isinstance(book, UnitBook)
    for problem in problems:
        assert problem.message.isprintable()
