"""Values along dims in Python: tuples, dictionaries by label, arrays."""

from collections.abc import Callable
from datetime import date

import numpy as np
import pytest

import calcgraph as cg

Write = Callable[..., str]

SHEET = """
dims:
  month: {from: 2026-11, to: 2027-01}
  region: [us, eu]
tables:
  chips: {columns: {hbm: GB}, rows: {a: [80], b: [192]}}
inputs:
  rate[month]: {unit: USD, values: {2026-11: 4, 2026-12: 0, 2027-01: 2}}
  sold[region, month]: {unit: 1, fill: blank, values: {us: {2026-11: 3}, eu: {2027-01: 7}}}
calc:
  cash[month]: = prev(cash, 10 [USD]) - rate -> USD
  per[month]: = 8 [USD] / rate -> 1
  begin[month]: = month
  lowest: = argmin(cash)
  plain: = sum(rate) -> USD
"""


@pytest.fixture
def book(sheet: Write) -> cg.Book:
    return cg.open(sheet(SHEET))


def test_a_series_is_a_tuple_and_several_dims_are_nested(book: cg.Book) -> None:
    assert book["cash"] == (6.0, 6.0, 4.0)
    assert book["sold"] == ((3.0, None, None), (None, None, 7.0))
    assert book["begin"] == (date(2026, 11, 1), date(2026, 12, 1), date(2027, 1, 1))


def test_an_entry_is_a_single_value(book: cg.Book) -> None:
    assert book["cash[2027-01]"] == 4.0
    assert book["sold[eu, 2027-01]"] == 7.0
    assert book["chips[b].hbm"] == 192.0
    assert book.text("cash[2027-01]") == "4 USD"
    assert "cash[2027-01]" in book
    assert "cash[2027-02]" not in book


def test_dims_have_their_labels(book: cg.Book) -> None:
    months = ("2026-11", "2026-12", "2027-01")

    assert book.dims("sold") == {"region": ("us", "eu"), "month": months}
    assert book.dims("plain") == {}


def test_values_by_label(book: cg.Book) -> None:
    assert book.series("cash") == {"2026-11": 6.0, "2026-12": 6.0, "2027-01": 4.0}
    assert book.series("sold")["eu", "2027-01"] == 7.0
    per = book.series("per")
    assert [per["2026-11"], per["2027-01"]] == [2.0, 4.0]
    assert isinstance(per["2026-12"], cg.CellError)


def test_an_array_has_an_axis_for_each_dim(book: cg.Book) -> None:
    sold = book.array("sold")

    assert sold.shape == (2, 3)
    np.testing.assert_array_equal(sold, [[3, np.nan, np.nan], [np.nan, np.nan, 7]])


def test_an_array_is_the_callers_own(book: cg.Book) -> None:
    book.array("cash")[0] = 99.0

    assert book["cash"] == (6.0, 6.0, 4.0)


def test_a_failed_label_is_an_error_of_the_whole(book: cg.Book) -> None:
    with pytest.raises(cg.CellError, match="division by zero"):
        _ = book["per"]
    with pytest.raises(cg.CellError, match="division by zero"):
        book.array("per")
    assert book["per[2027-01]"] == 4.0


def test_a_single_value_is_no_series(book: cg.Book) -> None:
    with pytest.raises(TypeError, match="`plain` is a single value"):
        book.series("plain")
    with pytest.raises(TypeError, match="`plain` is a single value"):
        book.array("plain")


def test_a_key_of_a_period_is_its_first_day_and_its_text_the_label(book: cg.Book) -> None:
    assert book["lowest"] == date(2027, 1, 1)
    assert book.text("lowest") == "2027-01"
