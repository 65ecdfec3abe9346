"""What is read through a variant against the imported sheet alone, with the same inputs set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from calcgraph.core.diagnostics import errors
from calcgraph.core.source import Source
from calcgraph.core.values import Failure, Series
from calcgraph.engine import Evaluation, evaluate, make_plan
from calcgraph.graph import build_graph
from calcgraph.model import Change, Model
from calcgraph.sheet.imports import Unreadable, read_sheets
from calcgraph.typecheck.typecheck import typecheck
from properties.pipeline import model_of, vocabulary
from properties.random_series import EIGHTHS, RandomSeries, series_sheets

slowly = settings(max_examples=12, suppress_health_check=list(HealthCheck))


def importing(text: str, **files: str) -> Model:
    """Read a sheet and the ``.yaml`` files it imports."""

    def opened(_: str, path: str) -> tuple[str, Source] | Unreadable:
        name = path.removesuffix(".yaml")
        source = Source(path, f"calcgraph: 1\n{files[name]}")
        return path, source

    sheets, findings = read_sheets(
        "main.yaml", Source("main.yaml", f"calcgraph: 1\n{text}"), opened
    )
    graph, more = build_graph(sheets)
    model, most = typecheck(graph, vocabulary())
    found = errors([*findings, *more, *most])
    assert not found, [(one.message, one.label.span.text) for one in found]
    return model


def read(sheet: RandomSeries) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the calculated cells, with their dims."""
    for name, line in sheet.lines.items():
        if line.expr is not None:
            yield name, line.dims


def reading(sheet: RandomSeries, alias: str, over: str = "") -> str:
    """Write a cell for each calculated one of an imported sheet."""
    lines = []
    for name, dims in read(sheet):
        full = [*([over] if over else []), *(f"{alias}.{dim}" for dim in dims)]
        bracket = f"[{', '.join(full)}]" if full else ""
        arrow = " -> 1" if sheet.kinds[name] == "number" else ""
        lines.append(f"  {alias}_{name}{bracket}: = {alias}.{name}{arrow}")
    return "\n".join(lines)


def outcome(evaluation: Evaluation, name: str) -> list[Any]:
    cell = evaluation.plan.model.cell(name)
    assert cell is not None, name
    value = evaluation.values[cell.number]
    line = list(value.data) if isinstance(value, Series) else [value]
    return [one.kind if isinstance(one, Failure) else one for one in line]


def alone(sheet: RandomSeries, settings: dict[str, float]) -> Evaluation:
    """Evaluate a sheet by itself with inputs set, as ``--set`` does."""
    model = model_of(sheet.text())
    cells = {name: model.cell(name) for name in settings}
    changes = [Change(cell.number, None, settings[name]) for name, cell in cells.items() if cell]
    assert len(changes) == len(settings)
    return evaluate(make_plan(model), changes)


def set_inputs(data: st.DataObject, sheet: RandomSeries) -> dict[str, float]:
    """Draw new values of some inputs that hold one value."""
    names = [name for name, line in sheet.lines.items() if name[0] == "i" and not line.dims]
    assume(names)
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    return {name: data.draw(EIGHTHS | st.just(0.0)) for name in chosen}


@slowly
@given(series_sheets(), st.data(), st.booleans())
def test_a_variant_gives_what_its_sheet_gives_alone(
    sheet: RandomSeries,
    data: st.DataObject,
    by_formula: bool,  # noqa: FBT001
) -> None:
    given_values = set_inputs(data, sheet)
    shown = {
        name: f"'= 2 * {name}_half'" if by_formula else f"{value:g}"
        for name, value in given_values.items()
    }
    bound = ", ".join(f"{name}: {value}" for name, value in shown.items())
    halves = "".join(f"  {name}_half: {value / 2:g}\n" for name, value in given_values.items())
    text = (
        f"imports:\n  p: leaf.yaml\n  v: {{sheet: leaf.yaml, set: {{{bound}}}}}\n"
        f"inputs:\n{halves}calc:\n{reading(sheet, 'v')}\n"
    )

    model = importing(text, leaf=sheet.text())
    evaluation, expected = evaluate(make_plan(model)), alone(sheet, given_values)

    for name, _ in read(sheet):
        assert outcome(evaluation, f"v_{name}") == outcome(expected, name), name
    assert_shared(model, expected, sheet, set(given_values))


def assert_shared(model: Model, expected: Evaluation, sheet: RandomSeries, bound: set[str]) -> None:
    """Whether cells were made again if and only if they stand on what is set."""
    plan = expected.plan.model
    above = {
        name: {plan.cells[n].name for n in plan.graph.ancestors(plan.graph.names[name])}
        for name, _ in read(sheet)
    }
    for name, stands_on in above.items():
        own = model.cell(f"v_{name}")
        assert own is not None
        (target,) = model.needs[own.number]
        assert model.cells[target].is_listed != bool(stands_on & bound), name


@slowly
@given(series_sheets(), st.data())
def test_a_variant_over_a_dim_gives_each_label_what_its_sheet_gives_alone(
    sheet: RandomSeries, data: st.DataObject
) -> None:
    first = set_inputs(data, sheet)
    columns = {
        name: [value, *data.draw(st.lists(EIGHTHS, min_size=2, max_size=2))]
        for name, value in first.items()
    }
    rows = "".join(
        f"      k{at}: [{', '.join(f'{c[at]:g}' for c in columns.values())}]\n" for at in range(3)
    )
    text = (
        f"tables:\n  case:\n    columns: {{{', '.join(f'{n}: 1' for n in columns)}}}\n"
        f"    rows:\n{rows}"
        "imports:\n  v: {sheet: leaf.yaml, over: case, set: {"
        + ", ".join(f"{n}: = case.{n}" for n in columns)
        + f"}}}}\ncalc:\n{reading(sheet, 'v', 'case')}\n"
    )

    evaluation = evaluate(make_plan(importing(text, leaf=sheet.text())))

    for at in range(3):
        expected = alone(sheet, {name: column[at] for name, column in columns.items()})
        for name, _ in read(sheet):
            wanted = outcome(expected, name)
            found = outcome(evaluation, f"v_{name}")
            assert found[at * len(wanted) : (at + 1) * len(wanted)] == wanted, (name, at)


@slowly
@given(series_sheets(), st.data())
def test_a_variant_of_a_variant_sets_both(sheet: RandomSeries, data: st.DataObject) -> None:
    inner, outer = set_inputs(data, sheet), set_inputs(data, sheet)
    outer = {name: value for name, value in outer.items() if name not in inner}
    assume(outer)
    middle = (
        "imports:\n  leaf: leaf.yaml\n  v: {sheet: leaf.yaml, set: {"
        + ", ".join(f"{name}: {value:g}" for name, value in inner.items())
        + f"}}}}\ncalc:\n{reading(sheet, 'v')}\n"
    )
    text = (
        "imports:\n  w: {sheet: middle.yaml, set: {"
        + ", ".join(f"leaf.{name}: {value:g}" for name, value in outer.items())
        + "}}\ncalc:\n"
    )
    for name, dims in read(sheet):
        bracket = f"[{', '.join(f'w.v.{dim}' for dim in dims)}]" if dims else ""
        arrow = " -> 1" if sheet.kinds[name] == "number" else ""
        text += f"  w_{name}{bracket}: = w.v_{name}{arrow}\n"

    evaluation = evaluate(make_plan(importing(text, leaf=sheet.text(), middle=middle)))

    expected = alone(sheet, {**inner, **outer})
    for name, _ in read(sheet):
        assert outcome(evaluation, f"w_{name}") == outcome(expected, name), name
