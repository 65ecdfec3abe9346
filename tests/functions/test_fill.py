"""Gaps of a series input are filled as its author said, along one axis."""

import pytest

from calcgraph.core.shape import Shape
from calcgraph.core.values import Dim, DimKind, Scalar
from calcgraph.functions.kernels.series import fill_axis, fill_gaps, fill_series

DAYS = (0.0, 31.0, 59.0, 90.0)
GAPS: list[Scalar] = [None, 10.0, None, 20.0]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("zero", [0, 10, 0, 20]),
        ("previous", [None, 10, 10, 20]),
        ("linear", [10, 10, 10 + 10 * 28 / 59, 20]),
        ("blank", GAPS),
        ("error", GAPS),
        ("", GAPS),
    ],
)
def test_each_rule_fills_a_line(rule: str, expected: list[Scalar]) -> None:
    assert fill_series(GAPS, [4], 0, rule, DAYS) == pytest.approx(expected, abs=1e-12)


def test_lines_that_lie_apart_are_filled_one_by_one() -> None:
    data: list[Scalar] = [1.0, 5.0, None, None, 3.0, None]

    assert fill_series(data, [3, 2], 0, "previous", DAYS[:3]) == [1, 5, 1, 5, 3, 5]
    assert fill_series(data, [3, 2], 1, "previous", DAYS[:2]) == [1, 5, None, None, 3, 3]


def test_nothing_given_stays_so_and_one_value_is_everywhere() -> None:
    assert fill_series([None] * 4, [4], 0, "linear", DAYS) == [None] * 4
    assert fill_series([None, None, 7.0, None], [4], 0, "linear", DAYS) == [7] * 4


def _dim(name: str, kind: DimKind, size: int) -> Dim:
    keys = tuple(float(10 * index) for index in range(size))
    return Dim(name, kind, keys, tuple(map(str, keys)), {})


def test_gaps_are_filled_along_the_only_time_axis_else_the_last_dim() -> None:
    month, region, count = _dim("m", "time", 3), _dim("r", "labels", 2), _dim("c", "count", 2)

    assert fill_axis([month, region]) == 0
    assert fill_axis([region, count]) == 1
    assert fill_axis([month, region, month]) == 2
    data = [0.0, 5.0, None, None, 4.0, None]
    assert fill_gaps(data, Shape((month, region)), "linear") == [0, 5, 2, 5, 4, 5]
