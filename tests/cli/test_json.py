"""The JSON contract of language.md §7, key by key."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[[str], Any]
Write = Callable[..., str]
ROOT = Path(__file__).parents[2]

HEAD = {"calcgraph", "sheet", "set", "scenario", "fingerprint"}
PARTS = {"cells", "checks", "expectations"}
CELL = {"value", "unit", "text", "kind", "label", "status"}
SERIES = CELL | {"dims", "labels"}
ERROR = CELL | {"error"}
FIGURE = {"cell", "expected", "actual", "unit", "ok"}
ODD = """
title: every kind of value
tables:
  chips:
    columns: {price: USD, vendor: text, here: truth, since: date}
    rows: {a100: [1.5, x, true, 2026-01-31], h100: [2, y, false, null]}
inputs:
  none: 0 gpu
  rate: {value: 40%, label: Rate of use}
  growth: 4%/year
  name: free text
  on: true
  since: 2026-01-31
  key: {value: h100, choices: chips}
  blank: {value: null, unit: day}
calc:
  failed: = 1 / none -> 1/gpu
  blamed: = failed * 2 -> 1/gpu
  caught: = iferror(blamed, 3 [1/gpu]) -> 1/gpu
  later: = blank * 2 -> hour
  negative: = -1.5 [GB] -> GB
  big: = 1e30 [byte] -> byte
  half: {formula: "= rate / 2 -> 1", expect: [{value: 20%, source: own}, {value: 0.3, within: 1%,
    verdict: wrong, why: a slip}]}
  by_day: {formula: = blank -> day, expect: null}
checks:
  - {name: holds, assert: = on, message: "{rate}"}
  - {name: skipped, assert: "= blank > 1 [day]"}
  - {name: broken, assert: "= blamed > 1 [1/gpu]"}
  - {name: warned, assert: = not on, severity: warning, message: it is on}
"""


def check_cell(cell: dict[str, Any]) -> None:
    keys = set(cell)
    assert keys in (CELL, SERIES, ERROR)
    assert isinstance(cell["text"], str)
    assert isinstance(cell["label"], str)
    assert cell["text"]
    assert cell["label"]
    assert cell["kind"] in {"input", "calc"}
    assert cell["status"] == ("error" if keys == ERROR else "na" if cell["value"] is None else "ok")
    values = cell["value"] if keys == SERIES else [cell["value"]]
    if keys == SERIES:
        assert len(cell["dims"]) == 1
        assert len(cell["labels"]) == len(values)
    for value in values:
        assert isinstance(value, float | int | bool | str | None)
        is_number = isinstance(value, float | int) and not isinstance(value, bool)
        assert cell["unit"] is None or is_number or value is None
        assert not is_number or (isinstance(cell["unit"], str) and math.isfinite(value))
    if keys == ERROR:
        assert cell["value"] is None
        assert set(cell["error"]) == {"kind", "blame", "message"}


def check_parts(parts: dict[str, Any]) -> None:
    for cell in parts["cells"].values():
        check_cell(cell)
    for check in parts["checks"]:
        assert set(check) == {"name", "ok", "severity", "message"}
        assert check["ok"] in {True, False, None}
        assert check["severity"] in {"error", "warning"}
        assert isinstance(check["message"], str)
    for figure in parts["expectations"]:
        assert FIGURE <= set(figure) <= FIGURE | {"source", "verdict", "why"}
        assert figure["ok"] in {True, False, None}
        assert figure["cell"] in parts["cells"]


@pytest.mark.parametrize("settings", ["", "--set gpus=512", "--scenario big --set tokens=1T"])
@pytest.mark.parametrize(
    "name", ["docs/examples/estimate.yaml", "tests/golden/one_page/llama70b.yaml"]
)
def test_one_case_has_the_shape_of_the_contract(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str, settings: str
) -> None:
    monkeypatch.chdir(ROOT)
    settings = settings.replace("big", "small") if name.startswith("docs") else settings

    found = json.loads(cli(f"eval {name} {settings} --format json").out)

    assert list(found)[:2] == ["calcgraph", "sheet"]
    assert set(found) == HEAD | PARTS
    assert found["calcgraph"] == 1
    assert found["sheet"] == name
    assert len(found["fingerprint"]) == 64
    check_parts(found)


def test_several_cases_have_the_shape_of_the_contract(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)

    found = json.loads(
        cli("eval docs/examples/estimate.yaml --set gpus=256,512 --scenario meta --format json").out
    )

    assert set(found) == {"calcgraph", "sheet", "fingerprint", "cases"}
    assert [case["set"] for case in found["cases"]] == [{"gpus": "256 gpu"}, {"gpus": "512 gpu"}]
    for case in found["cases"]:
        assert set(case) == {"set", "scenario"} | PARTS
        assert case["scenario"] == "meta"
        check_parts(case)


@pytest.fixture
def odd(cli: Cli, sheet: Write) -> dict[str, Any]:
    ran = cli(f"eval {sheet(ODD)} --format json")
    assert ran.code == 1, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_every_kind_of_value_has_the_shape_of_the_contract(odd: dict[str, Any]) -> None:
    check_parts(odd)


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("rate", {"value": 0.4, "unit": "1", "text": "40%", "label": "Rate of use"}),
        ("growth", {"value": 0.04, "unit": "1/year", "text": "4%/year"}),
        ("name", {"value": "free text", "unit": None, "kind": "input", "status": "ok"}),
        ("on", {"value": True, "unit": None, "text": "true"}),
        ("since", {"value": "2026-01-31", "unit": None}),
        ("key", {"value": "h100", "unit": None}),
        ("blank", {"value": None, "unit": "day", "status": "na", "text": "n/a"}),
        ("later", {"value": None, "unit": "hour", "status": "na", "kind": "calc"}),
        ("caught", {"value": 3, "status": "ok"}),
        ("negative", {"value": -1.5, "unit": "GB", "text": "-1.5 GB"}),
        ("big", {"value": 1e30, "text": "1e30 byte"}),
        ("half", {"value": 0.2, "unit": "1", "text": "0.2"}),
        (
            "failed",
            {
                "value": None,
                "unit": "1/gpu",
                "status": "error",
                "error": {"kind": "div0", "blame": "failed", "message": "division by zero"},
            },
        ),
        (
            "blamed",
            {
                "value": None,
                "status": "error",
                "error": {"kind": "div0", "blame": "failed", "message": "division by zero"},
            },
        ),
        (
            "chips.price",
            {"dims": ["chips"], "labels": ["a100", "h100"], "value": [1.5, 2], "unit": "USD"},
        ),
        ("chips.here", {"value": [True, False], "unit": None, "kind": "input"}),
        ("chips.since", {"value": ["2026-01-31", None], "unit": None}),
    ],
)
def test_a_value_is_written_as_the_contract_says(
    odd: dict[str, Any], name: str, facts: dict[str, Any]
) -> None:
    assert {key: odd["cells"][name].get(key) for key in facts} == facts


def test_checks_hold_fail_or_are_skipped(odd: dict[str, Any]) -> None:
    assert odd["checks"] == [
        {"name": "holds", "ok": True, "severity": "error", "message": "40%"},
        {"name": "skipped", "ok": None, "severity": "error", "message": ""},
        {
            "name": "broken",
            "ok": False,
            "severity": "error",
            "message": "could not be computed: division by zero in `failed`",
        },
        {"name": "warned", "ok": False, "severity": "warning", "message": "it is on"},
    ]


def test_figures_carry_verdict_and_source(odd: dict[str, Any]) -> None:
    assert odd["expectations"] == [
        {"cell": "half", "expected": 0.2, "actual": 0.2, "unit": "1", "ok": True, "source": "own"},
        {
            "cell": "half",
            "expected": 0.3,
            "actual": 0.2,
            "unit": "1",
            "ok": True,
            "verdict": "wrong",
            "why": "a slip",
        },
        {"cell": "by_day", "expected": None, "actual": None, "unit": "day", "ok": True},
    ]


FIGURES = """
inputs: {a: 2 USD, b: 3 USD, c: 4 USD}
calc:
  ab: {formula: "= a + b -> USD", expect: {value: 5 USD, within: 1%}}
  cc: {formula: "= c * 2 -> USD", expect: {value: 9 USD, verdict: wrong, why: misprint}}
