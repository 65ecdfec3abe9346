"""A label that fails blocks the labels that read it, and no others."""

import pytest

from calcgraph.core.values import Failure
from calcgraph.engine import evaluate, make_plan
from calcgraph.model import Const, Load, Lookup, Op
from engine.by_hand import Sheet, apply, count, data_of, prev, reduce

ROWS, G, GH, H = 1_000, ("g",), ("g", "h"), ("h",)
BAD = 17


@pytest.mark.parametrize(
    ("over", "op", "failing"),
    [
        (G, apply("+", Load(1, G), Const(1.0)), [BAD]),
        (GH, apply("*", Load(1, G), Load(2, H)), [BAD * 3, BAD * 3 + 1, BAD * 3 + 2]),
        (("h", "g"), apply("*", Load(1, G), Load(2, H)), [BAD, ROWS + BAD, 2 * ROWS + BAD]),
        (G, prev("g", 1, G, Const(1.0)), [BAD + 1]),
        (G, apply("max", Load(1, G), Const(1e9)), [BAD]),
        (G, apply("min", apply("max", Load(1, G), Const(5.0)), Const(5.0)), [BAD]),
        (G, apply("iferror", Load(1, G), Const(1e9)), []),
        (G, apply("if", apply("<", Load(0, G), Const(9.0)), Const(1.0), Load(1, G)), []),
        (G, apply("if", apply("<", Load(0, G), Const(9.0)), Load(1, G), Const(1.0)), [BAD]),
        (G, apply("+", Lookup(1, ("",), (Const(3.0),)), Load(0, G)), []),
        (G, reduce("sum", H, Load(3, GH)), [BAD]),
    ],
)
def test_only_labels_that_read_what_failed_fail(
    over: tuple[str, ...], op: Op, failing: list[int]
) -> None:
    sheet = Sheet(dims=(count("g", ROWS), count("h", 3)))
    sheet.put(G, start=[10.0 if row != BAD else 0.0 for row in range(ROWS)])
    sheet.put(G, apply("/", Const(20.0), Load(0, G)))
    sheet.put(H, start=[1.0, 2.0, 3.0])
    sheet.put(GH, apply("*", Load(1, G), Load(2, H)))
    number = sheet.put(over, op)

    found = data_of(evaluate(make_plan(sheet.model())), number)

    assert [at for at, value in enumerate(found) if isinstance(value, Failure)] == failing
    assert {value.at for value in found if isinstance(value, Failure)} <= {str(BAD)}
    assert all(value is not None for value in found)
