"""What a workbook says of itself when somebody has been at it, by another engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import openpyxl
import pytest

from calcgraph.book import open_book
from differential.engines import formulon_values
from differential.values import Value, Values
from excel.conftest import Made

SHEET = """title: Own checks
dims:
  month: {from: 2026-01, to: 2026-04}
  deal: [a, b]
  many: {count: 600}
tables:
  chips: {columns: {size: 1}, rows: {x: [1], y: [2]}}
inputs:
  k: {value: 3, source: s}
  sold[month]: {unit: 1, min: 0, max: 99, values: {2026-01: 1, 2026-02: 2, 2026-03: 3, 2026-04: 4}}
  open[deal, month]: {fill: blank, values: {a: {2026-01: true}}}
  chip[month]: {choices: chips, values: {2026-01: x, 2026-02: x, 2026-03: y, 2026-04: y}}
  load[many]: {unit: 1, fill: zero, min: 0, values: {0: 1, 7: 2}}
  paid[month]: {unit: USD, fill: zero, values: {2026-01: -100, 2026-03: 60, 2026-04: 70}}
  dues[deal, month]: {unit: USD, fill: zero, values: {a: {2026-01: -9, 2026-02: 9},
    b: {2026-01: -9, 2026-04: 11}}}
calc:
  flow[month]: = sold * 2 -> 1
  x[many]: = mod(index(many) * 7, 13) * k + load -> 1
  y[many]: = if(x > 20, na(), x / 7) -> 1
  t[many]: = x > 10
  w[many]: = if(t, "Big", "small")
  z[deal, many]: = x * if(deal == "a", 1, 3) - 0.3 -> 1
  rate: = irr(paid) -> %
  rates[deal]: = irr(dues, month) -> %
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    path = tmp_path_factory.mktemp("own") / "sheet.yaml"
    path.write_text(f"calcgraph: 1\n{SHEET}", encoding="utf-8")
    return Made(open_book(path))


class Tampered:
    """A workbook in which cells hold something else, computed anew."""

    def __init__(self, made: Made, changes: Mapping[tuple[str, int], object], folder: Path) -> None:
        book = openpyxl.load_workbook(path_of(made, folder))
        for (name, at), value in changes.items():
            sheet, _, cells = book.defined_names[name].attr_text.rpartition("!")
            first, _, last = cells.replace("$", "").partition(":")
            line = book[sheet.strip("'")][f"{first}:{last or first}"]
            [cell for row in line for cell in row][at].value = value
        book.save(folder / "tampered.xlsx")
        self.made = made
        self.values: Values = formulon_values(folder / "tampered.xlsx")

    def result(self, check: str) -> tuple[Value, Value]:
        """Give the value and the result of one of the workbook's own checks."""
        row = row_of(self.made, "Checks", check)
        return self.values["Checks", f"B{row}"], self.values["Checks", f"H{row}"]

    def status(self, key: str) -> Value:
        page = self.made.opened["Series"]
        rows = [cell.row for cell in page["D"] if cell.value == key]
        return self.values["Series", f"B{rows[0]}"]

    def differ(self, name: str) -> Value:
        return self.values["_Base", f"J{row_of(self.made, '_Base', f'{name}: values that differ')}"]


def path_of(made: Made, folder: Path) -> Path:
    path = folder / "book.xlsx"
    path.write_bytes(made.raw)
    return path


def row_of(made: Made, sheet: str, label: str) -> int:
    found = [cell.row for cell in made.opened[sheet]["A"] if cell.value == label]
    assert found, f"{label} stands on {sheet}"
    return found[0]


WHOLE = "every series has a formula for each of its labels"
PARITY = "every result equals the engine's, as exported"
LEFT = "rate: the flows come to 0 at that rate"


def test_nothing_is_wrong_with_an_export(made: Made, tmp_path: Path) -> None:
    found = Tampered(made, {}, tmp_path)

    assert found.result(WHOLE) == (0, "OK")
    assert found.result(PARITY) == (0, "OK")
    assert found.result(LEFT) == (0, "OK")
    assert {found.status(key) for key in ("sold", "open[a]", "chip", "paid")} == {"OK"}
    assert found.values[made.written.names["cg.pill"]] == "Checks OK"


