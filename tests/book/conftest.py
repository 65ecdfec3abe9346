"""One sheet with a value of every kind, and a model of a hundred cells."""

from collections.abc import Callable
from pathlib import Path

import pytest

import calcgraph as cg

Write = Callable[..., str]
ROOT = Path(__file__).parents[2]

SHEET = """
title: every kind
conventions: {year: 365 day, month: year/12}
units: {rack: count}
imports: {hw: hw.yaml}
inputs:
  gpus: {value: 8 gpu, min: 1 gpu, max: 1000 gpu}
  rate: 40%
  since: 2026-01-31
  kind: {value: one, choices: [one, two]}
  name: free text
  on: true
  spare: {value: null, unit: day}
  chip: {value: h100, choices: hw.chips}
  racks: 2 rack
calc:
  price: = gpus * hw.chips[chip].price -> USD/hour
  span: = 0.5 [year] -> year
  late: = spare * 2 -> day
  density: = gpus / racks -> gpu/rack
  bad: = price / (gpus - 8 [gpu]) -> USD/gpu/hour
  worse: = iferror(bad * 2, na()) -> USD/gpu/hour
  deep: = hw.hidden * 2 -> day
scenarios:
  big: {gpus: 100 gpu}
"""
HW = """
tables:
  chips:
    columns: {price: USD/gpu/hour, since: date}
    rows: {h100: [2, 2022-03-01], b200: [4, null]}
inputs: {hidden: 3 day}
"""


@pytest.fixture
def book(sheet: Write) -> cg.Book:
    sheet(HW, "hw.yaml")
    return cg.open(sheet(SHEET))


@pytest.fixture(scope="module")
def estimate() -> cg.Book:
    return cg.open(ROOT / "docs/examples/estimate.yaml")
