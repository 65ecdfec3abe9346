"""Many labels, many cases, many cells: ratios within one run; ``pytest tests/bench``."""

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray

import calcgraph
from bench.sheets_of_size import INPUTS, SHAPES, Sized
from bench.test_speed import CLONE, SLACK, Say, seconds
from calcgraph.engine import Evaluation, evaluate, evaluate_cases, make_plan, recompute, sweep
from calcgraph.model import Change, Const, Load, Op
from engine.by_hand import Sheet, apply, count, data_of, prev, reduce
from properties.pipeline import cell_of, model_of


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    def written(text: str) -> None:
        with capsys.disabled():
            print(f"\n  {text}", end="")  # noqa: T201

    return written


def formula(at: int, a: Op, b: Op) -> Op:
    """Write what ``SHAPES`` says as a tree."""
    half, third = apply("*", a, Const(0.5)), apply("/", b, Const(3.0))
    if at % 3 == 0:
        return apply("*", apply("/", apply("+", a, b), Const(2.0)), Const(0.999))
    if at % 3 == 1:
        return apply("+", apply("+", half, third), Const(1 / 1000))
    tripled = apply("*", apply("/", a, b), Const(3.0))
    return apply("-", apply("+", tripled, apply("*", a, Const(0.25))), apply("*", b, Const(0.1)))


def test_a_recurrence_is_close_to_a_loop_by_hand(say: Say) -> None:
    periods, over = 100_000, ("t",)
    flows = [float(n % 7) for n in range(periods)]
    sheet = Sheet(dims=(count("t", periods),))
    flow = sheet.put(over, start=list(flows))
    interest, fee, balance = 1, 2, 3
    opening = prev("t", balance, over, Const(100.0))
    sheet.put(over, apply("*", opening, Const(0.0001)))
    sheet.put(over, apply("*", opening, Const(0.01)))
    grown = apply("+", apply("+", opening, Load(interest, over)), Load(flow, over))
    sheet.put(over, apply("-", grown, Load(fee, over)))
    sheet.groups = ((interest, fee, balance),)
    plan = make_plan(sheet.model())

    def by_hand() -> tuple[list[float], list[float], list[float]]:
        interests, fees, balances, held = [], [], [], 100.0
        for moved in flows:
            earned = held * 0.0001
            paid = held * 0.01
            held = held + earned + moved - paid
            interests.append(earned)
            fees.append(paid)
            balances.append(held)
        return interests, fees, balances

    assert data_of(evaluate(plan), balance) == by_hand()[2]
    ratio = seconds(lambda: evaluate(plan), 10) / seconds(by_hand, 10)

    say(f"{periods:,} periods of 3 cells that need each other: {ratio:.2f} x a loop by hand")
    assert ratio <= 2


def test_long_lines_cost_what_their_labels_cost(say: Say) -> None:
    text = (
        "dims: {{n: {{count: {size}}}}}\ninputs: {{half: 0.5, bad: {bad}}}\ncalc:\n"
        "  decays[n]: = prev(decays, 0) * half + 1 -> 1\n"
        "  given[n]: = if(n == bad, 1 / 0, n)\n  total[n]: = cumsum(given)\n"
        "  window[n]: = rolling_sum(given, 12)\n  place[n]: = rank(-given)\n"
        "  climbs[n]: = prev(climbs, 0) + given -> 1\n"
    )
    for bad, what in ((-1, "none fails"), (5_000, "one fails")):
        label = {
            size: seconds(lambda plan=plan: evaluate(plan), 3) / size
            for size in (10_000, 100_000)
            for plan in [make_plan(model_of(text.format(size=size, bad=bad)))]
        }
        ratio = label[100_000] / label[10_000]
        say(f"a label of 100,000 where {what}: {ratio:.2f} x one of 10,000")
        assert ratio <= 2 * SLACK


