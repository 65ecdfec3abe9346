"""Laws of whole sheets: what may be written otherwise, and what an edit computes."""

from typing import Any

import networkx as nx
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from calcgraph.core.values import Failure, Kind, Series, Value
from calcgraph.engine import Evaluation, evaluate, make_plan, recompute
from calcgraph.model import Change, Model
from properties.interpreter import Interpreter
from properties.pipeline import cell_of, evaluated, model_of, value_of
from properties.random_sheets import EIGHTHS, FAMILIES, RandomSheet, sheets

moderately = settings(max_examples=40)


def named_values(evaluation: Evaluation, names: dict[int, str] | None = None) -> dict[int, object]:
    """Give the values of cells by place; a failure names the cell to blame instead of numbering."""
    model = evaluation.plan.model
    places = {(names or {}).get(at, f"c{at}"): at for at in range(100)}
    found: dict[int, object] = {}
    for name, at in places.items():
        if model.cell(name) is not None:
            value = value_of(evaluation, name)
            if isinstance(value, Failure):
                found[at] = (value.kind, places[model.cells[value.cell].name])
            else:
                found[at] = value
    return found


@st.composite
def changes_of(draw: st.DrawFn, model: Model) -> list[Change]:
    """Draw new values for some inputs and entries of columns; some are the old ones."""
    changes: list[Change] = []
    cells = [cell for cell in model.cells if cell.kind in {"input", "column"}]
    for cell in draw(st.lists(st.sampled_from(cells), min_size=1, max_size=3)):
        number = draw(EIGHTHS.map(float))
        row = draw(st.integers(0, 2)) if isinstance(cell.start, Series) else None
        changes.append(Change(cell.number, row, number))
    return changes


def same(first: Value, second: Value) -> bool:
    return type(first) is type(second) and first == second


@moderately
@given(sheets(), st.data())
def test_an_edit_gives_what_a_full_evaluation_gives(
    sheet: RandomSheet, data: st.DataObject
) -> None:
    plan = make_plan(model_of(sheet.text()))
    first, second = data.draw(changes_of(plan.model)), data.draw(changes_of(plan.model))

    step = recompute(evaluate(plan), first)
    edited = recompute(step, second)

    assert step.values == evaluate(plan, first).values
    assert edited.values == evaluate(plan, [*first, *second]).values
    assert all(map(same, edited.values, evaluate(plan, [*first, *second]).values))


@moderately
@given(sheets(), st.data())
def test_an_edit_computes_only_what_is_downstream(sheet: RandomSheet, data: st.DataObject) -> None:
    plan = make_plan(model_of(sheet.text()))
    before = evaluate(plan)
    changes = data.draw(changes_of(plan.model))

    after = recompute(before, changes)

    digraph = plan.model.graph.digraph
    downstream = set[int]().union(*(nx.descendants(digraph, change.cell) for change in changes))
    assert set(after.computed) <= downstream
    assert len(set(after.computed)) == len(after.computed)
    touched = {change.cell for change in changes}
    changed = {n for n, value in enumerate(after.values) if not same(value, before.values[n])}
    assert changed <= set(after.computed) | touched


@given(sheets())
@moderately
def test_an_edit_that_changes_nothing_computes_nothing(sheet: RandomSheet) -> None:
    plan = make_plan(model_of(sheet.text()))
    starts = [(cell.number, cell.start) for cell in plan.model.cells if cell.kind == "input"]

    after = recompute(
        evaluate(plan),
        [Change(number, None, start) for number, start in starts],  # type: ignore[arg-type]
    )

    assert after.computed == ()


@moderately
@given(sheets(), st.data())
def test_the_order_in_the_file_is_irrelevant(sheet: RandomSheet, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(sheet.lines))))

    shuffled = evaluated(sheet.text(order))

    assert named_values(shuffled) == named_values(evaluated(sheet.text()))


@moderately
@given(sheets(), st.data())
def test_a_name_is_only_a_name(sheet: RandomSheet, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(sheet.lines) - 1))
    names = {
        at: data.draw(st.sampled_from(["zz", "h100", "r", "c", "e1", "tp8", "lambda", "none"]))
    }

    renamed = evaluated(sheet.text(names=names))

    assert named_values(renamed, names) == named_values(evaluated(sheet.text()))


@moderately
@given(sheets(smooth=True), st.data())
def test_the_unit_a_cell_is_kept_in_changes_nothing_physical(
    sheet: RandomSheet, data: st.DataObject
) -> None:
    kept = [
        at
        for at, line in enumerate(sheet.lines)
        if line.unit not in {"", "1"} and not line.is_input
    ]
    assume(kept)
    at = data.draw(st.sampled_from(kept))
    units = FAMILIES[sheet.lines[at].family]
    other = next(unit for unit in units if unit != sheet.lines[at].unit)
    factor = units[sheet.lines[at].unit] / units[other]

    first, second = evaluated(sheet.text()), evaluated(sheet.kept_in(at, other).text())

    shown, before = value_of(second, f"c{at}"), value_of(first, f"c{at}")
    if isinstance(before, float):
        assert shown == pytest.approx(before * factor, rel=1e-12)
    assert physical(second) == physical(first)


def physical(evaluation: Evaluation) -> dict[int, Any]:
    found: dict[int, Any] = named_values(evaluation)
    for at, value in found.items():
        if isinstance(value, float):
            scale = float(cell_of(evaluation, f"c{at}").type.unit.scale)
            found[at] = pytest.approx(value * scale, rel=1e-12)
    return found


@settings(max_examples=150)
@given(sheets())
def test_generated_code_means_what_the_trees_mean(sheet: RandomSheet) -> None:
    evaluation = evaluated(sheet.text())

    expected = Interpreter(evaluation.plan.model).run()

    for cell in evaluation.plan.model.cells:
        value, wanted = evaluation.values[cell.number], expected[cell.number]
        if isinstance(wanted, Failure):
            event(f"failure: {wanted.kind}")
            assert isinstance(value, Failure)
            assert (value.kind, value.cell) == (wanted.kind, wanted.cell)
        else:
            event("na" if wanted is None else "value")
            assert value == wanted, cell.name
            assert cell.may_be_na or value is not None
            assert cell.type.kind is Kind.NUMBER
