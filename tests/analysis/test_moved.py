"""Which published figures are still judged once an input, or an entry of one, is overridden."""

from collections.abc import Callable
from typing import Any

import pytest

import calcgraph as cg

SHEET = """
dims: {month: {from: 2026-01, to: 2026-03}}
tables:
  chips:
    columns: {price: USD, next: text}
    rows: {a: [2, b], b: [3, a], c: [5, a]}
inputs:
  chip: {value: a, choices: chips}
  fx[month]: {unit: 1, values: [1, 2, 3]}
  flow[chips, month]:
    unit: 1
    fill: previous
    values: {a: {2026-01: 4}, b: {2026-01: 5}, c: {2026-01: 6}}
calc:
  mine:   {formula: "= 2 * chips[chip].price -> USD", expect: 4 USD}
  twice:  {formula: "= 2 * mine -> USD", expect: 8 USD}
  fixed:  {formula: '= chips["b"].price -> USD', expect: 3 USD}
  other:  {formula: '= chips[chips[chip].next].price -> USD', expect: 3 USD}
  total:  {formula: "= sum(chips.price) -> USD", expect: 10 USD}
  march:  {formula: "= fx[2026-03] -> 1", expect: 3}
  of_b:   {formula: '= sum(flow["b"]) -> 1', expect: 15}
"""
ALL = {"mine", "twice", "fixed", "other", "total", "march", "of_b"}


@pytest.mark.parametrize(
    ("setting", "shown"),
    [
        ({}, set()),
        ({"chips[a].price": 7}, {"mine", "twice", "other", "total"}),
        ({"chips[b].price": 7}, {"fixed", "other", "total"}),
        ({"chips[c].price": 7}, {"other", "total"}),  # the row of `other` is computed: in doubt
        ({"chips[c].price": 5}, set()),
        ({"fx[2026-01]": 7}, set()),
        ({"fx[2026-03]": 7}, {"march"}),
        ({"flow[a, 2026-02]": 7}, set()),
        ({"flow[b, 2026-02]": 7}, {"of_b"}),
        ({"chip": "b"}, {"mine", "twice", "other"}),
    ],
)
def test_what_does_not_hang_on_an_entry_is_judged(
    setting: dict[str, Any], shown: set[str], sheet: Callable[..., str]
) -> None:
    book = cg.open(sheet(SHEET))

    figures = {result.cell.name: result.ok for result in book.set(setting).expectations}

    assert figures.keys() == ALL
    assert {name for name, ok in figures.items() if ok is None} == shown
    assert {name for name, ok in figures.items() if ok} == ALL - shown
