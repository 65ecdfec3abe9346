"""Values as people write them: what is a number, what is text, and what is refused as neither."""

import pytest

from calcgraph.core.diagnostics import Diagnostic
from calcgraph.core.source import Slice, Source
from calcgraph.core.values import Kind
from calcgraph.sheet.yaml_reader import YamlScalar
from calcgraph.typecheck.literals import TypedValue, number_slip, read_any
from calcgraph.units import UnitBook, load_vocabulary, make_unit_book


@pytest.fixture(scope="module")
def book() -> UnitBook:
    return make_unit_book(load_vocabulary(use_cache=False), {"year": "365 day"}, {})[0]


def read(text: str, book: UnitBook) -> TypedValue | Diagnostic:
    source = Source("value", text)
    return read_any(YamlScalar(Slice(source, text, 0), Slice(source, text, 0).whole), book)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("17", 17, "1"),
        ("017", 17, "1"),
        ("1e6", 1e6, "1"),
        ("-2.5", -2.5, "1"),
        (".5", 0.5, "1"),
        ("16_000 gpu", 16_000, "gpu"),
        ("70.6B param", 70.6e9, "param"),
        ("128Ki token", 131_072, "token"),
        ("15T", 15e12, "1"),
        ("40%", 0.4, "%"),
        ("4%/year", 0.04, "1/year"),
        ("0.17 1/gpu/year", 0.17, "1/gpu/year"),
        ("2.5 USD/gpu/hour", 2.5, "USD/gpu/hour"),
        ("0.1", 0.1, "1"),
    ],
)
def test_number(text: str, value: float, unit: str, book: UnitBook) -> None:
    found = read(text, book)

    assert isinstance(found, TypedValue)
    assert (found.value, str(found.type.unit)) == (value, unit)


@pytest.mark.parametrize(
    "text",
    ["NO", "on", "12:30:45", "1:30", "1f1b", "8x7B", "12.4.1", "2026-Q1", "70b-instruct", "h100",
     "llama3_70b", "v1.0", "a, b", "x = 1", "~/models", "\u6a21\u578b 1"],
)  # fmt: skip
def test_text(text: str, book: UnitBook) -> None:
    found = read(text, book)

    assert isinstance(found, TypedValue)
    assert (found.type.kind, found.value) == (Kind.TEXT, text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("1,000", "1_000"),
        ("1,000.50 USD", "1_000.50 USD"),
        ("2,75 USD", "2.75 USD"),
        ("1.234,56 EUR", "1_234.56 EUR"),
        ("-1,234,567", "-1_234_567"),
        ("$5", "5 USD"),
        ("$ 5", "5 USD"),
        ("\u20ac2,50", "2.50 EUR"),
        ("-$1,234.50", "-1_234.50 USD"),
        ("$2.5/gpu/hour", "2.5 USD/gpu/hour"),
        ("\u0661\u0662 gpu", "12 gpu"),
        ("0x10", "16"),
        ("0o17 gpu", "15 gpu"),
        ("0b11", "3"),
        ("5.", "5"),
        ("-1.e3 USD", "-1e3 USD"),
        ("1'000 gpu", "1_000 gpu"),
        ("~8 gpu", "8 gpu"),
        ("8-16 gpu", "8 gpu"),
        (">=8 gpu", "8 gpu"),
    ],
)
def test_slip_is_given_back_as_it_should_be_written(text: str, right: str, book: UnitBook) -> None:
    slip = number_slip(text, book)

    assert slip is not None
    assert f"`{right}`" in slip[1]
    assert isinstance(read(text, book), Diagnostic)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("2026-1-5", "write `2026-01-05`"),
        ("2026/01/31", "write `2026-01-31`"),
        ("31.1.2026", "write `2026-01-31`"),
        ("05/01/2026", "write `2026-01-05` or `2026-05-01`"),
        ("5/5/2026", "write `2026-05-05`"),
    ],
)
def test_a_day_written_otherwise_is_refused(text: str, right: str, book: UnitBook) -> None:
    found = read(text, book)

    assert isinstance(found, Diagnostic)
    assert found.hint == right


@pytest.mark.parametrize(
    "text", ["1/2", "3 / 4 USD", "inf", "-inf", "nan", ".nan", "-.inf", "Infinity", "+.INF"]
)
def test_what_is_no_finite_decimal_number_is_refused(text: str, book: UnitBook) -> None:
    assert isinstance(read(text, book), Diagnostic)


@pytest.mark.parametrize("text", ["1e400", "-1e400", "1e-400", "9" * 400, "1e99999999999"])
def test_what_no_double_holds_is_refused(text: str, book: UnitBook) -> None:
    found = read(text, book)

    assert isinstance(found, Diagnostic)
    assert "out of the range of numbers" in found.message
