"""From a sheet's text to its values, through the real stages and without a file."""

from functools import lru_cache

from calcgraph.core.diagnostics import Diagnostic, errors
from calcgraph.core.source import Source
from calcgraph.core.values import Value
from calcgraph.engine import Evaluation, evaluate, make_plan
from calcgraph.graph import build_graph
from calcgraph.model import Cell, Model
from calcgraph.sheet.imports import Unreadable, read_sheets
from calcgraph.typecheck.typecheck import typecheck
from calcgraph.units import Vocabulary, load_vocabulary


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    return load_vocabulary(use_cache=False)


def read(text: str) -> tuple[Model, list[Diagnostic]]:
    """Read a sheet that imports nothing."""
    source = Source("sheet.yaml", f"calcgraph: 1\n{text}")
    sheets, findings = read_sheets(
        source.name, source, lambda _importer, _path: Unreadable("is not here")
    )
    graph, more = build_graph(sheets)
    model, most = typecheck(graph, vocabulary())
    return model, [*findings, *more, *most]


def model_of(text: str) -> Model:
    """Read a sheet without a mistake."""
    model, findings = read(text)
    found = errors(findings)
    assert not found, [(finding.message, finding.label.span.text) for finding in found]
    return model


def evaluated(text: str) -> Evaluation:
    return evaluate(make_plan(model_of(text)))


def cell_of(evaluation: Evaluation, name: str) -> Cell:
    cell = evaluation.plan.model.cell(name)
    assert cell is not None, name
    return cell


def value_of(evaluation: Evaluation, name: str) -> Value:
    return evaluation.values[cell_of(evaluation, name).number]


def formula(text: str) -> str:
    """Write a formula so that YAML reads nothing into it."""
    return "'= " + text.replace("'", "''") + "'"
