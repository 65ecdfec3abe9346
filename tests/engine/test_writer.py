"""Generated code means what was written, nests as deep as formulas may, and never grows wild."""

from dataclasses import replace

import pytest

from calcgraph.core.diagnostics import errors
from calcgraph.core.values import Failure, Value
from calcgraph.engine import evaluate, make_plan, recompute
from calcgraph.language.tokens import TOO_BIG
from calcgraph.model import Apply, Change, Load, Model
from properties.pipeline import cell_of, evaluated, formula, read, value_of

INPUTS = """
inputs:
  money:  {value: null, unit: USD}
  kilo:   2 kUSD
  blank:  {value: null}
  filled: {value: 4, min: 0}
  huge:   1e300
tables:
  t:
    columns: {share: 1}
    rows:
      a: [0.5]
calc:
"""


def value(text: str) -> Value:
    return value_of(evaluated(f"{INPUTS}  x: {formula(text)}\n"), "x")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(2^2 + 3) * 4", 28),
        ("-(2^2 + 3)", -7),
        ("2 - (3 - (4 - 5))", -2),
        ("8 / (4 / 2) / 2", 2),
        ("(sqrt(4) + 1) * (pi() - pi() + 2)", 6),
        ("round(2.5) * (round(2.5) - 1)", 6),
        ("not (1 == 1 and 1 == 2)", True),
        ("1 == 2 and 1 == 2 or 1 == 1", True),
        ("1 == 2 and (1 == 2 or 1 == 1)", False),
        ("if(1 == 2 or 2 == 2, 1, 2) + 1", 2),
        ("(if(true, 1, 2) + 1) * 3", 6),
        ("-(if(false, 1, 2))", -2),
        ("(isblank(blank) and true) == true", True),
        ("isblank(0)", False),
        ("(abs(0 - 1) - 3) * 2", -4),
        ("min(1, 2) * (max(1, 2) + 1)", 3),
        ('t["a"].share * (t["a"].share + 1)', 0.75),
        ("iferror(1 / 0, 1) * (iferror(2, 1) + 1)", 3),
        ("(2 [GB] + 1 [GB]) / 1 [MB] * 2", 6000),
    ],
)
def test_what_stands_in_parentheses_stays_together(text: str, expected: float) -> None:
    assert value(text) == expected


BEYOND = "huge * huge"


@pytest.mark.parametrize(
    "text",
    [
        BEYOND,
        f"1 / ({BEYOND})",
        f"1 / abs({BEYOND})",
        f"1 / (-({BEYOND}))",
        f"1 / if(true, {BEYOND}, 1)",
        f"1 / ifs(false, 1, {BEYOND})",
        f"1 / iferror(1 / 0, {BEYOND})",
        f"min({BEYOND}, 3)",
        f"min({BEYOND} * filled, 3)",
        f"min({BEYOND} + blank, {BEYOND})",
        f"if({BEYOND} > 1, 1, 2)",
        f"exp(-({BEYOND}))",
        f"1 / round({BEYOND}, 2)",
        "1 / round(1.7e308, -308)",
        "1 / ceil(1.7e308, 1e308)",
        "(0 [USD] + 1e308 [kUSD]) / (0 [USD] + 1e308 [kUSD])",
        f'"{{{BEYOND}}}"',
        "1 / (" + " + ".join(["1.7e307"] * 100) + ")",
    ],
)
def test_what_grows_beyond_all_numbers_is_never_hidden(text: str) -> None:
    found = value(text)

    assert isinstance(found, Failure)
    assert found.kind == "overflow"


@pytest.mark.parametrize("text", [f"iferror(1 / ({BEYOND}), 7)", f"iferror({BEYOND}, 7)"])
def test_iferror_catches_what_grows_beyond_all_numbers(text: str) -> None:
    assert value(text) == 7


NESTS = (
    "round({} + filled, 2)",
    "if(isblank({}), blank, filled)",
    "if({} > filled, blank, filled)",
    "if(filled > 1, {}, blank)",
    "if(filled > 1, blank, {})",
    "if(not ({} > filled), blank, filled)",
    "if(filled > round({} + blank, 1), blank, filled)",
    "ifs(filled > 9, kilo / kilo, filled > round(blank, 1), {}, blank)",
    "iferror({}, blank)",
    "iferror(filled / blank, {})",
    "iferror(round({} + blank, 1), blank)",
    "min({} * 1.5, blank)",
    "abs({} + blank) * (money / kilo)",
    "(-{})",
    "sqrt({} * filled)",
    "ln(exp({} / filled) + blank)",
    "({} + blank)^(blank + 1)",
    't[if({} > filled, "a", na())].share',
)
UNITS = (
    ("if(filled > 1, kilo, {})", "if(filled > 1, money, {})"),
    ("if(filled > 1, {}, kilo)", "if(filled > 1, {} + money, money)"),
    ("iferror(kilo * filled, {})", "iferror(money * blank, {})"),
    ("iferror({} + kilo * filled, kilo)", "iferror({} + money * blank, money)"),
)


