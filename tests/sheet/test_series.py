"""What an input along dims holds, as declared."""

import pytest

from calcgraph.sheet.declarations import InputDecl
from sheet.reading_of import read_all, read_one

DIMS = "dims:\n  region: [us, eu]\n  month: {from: 2026-01, to: 2026-03}\n"

Entry = tuple[tuple[str, ...], int | None, str]


def series(body: str, key: str = "x[month]", **files: str) -> InputDecl:
    (found,) = read_one(f"{DIMS}inputs:\n  {key}: {body}\n", **files).inputs
    return found


def entries(decl: InputDecl) -> list[Entry]:
    return [
        (tuple(key.text.text for key in entry.keys), entry.position, entry.value.text.text)
        for entry in decl.entries
    ]


def test_values_by_label() -> None:
    found = series("{unit: USD/EUR, fill: previous, values: {2026-01: 1.08, 2026-03: 1.10}}")

    assert entries(found) == [(("2026-01",), None, "1.08"), (("2026-03",), None, "1.10")]
    assert found.value is None
    assert found.fill is not None
    assert found.fill.text.text == "previous"
    assert found.unit is not None
    assert found.unit.text.text == "USD/EUR"


def test_values_by_two_labels_and_a_list_for_all_labels_of_the_last_dim() -> None:
    found = series("{values: {us: {2026-02: 90 USD}, eu: [1, 2, null]}}", "x[region, month]")

    assert entries(found) == [
        (("us", "2026-02"), None, "90 USD"),
        (("eu",), 0, "1"),
        (("eu",), 1, "2"),
        (("eu",), 2, "null"),
    ]


@pytest.mark.parametrize("body", ["5 USD", "{value: 5 USD}", "{value: 5 USD, min: 0 USD}"])
def test_one_value_is_every_labels(body: str) -> None:
    assert entries(series(body, "x[region, month]")) == [((), None, "5 USD")]


def test_a_list_holds_the_values_in_order() -> None:
    assert entries(series("{values: [4, 5, 6]}")) == [((), 0, "4"), ((), 1, "5"), ((), 2, "6")]


def test_bounds_and_choices_are_read_as_of_any_input() -> None:
    found = series("{values: [a, b, a], choices: [a, b], label: Kind}")

    assert isinstance(found.choices, tuple)
    assert [one.text.text for one in found.choices] == ["a", "b"]
    assert found.about.label == "Kind"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_has_the_dims_and_value_in_any_order(newline: str) -> None:
    text = newline.join(["month,value,region", "2026-01,90 USD,us", "2026-02,,eu", ""])

    found = series("{from_csv: x.csv}", "x[region, month]", x_csv=text)

    assert entries(found) == [(("us", "2026-01"), None, "90 USD")]  # nothing is said of eu
    assert [entry.value.span.place for entry in found.entries] == ["x.csv:2:9"]
    assert found.csv is not None
    assert found.csv.source is not None
    assert found.csv.source.text == text


def test_an_imported_dim_is_a_column_under_its_full_name() -> None:
    found = series("{from_csv: x.csv}", "x[hw.chips]", x_csv="hw.chips,value\nh100,5\nb200,6 USD\n")

    assert entries(found) == [(("h100",), None, "5"), (("b200",), None, "6 USD")]


@pytest.mark.parametrize(
    "body",
    [
        "{values: {us: 5, eu: {2026-01: 5}}}",
        "{values: {us: {2026-01: {a: 5}}}}",
        "{values: [1, 2]}",
        "{values: 5}",
        "{values: {}}",
        "{fill: zero}",
        "{value: 5, fill: nothing}",
        "{value: 5, values: {us: {2026-01: 5}}}",
        "{from_csv: there_is_none.csv}",
        "{from_csv: x.csv}",
    ],
)
def test_a_mistake_leaves_no_entries_that_others_would_be_missed_beside(body: str) -> None:
    lines = "region,month,value\nus,2026-01,5\neu,2026-01,5,6\n"
    sheets, found = read_all(f"{DIMS}inputs:\n  x[region, month]: {body}\n", x_csv=lines)

    assert len(found) == 1
    assert sheets.sheets["sheet"].inputs[0].entries == ()


def test_labels_that_forgot_values_above_them_are_told_so_once() -> None:
    _, found = read_all(f"{DIMS}inputs:\n  x[region]:\n    us: 5 USD\n    eu: 6 USD\n")

    assert [finding.hint for finding in found] == [
        "write `values:` above them, and indent them below it"
    ]
