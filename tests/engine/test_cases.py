"""Many cases at once give what one at a time gives, and say what failed."""

import math

import numpy as np
import pytest

from calcgraph.core.values import Failure, Kind, Series, Value
from calcgraph.engine import case_arrays, evaluate, evaluate_cases, make_plan, recompute, sweep
from calcgraph.engine.case_arrays import evaluate_blocks
from calcgraph.model import Change, Const, LabelFact, Load, Lookup, Op
from engine.by_hand import STARTS, Sheet, apply, data_of, prev, reduce, scan

M, R, RM = ("month",), ("region",), ("region", "month")
COUNT = 40
X = np.arange(COUNT) - 20.0
FLOW = [5.0, -2.0, 0.0, 3.0, 1.0, 4.0]


def sheet_with(over: tuple[str, ...], op: Op, kind: Kind = Kind.NUMBER) -> tuple[Sheet, int]:
    """Put a cell over an input 0, a flow 1, sales 2, a cell that varies 3 and a text 4."""
    sheet = Sheet()
    sheet.put(start=2.0)
    sheet.put(M, start=list(FLOW))
    sheet.put(RM, start=[float(n) for n in range(12)])
    sheet.put(M, apply("+", Load(1, M), Load(0)))
    sheet.put(start="eu", kind=Kind.TEXT)
    return sheet, sheet.put(over, op, kind=kind, may_be_na=True)


