"""What `eval` promises: settings, cases, what is shown, and that only what changed is computed."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import calcgraph as cg
from cli.hand_drawn import HAND_DRAWN

Cli = Callable[[str], Any]
Write = Callable[..., str]


def cells(cli: Cli, line: str) -> dict[str, Any]:
    """Give the values of an evaluation by name."""
    ran = cli(f"eval {line} --format json")
    assert ran.code == 0, ran.err
    return {name: cell["value"] for name, cell in json.loads(ran.out)["cells"].items()}


@pytest.mark.parametrize(
    ("setting", "downstream"),
    [
        ("tax=10%", {"gross", "report"}),
        ("price=3", {"cost", "gross", "report"}),
        # 9 * 10 is still above the cap, so the change stops there
        ("gpus=9", {"gpu_hours", "cost", "gross", "report", "capped"}),
        ("gpus=2", {"gpu_hours", "cost", "gross", "report", "capped", "capped_days"}),
        ("hours=20", {"gpu_hours", "cost", "gross", "report", "capped", "double"}),
        ("gpus=8", set()),
    ],
)
def test_stats_count_only_what_the_change_reaches(
    cli: Cli, sheet: Write, setting: str, downstream: set[str]
) -> None:
    name = sheet(HAND_DRAWN)
    after = cg.open(name).set_texts([tuple(setting.split("="))])

    computed = {after.model.cells[number].name for number in after.evaluation.computed}

    assert computed == downstream
    assert cli(f"eval {name} --set {setting} --stats").err == (
        f"computed {len(downstream)} of 7 cells\n"
    )


def test_stats_of_the_sheet_as_written_count_all(cli: Cli, sheet: Write) -> None:
    assert cli(f"eval {sheet(HAND_DRAWN)} --stats").err == "computed 7 of 7 cells\n"


def test_stats_count_what_a_scenario_and_settings_reach_together(cli: Cli, sheet: Write) -> None:
    name = sheet(f"{HAND_DRAWN}scenarios: {{dear: {{price: 3 USD/gpu/hour}}}}\n")

    ran = cli(f"eval {name} --scenario dear --set hours=11 --stats")

    assert ran.err == "computed 6 of 7 cells\n"  # all but capped_days: 88 is above the cap too


def test_stats_give_a_line_a_case(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(HAND_DRAWN)} --set gpus=8,9 --stats")

    assert ran.err == "computed 0 of 7 cells\ncomputed 5 of 7 cells\n"


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("hours=3", 3),  # a bare number takes the input's unit
        ("'hours=3 hour'", 3),
        ("'hours=2 day'", 48),
        ("'hours=90 min'", 1.5),
        ("'hours = 3'", 3),
        ("hours=1_000", 1000),
        ("hours=2k", 2000),
    ],
)
def test_set_converts_to_the_inputs_unit(
    cli: Cli, sheet: Write, setting: str, value: float
) -> None:
    assert cells(cli, f"{sheet(HAND_DRAWN)} --set {setting}")["hours"] == value


@pytest.mark.parametrize("text", ["35%", "0.35"])
def test_a_share_may_be_set_either_way(cli: Cli, sheet: Write, text: str) -> None:
    assert cells(cli, f"{sheet(HAND_DRAWN)} --set tax={text}")["tax"] == 0.35


def test_later_set_wins(cli: Cli, sheet: Write) -> None:
    name = sheet(HAND_DRAWN)

    assert cells(cli, f"{name} --set gpus=1 --set tax=0% --set gpus=2")["gpus"] == 2
    ran = cli(f"eval {name} --set gpus=1,2,3 --set gpus=4")
    assert ran.out.splitlines()[1] == "set: gpus = 4 gpu"


def test_two_lists_make_their_product_first_list_slowest(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(HAND_DRAWN)} --set gpus=1,2 --set tax=0%,10%,20% --format json")

    cases = [case["set"] for case in json.loads(ran.out)["cases"]]
    assert cases == [
        {"gpus": f"{gpus} gpu", "tax": tax} for gpus in (1, 2) for tax in ("0%", "10%", "20%")
    ]


def test_each_case_is_what_it_is_alone(cli: Cli, sheet: Write) -> None:
    name = sheet(HAND_DRAWN)

    several = json.loads(cli(f"eval {name} --set gpus=1,2 --set tax=0%,5% --format json").out)

    for case in several["cases"]:
        settings = " ".join(f"--set '{key}={value}'" for key, value in case["set"].items())
        alone = json.loads(cli(f"eval {name} {settings} --format json").out)
        assert {key: alone[key] for key in case} == case


TEXTS = """
inputs:
  name: {value: "a, b", note: a free text}
  kind: {value: one, choices: [one, two]}
  since: 2026-01-31
  on: true
  spare: {value: null, unit: gpu}
