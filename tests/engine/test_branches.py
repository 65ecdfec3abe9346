"""Branches over arrays: each is computed where it is needed, and nowhere else."""

from typing import Any

import numpy as np
import pytest

from calcgraph.core.values import Failure, Series
from calcgraph.engine import case_arrays, evaluate, make_plan, sweep
from calcgraph.engine.array_runtime import caught, chosen
from properties.pipeline import evaluated, model_of

STAGES = "dims: {stage: {count: 300}, other: {count: 2}}\n"


def data_of(text: str, name: str = "x") -> list[Any]:
    evaluation = evaluated(STAGES + text)
    cell = evaluation.plan.model.cell(name)
    assert cell is not None
    value = evaluation.values[cell.number]
    assert isinstance(value, Series)
    return list(value.data)


@pytest.mark.parametrize(
    ("formula", "zeroth"),
    [
        ("if(stage >= 0, min(1 / stage, 5), 0)", "div0"),
        ("if(stage >= 0, if(1 / stage > 2, 1, 0), 0)", "div0"),
        ("if(stage >= 0, 1 / (1 / stage), 0)", "div0"),
        ("iferror(min(1 / stage, 5), 7)", 7.0),
        ("iferror(1 / (1 / stage), 7)", 7.0),
        ("iferror(1 [day] / (1 [hour] / stage), 7)", 7.0),
        ("iferror(1 / stage, if(stage == 0, 8, 1 / 0))", 8.0),
        ("if(stage > 0, 1 / stage, na())", None),
        ("if(stage > 0, if(stage > 1, 1 / (stage - 1), 3) / stage, 9)", 9.0),
        ("ifs(stage == 0, 4, 1 / stage > 2, 5, 1 / stage)", 4.0),
        ("if(stage > 0, month(date(2026, stage, 1) - 0 [day]), 6)", 6.0),
    ],
)
def test_a_failure_shows_where_it_is_chosen_and_nowhere_else(formula: str, zeroth: object) -> None:
    found = data_of(f"calc:\n  x[stage]: = {formula} -> 1\n")

    first = found[0]
    assert (first.kind if isinstance(first, Failure) else first) == zeroth
    assert not any(isinstance(value, Failure) for value in found[1:12])


def test_it_is_so_for_each_label_of_two_dims_and_for_keys() -> None:
    text = "calc:\n  u[stage]: = 10 * stage -> 1\n"
    two = "  x[stage, other]: = if(other > 0, u / other, -1) -> 1\n"
    keyed = "  x[stage]: = if(stage < 2, u[stage + 298], u[stage - 2]) -> 1\n"

    assert data_of(text + two)[:6] == [-1, 0, -1, 10, -1, 20]
    assert data_of(text + keyed)[:4] == [2980, 2990, 0, 10]


def test_a_branch_that_nobody_needs_is_not_computed() -> None:
    asked: list[int] = []

    def count(array: Any) -> Any:  # noqa: ANN401
        asked.append(np.size(array))
        return array * 2.0

    every = np.arange(6.0)
    none, two = every < 0, every > 3

    assert chosen(none, (count, (every,), True), every).tolist() == every.tolist()
    assert chosen(~none, every, (count, (every,), True)).tolist() == every.tolist()
    assert asked == []
    assert chosen(two, (count, (every,), True), every).tolist() == [0, 1, 2, 3, 8, 10]
    assert asked == [2]


def test_what_fails_is_computed_again_where_it_is_needed() -> None:
    def half(array: Any) -> Any:  # noqa: ANN401
        with np.errstate(divide="raise"):
            return 1 / array

    some = np.array([[0.0], [2.0]])

    found = chosen(some > 0, (half, (some,), False), np.array([7.0, 8.0]))

    assert found.tolist() == [[7, 8], [0.5, 0.5]]
    assert caught(lambda: 1 / some, (half, (some + 1,), False)).tolist() == [[1], [0.5]]


def test_cases_choose_each_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "inputs: {a: 1}\ncalc:\n  x[stage]: = if(stage > a, 1 / (stage - a), -1) -> 1\n"
    plan = make_plan(model_of(STAGES + text))
    names = plan.model.graph.names
    monkeypatch.setattr(case_arrays, "FEW", 1)

    found = sweep(evaluate(plan), {names["a"]: np.array([0.0, 1.0, 298.0])}, [names["x"]])[
        names["x"]
    ]

    assert not found.failed
    assert found.array[:, 0].tolist() == [-1, -1, -1]
    assert found.array[:, 2].tolist() == [0.5, 1, -1]
    assert found.array[:, 299].tolist() == [1 / 299, 1 / 298, 1]
