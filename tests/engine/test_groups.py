"""Cells that depend on themselves through the label before."""

import pytest

from calcgraph.core.values import Failure
from calcgraph.engine import evaluate, make_plan, recompute, statements
from calcgraph.model import Change, Const, LabelFact, Load
from engine.by_hand import STARTS, Sheet, apply, data_of, failures_in, prev, reduce

M, RM, MR = ("month",), ("region", "month"), ("month", "region")
FLOW = [5.0, -2.0, 0.0, 3.0, 1.0, 4.0]


@pytest.fixture(autouse=True, params=[0, 256], ids=["arrays", "lists"])
def many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "MANY", request.param)


def ledger() -> tuple[Sheet, int, int, int]:
    """A balance that earns interest on the balance before; interest reads the balance before."""
    sheet = Sheet()
    flow = sheet.put(M, start=list(FLOW))
    rate = sheet.put(start=0.5)
    balance, interest = 3, 2
    sheet.put(M, apply("*", prev("month", balance, M, Const(8.0)), Load(rate)))
    change = apply("+", Load(interest, M), Load(flow, M))
    sheet.put(M, apply("+", prev("month", balance, M, Const(8.0)), change))
    sheet.groups = ((interest, balance),)
    return sheet, flow, interest, balance


def test_a_group_is_computed_label_by_label() -> None:
    sheet, _, interest, balance = ledger()

    evaluation = evaluate(make_plan(sheet.model()))

    # 8 -> 8 + 4 + 5 = 17 -> 17 + 8.5 - 2 = 23.5 -> 35.25 -> 55.875 -> 84.8125 -> 131.21875
    assert data_of(evaluation, balance) == [17, 23.5, 35.25, 55.875, 84.8125, 131.21875]
    assert data_of(evaluation, interest) == [4, 8.5, 11.75, 17.625, 27.9375, 42.40625]


def test_a_cell_may_read_itself_alone_and_a_later_one_at_the_label_before() -> None:
    sheet = Sheet()
    first, second = 0, 1
    sheet.put(M, apply("+", prev("month", second, M, Const(1.0)), prev("month", 0, M, Const(0.0))))
    sheet.put(M, apply("+", Load(first, M), prev("month", first, M, Const(10.0))))
    third = sheet.put(M, apply("+", prev("month", 2, M, Const(0.0)), Load(second, M)))
    sheet.groups = ((first, second), (third,))

    evaluation = evaluate(make_plan(sheet.model()))

    assert data_of(evaluation, first) == [1, 12, 25, 62, 149, 360]
    assert data_of(evaluation, second) == [11, 13, 37, 87, 211, 509]
    assert data_of(evaluation, third) == [11, 24, 61, 148, 359, 868]


@pytest.mark.parametrize("over", [RM, MR])
def test_other_dims_go_along_side_by_side(over: tuple[str, ...]) -> None:
    sheet = Sheet()
    opening = sheet.put(("region",), start=[1.0, 10.0])
    stock, total, share = 1, 2, 3
    sheet.put(
        over,
        apply(
            "+",
            prev("month", stock, over, Load(opening, ("region",))),
            prev("month", total, M, Const(0.0)),
        ),
    )
    sheet.put(M, reduce("sum", ("region",), Load(stock, over)))
    sheet.put(over, apply("/", Load(stock, over), Load(total, M)))
    sheet.groups = ((stock, total),)

    evaluation = evaluate(make_plan(sheet.model()))

    us, eu, totals, before = [1.0], [10.0], [11.0], 11.0
    for _ in range(5):
        us.append(us[-1] + before)
        eu.append(eu[-1] + before)
        before = us[-1] + eu[-1]
        totals.append(before)
    flat = us + eu if over == RM else [x for pair in zip(us, eu, strict=True) for x in pair]
    assert data_of(evaluation, total) == totals
    assert data_of(evaluation, stock) == flat
    assert data_of(evaluation, share)[0] == 1 / 11


def test_a_failure_goes_on_along_the_labels_that_depend_on_it() -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=list(FLOW))
    balance = 1
    sheet.put(
        M,
        apply(
            "+",
            apply("/", Const(30.0), Load(flow, M)),
            apply(
                "if",
                apply(">=", LabelFact("month"), Const(STARTS[4])),
                Const(1.0),
                prev("month", balance, M, Const(0.0)),
            ),
        ),
    )
    sheet.groups = ((balance,),)
    plan = make_plan(sheet.model())

    evaluation = evaluate(plan)
    healed = recompute(evaluation, [Change(flow, 2, 2.0)])

    blamed = (balance, "2026-03")
    assert failures_in(evaluation, balance) == [None, None, blamed, blamed, None, None]
    assert data_of(evaluation, balance)[4:] == [31, 8.5]
    assert data_of(healed, balance) == [6, -9, 6, 16, 31, 8.5]
    assert healed.computed == (balance,)


def test_an_edit_computes_all_of_a_group_once() -> None:
    sheet, flow, interest, balance = ledger()
    after = sheet.put((), reduce("last", M, Load(balance, M)))
    before = evaluate(make_plan(sheet.model()))

    edited = recompute(before, [Change(flow, 5, 14.0)])

    assert edited.computed == (interest, balance, after)
    assert edited.values[after] == 141.21875
    assert before.values[after] == 131.21875
    assert edited.values == evaluate(before.plan, [Change(flow, 5, 14.0)]).values


def test_what_grows_beyond_all_numbers_fails_from_its_label_on() -> None:
    sheet = Sheet()
    balance = 0
    sheet.put(M, apply("*", prev("month", balance, M, Const(1e100)), Const(1e100)))
    sheet.groups = ((balance,),)

    evaluation = evaluate(make_plan(sheet.model()))

    found = data_of(evaluation, balance)
    assert found[0] == pytest.approx(1e200)
    assert found[1] == pytest.approx(1e300)
    assert isinstance(found[2], Failure)
    assert found[2].kind == "overflow"
    assert failures_in(evaluation, balance)[2:] == [(balance, "2026-03")] * 4


def test_an_edit_reaches_a_group_that_stands_behind_other_cells() -> None:
    sheet = Sheet()
    flow = sheet.put(M, start=list(FLOW))
    double = sheet.put(M, apply("*", Load(flow, M), Const(2.0)))
    balance = sheet.put(M, apply("+", prev("month", 2, M, Const(0.0)), Load(double, M)))
    sheet.groups = ((balance,),)
    plan = make_plan(sheet.model())

    edited = recompute(evaluate(plan), [Change(flow, 0, 6.0)])

    assert edited.computed == (double, balance)
    assert data_of(edited, balance) == [12, 8, 8, 14, 16, 24]
