"""How numbers look: never a false zero or a false 100%, half away from zero, and back again."""

import re
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calcgraph.analysis.number_format import (
    amount,
    exact_text,
    full_text,
    number_text,
    percent_text,
    round_half_away,
    value_text,
)
from calcgraph.core.diagnostics import Diagnostic
from calcgraph.core.source import Slice, Source
from calcgraph.core.units import Unit
from calcgraph.core.values import DATE, TEXT, TRUTH, Failure, Kind, Series, Type
from calcgraph.sheet.yaml_reader import YamlScalar
from calcgraph.typecheck.literals import read_as
from calcgraph.units import load_vocabulary, make_unit_book

BOOK, _ = make_unit_book(load_vocabulary(use_cache=False), {"year": "365 day"}, {})
FINITE = st.floats(allow_nan=False, allow_infinity=False)
# Where people live: numbers that are written with a few digits.
PLAIN = st.builds(
    lambda digits, power: float(f"{digits}e{power}"),
    st.integers(-99_999, 99_999),
    st.integers(-12, 14),
)
SCALES = {"T": 10**12, "B": 10**9, "%": Fraction(1, 100)}


def unit_of(text: str) -> Unit:
    unit = BOOK.unit(text)
    assert isinstance(unit, Unit)
    return unit


def shown_value(text: str) -> Fraction:
    """Read a shown number as a person would."""
    hit = re.fullmatch(r"(-?[\d,]*\.?\d+(?:e-?\d+)?)([TB%]?)", text)
    assert hit, text
    return Fraction(hit.group(1).replace(",", "")) * SCALES.get(hit.group(2), 1)


def read(text: str, type_: Type) -> object:
    source = Source("--set", text)
    piece = Slice(source, text, 0)
    found = read_as(YamlScalar(piece, piece.whole), type_, BOOK)
    assert not isinstance(found, Diagnostic), found
    return found


@given(FINITE | PLAIN)
@example(5e-324)
@example(-5e-324)
@example(1.797e308)
@example(0.00049999)
def test_a_number_is_shown_to_four_digits_and_never_as_zero(value: float) -> None:
    text = number_text(value)

    assert (shown_value(text) == 0) == (value == 0)
    if value:
        off = abs(shown_value(text) / Fraction(value) - 1)
        assert off <= Fraction(1, 1998)  # half of the fourth digit; 0.9995 is the worst


@given(FINITE | PLAIN | st.floats(-2, 2))
@example(0.999999999)
@example(-0.9999)
@example(9.99951)
@example(1e307)
def test_a_share_is_shown_to_three_digits_and_never_as_a_false_zero_or_whole(value: float) -> None:
    text = percent_text(value)

    shown = shown_value(text)
    assert (shown == 0) == (value == 0)
    if abs(value - 1) > 1e-9 and abs(value + 1) > 1e-9:
        assert abs(shown) != 1
    if value and shown:
        assert abs(shown / Fraction(value) - 1) <= Fraction(1, 198)


@given(FINITE | PLAIN)
def test_the_sign_is_kept(value: float) -> None:
    for show in (number_text, percent_text):
        assert show(value).startswith("-") == (value < 0)


@pytest.mark.parametrize("show", [number_text, percent_text])
def test_minus_zero_is_zero(show) -> None:  # noqa: ANN001 - either of the two
    assert show(-0.0) == show(0.0)
    assert exact_text(-0.0, Type(Kind.NUMBER)) == "0"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (11.606378, "11.61"),
        (1234.5678, "1,235"),
        (999.94, "999.9"),
        (999.96, "1,000"),
        (70_553_706_496.0, "70,553,706,496"),
        (4_456_849.3, "4,456,849"),
        (15e12, "15T"),
        (70.6e9, "70.6B"),
        (4e6, "4,000,000"),
        (123_456_789_012.0, "123,456,789,012"),
        (1.5e15, "1.5e15"),
        (0.0706, "0.0706"),
        (0.00015, "0.00015"),
        (0.000_001_234_56, "0.000001235"),
        (1.5e-7, "1.5e-7"),
        (-2.5, "-2.5"),
        (-1e-30, "-1e-30"),
        (0.1 + 0.2, "0.3"),
        (2.0005, "2.001"),  # half away from zero, on the digits people see
        (-2.0005, "-2.001"),
        (1.0045, "1.005"),
        (1000.5, "1,001"),
        (-1000.5, "-1,001"),
        (1e300, "1e300"),
        (1.797e308, "1.797e308"),
    ],
)
def test_numbers_look_as_their_readers_write_them(value: float, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.4, "40%"),
        (0.405, "40.5%"),
        (0.7989863, "79.9%"),
        (0.0298, "2.98%"),
        (0.0000187, "0.00187%"),
        (1.0, "100%"),
        (0.9999, "99.99%"),
        (0.99996, "99.996%"),
        (0.9995, "99.95%"),
        (1.0004, "100.04%"),
        (0.999, "99.9%"),
        (0.57125, "57.1%"),
        (0.0005, "0.05%"),
        (-0.125, "-12.5%"),
        (12.0, "1,200%"),
        (0.12345, "12.3%"),
        (0.1235, "12.4%"),
    ],
)
def test_shares_look_as_their_readers_write_them(value: float, text: str) -> None:
    assert percent_text(value) == text


