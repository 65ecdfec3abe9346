"""A sheet from Python: values, settings, quantities, the graph, and what is raised."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pint
import pytest

import calcgraph as cg

Write = Callable[..., str]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gpus", 8.0),
        ("rate", 0.4),
        ("since", date(2026, 1, 31)),
        ("kind", "one"),
        ("on", True),
        ("spare", None),
        ("late", None),
        ("price", 16.0),
        ("hw.chips.price", (2.0, 4.0)),
        ("hw.chips.since", (date(2022, 3, 1), None)),
        ("hw.hidden", 3.0),
    ],
)
def test_a_cell_is_a_plain_python_value(book: cg.Book, name: str, value: object) -> None:
    assert book[name] == value
    assert type(book[name]) is type(value)


def test_texts_and_units_are_those_of_the_command_line(book: cg.Book) -> None:
    assert book.text("price") == "16 USD/hour"
    assert book.unit("price") == "USD/hour"
    assert book.text("rate") == "40%"
    assert book.text("late") == "n/a"
    assert book.title == "every kind"


def test_names_are_gone_through_and_asked_for(book: cg.Book) -> None:
    names = list(book)

    assert names[:2] == ["gpus", "rate"]
    assert {"hw.chips.price", "hw.hidden", "deep"} <= set(names)
    assert all(name in book for name in names)
    assert "gpsu" not in book
    assert 3 not in book


def test_checks_are_no_cells(sheet: Write) -> None:
    book = cg.open(sheet("inputs: {a: 1 USD}\nchecks: [{name: rich, assert: = a > 0}]\n"))

    assert list(book) == ["a"]
    assert [name for name in book.model.graph.names if name in book] == ["a"]


def test_a_wrong_name_is_a_key_error_with_the_nearest(book: cg.Book) -> None:
    for ask in (book.__getitem__, book.text, book.unit, book.quantity, book.explain):
        with pytest.raises(KeyError) as caught:
            ask("prise")
        assert str(caught.value) == "there is no cell `prise`; did you mean `price`?"


def test_a_failed_cell_raises_and_names_the_one_to_blame(book: cg.Book) -> None:
    with pytest.raises(cg.CellError, match="`bad` cannot be computed: division by zero") as caught:
        book["bad"]

    assert isinstance(caught.value, ArithmeticError)
    assert book.model.cells[caught.value.failure.cell].name == "bad"
    assert book["worse"] is None
    assert book.set(gpus=10)["bad"] == 10.0


def test_a_quantity_is_pints_and_adds_up(estimate: cg.Book) -> None:
    days = estimate.quantity("train_time")

    assert isinstance(days, pint.Quantity)
    assert (days + 3 * cg.ureg.day).to("hour").magnitude == pytest.approx(
        (estimate["train_time"] + 3) * 24
    )
    assert days.units == cg.ureg.day
    with pytest.raises(pint.DimensionalityError):
        days + estimate.quantity("cost")


def test_quantities_make_new_ones(estimate: cg.Book) -> None:
    rate = estimate.quantity("cost") / estimate.quantity("gpu_hours")

    assert rate.to("USD/gpu/hour").magnitude == pytest.approx(estimate["gpu_price"])


def test_a_year_is_as_long_as_the_sheet_says(book: cg.Book, estimate: cg.Book) -> None:
    assert book.quantity("span").to("day").magnitude == pytest.approx(182.5)
    assert estimate.quantity("single_gpu_time").to("day").magnitude == pytest.approx(
        estimate["single_gpu_time"] * 365
    )


def test_shares_and_own_units_are_quantities(book: cg.Book) -> None:
    assert book.quantity("rate").to("").magnitude == 0.4
    assert book.quantity("density").to("gpu/rack").magnitude == 4.0


def test_numbers_along_dims_are_one_quantity(book: cg.Book) -> None:
    prices = book.quantity("hw.chips.price")

    assert prices.units == cg.ureg.Unit("USD/gpu/hour")
    assert prices.magnitude.tolist() == [2.0, 4.0]
    assert book.quantity("hw.chips[b200].price") == prices[1]


@pytest.mark.parametrize("name", ["kind", "on", "since", "late", "hw.chips.since"])
def test_what_is_no_number_is_no_quantity(book: cg.Book, name: str) -> None:
    with pytest.raises(TypeError, match="is not a number"):
        book.quantity(name)


def test_checks_and_expectations_are_lists_of_results(estimate: cg.Book) -> None:
    check = next(item for item in estimate.checks if item.name == "finishes by the deadline")
    assert isinstance(check, cg.CheckResult)
    assert (check.ok, check.is_error, check.fails) == (True, False, False)
    late = estimate.set(gpus=512).checks
    assert next(item.ok for item in late if item.name == "finishes by the deadline") is False

    figure = next(item for item in estimate.expectations if item.cell.name == "min_gpus")
    assert isinstance(figure, cg.FigureResult)
    assert (figure.actual, figure.ok, figure.known_wrong) == (271.0, True, False)


def test_explain_gives_a_tree(estimate: cg.Book) -> None:
    found = estimate.explain("cost", depth=1)

    assert isinstance(found, cg.Explanation)
    assert [part.name for part in found.parts] == ["gpu_hours", "gpu_price"]


def test_a_wrong_sheet_raises_with_everything_found(sheet: Write) -> None:
    name = sheet("calc:\n  a: = b\n  c: = 1 [GB] + 2 [day]\n  d: 3\n")

    with pytest.raises(cg.SheetError, match=r"sheet.yaml:3:\d+: .* \(and 2 more\)") as caught:
        cg.open(name)

    assert len(caught.value.diagnostics) == 3


def test_a_file_that_is_not_there_raises(tmp_path: Path) -> None:
    (tmp_path / "sheet.yaml").write_text("calcgraph: 1\n", encoding="utf-8")

    with pytest.raises(cg.FileError, match="there is no file") as caught:
        cg.open(tmp_path / "shet.yaml")

    assert "sheet.yaml" in caught.value.hint


def test_sheets_are_opened_from_any_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)

    assert cg.open(ROOT / "docs/examples/estimate.yaml")["params"] == 70_553_706_496
    assert cg.open(str(ROOT / "docs/examples/estimate.yaml"))["min_gpus"] == 271


def test_repr_is_one_short_line(book: cg.Book) -> None:
    assert repr(book) == f"<Book {book.name}: {len(book.cells())} cells>"
    assert repr(book.scenario("big").set(rate=0.5)).endswith(" cells with big, rate=50%>")

    long = repr(book.set(name="words\n" * 100))

    assert len(long) == 100
    assert long.endswith("…>")
    assert "\n" not in long


def test_a_notebook_shows_the_outputs(sheet: Write) -> None:
    book = cg.open(sheet("title: a < b\ninputs: {a: 2 USD}\ncalc: {b: = a * 2}\noutputs: [b]\n"))

    assert book._repr_html_() == (
        "<table><caption>a &lt; b</caption><tr><th>b</th><td>4 USD</td></tr></table>"
    )
