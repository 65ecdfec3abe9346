"""Setting inputs from Python: numbers, texts, days, quantities, scenarios, and what is refused."""

from datetime import UTC, date, datetime
from fractions import Fraction

import numpy as np
import pint
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import calcgraph as cg


def test_set_gives_another_book_and_leaves_the_first(book: cg.Book) -> None:
    before = {name: book.text(name) for name in book}

    after = book.set(gpus=100, chip="b200")

    assert (after["gpus"], after["price"]) == (100.0, 400.0)
    assert {name: book.text(name) for name in book} == before
    assert after.settings == {"gpus": "100 gpu", "chip": "b200"}
    assert book.settings == {}


def test_set_piles_up_and_the_later_wins(book: cg.Book) -> None:
    after = book.set(gpus=100).set(gpus=200).set({"hw.chips[h100].price": 3}, rate=0.5)

    assert (after["price"], after["rate"]) == (600.0, 0.5)
    assert after.settings == {
        "gpus": "200 gpu",
        "hw.chips[h100].price": "3 USD/gpu/hour",
        "rate": "50%",
    }


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("gpus", 16, 16.0),
        ("gpus", "16 gpu", 16.0),
        ("gpus", np.float64(16), 16.0),
        ("gpus", np.int32(16), 16.0),
        ("rate", 0.1 + 0.2, 0.1 + 0.2),
        ("rate", "35%", 0.35),
        ("rate", 1.5, 1.5),
        ("rate", -3, -3.0),
        ("rate", 1.234567890123456, 1.234567890123456),
        ("rate", np.float64(20), 20.0),
        ("since", date(2027, 2, 1), date(2027, 2, 1)),
        ("since", datetime(2027, 2, 1, tzinfo=UTC), date(2027, 2, 1)),
        ("since", "2027-02", date(2027, 2, 1)),
        ("kind", "two", "two"),
        ("name", "two words", "two words"),
        ("on", False, False),
        ("on", np.bool_(False), False),  # noqa: FBT003 - a numpy truth
        ("spare", 3, 3.0),
        ("spare", None, None),
        ("hw.hidden", 7, 7.0),
        ("hidden", 7, None),
    ],
)
def test_python_values_are_set(book: cg.Book, name: str, given: object, value: object) -> None:
    after = book.set({name: given})

    assert after["hw.hidden" if name == "hidden" else name] == (7.0 if name == "hidden" else value)


@pytest.mark.parametrize(
    ("name", "quantity", "value"),
    [
        ("hw.hidden", 48 * cg.ureg.hour, 2.0),
        ("hidden", 48 * cg.ureg.hour, 2.0),
        ("spare", cg.ureg.Quantity(1, "week"), 7.0),
        ("rate", cg.ureg.Quantity(0.25, ""), 0.25),
        ("hw.chips[h100].price", 48 * cg.ureg.USD / cg.ureg.gpu / cg.ureg.day, 2.0),
    ],
)
def test_a_pint_quantity_is_set_in_the_unit_of_its_input(
    book: cg.Book, name: str, quantity: pint.Quantity, value: float
) -> None:
    after = book.set({name: quantity})

    if name == "hw.chips[h100].price":
        assert after["hw.chips.price"] == (value, 4.0)
    else:
        assert after["hw.hidden" if name == "hidden" else name] == value


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("gpsu", 3, "there is no input `gpsu`"),
        ("price", 3, "`price` is calculated and cannot be set"),
        ("gpus", 2000, "above its max of 1000 gpu"),
        ("gpus", float("nan"), "is not a number"),
        ("gpus", float("inf"), "is not a number"),
        ("gpus", Fraction(1, 3), "is not a number"),
        ("gpus", None, "cannot be empty"),
        ("gpus", 3 * cg.ureg.day, "is day, but gpu is needed"),
        ("gpsu", 3 * cg.ureg.day, "there is no input `gpsu`"),
        ("kind", "three", "`three` is not"),
        ("on", 1, "is not true or false"),
        ("since", datetime(2027, 2, 1, 12, tzinfo=UTC), "2027-02-01 12:00"),
    ],
)
def test_what_does_not_fit_is_refused_with_diagnostics(
    book: cg.Book, name: str, given: object, words: str
) -> None:
    with pytest.raises(cg.SettingError) as caught:
        book.set({name: given})

    assert words in str(caught.value)
    (found,) = caught.value.diagnostics
    assert isinstance(found, cg.Diagnostic)
    assert found.label.span.source.name == "--set"


def test_all_refusals_are_told_at_once(book: cg.Book) -> None:
    with pytest.raises(cg.SettingError) as caught:
        book.set(gpsu=3, kind="three", rate=0.5)

    assert len(caught.value.diagnostics) == 2
    assert isinstance(caught.value, cg.SheetError)


def test_scenarios_are_put_on(book: cg.Book) -> None:
    assert book.scenario("big")["gpus"] == 100.0
    assert book.scenario("big").scenarios == ("big",)
    with pytest.raises(KeyError) as caught:
        book.scenario("bgi")
    assert str(caught.value) == "there is no scenario `bgi`; did you mean `big`?"


def test_a_scenario_put_on_later_wins_over_settings(book: cg.Book) -> None:
    after = book.set(gpus=5, rate=0.5).scenario("big")

    assert after["gpus"] == 100.0
    assert after.settings == {"rate": "50%"}
    assert after.set(gpus=6)["gpus"] == 6.0


@pytest.fixture(scope="module")
def shares(tmp_path_factory: pytest.TempPathFactory) -> cg.Book:
    path = tmp_path_factory.mktemp("shares") / "shares.yaml"
    path.write_text(
        "calcgraph: 1\ninputs: {plain: 1, share: 1%, size: 1 GB, each: 1%/year}\n"
        "calc: {total: = plain * share * size * each}\n"
    )
    return cg.open(path)


@given(value=st.floats(allow_nan=False, allow_infinity=False))
@example(value=0.1 + 0.2)
@example(value=5e-324)
@example(value=1.7976931348623157e308)
@pytest.mark.parametrize("name", ["plain", "share", "size", "each"])
def test_a_float_arrives_with_all_its_bits(shares: cg.Book, name: str, value: float) -> None:
    after = shares.set({name: value})
    (each,) = shares.each([{name: value}])

    assert repr(after[name]) == repr(each[name]) == repr(value)