calc:
  words: '= "{name}/{kind}/{since}/{on}"'
"""


def test_commas_split_unquoted_lists_only(cli: Cli, sheet: Write) -> None:
    name = sheet(TEXTS)

    assert cells(cli, f"""{name} --set 'name="c, d"'""")["words"] == "c, d/one/2026-01-31/true"
    ran = cli(f"eval {name} --set name=c,d --show words --format csv")
    assert ran.out.splitlines() == [
        "name,unit,label,kind,name=c,name=d",
        "words,,words,calc,c/one/2026-01-31/true,d/one/2026-01-31/true",
    ]


def test_texts_choices_days_truths_and_null_are_set(cli: Cli, sheet: Write) -> None:
    line = f"{sheet(TEXTS)} --set kind=two --set since=2026-02 --set on=false"

    assert cells(cli, line)["words"] == "a, b/two/2026-02-01/false"
    assert cells(cli, f"{sheet(TEXTS)} --set spare=3")["spare"] == 3
    assert cells(cli, f"{sheet(TEXTS)} --set spare=3 --set spare=null")["spare"] is None


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("kind=tow", "did you mean `two`"),
        ("since=2026-02-30", "there is no day 2026-02-30"),
        ("on=yes", "`yes` is not true or false"),
        ("'spare=3 GB'", "gpu is needed"),
        ("words=x", "is calculated and cannot be set"),
        ("wrds=x", "there is no input `wrds`"),
        ("name=null", "cannot be empty"),
    ],
)
def test_what_does_not_fit_is_refused(cli: Cli, sheet: Write, setting: str, words: str) -> None:
    ran = cli(f"eval {sheet(TEXTS)} --set {setting}")

    assert ran.code == 2
    assert words in ran.err


def test_all_refusals_come_in_one_run(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(TEXTS)} --set kind=tow --set on=yes --set nam=x")

    assert ran.err.count("error[") == 3
    assert ran.err.endswith("3 errors\n")


def test_show_shows_these_cells_in_this_order_and_each_once(cli: Cli, sheet: Write) -> None:
    line = f"eval {sheet(HAND_DRAWN)} --show gross --show gpus --show gross --format csv"

    assert [row.split(",")[0] for row in cli(line).out.splitlines()] == ["name", "gross", "gpus"]


def test_outputs_are_shown_unless_all_is_asked_for(cli: Cli, sheet: Write) -> None:
    name = sheet(HAND_DRAWN)

    headline, everything = cli(f"eval {name}").out, cli(f"eval {name} --all").out

    assert "gross" in headline
    assert "gpu_hours" not in headline
    assert "2 of 11 cells" in headline
    for cell in cg.open(name):
        assert f"{cell}\n" in everything


def test_csv_says_on_stderr_what_fails(cli: Cli, sheet: Write) -> None:
    name = sheet(
        "inputs: {a: 1 USD}\n"
        "calc: {b: {formula: = a -> USD, expect: 2 USD}}\n"
        'checks: [{name: rich, assert: "= a > 2 [USD]"}]\n'
    )

    ran = cli(f"eval {name} --format csv")

    assert ran.code == 1
    assert ran.err == (
        "calcgraph: check failed: rich\ncalcgraph: a published figure of `b` does not agree\n"
    )


def test_csv_keeps_texts_from_becoming_formulas(cli: Cli, sheet: Write) -> None:
    name = sheet('inputs: {a: {value: x, label: "@x"}, b: {value: "-3"}, c: -3 USD}\n')

    rows = cli(f"eval {name} --set a==1+1 --format csv").out.splitlines()[1:]

    assert rows == ["a,,'@x,input,'=1+1", "b,,b,input,'-3", "c,USD,c,input,-3"]


def test_markdown_escapes_markup(cli: Cli, sheet: Write) -> None:
    name = sheet('title: a|b\ninputs: {a: {value: "x|y*z", label: "<b>"}}\n')

    assert cli(f"eval {name} --format markdown").out == (
        "**a\\|b**\n\n|  | value | cell |\n|---|---:|---|\n| \\<b\\> | x\\|y\\*z | `a` |\n"
    )