"""


@pytest.mark.parametrize(
    ("settings", "code", "oks"),
    [
        ("", 0, [True, True]),
        ("--set a=7", 0, [None, True]),  # what it depends on is overridden: only shown
        ("--set c=7", 0, [True, None]),
        ("--set a=7 --set c=1", 0, [None, None]),
        ("--set a=2", 0, [True, True]),  # set to what it is
        ("--set c=4.5", 0, [True, None]),  # would agree, but at another input
    ],
)
def test_figures_are_judged_at_the_inputs_they_are_published_for(
    cli: Cli, sheet: Write, settings: str, code: int, oks: list[bool | None]
) -> None:
    ran = cli(f"eval {sheet(FIGURES)} {settings} --format json")

    assert ran.code == code
    assert [figure["ok"] for figure in json.loads(ran.out)["expectations"]] == oks


def test_a_figure_said_to_be_wrong_fails_where_it_agrees(cli: Cli, sheet: Write) -> None:
    name = sheet(FIGURES.replace("c: 4 USD", "c: 4.5 USD"))

    ran = cli(f"eval {name} --format json")

    assert ran.code == 1
    assert [figure["ok"] for figure in json.loads(ran.out)["expectations"]] == [True, False]
    assert "cc is 9 USD and agrees with 9 USD, said to be wrong" in cli(f"eval {name}").out
    assert "cc is 9 USD and agrees with 9 USD, said to be wrong" in cli(f"check {name}").out


def test_fingerprint_changes_with_every_input_and_file(cli: Cli, sheet: Write) -> None:
    def fingerprint(settings: str = "") -> str:
        found: str = json.loads(cli(f"eval {name} {settings} --format json").out)["fingerprint"]
        return found

    name = sheet(FIGURES)
    first = fingerprint()
    prints = {first, fingerprint("--set a=3"), fingerprint("--set b=4"), fingerprint("--set a=2,3")}
    name = sheet(f"{FIGURES}# a comment\n")
    prints.add(fingerprint())

    assert len(prints) == 5
    name = sheet(FIGURES)
    assert fingerprint() == first == fingerprint("--set a=2")