def test_a_grid_is_computed_in_whole_columns(say: Say) -> None:
    rows, columns, over = 1_500, 45, ("grid",)
    sheet = Sheet(dims=(count("grid", rows),))
    for n in range(5):
        sheet.put(over, start=[float(row % 7 + n + 1) for row in range(rows)])
    for at in range(columns):
        a, b = at + 4 if at % 5 else 0, at * 7 % 5
        sheet.put(over, formula(at, Load(a, over), Load(b, over)))
    plan = make_plan(sheet.model())
    numbers = np.arange(1.0, rows + 1)

    assert evaluate(plan).failures == {}
    once = seconds(lambda: [np.multiply(numbers, numbers) for _ in range(100)], 20) / 100
    times = seconds(lambda: evaluate(plan), 30) / columns / once

    say(f"a column of a grid of {rows:,} rows: {times:.0f} multiplications of as many numbers")
    assert times <= 50


def chained(cells: int) -> tuple[Sheet, int]:
    """Make a model of ``Sized`` by hand, with a sum of the ends of its chains."""
    sized, sheet = Sized(cells), Sheet()
    for n in range(INPUTS):
        sheet.put(start=n + 2.0)
    for at, (a, b) in enumerate(map(sized.pair, range(cells))):
        sheet.put((), formula(at, Load(a), Load(b)))
    total: Op = Load(19)
    for n in range(29, cells + INPUTS, 10):
        total = apply("+", total, Load(n))
    return sheet, sheet.put((), total)


def arrays_by_hand(cells: int) -> Callable[..., Any]:
    sized = Sized(cells)
    lines = [
        f"c{at + INPUTS} = {SHAPES[at % 3][1].format(a=f'c{a}', b=f'c{b}')}"
        for at, (a, b) in enumerate(map(sized.pair, range(cells)))
    ]
    ends = " + ".join(f"c{n}" for n in range(19, cells + INPUTS, 10))
    args = ", ".join(f"c{n}" for n in range(INPUTS))
    made: dict[str, Callable[..., Any]] = {}
    exec("\n    ".join([f"def run({args}):", *lines, f"return {ends}"]), made)  # noqa: S102
    return made["run"]


def test_a_million_cases_are_close_to_whole_arrays_by_hand(say: Say) -> None:
    cases = 1_000_000
    sheet, total = chained(100)
    base, by_hand = evaluate(make_plan(sheet.model())), arrays_by_hand(100)
    random = np.random.default_rng(1)
    given = {n: random.uniform(1, 9, cases) for n in range(INPUTS)}

    found = sweep(base, given, [total])[total].array
    assert found == pytest.approx(by_hand(*given.values()), rel=1e-12)
    turns = [
        (
            seconds(lambda: sweep(base, given, [total]), 1),
            seconds(lambda: by_hand(*given.values()), 1),
        )
        for _ in range(5)
    ]
    ratio = min(turn[0] for turn in turns) / min(turn[1] for turn in turns)

    say(f"100 cells in {cases:,} cases: {ratio:.2f} x whole arrays by hand")
    assert ratio <= 2


def test_recurrences_in_many_cases_are_close_to_arrays_by_hand(say: Say) -> None:
    cases, periods, over = 100_000, 36, ("t",)
    flows = [float(n % 7) for n in range(periods)]
    sheet = Sheet(dims=(count("t", periods),))
    rate, share, flow = sheet.put(start=0.1), sheet.put(start=0.1), sheet.put(over, start=[*flows])
    interest, fee, balance = 3, 4, 5
    opening = prev("t", balance, over, Const(100.0))
    sheet.put(over, apply("*", opening, Load(rate)))
    sheet.put(over, apply("*", opening, Load(share)))
    grown = apply("+", apply("+", opening, Load(interest, over)), Load(flow, over))
    sheet.put(over, apply("-", grown, Load(fee, over)))
    sheet.groups = ((interest, fee, balance),)
    total = sheet.put((), reduce("sum", over, Load(balance, over)))
    base = evaluate(make_plan(sheet.model()))
    given = {rate: np.linspace(0, 0.1, cases), share: np.linspace(0.1, 0, cases)}

    def by_hand() -> NDArray[np.float64]:
        earned, paid, held = (np.empty((periods, cases)) for _ in range(3))
        before: Any = 100.0
        for at, moved in enumerate(flows):
            earned[at] = before * given[rate]
            paid[at] = before * given[share]
            held[at] = before + earned[at] + moved - paid[at]
            before = held[at]
        found: NDArray[np.float64] = held.sum(axis=0)
        return found

    assert sweep(base, given, [total])[total].array == pytest.approx(by_hand(), rel=1e-12)
    ratio = seconds(lambda: sweep(base, given, [total]), 5) / seconds(by_hand, 5)

    say(f"3 cells that need each other, {periods} periods, {cases:,} cases: {ratio:.2f} x by hand")
    assert ratio <= 2 * SLACK