@pytest.mark.parametrize(("first", "second"), [*((nest, nest) for nest in NESTS), *UNITS])
def test_what_may_be_written_can_be_run(first: str, second: str) -> None:
    text = "blank" if first == second else "money"
    deepest = 0
    for depth in range(1, 66):
        text = (first if depth % 2 else second).format(text)
        _, findings = read(f"{INPUTS}  x: {formula(text)}\n")
        if errors(findings):
            assert {finding.code for finding in errors(findings)} == {TOO_BIG}
            break
        deepest = depth
        plain = text

    evaluation = evaluated(f"{INPUTS}  x: {formula(plain)}\n")

    assert deepest >= 20
    assert not isinstance(value_of(evaluation, "x"), Failure)


def test_iferror_catches_what_failed_in_another_cell() -> None:
    lines = ["a: = 1 / (filled - 4)", "b: = iferror(a, 7)", "c: = a + 1", "d: = iferror(c, b + c)"]

    evaluation = evaluated(INPUTS + "".join(f"  {line}\n" for line in lines))

    failed = Failure("div0", cell_of(evaluation, "a").number, "division by zero")
    assert value_of(evaluation, "a") == failed
    assert value_of(evaluation, "b") == 7
    assert value_of(evaluation, "c") == failed
    assert value_of(evaluation, "d") == failed


def test_a_failure_far_away_is_blamed_and_heals() -> None:
    chain = "".join(f"  c{n}: = c{n - 1} + 1\n" for n in range(1, 500))
    before = evaluated(f"{INPUTS}  c0: = 1 / filled\n{chain}")
    change = Change(cell_of(before, "filled").number, None, 0.0)

    broken = recompute(before, [change])
    healed = recompute(broken, [Change(change.cell, None, 4.0)])

    blamed = {failure.cell for failure in broken.failures.values()}
    assert blamed == {cell_of(before, "c0").number}
    assert len(broken.failures) == len(broken.computed) == 500
    assert broken.values == evaluate(before.plan, [change]).values
    assert healed.values == before.values


def long_chain(count: int) -> Model:
    """Make a chain of cells, each one more than the one before, without the time to read it."""
    small = evaluated("inputs:\n  c0: 0\ncalc:\n  c1: = c0 + 1\n").plan.model
    start, cell = small.cells
    assert isinstance(cell.op, Apply)
    plus = cell.op
    cells, nodes = [start], [small.graph.nodes[0]]
    for n in range(1, count):
        op = replace(plus, args=(Load(n - 1), *plus.args[1:]))
        cells.append(replace(cell, number=n, name=f"c{n}", op=op))
        nodes.append(replace(small.graph.nodes[1], number=n, name=f"c{n}", needs=(n - 1,)))
    names = {cell.name: cell.number for cell in cells}
    order = tuple(range(count))
    graph = replace(small.graph, nodes=tuple(nodes), names=names, order=order)
    needs = tuple(node.needs for node in nodes)
    return replace(small, graph=graph, cells=tuple(cells), order=order, needs=needs)


def test_a_chain_of_100_000_cells_is_computed() -> None:
    count = 100_000

    evaluation = evaluate(make_plan(long_chain(count)))
    edited = recompute(evaluation, [Change(0, None, 5.0)])

    assert list(evaluation.values) == [float(n) for n in range(count)]
    assert len(evaluation.computed) == count - 1
    assert edited.values[-1] == count + 4
    assert edited.computed == tuple(range(1, count))


def test_an_edit_runs_only_the_cells_behind_it() -> None:
    lines = "".join(
        f"  c{n}: = {'start' if n % 100 == 0 else f'c{n - 1}'} + 1\n" for n in range(2_000)
    )
    lines += "".join(f"  d{n}: = {'other' if n == 0 else f'd{n - 1}'} * 2\n" for n in range(10))
    before = evaluated(f"inputs:\n  start: 0\n  other: 1\ncalc:\n{lines}")

    after = recompute(before, [Change(cell_of(before, "other").number, None, 3.0)])

    assert [before.plan.model.cells[n].name for n in after.computed] == [f"d{n}" for n in range(10)]
    assert value_of(after, "d9") == 3 * 2**10


def test_a_plan_can_be_made_anew_and_is_the_same() -> None:
    model = evaluated(f"{INPUTS}  x: = filled * 2\n").plan.model

    first, second = evaluate(make_plan(model)), evaluate(make_plan(model))

    assert first.values == second.values
    assert first.plan.order == second.plan.order
