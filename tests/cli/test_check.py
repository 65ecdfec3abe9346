"""`check`: all that can be said against sheets, and the other commands' lookups."""

import json
from collections.abc import Callable
from typing import Any

import pytest

Cli = Callable[[str], Any]
Write = Callable[..., str]

SHEET = """
inputs:
  gpus: {value: 8 gpu, source: {title: price list, checked: 2025-01-31}}
  spare: {value: 0 gpu, source: assumed}
  unused: 3 day
calc:
  nodes:
    formula: = gpus / 4 [gpu/node] -> node
    expect:
      - {value: 2 node, source: manual}
      - {value: 3 node, source: blog, verdict: wrong, why: counts from one}
  ratio: = iferror(gpus / spare, na()) -> 1
checks:
  - {name: few, assert: "= nodes <= 2 [node]", message: "{nodes} are many"}
  - {name: odd, assert: "= mod(nodes, 2 [node]) == 1 [node]", message: even, severity: warning}
  - {name: skipped, assert: = ratio > 1}
tests:
  - {name: twice, set: {gpus: 16 gpu}, expect: {nodes: 4 node}}
  - {name: wrong, set: {gpus: 16 gpu}, expect: {nodes: {value: 5 node, within: 1%}}}
"""
FINE = SHEET.replace("5 node", "4 node")


def test_check_names_what_fails_and_counts_the_rest(cli: Cli, sheet: Write) -> None:
    ran = cli(f"check {sheet(SHEET)}")

    assert ran.code == 1
    assert ran.out.splitlines() == [
        "sheet.yaml: FAILED: 2 of 3 checks, 2 of 2 published figures, 1 of 2 tests hold",
        "  note: 1 published figure is documented as wrong",
        "  test `wrong`: nodes is 4 node, published 5 node, at sheet.yaml:20",
        "  warning: odd: even",
    ]


def test_check_warns_of_unused_unsourced_and_stale_inputs(cli: Cli, sheet: Write) -> None:
    ran = cli(f"check {sheet(FINE)}")

    assert ran.code == 0
    assert "warning[CG311]: nothing uses the input `unused`\n --> sheet.yaml:6:3" in ran.err
    assert "warning[CG314]: the input `unused` has no source\n --> sheet.yaml:6:3" in ran.err
    assert "warning[CG315]: `price list` was last checked 2025-01-31" in ran.err
    assert ran.err.endswith("3 warnings\n")


@pytest.mark.parametrize(("day", "stale"), [("1769817600", 0), ("1769990400", 1)])
def test_a_source_grows_stale_after_a_year(
    cli: Cli, sheet: Write, monkeypatch: pytest.MonkeyPatch, day: str, stale: int
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", day)  # 2026-01-31, 2026-02-02

    assert cli(f"check {sheet(FINE)}").err.count("CG315") == stale


def test_check_json_says_the_same(cli: Cli, sheet: Write) -> None:
    ran = cli(f"check {sheet(SHEET)} --format json")

    (found,) = json.loads(ran.out)
    diagnostics = found.pop("diagnostics")
    assert ran.err == ""
    assert found == {
        "sheet": "sheet.yaml",
        "ok": False,
        "exit_code": 1,
        "checks": {"hold": 2, "of": 3},
        "published_figures": {"hold": 2, "of": 2},
        "tests": {"hold": 1, "of": 2},
        "known_wrong": 1,
        "failed": ["test `wrong`: nodes is 4 node, published 5 node, at sheet.yaml:20"],
        "warned": ["odd: even"],
    }
    assert [(item["code"], item["line"], item["column"]) for item in diagnostics] == [
        ("CG315", 4, 40),
        ("CG311", 6, 3),
        ("CG314", 6, 3),
    ]
    for item in diagnostics:
        assert set(item) == {"code", "severity", "message", "file", "line", "column", "hint"}
        assert item["hint"]


def test_check_json_holds_the_mistakes_of_a_wrong_sheet(cli: Cli, sheet: Write) -> None:
    name = sheet("calc:\n  a: = b\n  c: = 1 [GB] + 2 [day]\n")

    (found,) = json.loads(cli(f"check {name} --format json").out)

    assert (found["ok"], found["exit_code"]) == (False, 3)
    assert [item["line"] for item in found["diagnostics"]] == [3, 4]


def test_a_cell_that_cannot_be_computed_is_told_with_its_numbers(cli: Cli, sheet: Write) -> None:
    ran = cli(f"check {sheet(FINE.replace('iferror(gpus / spare, na())', 'gpus / spare'))}")

    assert ran.code == 3
    assert ran.out.startswith("sheet.yaml: WRONG: ")
    assert "`ratio` cannot be computed: division by zero" in ran.err
    assert "gpus = 8 gpu, spare = 0 gpu" in ran.err
    assert "check failed: skipped: could not be computed: division by zero in `ratio`" in ran.out


def test_a_check_that_is_not_computed_is_not_ok(cli: Cli, sheet: Write) -> None:
    name = sheet('inputs: {a: 0 gpu}\nchecks: [{name: low, assert: "= 1 [gpu] / a < 2"}]\n')

    ran = cli(f"eval {name} --format json")

    assert ran.code == 1
    (check,) = json.loads(ran.out)["checks"]
    assert check["ok"] is False
    assert check["message"] == "could not be computed: division by zero"


def test_a_skipped_check_is_counted_as_such(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(FINE)} --all")

    assert "1 of 3 checks hold, 1 not applicable\n" in ran.out
    assert "  SKIPPED skipped\n" in ran.out


def test_figures_that_fail_in_a_case_are_named_with_it(cli: Cli, sheet: Write) -> None:
    text = SHEET.replace("value: 2 node", "value: 7 node")

    ran = cli(f"eval {sheet(text)} --set spare=1,2")

    assert ran.code == 1
    assert "  ERROR   nodes is 2 node, published 7 node (manual), at 1 gpu\n" in ran.out
    assert "  ERROR   nodes is 2 node, published 7 node (manual), at 2 gpu\n" in ran.out


@pytest.mark.parametrize("command", ["units", "functions", "errors"])
def test_lists_are_the_same_in_json(cli: Cli, command: str) -> None:
    rows = json.loads(cli(f"{command} --format json").out)
    lines = cli(command).out.splitlines()

    assert len(rows) == len(lines) - (command == "units")  # its last line tells of `%`
    assert len(rows) > 30


def test_every_error_says_what_it_means(cli: Cli) -> None:
    for row in json.loads(cli("errors --format json").out):
        assert cli(f"errors {row['code'].lower()}").out == (
            f"{row['code']}: {row['title']} ({row['severity']})\n\n{row['meaning']}\n"
        )
        assert row["meaning"].endswith(".")


def test_every_function_shows_an_example(cli: Cli) -> None:
    for row in json.loads(cli("functions --format json").out):
        assert row["examples"], row["name"]
        assert row["doc"].endswith(".")


def test_every_unit_explains_itself(cli: Cli) -> None:
    for row in json.loads(cli("units --format json").out):
        for name in (row["unit"], *row["prefixes"][-1:]):
            assert cli(f"units {name}").code == 0
        assert row["meaning"]
