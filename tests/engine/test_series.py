"""Cells along dims, computed at every label; every expected value is worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from calcgraph.core.values import Failure, Kind, Series
from calcgraph.engine import compute_part, evaluate, make_plan, statements
from calcgraph.engine import evaluation as full_evaluation
from calcgraph.model import Const, LabelFact, Load, Lookup, Op
from engine.by_hand import (
    END,
    MONTHS,
    STARTS,
    Sheet,
    apply,
    data_of,
    failures_in,
    prev,
    reduce,
    scan,
)

M, R = ("month",), ("region",)
RM, MR = ("region", "month"), ("month", "region")
SALES = [float(n) for n in range(1, 13)]  # us 1 … 6, eu 7 … 12
FLOW = [-10.0, 4.0, 0.0, 6.0, 2.0, 8.0]


def computed(over: tuple[str, ...], op: Op, kind: Kind = Kind.NUMBER) -> object:
    """Compute one cell over a scalar 0, a flow 1, sales 2, and prices by region 3."""
    sheet = Sheet()
    sheet.put(start=2.0)
    sheet.put(M, start=list(FLOW))
    sheet.put(RM, start=list(SALES))
    sheet.put(R, start=[100.0, 1000.0])
    sheet.put(M, start=[None, 1.0, None, 2.0, 3.0, None], may_be_na=True)
    number = sheet.put(over, op, kind=kind, may_be_na=True)
    evaluation = evaluate(make_plan(sheet.model()))
    return data_of(evaluation, number) if over else evaluation.values[number]


FLOW_, SALES_, PRICE, GAPS = Load(1, M), Load(2, RM), Load(3, R), Load(4, M)
TOTAL = reduce("sum", M, SALES_)


def never(*_args: object) -> None:
    pytest.fail("what can be computed quickly was computed label by label")


@pytest.mark.parametrize(
    ("over", "op", "expected"),
    [
        (M, apply("*", FLOW_, Load(0)), [-20, 8, 0, 12, 4, 16]),
        (
            RM,
            apply("*", SALES_, PRICE),
            [*(n * 100 for n in range(1, 7)), *(n * 1000 for n in range(7, 13))],
        ),
        (MR, apply("+", SALES_, Const(0.0)), [1, 7, 2, 8, 3, 9, 4, 10, 5, 11, 6, 12]),
        (RM, FLOW_, FLOW * 2),
        (RM, Const(3.0), [3.0] * 12),
        ((), reduce("sum", RM, SALES_), 78),
        (R, TOTAL, [21, 57]),
        (M, reduce("sum", R, SALES_), [8, 10, 12, 14, 16, 18]),
        (R, reduce("sum", M, FLOW_), [10, 10]),
        (R, reduce("sum", M, PRICE), [600, 6000]),
        (R, reduce("sum", M, Const(2.0)), [12, 12]),
        ((), reduce("last", MR, SALES_), 12),
        ((), reduce("last", MR, Load(2, ("region", "month"))), 12),
        (M, apply("/", FLOW_, reduce("max", M, FLOW_)), [-1.25, 0.5, 0, 0.75, 0.25, 1]),
        (RM, apply("-", SALES_, reduce("min", M, SALES_)), [0, 1, 2, 3, 4, 5] * 2),
        (MR, apply("-", SALES_, reduce("min", M, SALES_)), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
        ((), reduce("argmax", M, FLOW_), STARTS[5]),
        (R, reduce("argmin", M, SALES_), [STARTS[0]] * 2),
        ((), reduce("npv", M, Const(1.0), FLOW_), -10 + 4 / 2 + 6 / 8 + 2 / 16 + 8 / 32),
        (R, reduce("npv", M, apply("-", PRICE, PRICE), FLOW_), [10, 10]),
        (M, LabelFact("month"), list(STARTS)),
        (M, LabelFact("month", "index"), [0, 1, 2, 3, 4, 5]),
        (M, LabelFact("month", "end"), [*STARTS[1:], END]),
        (M, LabelFact("month", "length"), [31, 28, 31, 30, 31, 30]),
        ((), reduce("sum", M, LabelFact("month", "length")), 181),
        ((), reduce("sum", RM, LabelFact("month", "index")), 30),
        ((), reduce("last", MR, LabelFact("month", "index")), 5),
        ((), Lookup(1, ("",), (Const(STARTS[3]),)), 6),
        ((), Lookup(2, ("", ""), (Const("eu"), Const(STARTS[1]))), 8),
        (R, Lookup(2, ("region", ""), (Const(STARTS[1]),)), [2, 8]),
        (M, Lookup(2, ("", "month"), (Const("eu"),)), [7, 8, 9, 10, 11, 12]),
        (M, Lookup(1, ("",), (reduce("argmax", M, FLOW_),)), [8] * 6),
        (M, prev("month", 1, M, Const(5.0)), [5, -10, 4, 0, 6, 2]),
        (RM, prev("month", 2, RM, PRICE), [100, 1, 2, 3, 4, 5, 1000, 7, 8, 9, 10, 11]),
        (RM, prev("region", 2, RM, Const(0.0)), [0] * 6 + [1, 2, 3, 4, 5, 6]),
        (M, scan("cumsum", "month", FLOW_), [-10, -6, -6, 0, 2, 10]),
        (RM, scan("cumsum", "month", SALES_), [1, 3, 6, 10, 15, 21, 7, 15, 24, 34, 45, 57]),
        (RM, scan("cumsum", "region", SALES_), [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18]),
        (MR, scan("cumsum", "month", SALES_), [1, 7, 3, 15, 6, 24, 10, 34, 15, 45, 21, 57]),
        (
            RM,
            scan("lag", "month", SALES_, Const(2.0), PRICE),
            [100, 100, 1, 2, 3, 4, 1000, 1000, 7, 8, 9, 10],
        ),
        (M, scan("rank", "month", FLOW_), [1, 4, 2, 5, 3, 6]),
        (M, apply("+", GAPS, Const(1.0), na=True), [None, 2, None, 3, 4, None]),
        ((), reduce("mean", M, GAPS), 2),
        (M, apply("if", apply("isblank", GAPS, na=True), FLOW_, GAPS), [-10, 1, 0, 2, 3, 8]),
        (M, apply("iferror", apply("/", Const(12.0), FLOW_), Const(7.0)), [-1.2, 3, 7, 2, 6, 1.5]),
    ],
)
@pytest.mark.parametrize("many", [1, 256])
def test_a_tree_is_computed_at_every_label(
    over: tuple[str, ...], op: Op, expected: object, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "MANY", many)
    monkeypatch.setattr(full_evaluation, "compute_unit", never)

    assert computed(over, op) == expected


def test_what_is_divided_by_zero_fails_at_its_label_only() -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=list(FLOW))
    share = sheet.put(M, apply("/", Const(12.0), Load(flow, M)))
    more = sheet.put(M, apply("+", Load(share, M), Const(1.0)))
    caught = sheet.put(M, apply("iferror", Load(more, M), Const(0.0)))
    total = sheet.put((), reduce("sum", M, Load(share, M)))
    one = sheet.put((), Lookup(share, ("",), (Const(STARTS[0]),)))
    bad = sheet.put((), Lookup(share, ("",), (Const(STARTS[2]),)))

    evaluation = evaluate(make_plan(sheet.model()))

    failure = Failure("div0", share, "division by zero", "2026-03")
    assert data_of(evaluation, share) == [-1.2, 3, failure, 2, 6, 1.5]
    assert data_of(evaluation, more) == [12 / -10 + 1, 4, failure, 3, 7, 2.5]
    assert data_of(evaluation, caught) == [12 / -10 + 1, 4, 0, 3, 7, 2.5]
    assert evaluation.values[total] == failure
    assert evaluation.values[one] == -1.2
    assert evaluation.values[bad] == failure
    assert evaluation.failures.keys() == {share, more, total, bad}


def test_labels_of_several_dims_are_named_together() -> None:
    sheet = Sheet()
    sales = sheet.put(RM, start=[1.0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1])
    share = sheet.put(RM, apply("/", Const(1.0), Load(sales, RM)))
    line = sheet.put(R, reduce("sum", M, Load(share, RM)))
    column = sheet.put(M, reduce("sum", R, Load(share, RM)))

    evaluation = evaluate(make_plan(sheet.model()))

    us, eu = (share, "us, 2026-03"), (share, "eu, 2026-05")
    assert failures_in(evaluation, line) == [us, eu]
    assert failures_in(evaluation, column) == [None, None, us, None, eu, None]


@pytest.mark.parametrize(
    ("op", "failing"),
    [
        (scan("cumsum", "month", Load(1, M)), [2, 3, 4, 5]),
        (scan("rolling_sum", "month", Load(1, M), Const(2.0)), [2, 3]),
        (scan("lag", "month", Load(1, M), Const(1.0), Const(0.0)), [3]),
        (scan("lag", "month", Load(1, M), Const(-1.0), Const(0.0)), [1]),
        (scan("stock", "month", Const(1.0), Load(1, M)), [2, 3, 4, 5]),
        (scan("rank", "month", Load(1, M)), [0, 1, 2, 3, 4, 5]),
    ],
)
def test_a_scan_fails_where_it_depends_on_what_failed(op: Op, failing: list[int]) -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=list(FLOW))
    share = sheet.put(M, apply("/", Const(12.0), Load(flow, M)))
    line = sheet.put(M, op)

    evaluation = evaluate(make_plan(sheet.model()))

    blamed = (share, "2026-03")
    assert failures_in(evaluation, line) == [
        blamed if at in failing else None for at in range(len(MONTHS))
    ]


def test_a_scan_that_has_no_value_is_to_blame_itself() -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=list(FLOW))
    line = sheet.put(M, scan("rolling_sum", "month", Load(flow, M), Const(0.0)))

    evaluation = evaluate(make_plan(sheet.model()))

    assert failures_in(evaluation, line) == [(line, month) for month in MONTHS]


def test_a_label_that_a_dim_lacks_is_named() -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=list(FLOW))
    day = sheet.put(start=46999.0, kind=Kind.DATE)
    found = sheet.put((), Lookup(flow, ("",), (Load(day),)))

    evaluation = evaluate(make_plan(sheet.model()))

    failure = evaluation.values[found]
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.cell) == ("key", found)
    assert failure.message == "`month` has no label `2028-09-03`"


def test_a_part_is_computed_at_a_label() -> None:
    sheet = Sheet()
    sales = sheet.put(RM, start=list(SALES))
    double = sheet.put(RM, apply("*", Load(sales, RM), Const(2.0)))

    evaluation = evaluate(make_plan(sheet.model()))

    assert compute_part(evaluation, double, Load(sales, RM), {"region": 1, "month": 2}) == 9


@pytest.mark.parametrize("value", [0.0, 1e308])
def test_a_sum_beyond_all_numbers_fails_and_no_label_does(value: float) -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=[1.7e308] * 6)
    moved = sheet.put(M, apply("-", Load(flow, M), Const(value)))
    total = sheet.put((), reduce("sum", M, Load(moved, M)))

    evaluation = evaluate(make_plan(sheet.model()))

    assert data_of(evaluation, moved) == [1.7e308 - value] * 6
    failure = evaluation.values[total]
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.cell) == ("overflow", total)


def test_a_series_is_equal_to_its_like_whatever_holds_it() -> None:
    assert Series(M, [1.0, None]) == Series(M, (1.0, None))
    assert Series(M, [1.0]) != Series(R, [1.0])


def test_the_owner_of_a_helper_is_to_blame() -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=list(FLOW))
    helper = sheet.put(M, apply("/", Const(12.0), Load(flow, M)))
    total = sheet.put((), reduce("sum", M, Load(helper, M)))
    sheet.cells[helper] = replace(sheet.cells[helper], kind="helper", owner=total)

    evaluation = evaluate(make_plan(sheet.model()))

    assert evaluation.values[total] == Failure("div0", total, "division by zero", "2026-03")


@pytest.mark.parametrize("many", [1, 256])
def test_long_formulas_over_labels_are_computed(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "MANY", many)
    monkeypatch.setattr(full_evaluation, "compute_unit", never)
    long: Op = Load(1, M)
    for _ in range(1_900):
        long = apply("+", long, Load(1, M))

    assert computed(M, long) == [1_901 * flow for flow in FLOW]


def test_series_are_equal_whether_they_came_as_a_list_or_with_axes() -> None:
    one = Series.sound(RM, SALES)
    one.array((2, 6))

    assert one == Series.of_array(RM, np.array(SALES).reshape(2, 6))
    assert one != Series.of_array(RM, np.array(SALES[::-1]).reshape(2, 6))
