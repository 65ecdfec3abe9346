"""The order of cells is free: what formulas share gives each of them the value it has alone."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calcgraph.core.values import Failure, Series, Value
from properties.pipeline import evaluated, value_of
from properties.random_series import RandomSeries, series_sheets

HEAD = """\
dims: {month: {from: 2026-01, to: 2026-05}, site: [a, b]}
inputs:
  rate: {value: 3, unit: 1}
  none: {value: null, unit: 1}
  flow[month]: {unit: 1, values: {2026-01: 2, 2026-02: -1, 2026-03: 4, 2026-04: 1, 2026-05: 8}}
  gaps[month]: {unit: 1, fill: blank, values: {2026-02: 5, 2026-04: 7}}
  both[site, month]: {unit: 1, fill: previous,
    values: {a: {2026-01: 1}, b: {2026-01: 2, 2026-03: 9}}}
calc:
"""
SCANS = (
    *("cumsum({x})", "rolling_sum({x}, 2)", "lag({x}, 1, 0)", "rank({x}, index(month))"),
    *("cumsum({x} * 2)", "prev({x}, 1)"),
)
AROUND = (
    *("{a}", "{a}", "{a} / 2", "{a} + {b}", "if(isblank(none), {a}, {b})", "iferror({a} / {b}, 1)"),
    *("cumsum({a})", "{a} * rate"),
)
SERIES = ("flow", "gaps")


def lines(draw: random.Random) -> list[str]:
    """Write formulas that have many parts in common; some are one shared part and no more."""
    parts = [draw.choice(SCANS).format(x=draw.choice(SERIES)) for _ in range(3)]
    own = [draw.choice(AROUND).format(a=draw.choice(parts), b=draw.choice(parts)) for _ in range(6)]
    found = [f"  c{at}[month]: '= {text} -> 1'\n" for at, text in enumerate(own)]
    found += [f"  t{at}: '= sum({text}) -> 1'\n" for at, text in enumerate(own[:2])]
    scan = draw.choice(SCANS).format(x="both").replace("index(month)", "index(month), month")
    found += [
        f"  b{at}[site, month]: '= {scan}{more} -> 1'\n" for at, more in enumerate(("", " + 1"))
    ]
    return found


def values(calc: list[str]) -> dict[str, Any]:
    evaluation = evaluated(HEAD + "".join(calc))
    names = [line.split(":")[0].split("[")[0].strip() for line in calc]
    return {name: comparable(value_of(evaluation, name)) for name in names}


def comparable(value: Value) -> list[object]:
    """Write a value without the numbers of cells, which follow their order."""
    data = list(value.data) if isinstance(value, Series) else [value]
    return [(one.kind, one.message, one.at) if isinstance(one, Failure) else one for one in data]


@pytest.mark.parametrize("seed", range(30))
def test_a_formula_has_the_value_it_has_alone_in_any_order(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - tests are no secret
    calc = lines(draw)
    alone = {name: value for line in calc for name, value in values([line]).items()}

    for _ in range(3):
        draw.shuffle(calc)

        assert values(calc) == alone


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(series_sheets(), st.randoms(use_true_random=False))
def test_the_order_of_cells_changes_no_value(sheet: RandomSeries, draw: random.Random) -> None:
    before = evaluated(sheet.text())
    draw.shuffle(sheet.calcs)

    after = evaluated(sheet.text())

    for name in sheet.lines:
        assert comparable(value_of(after, name)) == comparable(value_of(before, name)), name
