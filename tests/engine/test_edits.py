"""A change reaches what depends on it, no further, and costs no more."""

from calcgraph.core.values import Series
from calcgraph.engine import evaluate, make_plan, recompute
from calcgraph.engine.value_stores import OverlayValues
from calcgraph.model import Change, Const, Load, Lookup
from engine.by_hand import STARTS, Sheet, apply, data_of, reduce

M, RM = ("month",), ("region", "month")
GIVEN = [None, 10.0, None, None, 20.0, None]


def filled(rule: str, start: list[float | None]) -> tuple[Sheet, int, int]:
    sheet = Sheet()
    price = sheet.put(M, start=list(start), fill=rule, given=list(GIVEN))
    total = sheet.put((), reduce("sum", M, Load(price, M)))
    return sheet, price, total


def test_a_changed_entry_is_filled_around_again() -> None:
    sheet, price, total = filled("previous", [None, 10.0, 10.0, 10.0, 20.0, 20.0])
    before = evaluate(make_plan(sheet.model()))

    once = recompute(before, [Change(price, 2, 15.0)])
    twice = recompute(once, [Change(price, 0, 1.0)])
    removed = recompute(twice, [Change(price, 4, None)])

    assert before.values[total] == 70
    assert data_of(once, price) == [None, 10, 15, 15, 20, 20]
    assert data_of(twice, price) == [1, 10, 15, 15, 20, 20]
    assert data_of(removed, price) == [1, 10, 15, 15, 15, 15]
    assert removed.values[total] == 71
    assert removed.values == evaluate(before.plan, removed.changes).values


def test_lines_are_drawn_by_the_days_between() -> None:
    sheet, price, _ = filled("linear", [10.0] * 6)

    found = data_of(evaluate(make_plan(sheet.model()), [Change(price, 4, 110.0)]), price)

    days = STARTS[4] - STARTS[1]
    assert found[:2] == [10, 10]
    assert found[2] == 10 + 100 * (STARTS[2] - STARTS[1]) / days
    assert found[4:] == [110, 110]


def test_a_change_of_all_entries_is_one_change() -> None:
    sheet, price, total = filled("zero", [0.0, 10.0, 0.0, 0.0, 20.0, 0.0])

    evaluation = evaluate(make_plan(sheet.model()), [Change(price, None, 2.0)])

    assert evaluation.values[total] == 12


def test_an_equal_series_stops_a_change() -> None:
    sheet = Sheet()
    sales = sheet.put(RM, start=[1.0] * 12)
    large = sheet.put(RM, apply("min", Load(sales, RM), Const(5.0)))
    last = sheet.put((), reduce("sum", RM, Load(large, RM)))
    before = evaluate(
        make_plan(
            sheet.model(),
        ),
        [Change(sales, 3, 7.0)],
    )

    same = recompute(before, [Change(sales, 3, 8.0)])
    other = recompute(before, [Change(sales, 3, 4.0)])

    assert same.computed == (large,)
    assert other.computed == (large, last)
    assert (same.values[last], other.values[last]) == (16, 15)


def test_only_who_reads_a_changed_entry_changes() -> None:
    sheet = Sheet()
    price = sheet.put(M, start=[1.0, 2, 3, 4, 5, 6])
    first = sheet.put((), Lookup(price, ("",), (Const(STARTS[0]),)))
    double = sheet.put((), apply("*", Load(first), Const(2.0)))
    before = evaluate(make_plan(sheet.model()))

    after = recompute(before, [Change(price, 5, 60.0)])

    assert after.computed == (first,)
    assert after.values[double] == 2


def test_differences_become_a_new_base_when_they_are_many() -> None:
    base = OverlayValues.over([float(n) for n in range(80)])
    few, many = OverlayValues.over(base), OverlayValues.over(base)
    few[3] = 0.5
    for n in range(11):
        many[n] = 0.5

    assert OverlayValues.over(few).base is base.base
    assert OverlayValues.over(many).changed == {}
    assert (
        list(OverlayValues.over(many))
        == list(many)
        == [0.5] * 11 + [float(n) for n in range(11, 80)]
    )
    assert (few[3], few[-1], few[2:5]) == (0.5, 79, [2, 0.5, 4])


def test_earlier_evaluations_are_left_as_they_were() -> None:
    sheet = Sheet()
    start = sheet.put(start=1.0)
    for n in range(50):
        sheet.put((), apply("+", Load(n), Const(1.0)))
    before = evaluate(make_plan(sheet.model()))

    after = recompute(before, [Change(start, None, 10.0)])
    back = recompute(after, [Change(start, None, 1.0)])

    assert (before.values[50], after.values[50], back.values[50]) == (51, 60, 51)
    assert back.values == before.values


def test_a_large_edit_is_a_whole_run() -> None:
    sheet = Sheet()
    start = sheet.put(start=1.0)
    for n in range(3_000):
        sheet.put((), apply("+", Load(n), Const(1.0)))
    plan = make_plan(sheet.model())
    before = evaluate(plan)

    after = recompute(before, [Change(start, None, 5.0)])

    assert isinstance(after.values, list)
    assert after.computed == plan.order
    assert after.values[-1] == 3_005


def test_a_series_is_not_copied_by_an_edit_elsewhere() -> None:
    sheet = Sheet()
    sales = sheet.put(RM, start=[1.0] * 12)
    other = sheet.put(start=1.0)
    sheet.put((), apply("*", Load(other), Const(2.0)))
    before = evaluate(make_plan(sheet.model()))

    after = recompute(before, [Change(other, None, 3.0)])

    assert isinstance(after.values[sales], Series)
    assert after.values[sales] is before.values[sales]