def failure_of(value: Value | None) -> Value | None:
    """Give the first failure of a value."""
    return value.failure if isinstance(value, Series) else value


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the first cell of each unit that is computed for one case."""
    found: list[int] = []
    compute = case_arrays.compute_unit
    monkeypatch.setattr(
        case_arrays, "compute_unit", lambda *given: (found.append(given[2][0]), compute(*given))
    )
    return found


@pytest.mark.parametrize(
    ("over", "op"),
    [
        ((), apply("*", Load(0), Const(3.0))),
        (M, apply("*", Load(1, M), Load(0))),
        (RM, apply("*", Load(2, RM), Load(3, M))),
        (("month", "region"), apply("*", Load(2, RM), Load(3, M))),
        ((), reduce("sum", M, Load(3, M))),
        (R, reduce("sum", M, Load(3, M))),
        (RM, apply("-", Load(2, RM), reduce("max", M, Load(3, M)))),
        (M, scan("cumsum", "month", Load(3, M))),
        (RM, scan("lag", "region", Load(2, RM), Const(1.0), Load(3, M))),
        (M, prev("month", 3, M, Load(0))),
        (RM, prev("region", 2, RM, Load(3, M))),
        (M, Lookup(2, ("", "month"), (Const("eu"),))),
        (RM, Lookup(3, ("month",), ())),
        ((), Lookup(3, ("",), (Const(STARTS[3]),))),
        ((), Lookup(3, ("",), (reduce("argmax", M, Load(3, M)),))),
        (R, Lookup(2, ("region", ""), (reduce("argmin", M, Load(3, M)),))),
        (M, apply("if", apply(">", Load(3, M), Const(0.0)), Load(1, M), Load(0))),
        (
            (),
            apply("if", apply(">", Load(0), Const(0.0)), apply("/", Const(1.0), Load(0)), Load(0)),
        ),
        (M, apply("iferror", apply("/", Const(1.0), Load(3, M)), Const(-7.0))),
        (M, apply("+", LabelFact("month", "index"), Load(0))),
    ],
)
def test_a_sweep_gives_what_each_case_gives(
    over: tuple[str, ...], op: Op, alone: list[int]
) -> None:
    sheet, cell = sheet_with(over, op)
    plan = make_plan(sheet.model())

    assert plan.case_code((cell,), plan.reads((cell,)) & {0, 3}) is not None
    found = sweep(evaluate(plan), {0: X}, [cell])[cell]
    one_by_one = [recompute(evaluate(plan), [Change(0, None, float(x))]) for x in X]

    assert bool(alone) == bool(found.failed)
    for case, evaluation in enumerate(one_by_one):
        expected = data_of(evaluation, cell) if over else [evaluation.values[cell]]
        failed = next((value for value in expected if isinstance(value, Failure)), None)
        plain = [None if isinstance(value, Failure) else value for value in expected]
        actual = found.array[case].ravel().tolist()
        assert [None if math.isnan(value) else value for value in actual] == plain
        assert failure_of(found.failed.get(case)) == failed


def test_only_what_varies_is_computed_for_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    units: list[tuple[int, ...]] = []
    compute = case_arrays.CaseBlock.compute
    monkeypatch.setattr(
        case_arrays.CaseBlock, "compute", lambda *given: (units.append(given[1]), compute(*given))
    )
    sheet, _ = sheet_with(M, Load(3, M))
    steady = sheet.put((), reduce("sum", RM, Load(2, RM)))
    share = sheet.put((), apply("/", Load(0), Load(steady)))
    plan = make_plan(sheet.model())

    found = sweep(evaluate(plan), {0: X}, [share, steady, 0])

    assert units == [(share,)]
    assert found[share].array.tolist() == [x / 66 for x in X]
    assert found[steady].array.tolist() == [66] * COUNT
    assert found[0].array.tolist() == X.tolist()


def test_cells_that_no_case_changes_stop_the_change() -> None:
    sheet, _ = sheet_with(M, Load(3, M))
    capped = sheet.put((), apply("min", Load(0), Const(1.0)))
    doubled = sheet.put(M, apply("*", Load(1, M), Load(capped)))
    base = evaluate(make_plan(sheet.model()))

    found = list(evaluate_blocks(base, [[Change(0, None, 2.0 + n)] for n in range(COUNT)]))

    for evaluation in found:
        assert capped in evaluation.computed
        assert doubled not in evaluation.computed
        assert evaluation.values[doubled] is base.values[doubled]


def test_a_failed_cell_that_does_not_vary_fails_in_all_cases() -> None:
    sheet, _ = sheet_with(M, Load(3, M))
    inverse = sheet.put(M, apply("/", Const(1.0), Load(1, M)))
    steady = sheet.put((), reduce("sum", M, Load(inverse, M)))
    plan = make_plan(sheet.model())

    found = sweep(evaluate(plan), {0: X}, [steady, inverse])

    failure = Failure("div0", inverse, "division by zero", "2026-03")
    for cell in (steady, inverse):
        failures = {case: failure_of(value) for case, value in found[cell].failed.items()}
        assert failures == dict.fromkeys(range(COUNT), failure)
    assert np.isnan(found[steady].array).all()
    assert found[inverse].array[COUNT - 1, :2].tolist() == [0.2, -0.5]


@pytest.mark.parametrize("few", [2, COUNT])
def test_a_whole_series_may_vary(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_arrays, "FEW", few)
    sheet, total = sheet_with((), reduce("sum", M, Load(1, M)))
    plan = make_plan(sheet.model())

    found = sweep(evaluate(plan), {1: np.outer(X, np.ones(6))}, [total])

    assert found[total].array.tolist() == [6 * x for x in X]


def test_texts_and_truths_may_vary() -> None:
    sheet, picked = sheet_with(M, Lookup(2, ("", "month"), (Load(4),)))
    large = sheet.put((), apply(">", Load(0), Const(0.0)), kind=Kind.TRUTH)
    plan = make_plan(sheet.model())
    texts = ["us", "eu"] * (COUNT // 2)

    found = sweep(evaluate(plan), {0: X, 4: np.array(texts, object)}, [picked, large])

    assert found[picked].array[:2].tolist() == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]
    assert found[large].array.dtype == bool
    assert found[large].array.tolist() == [x > 0 for x in X]


def test_a_group_is_swept() -> None:
    sheet = Sheet()
    rate = sheet.put(start=0.5)
    flow = sheet.put(M, start=list(FLOW))
    balance, interest = 3, 2
    sheet.put(M, apply("*", prev("month", balance, M, Const(8.0)), Load(rate)))
    change = apply("+", Load(interest, M), Load(flow, M))
    sheet.put(M, apply("+", prev("month", balance, M, Const(8.0)), change))
    last = sheet.put((), reduce("last", M, Load(balance, M)))
    sheet.groups = ((interest, balance),)
    plan = make_plan(sheet.model())

    found = sweep(evaluate(plan), {rate: X}, [balance, last])

    for case, x in enumerate(X):
        held = 8.0
        for at, moved in enumerate(FLOW):
            held += held * x + moved
            assert found[balance].array[case, at] == pytest.approx(held, rel=1e-12)
        assert found[last].array[case] == found[balance].array[case, -1]


@pytest.mark.parametrize(("cases", "times"), [(31, 31), (32, 0)])
def test_a_recurrence_over_few_cases_is_a_loop_over_numbers(
    cases: int, times: int, alone: list[int]
) -> None:
    sheet = Sheet()
    rate = sheet.put(start=0.5)
    grown = sheet.put(M, apply("*", prev("month", 1, M, Const(8.0)), Load(rate)))
    sheet.groups = ((grown,),)
    base = evaluate(make_plan(sheet.model()))
    some = [[Change(rate, None, at / 8)] for at in range(cases)]

    found = list(evaluate_blocks(base, some))

    assert alone == [grown] * times
    for at, evaluation in enumerate(found):
        assert data_of(evaluation, grown) == [8 * (at / 8) ** n for n in range(1, 7)]


def test_only_the_cell_that_no_array_holds_is_computed_case_by_case(alone: list[int]) -> None:
    sheet, doubled = sheet_with((), apply("*", Load(0), Const(2.0)))
    caught = apply("iferror", Load(doubled), Const(0.0), na=True)
    odd = sheet.put((), apply("+", caught, Const(1.0)))
    last = sheet.put((), apply("+", Load(odd), Load(0)))
    base = evaluate(make_plan(sheet.model()))

    found = list(evaluate_blocks(base, [[Change(0, None, x)] for x in X]))

    assert alone == [odd] * COUNT
    assert [evaluation.values[last] for evaluation in found] == [3 * x + 1 for x in X]
    assert {evaluation.computed for evaluation in found} == {(3, doubled, odd, last)}


def test_code_over_arrays_is_written_once_for_the_same_inputs() -> None:
    sheet, _ = sheet_with(M, Load(3, M))
    plan = make_plan(sheet.model())

    assert plan.case_code((3,), {0}) is plan.case_code((3,), [0])
    assert plan.case_code((3,), {0, 1}) is not plan.case_code((3,), {0})


def test_a_case_that_fails_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_arrays, "FEW", 2)
    sheet, inverse = sheet_with((), apply("/", Const(1.0), Load(0)))
    plan = make_plan(sheet.model())

    found = sweep(evaluate(plan), {0: X}, [inverse])

    assert found[inverse].failed == {20: Failure("div0", inverse, "division by zero")}
    assert np.isnan(found[inverse].array[20])
    assert found[inverse].array[[19, 21]].tolist() == [-1, 1]


def test_cases_share_what_they_do_not_change() -> None:
    sheet, cell = sheet_with(M, apply("*", Load(1, M), Load(0)))
    plan = make_plan(sheet.model())

    found = list(evaluate_cases(evaluate(plan), [[], [Change(0, None, 3.0)], [Change(1, 0, 9.0)]]))

    assert [data_of(one, cell)[0] for one in found] == [10, 15, 18]
    assert found[1].values[2] is found[0].values[2]
