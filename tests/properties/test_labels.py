"""Every value along dims against the plain interpreter: label by label, failure by failure."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from calcgraph.core.values import Failure, Series
from calcgraph.engine import (
    Evaluation,
    Plan,
    case_arrays,
    evaluate,
    make_plan,
    recompute,
    statements,
    sweep,
)
from calcgraph.engine.case_arrays import evaluate_blocks
from calcgraph.engine.case_values import CaseValues
from calcgraph.model import Change
from properties.label_meanings import OPEN, Fail
from properties.pipeline import model_of
from properties.random_series import EIGHTHS, RandomSeries, series_sheets

SCALAR, ARRAYS = 10**9, 1


@contextmanager
def computing(many: int) -> Iterator[None]:
    """Let cells of so many values or more be computed by numpy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statements, "MANY", many)
        yield


def computed(text: str, many: int) -> Evaluation:
    with computing(many):
        return evaluate(make_plan(model_of(text)))


def data_of(evaluation: Evaluation, name: str) -> list[Any]:
    cell = evaluation.plan.model.cell(name)
    assert cell is not None, name
    value = evaluation.values[cell.number]
    return list(value.data) if isinstance(value, Series) else [value]


def agrees(found: object, wanted: object) -> bool:
    if wanted is OPEN:
        return True
    if isinstance(wanted, Fail):
        return (found.kind if isinstance(found, Failure) else found or "na") in wanted.kinds
    if isinstance(wanted, float) and isinstance(found, float):
        return found == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    return type(found) is type(wanted) and found == wanted


def assert_same(sheet: RandomSeries, evaluation: Evaluation) -> None:
    plain = sheet.interpreter()
    for name in sheet.lines:
        wanted = plain.everywhere(name)
        found = data_of(evaluation, name)
        for value in wanted:
            event(f"{type(value).__name__}")
        assert len(found) == len(wanted), name
        assert all(map(agrees, found, wanted)), (name, found, wanted)


slowly = settings(max_examples=20, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("many", [SCALAR, ARRAYS])
@slowly
@given(series_sheets())
def test_every_value_is_what_the_formulas_mean(many: int, sheet: RandomSeries) -> None:
    assert_same(sheet, computed(sheet.text(), many))


def changes(data: st.DataObject, plan: Plan) -> list[Change]:
    """Draw new values of inputs, and of single entries of series."""
    cells = [cell.number for cell in plan.model.cells if cell.kind == "input"]
    found = []
    for cell in data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=3)):
        row = None
        if plan.model.cells[cell].type.dims:
            row = data.draw(st.integers(0, plan.model.size(cell) - 1))
        found.append(Change(cell, row, data.draw(entries(plan, cell))))
    return found


def entries(plan: Plan, cell: int) -> st.SearchStrategy[float | None]:
    """Draw values of an input: those that may be left out are, at times."""
    numbers = EIGHTHS | st.just(0.0)
    return numbers | st.none() if plan.model.cells[cell].may_be_na else numbers


@pytest.mark.parametrize("many", [SCALAR, ARRAYS])
@slowly
@given(series_sheets(), st.data())
def test_an_edit_gives_what_a_full_evaluation_gives(
    many: int, sheet: RandomSeries, data: st.DataObject
) -> None:
    with computing(many):
        plan = make_plan(model_of(sheet.text()))
        first, second = changes(data, plan), changes(data, plan)

        edited = recompute(recompute(evaluate(plan), first), second)

        assert_alike(edited, evaluate(plan, [*first, *second]))


@pytest.mark.parametrize("few", [1, 8])
@slowly
@given(series_sheets(), st.data())
def test_cases_run_together_give_what_each_gives_alone(
    few: int, sheet: RandomSeries, data: st.DataObject
) -> None:
    base = evaluate(
        make_plan(model_of(sheet.text())), changes(data, make_plan(model_of(sheet.text())))
    )
    some = [changes(data, base.plan) for _ in range(5)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(case_arrays, "FEW", few)
        found = list(evaluate_blocks(base, some))

    for evaluation, case in zip(found, some, strict=True):
        assert_alike(evaluation, recompute(base, case))


@slowly
@given(series_sheets(), st.data())
def test_a_sweep_gives_what_each_case_gives_alone(sheet: RandomSeries, data: st.DataObject) -> None:
    plan = make_plan(model_of(sheet.text()))
    wanted = [cell.number for cell in plan.model.cells if cell.kind == "calc"]
    inputs = [cell.number for cell in plan.model.cells if cell.kind == "input"]
    given = {}
    for cell in data.draw(st.lists(st.sampled_from(inputs), min_size=1, unique=True)):
        size = plan.model.size(cell)
        numbers = st.lists(entries(plan, cell), min_size=5 * size, max_size=5 * size)
        sizes = [plan.model.dim(dim).size for dim in plan.model.cells[cell].type.dims]
        given[cell] = np.array(data.draw(numbers), float).reshape(5, *sizes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(case_arrays, "FEW", 1)
        found = sweep(evaluate(plan), given, wanted)

    for case in range(5):
        alone = evaluate(plan, changes_in(plan, given, case))
        for cell in wanted:
            assert_swept(alone, found[cell], cell, case)


def changes_in(plan: Plan, given: dict[int, Any], case: int) -> list[Change]:
    """Give what one case of a sweep changes, entry by entry."""
    return [
        Change(
            cell, row if plan.model.cells[cell].type.dims else None, None if isnan(value) else value
        )
        for cell, values in given.items()
        for row, value in enumerate(values[case].ravel().tolist())
    ]


def assert_swept(alone: Evaluation, found: CaseValues, cell: int, case: int) -> None:
    value = alone.values[cell]
    failed = found.failed.get(case)
    first = failed.failure if isinstance(failed, Series) else failed
    assert alone.failures.get(cell) == first
    line = list(value.data) if isinstance(value, Series) else [value]
    for one, other in zip(line, np.ravel(found.array[case]), strict=True):
        if one is None or isinstance(one, Failure):
            assert other is None or np.isnan(other)
        elif isinstance(one, str):
            assert other == one
        else:
            assert float(other) == pytest.approx(float(one), rel=1e-12, abs=1e-12), (
                value,
                found.array[case],
            )


def assert_alike(one: Evaluation, other: Evaluation) -> None:
    """Whether all cells hold the same, of the same kind; failures blame the same labels."""
    for cell in one.plan.model.cells:
        first, second = (
            list(value.data) if isinstance(value, Series) else [value]
            for value in (one.values[cell.number], other.values[cell.number])
        )
        assert first == second, cell.name
        assert list(map(type, first)) == list(map(type, second)), cell.name