def test_cases_together_are_faster_than_one_by_one(say: Say) -> None:
    cases = 1_000
    sheet, _ = chained(100)
    base, by_hand = evaluate(make_plan(sheet.model())), arrays_by_hand(100)
    some = [[Change(n, None, 1 + (at + n) % 9.0) for n in range(INPUTS)] for at in range(cases)]
    given = [np.array([case[n].value for case in some]) for n in range(INPUTS)]
    list(evaluate_cases(base, some[:200]))  # the code is written once

    together = seconds(lambda: list(evaluate_cases(base, some)), 3)
    alone = seconds(lambda: [recompute(base, case) for case in some[:100]], 3) * cases / 100
    arrays = seconds(lambda: by_hand(*given), 5)

    say(
        f"100 cells in {cases:,} cases: {alone / together:.0f} x faster than one by one; with a "
        f"Python value for each {together / arrays:.0f} x whole arrays by hand"
    )
    assert alone >= 5 * together


@pytest.fixture(scope="module")
def planner() -> Evaluation:
    return calcgraph.open(CLONE / "sheets" / "llama70b.yaml", use_cache=False).evaluation


@pytest.mark.parametrize("name", ["gpus", "seq_len", "tokens", "kernel_efficiency", "gpu_price"])
def test_cases_of_a_planner_are_no_slower_together(
    name: str, planner: Evaluation, say: Say
) -> None:
    cell, cases = cell_of(planner, name), 100
    start = planner.values[cell.number]
    assert isinstance(start, float)
    whole = start >= cases and start == int(start)
    values = [start * (0.8 + 0.4 * at / cases) for at in range(cases)]
    some = [[Change(cell.number, None, float(int(x)) if whole else x)] for x in values]

    def together() -> None:
        planner.plan.compiled.cases.clear()  # writing the code is part of the price
        for _ in evaluate_cases(planner, some):
            pass

    def one_by_one() -> None:
        for case in some:
            recompute(planner, case)

    recompute(planner, some[0])
    before = seconds(together, 1)
    alone = seconds(one_by_one, 1)  # once: up to a minute for all cases, and far from the limit
    ratio = min(before, seconds(together, 1)) / alone

    found = list(evaluate_cases(planner, some))
    for at in range(0, cases, 25):
        assert list(found[at].values) == list(recompute(planner, some[at]).values)
    say(f"{cases} values of `{name}` together: {ratio:.2f} x one by one")
    assert ratio <= 1.1


def test_an_edit_is_ten_times_faster_than_a_graph_library(say: Say) -> None:
    cells, tail = 100_000, 10
    sheet, _ = chained(cells)
    first = sheet.put(start=1.0)
    for n in range(tail):
        sheet.put((), apply("*", Load(first + n), Const(2.0)))
    model = sheet.model()
    before = evaluate(make_plan(model))
    digraph: nx.DiGraph[int] = nx.DiGraph()
    digraph.add_nodes_from(range(len(model.cells)))
    digraph.add_edges_from((need, n) for n, needs in enumerate(model.needs) for need in needs)

    def walked() -> list[int]:
        reached = nx.descendants(digraph, first)
        return [n for n in nx.topological_sort(digraph) if n in reached]

    changes = [[Change(first, None, value)] for value in (3.0, 4.0)]
    turn = iter(range(10**9))
    assert list(recompute(before, changes[0]).computed) == walked()
    ours = seconds(lambda: recompute(before, changes[next(turn) % 2]), 200)
    part = digraph.subgraph(nx.descendants(digraph, first))
    least = seconds(lambda: list(nx.topological_sort(part)), 20)
    theirs = seconds(walked, 3)

    say(
        f"an edit of {cells:,} cells: {theirs / ours:.0f} x faster than descendants and order by "
        f"networkx, {least / ours:.1f} x the order of those alone"
    )
    assert theirs * SLACK >= 10 * ours
