"""Every value along dims against the plain interpreter: label by label, failure by failure."""

from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from calcgraph.core.value import Failure, Series
from calcgraph.evaluate import Evaluation, evaluate
from calcgraph.plan import make_plan, statements
from properties.label_meanings import OPEN, Fail
from properties.pipeline import model_of
from properties.random_series import RandomSeries, series_sheets

SCALAR, ARRAYS = 10**9, 1


def computed(text: str, many: int) -> Evaluation:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statements, "MANY", many)
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


@pytest.mark.parametrize("many", [SCALAR, ARRAYS])
@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(series_sheets())
def test_every_value_is_what_the_formulas_mean(many: int, sheet: RandomSeries) -> None:
    assert_same(sheet, computed(sheet.text(), many))
