"""What rows along dims mean: their spellings called with sequences, as generated code calls them.

Every row that takes a series has a call here, so a new one is missed where it has none.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from calcgraph.functions import FUNCTIONS, ROWS
from calcgraph.functions.kernels.cashflows import irr, npv, pmt
from calcgraph.functions.spec import RUNTIME, spell
from functions.drawing import FLOW

N = None
DAYS = (46023.0, 46054.0, 46082.0, 46113.0, 46143.0, 46174.0)

CALLS: list[tuple[str, tuple[Any, ...], Any]] = [
    ("sum", (FLOW,), 50.0),
    ("sum", ((1.0, N, 2.0),), 3.0),
    ("sum", ((N, N),), 0.0),
    ("product", ((2.0, N, 4.0),), 8.0),
    ("product", ((N,),), N),
    ("mean", ((2.0, N, 4.0),), 3.0),
    ("mean", ((N,),), N),
    ("count", ((0.0, N, 4.0),), 2.0),
    ("count", ((N,),), 0.0),
    ("count truth", ((True, False, N),), 1.0),
    ("count text", (("a", N, ""),), 2.0),
    ("first", ((N, "b", "c"),), "b"),
    ("first", ((N,),), N),
    ("last", ((1.0, 0.0, N),), 0.0),
    ("last", ((N,),), N),
    ("any", ((False, N, True),), True),
    ("any", ((N,),), N),
    ("all", ((True, N),), True),
    ("all", ((N,),), N),
    ("min", ((3.0, N, 2.0),), 2.0),
    ("min", ((N,),), N),
    ("max", ((3.0, N, 2.0),), 3.0),
    ("max", ((N,),), N),
    ("argmin", ((N, 2.0, 2.0), ("a", "b", "c")), "b"),
    ("argmin", ((N,), ("a",)), N),
    ("argmax", (FLOW, DAYS), 46174.0),
    ("argmax", ((5.0, 5.0, N), (0.0, 1.0, 2.0)), 0.0),
    ("first_where", ((N, False, True, True), (0.0, 1.0, 2.0, 3.0)), 2.0),
    ("first_where", ((N, False), ("a", "b")), N),
    ("lookup", (3.0, (1.0, N, 3.0), ("low", "never", "high")), "high"),
    ("lookup", (0.1 + 0.2, (0.3,), (7.0,)), 7.0),
    ("lookup", (0.5, (1.0, 3.0), ("low", "high")), N),
    ("lookup", (N, (1.0, 3.0), ("low", "high")), N),
    ("join series", ("-", ("a", N, "c")), "a-c"),
    ("join series", ("-", (N, N)), ""),
    ("npv", (0.0, FLOW), 50.0),
    ("npv", (1.0, (1.0, N, 4.0)), 2.0),
    ("npv", (N, FLOW), N),
    ("irr", (FLOW,), pytest.approx(0.1, rel=1e-13)),
    ("irr", ((0.0, -1.0, N, 4.0, 0.0),), 1.0),
    ("cumsum", ((1.0, N, 2.0),), [1.0, N, 3.0]),
    ("rolling_sum", (FLOW, (2.0,) * 6), [-100.0, -90.0, 20.0, 20.0, 20.0, 120.0]),
    ("rolling_sum", ((1.0, N, 4.0), (1.0, 1.0, 3.0)), [1.0, 0.0, 5.0]),
    ("rolling_sum", ((1.0, 2.0), (N, 9.0)), [N, 3.0]),
    ("lag", ((1.0, 2.0, N), (1.0, 0.0, 1.0), (9.0, 9.0, 9.0)), [9.0, 2.0, 2.0]),
    ("lag", (("a", "b", "c"), (-1.0, N, -1.0), ("x", "y", "z")), ["b", N, "z"]),
    ("rank", ((3.0, 1.0, 2.0),), [3.0, 1.0, 2.0]),
    ("rank", ((2.0, N, 2.0 + 4e-16, 1.0),), [2.0, N, 3.0, 1.0]),
    ("rank", ((1.0 + 1e-13, 1.0), (5.0, 4.0)), [2.0, 1.0]),
    ("rank", ((1.0 + 2e-11, 1.0), (4.0, 5.0)), [2.0, 1.0]),
    ("rank", ((1.0, 1.0, 1.0), (N, 0.3, 0.1 + 0.2), ("a", "b", "B")), [3.0, 2.0, 1.0]),
    ("stock", ((100.0, 0.0), (5.0, N), (N, 2.0)), [105.0, 103.0]),
    ("stock", ((100.0,) * 6, FLOW), [0.0, 10.0, 20.0, 30.0, 40.0, 150.0]),
    ("stock", ((N, 1.0), (5.0, 5.0)), [N, N]),
]


def called(name: str, args: Sequence[Any]) -> object:
    """Call a row's spelling as generated code does, with columns as they are kept."""
    names = [f"a{at}" for at in range(len(args))]
    run: Callable[..., Any] = eval(  # noqa: S307 - it is our own table
        f"lambda {', '.join(names)}: {spell(FUNCTIONS[name].python, names)}", dict(RUNTIME)
    )
    return run(*args)


