"""The schema that editors read refuses a wrong sheet where the mistake is."""

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import yaml
from jsonschema.exceptions import ValidationError

from calcgraph.sheet.json_schema import json_schema

VALIDATOR = jsonschema.Draft7Validator(json_schema())
WRONG = [
    ("calk: {}", "", "calk"),
    ("inputs: [gpus]", "inputs", "['gpus'] is not of type 'object'"),
    ("inputs: {gpus: [1, 2]}", "inputs.gpus", "[1, 2] is not"),
    ("inputs: {gpus: {value: 8 gpu, mni: 1 gpu}}", "inputs.gpus", "mni"),
    ("inputs: {gpus: {value: 8 gpu, formula: = 1}}", "inputs.gpus", "formula"),
    ("inputs: {Cluster: {gpus: {vlaue: 8 gpu}}}", "inputs.Cluster.gpus", "vlaue"),
    ("inputs: {Cluster: {Gpus: 8 gpu}}", "inputs.Cluster", "Gpus"),
    ("inputs: {Cluster: 8 gpu}", "inputs.Cluster", "'8 gpu' is not of type 'object'"),
    ("inputs: {the gpus: 8 gpu}", "inputs", "the gpus"),
    ("inputs: {gpus: {value: 8 gpu, source: {ulr: x}}}", "inputs.gpus.source", "ulr"),
    ("calc: {cost: 3 USD}", "calc.cost", "'3 USD' does not match"),
    ("calc: {cost: {formula: a * b}}", "calc.cost.formula", "'a * b' does not match"),
    ("calc: {cost: {formual: = a}}", "calc.cost", "formual"),
    ("calc: {cost: {label: Cost}}", "calc.cost", "'formula' is a required property"),
    (
        "calc: {cost: {formula: = a, expect: {value: 1, verdict: right}}}",
        "calc.cost.expect.verdict",
        "'wrong' was expected",
    ),
    ("checks: {name: fits}", "checks", "is not of type 'array'"),
    ("checks: [{name: n, assert: = a, severity: eror}]", "checks.0.severity", "'eror' is not one"),
    ("checks: [{name: n, assert: a > 1}]", "checks.0.assert", "'a > 1' does not match"),
    ("checks: [{name: n}]", "checks.0", "'assert' is a required property"),
    ("checks: [{name: n, assert: = a, mesage: x}]", "checks.0", "mesage"),
    ("tables: {t: {colums: {a: GB}, rows: {x: [1]}}}", "tables.t", "colums"),
    ("tables: {t: {columns: {a: {nuit: GB}}, rows: {x: [1]}}}", "tables.t.columns.a", "nuit"),
    ("tables: {t: {columns: {a: GB}, rows: {x: 1}}}", "tables.t.rows.x", "1 is not of type"),
    ("imports: {hw: {shet: hw.yaml}}", "imports.hw", "shet"),
    ("conventions: {week: 7 day}", "conventions", "week"),
    ("inputs: {'fx[month]': {vlaues: {a: 1}}}", "inputs.fx[month]", "vlaues"),
    ("inputs: {'fx[month]': {values: {a: 1}, fill: zeor}}", "inputs.fx[month].fill", "'zeor'"),
    ("inputs: {'fx[Month]': 3 USD}", "inputs", "fx[Month]"),
    ("dims: {stage: {coutn: 4}}", "dims.stage", "coutn"),
    ("dims: {month: {from: 2026-01, to: 2026-03, step: weak}}", "dims.month.step", "'weak'"),
    ("dims: {plan: {grid: {tp: 4}}}", "dims.plan.grid.tp", "4 is not of type 'array'"),
    ("dims: {plan: {grid: {tp: [4]}, where: tp < 4}}", "dims.plan.where", "'tp < 4' does not"),
    ("imports: {job: {sheet: job.yaml, set: {gpus: [1]}}}", "imports.job.set.gpus", "[1] is not"),
    ("imports: {job: {sheet: job.yaml, over: plan}}", "imports.job", "'set' is a dependency"),
    ("charts: [{type: pie, x: a, y: [b]}]", "charts.0.type", "'pie' is not one of"),
    ("charts: [{type: line, x: a, y: [b], log: z}]", "charts.0.log", "'z' is not one of"),
    ("sensitivity: [{fo: cost}]", "sensitivity.0", "fo"),
    ("outputs: cost", "outputs", "'cost' is not of type 'array'"),
    ("tests: [{name: n, set: {a: 1}}]", "tests.0", "'expect' is a required property"),
]


def faults(error: ValidationError) -> Iterator[tuple[str, str]]:
    """Give the places and words of an error, and of the choices that all failed in it."""
    yield ".".join(map(str, error.absolute_path)), error.message
    for inner in error.context or ():
        yield from faults(inner)


def refusals(text: str) -> list[tuple[str, str]]:
    sheet: dict[str, Any] = {"calcgraph": 1, **yaml.safe_load(text)}
    return [fault for error in VALIDATOR.iter_errors(sheet) for fault in faults(error)]


@pytest.mark.parametrize(("text", "place", "message"), WRONG, ids=[wrong[0] for wrong in WRONG])
def test_a_wrong_sheet_is_refused_at_its_place(text: str, place: str, message: str) -> None:
    found = refusals(text)

    assert any(at == place and message in words for at, words in found), found
    assert max((at for at, _ in found), key=len) == place  # no deeper place is blamed


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_another_version_is_refused(version: object) -> None:
    (error,) = VALIDATOR.iter_errors({"calcgraph": version})

    assert list(error.absolute_path) == ["calcgraph"]


def test_a_sheet_without_a_version_is_refused() -> None:
    (error,) = VALIDATOR.iter_errors({"title": "no version"})

    assert "'calcgraph' is a required property" in error.message
