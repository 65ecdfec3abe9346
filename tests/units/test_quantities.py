"""pint's units for Python users mean what ours mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcgraph.core.units import Unit
from calcgraph.units import (
    UnitBook,
    Vocabulary,
    float_registry,
    load_vocabulary,
    make_unit_book,
    to_pint,
)

CONVENTIONS = {"year": "365 day", "month": "year/12"}
OWN = {
    "rack": "count",
    "racks": "count",  # pint alone would read it as the plural of `rack`
    "krack": "count",  # and this as a thousand of them
    "pod": "256 gpu",
    "Bparam": "1e9 param",
    "score": "1",
    "bay": "2 rack",
}
BOOK, _ = make_unit_book(load_vocabulary(use_cache=False), CONVENTIONS, OWN)
PLAIN, _ = make_unit_book(BOOK.vocabulary, {}, {})


def unit_of(text: str, book: UnitBook = BOOK) -> Unit:
    unit = book.unit(text)
    assert isinstance(unit, Unit)
    return unit


def in_base_units(unit: Unit) -> tuple[float, dict[str, float]]:
    factor, pint_unit = to_pint(unit)
    root = (float_registry().Quantity(factor, pint_unit)).to_root_units()
    return root.magnitude, {name: float(f"{power}") for name, power in root.unit_items()}


def expected(unit: Unit) -> tuple[float, dict[str, float]]:
    return float(unit.scale), {name: float(power) for name, power in unit.dimension.powers}


def test_every_spelling_is_the_same_unit_in_pint(vocabulary: Vocabulary) -> None:
    for text in vocabulary.spellings():
        unit = unit_of(text, PLAIN)

        factor, _ = to_pint(unit)
        scale, powers = in_base_units(unit)

        assert factor == 1
        assert scale == pytest.approx(float(unit.scale), rel=1e-15, abs=0)
        assert powers == expected(unit)[1]


@given(st.lists(st.sampled_from([*BOOK.vocabulary.units, *OWN]), min_size=1, max_size=4))
def test_any_product_is_the_same_unit_in_pint(words: list[str]) -> None:
    unit = unit_of("/".join(words))

    scale, powers = in_base_units(unit)

    own_names = {name.rstrip("_"): power for name, power in powers.items()}
    assert scale == pytest.approx(float(unit.scale), rel=1e-12, abs=0)
    assert own_names == expected(unit)[1]


def test_counts_that_pint_would_confuse_stay_apart() -> None:
    pairs = [("rack", "racks"), ("rack", "krack"), ("racks", "krack")]

    powers = [in_base_units(unit_of(f"{left}/{right}"))[1] for left, right in pairs]

    assert [len(found) for found in powers] == [2, 2, 2]


def test_a_year_under_a_convention_is_so_many_seconds() -> None:
    factor, pint_unit = to_pint(unit_of("USD/year"))

    assert factor == pytest.approx(1 / 31_536_000, rel=1e-15)
    assert f"{pint_unit}" == "USD / s"


def test_a_year_without_a_convention_is_itself() -> None:
    factor, pint_unit = to_pint(unit_of("USD/year", PLAIN))

    assert (factor, f"{pint_unit}") == (1.0, "USD / year")


@pytest.mark.parametrize("text", ["%", "1", "score"])
def test_a_pure_number_is_dimensionless(text: str) -> None:
    factor, pint_unit = to_pint(unit_of(text))

    assert factor == 1
    assert pint_unit.dimensionless


def test_a_root_of_a_unit_is_the_same_in_pint() -> None:
    _, powers = in_base_units(unit_of("byte^(1/2)"))

    assert powers == {"byte": 0.5}


def test_quantities_convert_as_python_users_expect() -> None:
    quantity = float_registry().Quantity(3.0, "GiB")

    assert quantity.to("MB").magnitude == pytest.approx(3221.225472)


def test_there_is_one_registry() -> None:
    assert float_registry() is float_registry()