def test_every_row_along_dims_is_called() -> None:
    rows = {row.name for row in ROWS if row.takes_series or row.along}

    assert {name for name, _, _ in CALLS} == rows


@pytest.mark.parametrize(("name", "args", "gives"), CALLS)
def test_a_row_along_dims_gives(name: str, args: tuple[Any, ...], gives: object) -> None:
    assert called(name, args) == gives


@pytest.mark.parametrize(
    ("name", "args", "says"),
    [
        ("lag", ((1.0,), (0.5,), (0.0,)), "whole"),
        ("rolling_sum", ((1.0,), (0.0,)), "at least one"),
        ("rolling_sum", ((1.0,), (1.5,)), "whole"),
        ("lookup", (1.0, (2.0, 1.0), (0.0, 0.0)), "ascend"),
        ("irr", ((1.0, 2.0),), "no rate"),
        ("irr", ((N, N),), "no rate"),
        ("irr", ((1.0, -2.0, 2.0),), "no rate"),
        ("irr", ((100.0, -210.0, 110.25),), "no rate"),
    ],
)
def test_a_row_along_dims_refuses(name: str, args: tuple[Any, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        called(name, args)


@pytest.mark.parametrize("name", ["sum", "mean", "product"])
def test_what_is_beyond_all_numbers_stops(name: str) -> None:
    with pytest.raises(ArithmeticError):
        called(name, ((1e308, 1e308, 1e308),))


def test_a_sum_is_added_in_order() -> None:
    """Python 3.12's own sum would give 1e16 + 2 for the one and 2 for the other."""
    assert called("sum", ((1e16, 1.0, 1.0),)) == 1e16
    assert called("sum", ((1e16, 1.0, 1.0, -1e16),)) == 0.0


@pytest.mark.parametrize(
    ("flow", "rate"),
    [
        ((100.0, -230.0, 132.0), 0.1),
        ((-100.0, 230.0, -132.0), 0.1),
        ((100.0, -200.03, 100.03), 0.0003),
        ((-1.0, 0.5), -0.5),
        ((-1000.0, 0.0, 0.0, 1.0), -0.9),
        ((-1.0, 1e6), 1e6 - 1),
        ((-1e6, 1.0), 1e-6 - 1),
        ((-100.0, *[2.0] * 359, 102.0), 0.02),
    ],
)
def test_the_rate_is_the_nearest_to_a_percent(flow: tuple[float, ...], rate: float) -> None:
    """By hand: 100 - 230/g + 132/g^2 is 0 at g = 1.1 and 1.2; (1 - 1/g)(1 - 1.0003/g) at two."""
    assert irr(flow) == pytest.approx(rate, rel=1e-9, abs=1e-9)


def test_worth_is_discounted_from_the_second_flow_on() -> None:
    assert npv(0.25, (100.0, 125.0, 125.0)) == 280.0
    with pytest.raises(ZeroDivisionError):
        npv(-1.0, (1.0, 1.0))


@pytest.mark.parametrize("due", [0.0, 1.0])
@pytest.mark.parametrize("rate", [0.01, -0.02, 1e-9, 0.0])
def test_instalments_pay_an_amount_off(rate: float, due: float) -> None:
    payment = pmt(rate, 12, 1000, 50, due)

    balance = 1000.0
    for _ in range(12):
        balance += payment * due
        balance += balance * rate + payment * (1 - due)
    assert balance == pytest.approx(-50, rel=1e-10)


def test_instalments_need_periods_and_a_rate() -> None:
    with pytest.raises(ValueError, match="0 periods"):
        pmt(0.01, 0, 1000)
    with pytest.raises(ValueError, match="0 periods"):
        pmt(0, 0, 1000)
    with pytest.raises(ValueError, match="-100%"):
        pmt(-1, 12, 1000)
    with pytest.raises(ArithmeticError):
        pmt(1, 12, math.inf)