@given(st.integers(-(10**9), 10**9))
def test_a_half_is_rounded_away_from_zero(whole: int) -> None:
    assert round_half_away(whole + 0.5) == (whole + 1 if whole >= 0 else whole)


NUMBERS = FINITE | PLAIN | st.floats(-2, 2) | st.integers(-(10**18), 10**18).map(float)


@given(NUMBERS, st.sampled_from(["1", "gpu", "GB/gpu", "1/layer", "USD/gpu/hour", "day", "year"]))
@example(1e16, "gpu")
@example(12_345_000_000.0, "gpu")
@example(5e-324, "1")
def test_an_exact_text_reads_back_to_the_same_double(value: float, unit: str) -> None:
    type_ = Type(Kind.NUMBER, unit_of(unit))

    assert read(exact_text(value, type_), type_) == value


@given(NUMBERS, st.sampled_from(["%", "%/year"]))
@example(0.405, "%")
@example(0.07, "%")
@example(1e300, "%")
@example(0.04, "%/year")
def test_an_exact_share_reads_back_to_the_same_double(value: float, unit: str) -> None:
    type_ = Type(Kind.NUMBER, unit_of(unit))

    assert read(exact_text(value, type_), type_) == value


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (256.0, Type(Kind.NUMBER, unit_of("gpu")), "256 gpu"),
        (0.405, Type(Kind.NUMBER, unit_of("%")), "40.5%"),
        (0.04, Type(Kind.NUMBER, unit_of("%/year")), "4%/year"),
        (15e12, Type(Kind.NUMBER, unit_of("token")), "15T token"),
        (4.0, Type(Kind.NUMBER, unit_of("1/layer")), "4 1/layer"),
        (None, Type(Kind.NUMBER), "null"),
        (True, TRUTH, "true"),
        ("h100_sxm", TEXT, "h100_sxm"),
        (46053.0, DATE, "2026-01-31"),
    ],
)
def test_exact_texts_are_what_one_would_set(value: object, type_: Type, text: str) -> None:
    assert exact_text(value, type_) == text  # type: ignore[arg-type]
    assert read(text, type_) == value


@pytest.mark.parametrize(
    ("value", "type_", "parts", "whole"),
    [
        (None, Type(Kind.NUMBER, unit_of("gpu")), ("n/a", ""), "n/a"),
        (Failure("div0", 3, "…"), Type(Kind.NUMBER, unit_of("gpu")), ("#div0", ""), "#div0"),
        (False, TRUTH, ("false", ""), "false"),
        (0.04, Type(Kind.NUMBER, unit_of("%/year")), ("4%", "/year"), "4%/year"),
        (2.0, Type(Kind.NUMBER, unit_of("gpu/node")), ("2", "gpu/node"), "2 gpu/node"),
        (
            Series(("t",), (1.0, 2.0)),
            Type(Kind.NUMBER, unit_of("GB")),
            ("2 values, 1 to 2", "GB"),
            "2 values, 1 to 2 GB",
        ),
        (
            Series(("t",), (None, 3.0, Failure("div0", 3, "…"))),
            Type(Kind.NUMBER, unit_of("GB")),
            ("3 values, 3 GB, 1 n/a, 1 failed", ""),
            "3 values, 3 GB, 1 n/a, 1 failed",
        ),
        (Series(("t",), (None, None)), TEXT, ("2 values, 2 n/a", ""), "2 values, 2 n/a"),
        (Series(("t",), (True, False)), TRUTH, ("2 values, 1 true", ""), "2 values, 1 true"),
        (Series(("t",), ("a",)), TEXT, ("1 value", ""), "1 value"),
    ],
)
def test_every_kind_of_value_is_shown(
    value: object, type_: Type, parts: tuple[str, str], whole: str
) -> None:
    assert value_text(value, type_) == parts  # type: ignore[arg-type]
    assert full_text(value, type_) == whole  # type: ignore[arg-type]


@given(NUMBERS)
def test_an_amount_is_one_number_and_one_unit(value: float) -> None:
    text, unit = amount(value, unit_of("GB/gpu"))

    assert unit == "GB/gpu"
    assert text == number_text(value)
