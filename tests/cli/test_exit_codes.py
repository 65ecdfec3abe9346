"""Every exit code of language.md §7, by a sheet that earns it."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import calcgraph.cli.eval_command as evaluate_command

Cli = Callable[[str], Any]
Write = Callable[..., str]

FINE = """
inputs:
  gpus: {value: 8 gpu, min: 1 gpu, max: 100 gpu}
  spare: {value: 0 gpu, min: 0 gpu}
calc:
  nodes: = gpus / 4 [gpu/node] -> node
  share: = gpus / spare -> 1
  safe: = iferror(share, 0) -> 1
"""
LESS = FINE.replace("  share: = gpus / spare -> 1\n  safe: = iferror(share, 0) -> 1\n", "")
CHECK = 'checks:\n  - {name: small, assert: "= nodes <= 2 [node]", severity: SEVERITY}\n'


def test_0_where_all_is_fine(cli: Cli, sheet: Write) -> None:
    assert cli(f"eval {sheet(FINE)}").code == 0


def test_0_where_a_failure_is_caught(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(FINE)} --show share --show safe")

    assert ran.code == 0
    assert "#div0" in ran.out
    assert ran.err == ""


@pytest.mark.parametrize(("severity", "code"), [("error", 1), ("warning", 0)])
def test_1_where_a_check_of_severity_error_fails(
    cli: Cli, sheet: Write, severity: str, code: int
) -> None:
    name = sheet(LESS + CHECK.replace("SEVERITY", severity))

    assert cli(f"eval {name}").code == 0
    assert cli(f"eval {name} --set gpus=9").code == code
    assert cli(f"eval {name} --set gpus=1,9,2").code == code


def test_1_where_a_published_figure_does_not_agree(cli: Cli, sheet: Write) -> None:
    text = LESS.replace("nodes: = gpus / 4 [gpu/node] -> node", "nodes: WHOLE")
    whole = '{formula: "= gpus / 4 [gpu/node] -> node", expect: {value: 3 node, within: 1%}}'
    ran = cli(f"eval {sheet(text.replace('WHOLE', whole))}")

    assert ran.code == 1
    assert "ERROR   nodes is 2 node, published 3 node" in ran.out


@pytest.mark.parametrize(
    "line",
    [
        "eval",
        "evla sheet.yaml",
        "",
        "eval sheet.yaml --format xml",
        "eval sheet.yaml --set",
        "eval sheet.yaml --set gpus",
        "eval sheet.yaml --set gpsu=3",
        "eval sheet.yaml --set nodes=3",
        "eval sheet.yaml --set gpus=3GB",
        "eval sheet.yaml --set 'gpus=3 GB'",
        "eval sheet.yaml --set gpus=101",
        "eval sheet.yaml --set gpus=1,,2",
        "eval sheet.yaml --set gpus=1,000",
        "eval sheet.yaml --set gpus=",
        "eval sheet.yaml --set gpus=1,101",
        "eval sheet.yaml --scenario big",
        "eval sheet.yaml --show nodse",
        "eval sheet.yaml --stat",
        "explain sheet.yaml",
        "explain sheet.yaml nodse",
        "explain sheet.yaml nodes --depth -1",
        "graph sheet.yaml nodse",
        "units Gb",
        "functions roundd",
        "errors CG999",
    ],
)
def test_2_for_usage_and_what_is_refused(cli: Cli, sheet: Write, line: str) -> None:
    sheet(FINE)

    ran = cli(line)

    assert ran.code == 2
    assert ran.out == ""
    assert ran.err
    assert "Traceback" not in ran.err


def test_3_where_the_sheet_is_wrong(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet('calc:' + chr(10) + '  a: = 80 [GB] + 1')} --format json")

    assert ran.code == 3
    assert ran.out == ""
    assert re.search(r"error\[CG\d+\].*\n +--> sheet.yaml:3:\d+", ran.err)


def test_3_where_a_cell_failed_that_nothing_caught_and_the_result_is_still_there(
    cli: Cli, sheet: Write
) -> None:
    name = sheet(FINE.replace("iferror(share, 0)", "share + 1"))

    ran = cli(f"eval {name} --show nodes --show safe --format csv")

    assert ran.code == 3
    assert ran.out.splitlines()[1:] == ["nodes,node,nodes,calc,2", "safe,1,safe,calc,#div0"]
    assert "error[CG508]: `share` cannot be computed: division by zero; 1 cell needs it" in ran.err
    assert "gpus = 8 gpu, spare = 0 gpu" in ran.err


def test_3_outweighs_1(cli: Cli, sheet: Write) -> None:
    name = sheet(FINE.replace("iferror(share, 0)", "share") + CHECK.replace("SEVERITY", "error"))

    assert cli(f"eval {name} --set gpus=9").code == 3


def test_a_failure_is_told_once_for_all_cases(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(FINE.replace('iferror(share, 0)', 'share'))} --set spare=1,0,2,0")

    assert ran.code == 3
    assert ran.err.count("error[") == 1
    assert "(in 2 of 4 cases)" in ran.err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sheets.yaml", "there is no file sheets.yaml\n  = hint: did you mean sheet.yaml?"),
        (".", "is a directory"),
        ("sheet.yaml/x.yaml", "there is no file"),
    ],
)
def test_4_where_a_file_cannot_be_read(cli: Cli, sheet: Write, name: str, words: str) -> None:
    sheet(FINE)
    for command in ("eval", "check"):
        ran = cli(f"{command} {name}")

        assert ran.code == 4
        assert words in ran.err


def test_130_where_it_is_interrupted(
    cli: Cli, sheet: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluate_command, "outcome_of", interrupt)

    ran = cli(f"eval {sheet(FINE)}")

    assert (ran.code, ran.out, ran.err) == (130, "", "interrupted\n")


def _bug(*_: object) -> None:
    message = "a screw is loose"
    raise RuntimeError(message)


def test_70_for_a_bug_of_ours_without_a_traceback(
    cli: Cli, sheet: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate_command, "outcome_of", _bug)

    ran = cli(f"eval {sheet(FINE)}")

    assert ran.code == 70
    assert ran.out == ""
    assert "bug in calcgraph, sorry: RuntimeError: a screw is loose" in ran.err
    assert "--debug" in ran.err
    assert "Traceback" not in ran.err


def test_a_bug_shows_its_traceback_with_debug(
    cli: Cli, sheet: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate_command, "outcome_of", _bug)
    line = f"eval {sheet(FINE)} --debug"

    with pytest.raises(RuntimeError, match="a screw is loose"):
        cli(line)


def test_a_key_error_inside_of_us_is_a_bug_and_no_usage(
    cli: Cli, sheet: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(*_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr("calcgraph.book.Book.after_each", bug)

    assert cli(f"eval {sheet(FINE)} --set gpus=2").code == 70


def test_check_gives_the_worst_code_of_all_sheets(cli: Cli, sheet: Write) -> None:
    good = sheet(LESS, "good.yaml")
    failing = sheet(LESS.replace("8 gpu", "9 gpu") + CHECK.replace("SEVERITY", "error"), "bad.yaml")
    wrong = sheet("calc:\n  a: = b", "wrong.yaml")

    assert cli(f"check {good}").code == 0
    assert cli(f"check {good} {failing}").code == 1
    assert cli(f"check {failing} {wrong} {good}").code == 3
    assert cli(f"check {wrong} none.yaml {good}").code == 4
