"""What goes along a line fails only at the labels that need what failed."""

import pytest

from calcgraph.core.values import Failure
from calcgraph.engine import evaluate, make_plan
from calcgraph.model import Const, Load, Op
from engine.by_hand import MONTHS, Sheet, apply, data_of, failures_in, scan

M = ("month",)
FLOW = [-10.0, 4.0, 0.0, 6.0, 2.0, 8.0]


@pytest.mark.parametrize(
    ("op", "failing"),
    [
        (scan("stock", "month", Const(1.0), Load(1, M), Load(3)), [0, 1, 2, 3, 4, 5]),
        (
            scan("stock", "month", Const(1.0), Load(1, M), apply("/", Const(1.0), Load(0))),
            list(range(6)),
        ),
        (scan("lag", "month", Load(1, M), Const(1.0), Load(3)), [0]),
        (scan("rank", "month", Const(1.0), Load(3)), [0, 1, 2, 3, 4, 5]),
    ],
)
def test_what_fails_as_a_whole_fails_where_a_scan_needs_it(op: Op, failing: list[int]) -> None:
    sheet = Sheet()
    zero = sheet.put(start=0.0)
    sheet.put(M, start=list(FLOW))
    sheet.put(M, start=list(FLOW))
    share = sheet.put((), apply("/", Const(1.0), Load(zero)))
    line = sheet.put(M, op)

    evaluation = evaluate(make_plan(sheet.model()))

    kinds = [
        value.kind if isinstance(value, Failure) else None for value in data_of(evaluation, line)
    ]
    assert share == 3
    assert kinds == ["div0" if at in failing else None for at in range(6)]


def test_a_number_of_labels_that_is_none_fails_at_its_label_only() -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=list(FLOW))
    counts = sheet.put(M, start=[1.0, 0.0, 0.5, 2.0, 9.0, 1.0])
    line = sheet.put(M, scan("rolling_sum", "month", Load(flow, M), Load(counts, M)))
    back = sheet.put(M, scan("lag", "month", Load(flow, M), Load(counts, M), Const(7.0)))

    evaluation = evaluate(make_plan(sheet.model()))

    assert failures_in(evaluation, line) == [
        (line, month) if at in {1, 2} else None for at, month in enumerate(MONTHS)
    ]
    assert [data_of(evaluation, line)[at] for at in (0, 3, 4, 5)] == [-10, 6, 2, 8]
    assert failures_in(evaluation, back) == [
        (back, "2026-03") if at == 2 else None for at in range(6)
    ]
    assert [data_of(evaluation, back)[at] for at in (0, 1, 3, 4, 5)] == [7, 4, 4, 7, 2]


def test_running_sums_fail_from_where_they_are_beyond_all_numbers() -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=[1e308, 0.0, 1e308, -1e308, None, 1.0], may_be_na=True)
    line = sheet.put(M, scan("cumsum", "month", Load(flow, M)), may_be_na=True)
    stock = sheet.put(M, scan("stock", "month", Const(0.0), Load(flow, M)))

    evaluation = evaluate(make_plan(sheet.model()))

    assert failures_in(evaluation, line) == [
        (line, MONTHS[at]) if at in {2, 3, 5} else None for at in range(6)
    ]
    assert failures_in(evaluation, stock)[1:3] == [None, (stock, "2026-03")]


def test_nothing_has_a_rank_where_a_tie_failed() -> None:
    sheet = Sheet()
    given = sheet.put(M, start=[5.0, 0.0, 7.0, 3.0, 5.0, 9.0])
    ties = sheet.put(M, apply("/", Const(1.0), Load(given, M)))
    same = sheet.put(M, start=[1.0, 3.0, 2.0, None, 1.0, 4.0], may_be_na=True)
    line = sheet.put(M, scan("rank", "month", Load(same, M), Load(ties, M)))

    evaluation = evaluate(make_plan(sheet.model()))

    assert failures_in(evaluation, line) == [
        None if at == 3 else (ties, "2026-02") for at in range(6)
    ]
    assert data_of(evaluation, line)[3] is None