ANOTHER: dict[tuple[str, int], object] = {
    ("x", 300): 21.00001, ("y", 2): 0.0, ("t", 0): True, ("w", 3): "big", ("z", 700): 0.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def spoilt(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Tampered:
    more = {("flow", 2): None, ("rate", 0): 0.5, ("rates", 1): 0.5}
    return Tampered(made, {**ANOTHER, **more}, tmp_path_factory.mktemp("spoilt"))


def test_one_value_of_a_large_block_is_missed(made: Made, spoilt: Tampered) -> None:
    """And so is each value that hangs on it: of a row of texts, and of two rows of a block."""
    values = made.book.evaluation.values
    for (name, at), value in ANOTHER.items():
        assert values[made.book.cell(name).number].data[at] != value  # type: ignore[union-attr]

    differ = {name: spoilt.differ(name) for name, _ in ANOTHER}

    assert differ == {"x": 1, "y": 1, "t": 1, "w": 2, "z": 3}
    assert spoilt.result(PARITY)[1] == "ERROR"


def test_a_formula_that_is_gone_is_missed(spoilt: Tampered) -> None:
    assert spoilt.result(WHOLE) == (1, "ERROR")


def test_a_rate_that_is_none_leaves_something(spoilt: Tampered) -> None:
    left = abs(-100 + 60 / 1.5**2 + 70 / 1.5**3) / 100
    of_b = abs(-9 + 11 / 1.5**3) / 11

    assert spoilt.result(LEFT) == (pytest.approx(left, abs=1e-9), "ERROR")
    assert spoilt.result(LEFT.replace("rate", "rates", 1)) == (
        pytest.approx(of_b, abs=1e-9),
        "ERROR",
    )


SAID: dict[str, tuple[dict[tuple[str, int], object], dict[str, str]]] = {
    "changed": (
        {
            ("sold", 1): 5.0, ("sold", 2): 7.0, ("open", 0): None, ("paid.base", 1): 20.0,
            ("chip", 0): "y", ("load.base", 9): 5.0,
        },
        {"sold": "2 CHANGED", "open[a]": "1 CHANGED", "open[b]": "OK", "paid": "1 CHANGED",
         "chip": "1 CHANGED"},
    ),
    "of no use": (
        {
            ("sold", 1): 5.0, ("sold", 2): -7.0, ("sold", 3): 100.0, ("open", 4): 1.0,
            ("chip", 0): "z", ("paid.base", 1): "five", ("load.base", 8): -5.0,
        },
        {"sold": "2 OUT OF RANGE", "open[a]": "OK", "open[b]": "1 NOT TRUE OR FALSE",
         "chip": "1 NOT A CHOICE", "paid": "1 NOT A NUMBER"},
    ),
    "missing": (
        {("sold", 1): None, ("chip", 2): None, ("paid.base", 3): None},
        {"sold": "1 MISSING", "chip": "1 MISSING", "paid": "1 CHANGED"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SAID)
def test_a_series_says_what_became_of_its_entries(case: str, made: Made, tmp_path: Path) -> None:
    changes, expected = SAID[case]

    found = Tampered(made, changes, tmp_path)

    assert {key: found.status(key) for key in expected} == expected
    for name in ("sold", "open", "chip", "paid"):
        said = [text for key, text in expected.items() if key.partition("[")[0] == name]
        is_sound = all(text == "OK" or text.endswith("CHANGED") for text in said)
        check = f"every entry of {name} is there, of its kind and in bounds"
        assert (found.result(check)[1] == "OK") == (is_sound or not said)
    column = {v for (sheet, _), v in found.values.items() if sheet == "Series by many"}
    status = {"changed": "1 CHANGED", "of no use": "1 OUT OF RANGE", "missing": "OK"}
    assert status[case] in column
