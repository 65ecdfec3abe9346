"""Keys, choices and variants along dims: what they read, by arithmetic done beside them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calcgraph.book import SheetError, open_book

TypedValue = Callable[..., dict[str, Any]]

JOB = """calcgraph: 1
dims: {b: {count: 2}}
inputs: {p: 1, q: 1}
calc:
  of_p: = p * 10
  of_q: = q * 10
  of_both: = of_p + of_q
  along[b]: = p * 10 + b
"""


@pytest.fixture
def read(tmp_path: Path) -> TypedValue:
    """Read a sheet, beside a `job.yaml`, to the values of its cells; series as tuples."""

    def once(text: str) -> dict[str, Any]:
        (tmp_path / "job.yaml").write_text(JOB, encoding="utf-8")
        (tmp_path / "sheet.yaml").write_text(f"calcgraph: 1\n{text}", encoding="utf-8")
        book = open_book(tmp_path / "sheet.yaml")
        values = book.evaluation.values
        found: dict[str, Any] = {}
        for cell in book.model.cells:
            value: Any = values[cell.number]
            found[cell.name] = tuple(value.data) if hasattr(value, "data") else value
        return found

    return once


PLANS = """
dims:
  region: [us, eu]
  plan: {grid: {tp: [8, 16], size: [4 GB, 2 GB], kind: [spot, full], on: [true, false]}}
tables:
  offers:
    key: [area, size]
    columns: {area: text, size: text, price: USD}
    rows:
      - [us, small, 3]
      - [eu, big, 4]
inputs:
  wanted: small
  paid[region, plan]: {unit: USD, value: 1, fill: zero}
"""


def test_a_key_may_be_written_in_its_parts(read: TypedValue) -> None:
    found = read(
        PLANS
        + """
calc:
  place[plan]: = index(plan)
  in_parts: = place[16, 2, "full", true]
  in_its_unit: = place[16, 2000 [MB], "full", true]
  joined: = place["16/2/full/true"]
  column: = plan[8, 4, "spot", false].tp
  row: = offers["us", "small"].price -> USD
  computed: = offers["us", wanted].price -> USD
  and_another: = paid["us", 8, 4, "spot", true] -> USD
  in_any_order: = paid[8, 4, "spot", true, "us"] -> USD
"""
    )

    # 16 is the second of 2 for tp, 2 GB the second of size, full of kind, true the first of on
    assert found["in_parts"] == found["in_its_unit"] == found["joined"] == 8 + 4 + 2 + 0
    assert found["column"] == 8
    assert found["row"] == found["computed"] == 3
    assert found["and_another"] == found["in_any_order"] == 1


def test_percentages_and_days_stand_in_keys_as_people_write_them(read: TypedValue) -> None:
    found = read("""
dims:
  plan: {grid: {growth: [5%, 10%], from_: [2026-01-01, 2026-02-01]}}
calc:
  place[plan]: = index(plan)
  in_parts: = place[10%, 2026-01-01]
  month_alone: = place[5%, 2026-02]
  last_: = argmax(place)
""")

    assert (found["in_parts"], found["month_alone"]) == (2, 1)
    assert found["last_"] == "10%/2026-02-01"


def test_a_dim_may_be_the_choices_of_an_input_that_is_a_key(read: TypedValue) -> None:
    found = read("""
dims: {month: {from: 2026-01, to: 2026-03}, stage: {count: 3}, region: [us, eu], v: {like: month}}
inputs:
  start: {value: 2026-02, choices: month}
  at: {value: 1, choices: stage}
  home: {value: eu, choices: region}
  opens[region]: {choices: month, values: [2026-01, 2026-03]}
  x[month]: {values: [1, 2, 4]}
  y[stage]: {values: [10, 20, 30]}
  z[region]: {values: [100, 200]}
calc:
  sum_: = x[start] + y[at] + z[home]
  after[month]: = if(month >= start, x, 0)
  each[region]: = x[opens]
  cohort[v]: = x[v]
  words: = "{start} {at} {home}"
