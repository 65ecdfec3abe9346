"""Edges of functions along dims, against what counting, searching and multiplying out give."""

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calcgraph.functions.kernels import series
from calcgraph.functions.kernels.arrays import rank as rank_arrays
from calcgraph.functions.kernels.cashflows import irr
from calcgraph.functions.kernels.series import lookup
from functions.drawing import nudged
from properties import label_meanings as plain

NEAR = st.builds(
    lambda base, parts, ulps: nudged(base * (1 + parts * 1e-13), ulps),
    st.sampled_from([1.0, 0.3, -2.0, 123456789.0, 0.0]),
    st.integers(-12, 12),
    st.integers(-3, 3),
)


@settings(max_examples=150)
@given(st.lists(st.tuples(NEAR | st.none(), NEAR | st.none()), min_size=1, max_size=8))
def test_a_rank_counts_who_comes_before_at_12_digits(pairs: list[tuple[float, float]]) -> None:
    values, ties = map(list, zip(*pairs, strict=True))

    expected = [plain.rank(at, values, ties) for at in range(len(values))]

    assert series.rank(values, ties) == expected
    gaps = [[math.nan if value is None else value for value in column] for column in (values, ties)]
    found = rank_arrays(*map(_array, gaps)).tolist()
    assert [None if math.isnan(value) else value for value in found] == expected


def _array(column: Sequence[float]):  # noqa: ANN202
    import numpy as np

    return np.array(column)


def multiplied_out(growths: Sequence[Fraction]) -> list[float]:
    """Give flows that are worth nothing at just these growths a period."""
    flow = [Fraction(1000)]
    for growth in growths:
        longer = [*flow, Fraction(0)]
        flow = [a - growth * b for a, b in zip(longer, [Fraction(0), *flow], strict=True)]
    return [float(value) for value in flow]


@pytest.mark.parametrize(
    "growths",
    [
        ("1.1",),
        ("1.1", "1.2"),
        ("0.9", "1.2"),
        ("1.02", "1.1", "1.5"),
        ("0.5", "0.8", "2"),
        ("1.05", "1.05", "1.05"),
        ("1.3", "1.3", "1.02"),
        ("0.75", "1.25", "1.75", "2.25"),
    ],
)
def test_of_several_rates_the_one_nearest_to_a_percent_is_given(growths: tuple[str, ...]) -> None:
    exact = [Fraction(growth) for growth in growths]
    nearest = min(exact, key=lambda growth: abs(growth - Fraction("1.01")))

    found = irr(multiplied_out(exact))

    assert found == pytest.approx(
        float(nearest) - 1, abs=1e-4 if len(set(exact)) < len(exact) else 1e-9
    )


@given(
    st.lists(st.integers(-4, 8).map(lambda n: n / 4), min_size=1, max_size=5, unique=True),
    st.integers(-6, 10),
    st.integers(-2, 2),
)
def test_a_lookup_takes_the_last_threshold_not_above(
    steps: list[float], eighths: int, ulps: int
) -> None:
    steps.sort()
    x = nudged(eighths / 8, ulps)

    # An ulp or two is not seen at 15 digits, but for 0, from which any number differs.
    seen = x if abs(x) < 1e-9 else eighths / 8
    below = [step for step in steps if step <= seen]
    assert lookup(x, steps, [f"at {step}" for step in steps]) == (
        f"at {below[-1]}" if below else None
    )


@given(st.lists(st.integers(-8, 8).map(float) | st.none(), min_size=1, max_size=6), st.data())
def test_windows_and_lags_by_cells(values: list[float | None], data: st.DataObject) -> None:
    size = len(values)
    windows = data.draw(st.lists(st.integers(1, 9).map(float), min_size=size, max_size=size))
    back = data.draw(st.lists(st.integers(-9, 9).map(float), min_size=size, max_size=size))
    outside = [100.0 + at for at in range(size)]

    sums = series.rolling_sum(values, windows)
    moved = series.lag(values, back, outside)

    for at in range(size):
        last = [values[other] for other in range(size) if at - windows[at] < other <= at]
        assert sums[at] == sum(one for one in last if one is not None)
        there = [values[other] for other in range(size) if other + back[at] == at]
        assert moved[at] == (there[0] if there else outside[at])


def test_thresholds_that_15_digits_hold_apart_ascend() -> None:
    steps = [
        float(Decimal(text)) for text in ("0.1", "0.2", "0.30000000000001", "0.30000000000002")
    ]

    found = [lookup(step, steps, ["a", "b", "c", "d"]) for step in steps]

    assert found == ["a", "b", "c", "d"]
    assert all(low < high for low, high in pairwise(steps))
