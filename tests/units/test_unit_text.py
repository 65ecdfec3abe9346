"""The text of a unit gives the unit it says, or a problem that says why not."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calcgraph.core.units import Unit
from calcgraph.units import UnitProblem, load_vocabulary, make_unit_book

BOOK, _ = make_unit_book(load_vocabulary(use_cache=False), {}, {"rack": "count"})
WORDS = [*BOOK.vocabulary.spellings(), "rack"]

ALGEBRA = {
    "MB**2/GB": (1000, "byte"),  # 13 of them are 13,000 byte
    "MB^2/GB": (1000, "byte"),
    "gpu*hour": (3600, "gpu*s"),
    "USD/gpu/hour": (Fraction(1, 3600), "USD/gpu/s"),
    "USD/(gpu*hour)": (Fraction(1, 3600), "USD/gpu/s"),
    "USD / (gpu * hour)": (Fraction(1, 3600), "USD/gpu/s"),
    "(USD/gpu)^2": (1, "USD^2/gpu^2"),
    "1/gpu/year": (1, "1/gpu/year"),
    "1/(gpu*year)": (1, "1/gpu/year"),
    "s^-1": (1, "1/s"),
    "s**-2": (1, "1/s^2"),
    "s^(-1)": (1, "1/s"),
    "byte^(1/2)": (1, "byte^(1/2)"),
    "km^2": (10**6, "m^2"),
    "kW*hour": (3_600_000_000, "g*m^2/s^2"),
    "kB/byte": (1000, "1"),
    "TFLOP/s/gpu": (10**12, "FLOP/gpu/s"),
    "USD/EUR": (1, "USD/EUR"),
    "1": (1, "1"),
    "%": (1, "1"),
    "%/year": (1, "1/year"),
}

PROBLEMS = {
    "": (0, 0, "there is no unit", "syntax"),
    "  ": (0, 2, "there is no unit", "syntax"),
    "gpu hour": (0, 8, "`gpu hour` are two units with nothing between them", "syntax"),
    "USD per hour": (0, 7, "`per` is no unit", "syntax"),
    "T token": (0, 7, "`T` is no unit", "syntax"),
    "gpu(s)": (0, 4, "there is no `*` or `/` before `(`", "syntax"),
    "5 gpu": (0, 1, "a number inside a unit", "syntax"),
    "gpu/2": (4, 5, "a number inside a unit", "syntax"),
    "1 gpu": (0, 5, "there is no `*` or `/` before `gpu`", "syntax"),
    "m^2 s": (2, 5, "there is no `*` or `/` before `s`", "syntax"),
    "gpu/": (4, 4, "a unit is missing at the end", "syntax"),
    "/gpu": (0, 1, "a unit is missing before `/`", "syntax"),
    "gpu**": (3, 5, "a unit's exponent is a whole number", "syntax"),
    "m^1.5": (1, 2, "a unit's exponent is a whole number", "syntax"),
    "m^(1/0)": (1, 2, "this exponent cannot be read", "syntax"),
    "m^2^3": (3, 4, "a power of a power", "syntax"),
    "USD/(gpu": (4, 5, "this parenthesis is not closed", "syntax"),
    "USD)": (3, 4, "`)` has nothing to close", "syntax"),
    "USD/%": (4, 5, "`%` must be alone or first", "syntax"),
    "%^2": (1, 2, "a percentage has no power", "syntax"),
    "m^13": (1, 4, "unit exponent out of range (-12..12)", "range"),
    "m^-13": (1, 5, "unit exponent out of range (-12..12)", "range"),
    "m^99999999999999999999": (1, 22, "unit exponent out of range (-12..12)", "range"),
    "(m^4)^4": (5, 7, "unit exponent out of range (-12..12)", "range"),
    "m^7*m^7": (0, 7, "unit exponent out of range (-12..12)", "range"),
    "kB^(1/2)": (0, 8, "`kB^(1/2)` has no exact size", "range"),
    "YFLOP^12": (0, 8, "this unit is too large or too small to be computed with", "range"),
    "((((((((((m))))))))))": (8, 9, "more than 8 parentheses in each other", "syntax"),
}


def problem_of(text: str) -> UnitProblem:
    problem = BOOK.unit(text)
    assert isinstance(problem, UnitProblem)
    return problem


def unit_of(text: str) -> Unit:
    unit = BOOK.unit(text)
    assert isinstance(unit, Unit)
    return unit


@pytest.mark.parametrize("text", ALGEBRA)
def test_a_units_size_and_dimension_follow_from_its_text(text: str) -> None:
    scale, dimension = ALGEBRA[text]

    unit = unit_of(text)

    assert unit.scale == scale
    assert set(str(unit.dimension)) == set(dimension)
    assert unit.written == text


@pytest.mark.parametrize("text", PROBLEMS)
def test_a_broken_text_says_where_and_why(text: str) -> None:
    start, end, message, kind = PROBLEMS[text]

    problem = problem_of(text)

    assert (problem.start, problem.end, problem.message) == (start, end, message)
    assert problem.kind == kind


def test_two_words_get_both_right_spellings() -> None:
    assert problem_of("gpu hour").hint == "write `gpu*hour` or `gpu/hour`"
    assert problem_of("USD per hour").hint == "write `/` for per"
    assert "`15T token`" in problem_of("T token").hint


def test_a_percentage_is_a_way_of_showing_only() -> None:
    unit = unit_of("%/year")

    assert unit.percent
    assert unit.same_as(unit_of("1/year"))


def test_the_same_text_gives_the_same_object() -> None:
    unit_name = "hour"

    assert BOOK.unit("USD/gpu/hour") is BOOK.unit(f"USD/gpu/{unit_name}")


def test_blanks_do_not_matter_but_between_words() -> None:
    assert unit_of(" USD /  gpu ").written == "USD / gpu"
    assert unit_of(" USD / gpu ").same_as(unit_of("USD/gpu"))


def test_a_long_product_is_read_without_recursion() -> None:
    unit = unit_of("gpu" + "/s*s" * 5000)

    assert unit.same_as(unit_of("gpu"))


@st.composite
def units(draw: st.DrawFn) -> Unit:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True))
    powers = [draw(st.integers(-3, 3).filter(bool)) for _ in words]
    text = "*".join(f"{word}^{power}" for word, power in zip(words, powers, strict=True))
    unit = BOOK.unit(text)
    assume(isinstance(unit, Unit))  # beyond 1e150 a unit is refused, as the problems above show
    assert isinstance(unit, Unit)
    return unit


@given(units())
def test_a_unit_written_from_its_atoms_reads_back_the_same(unit: Unit) -> None:
    again = unit_of(str(unit.symbol))

    assert again.same_as(unit)
    assert sorted(again.symbol.powers) == sorted(unit.symbol.powers)


@given(units())
def test_a_unit_reads_back_from_its_own_text(unit: Unit) -> None:
    assert unit_of(str(unit)) == unit


@given(units(), units())
def test_a_product_of_units_measures_the_product(left: Unit, right: Unit) -> None:
    product = BOOK.unit(f"({left})*({right})")

    if isinstance(product, Unit):
        assert product.scale == left.scale * right.scale
        assert product.dimension == left.dimension.times(right.dimension).sorted()


@given(st.text(max_size=30) | st.text(alphabet="gpu/*^()1 -2%sB", max_size=30))
def test_any_text_gives_a_unit_or_a_problem_inside_it(text: str) -> None:
    result = BOOK.unit(text)

    if isinstance(result, UnitProblem):
        assert 0 <= result.start <= result.end <= len(text)
        assert result.message.isprintable()
        assert result.hint.isprintable()