""")

    assert found["sum_"] == 2 + 20 + 200
    assert found["after"] == (0, 2, 4)
    assert found["each"] == (1, 4)
    assert found["cohort"] == (1, 2, 4)
    assert found["words"] == "2026-02 1 eu"


def test_what_a_variant_reads_of_one_dim_varies_over_that_one_alone(read: TypedValue) -> None:
    found = read("""
dims: {a: [x, y], c: {count: 2}}
imports:
  job: {sheet: job.yaml, over: [a, c], set: {p: = of_a, q: = of_c}}
inputs:
  of_a[a]: {values: [1, 2]}
  of_c[c]: {values: [3, 4]}
calc:
  only_a[a]: = job.of_p
  only_c[c]: = job.of_q
  both[a, c]: = job.of_both
""")

    assert found["only_a"] == (10, 20)
    assert found["only_c"] == (30, 40)
    assert found["both"] == (10 + 30, 10 + 40, 20 + 30, 20 + 40)


def test_entries_of_what_a_variant_lifts(read: TypedValue) -> None:
    found = read("""
dims: {a: [x, y]}
imports:
  job: {sheet: job.yaml, over: a, set: {p: = of_a}}
inputs:
  of_a[a]: {values: [1, 2]}
calc:
  written: = job.of_p["x"]
  best: = argmax(job.of_p)
  computed: = job.of_p[best]
  both: = job.along["y", 1]
  rest[a]: = job.along[1]
""")

    assert (found["written"], found["best"], found["computed"]) == (10, "y", 20)
    assert found["both"] == 2 * 10 + 1
    assert found["rest"] == (11, 21)


def test_truths_in_a_recurrence_need_no_unit(read: TypedValue) -> None:
    found = read("""
dims: {month: {from: 2026-01, to: 2026-04}}
calc:
  level[month]: = if(prev(low, false), 10, prev(level, 7) - 3) -> 1
  low[month]: = level < 3
""")

    assert found["level"] == (4, 1, 10, 7)
    assert found["low"] == (False, True, False, False)


def test_labels_are_the_texts_they_look_like(read: TypedValue) -> None:
    found = read("""
dims: {x: [NO, on, 1:30, 017, 2026-01, true, 1.0, "null"]}
inputs:
  v[x]: {values: {NO: 1, on: 2, 1:30: 4, 017: 8, 2026-01: 16, true: 32, 1.0: 64, "null": 128}}
calc:
  all_of_them: = v["NO"] + v["on"] + v["1:30"] + v["017"] + v["2026-01"] + v["true"]
  words: = join(" ", x, x)
""")

    assert found["all_of_them"] == 1 + 2 + 4 + 8 + 16 + 32
    assert found["words"] == "NO on 1:30 017 2026-01 true 1.0 null"


def test_a_variant_that_reads_its_own_results_is_refused(read: TypedValue) -> None:
    with pytest.raises(SheetError, match=r"from its own results: .*job\.of_p"):
        read("""
dims: {month: {from: 2026-01, to: 2026-03}}
imports:
  job: {sheet: job.yaml, over: month, set: {p: = before}}
calc:
  before[month]: = prev(now, 1) -> 1
  now[month]: = job.of_p -> 1
""")


@pytest.mark.parametrize(
    ("address", "at"), [("v[a,b]", 0), ("v[a, b]", 0), ("w[8, 2]", 1), ("w[8/2]", 1)]
)
def test_labels_with_commas_and_keys_in_parts_are_set(
    address: str, at: int, tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.yaml"
    sheet.write_text("""calcgraph: 1
dims: {r: ["a,b", c], plan: {grid: {tp: [8], pp: [4, 2]}}}
inputs:
  v[r]: 1
  w[plan]: 1
""")

    changes, wrong = open_book(sheet)._read_changes([(address, "5")])

    assert not wrong
    assert [change.row for change in changes] == [at]
