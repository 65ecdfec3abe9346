"""Lists after `--set`: hundreds of cases together, each as it is alone."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from cli.hand_drawn import HAND_DRAWN

Cli = Callable[[str], Any]
Write = Callable[..., str]


def test_many_cases_are_what_each_is_alone(
    cli: Cli, sheet: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calcgraph.engine.cases.WORTH", 0)
    name = sheet(HAND_DRAWN)
    gpus, prices = range(1, 31), range(1, 11)
    lists = f"--set gpus={','.join(map(str, gpus))} --set price={','.join(map(str, prices))}"

    ran = cli(f"eval {name} {lists} --format json --stats")
    listed = cli(f"eval {name} {lists} --format csv")

    assert ran.err == "computed 6 of 7 cells in each of 300 cases\n"
    found = json.loads(ran.out)["cases"]
    assert [case["cells"]["cost"]["value"] for case in found] == [
        number * 10 * price for number in gpus for price in prices
    ]
    for at in (0, 51, 299):
        gpus_price = found[at]["set"]
        alone = " ".join(f"--set {key}={value.split()[0]}" for key, value in gpus_price.items())
        one = json.loads(cli(f"eval {name} {alone} --format json").out)
        assert {key: one[key] for key in found[at]} == found[at]
    costs = next(line for line in listed.out.splitlines() if line.startswith("cost,"))
    assert costs.split(",")[4:] == [str(case["cells"]["cost"]["value"]) for case in found]


def test_a_case_that_fails_is_the_only_one(
    cli: Cli, sheet: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calcgraph.engine.cases.WORTH", 0)
    name = sheet("inputs: {a: 4}\ncalc: {inverse: = 1 / a, twice: = inverse * 2}\n")
    numbers = ",".join(map(str, range(900)))

    ran = cli(f"eval {name} --set a={numbers} --show twice --format csv")

    assert ran.code == 3
    assert (
        "`inverse` cannot be computed: division by zero; 1 cell needs it (in 1 of 900 cases)"
        in (ran.err)
    )
    values = ran.out.splitlines()[1].split(",")[4:]
    assert values[:3] == ["#div0", "2", "1"]
    assert [float(value) for value in values[1:]] == [2 * (1 / n) for n in range(1, 900)]


def test_more_than_twelve_cases_have_a_line_each(cli: Cli, sheet: Write) -> None:
    name = sheet(
        HAND_DRAWN + "checks: [{name: cheap, severity: warning, assert: '= cost < 200 [USD]'}]\n"
    )

    few = cli(f"eval {name} --set gpus={','.join(map(str, range(1, 13)))}")
    many = cli(f"eval {name} --set gpus={','.join(map(str, range(1, 31)))}")
    written = cli(f"eval {name} --set gpus={','.join(map(str, range(1, 31)))} --format markdown")

    assert few.out.splitlines()[2].split()[:3] == ["gpus", "1", "gpu"]
    lines = many.out.splitlines()
    assert [line.split() for line in lines[2:4]] == [["cost", "gross"], ["gpus", "USD", "USD"]]
    assert [line.split() for line in lines[4:34]] == [
        [str(n), "gpu", str(n * 20), str(n * 24)] for n in range(1, 31)
    ]
    assert lines[35:] == [
        "checks that do not hold",
        "  WARNING cheap: at 10 gpu; 11 gpu; 12 gpu and 18 more of 30 cases",
        "",
        f"2 of 11 cells; see the others with --all, where one comes from with: calcgraph explain {name} NAME",  # noqa: E501
    ]
    assert "| gpus | cost, USD | gross, USD |" in written.out
    assert "| 30 gpu | 600 | 720 |" in written.out
    assert "- **WARNING** cheap: at 10 gpu; 11 gpu; 12 gpu and 18 more of 30 cases" in written.out


def test_a_refused_value_of_a_list_is_told_with_all_others(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(HAND_DRAWN)} --set tax=10%,95%,99% --set gpus=1,2")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("error[CG504]") == 2


SCENARIOS = """\
scenarios:
  dear: {price: 3 USD/gpu/hour, note: a bad year}
  large: {gpus: 16 gpu}
"""


def test_scenarios_stand_beside_each_other(cli: Cli, sheet: Write) -> None:
    name = sheet(f"{HAND_DRAWN}{SCENARIOS}")

    ran = cli(f"eval {name} --scenario base,dear --scenario base,large --set tax=0%,50%")
    listed = json.loads(
        cli(f"eval {name} --scenario base,dear --scenario base,large --format json").out
    )

    lines = ran.out.splitlines()
    assert "scenario: dear (a bad year)" in lines
    heads, taxes, costs = lines[4:7]
    stacks = ["base", "large", "dear", "dear+large"]
    assert heads.split() == ["scenario", *(name for name in stacks for _ in range(2))]
    assert taxes.split() == ["tax", *4 * ["0%", "50%"]]
    assert costs.split()[1:9] == ["160", "160", "320", "320", "240", "240", "480", "480"]
    cases = listed["cases"]
    assert [case["scenario"] for case in cases] == [None, "large", "dear", "dear+large"]
    assert [case["cells"]["cost"]["value"] for case in cases] == [160, 320, 240, 480]
    assert [case["set"] for case in cases] == 4 * [{}]


def test_scenarios_are_heads_of_columns_and_of_lines(cli: Cli, sheet: Write) -> None:
    name = sheet(f"{HAND_DRAWN}{SCENARIOS}")
    prices = ",".join(f"{n} USD/gpu/hour" for n in range(1, 9))

    head = cli(f"eval {name} --scenario base,dear --format csv").out.splitlines()[0]
    ran = cli(f"eval {name} --scenario base,large --set 'price={prices}' --show cost")

    assert head == "name,unit,label,kind,base,dear"
    rows = [line.split() for line in ran.out.splitlines() if "USD/gpu/hour" in line]
    assert [row[0] for row in rows] == 8 * ["base"] + 8 * ["large"]
    assert [row[-1] for row in rows] == [f"{n * at:,}" for at in (80, 160) for n in range(1, 9)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("base,daer", "there is no scenario `daer`; did you mean `dear`?"),
        ("dear,", "--scenario dear,: a name is missing"),
    ],
)
def test_lists_of_scenarios_are_checked(text: str, message: str, cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(HAND_DRAWN + SCENARIOS)} --scenario {text}")

    assert (ran.code, ran.err) == (2, f"calcgraph: {message}\n")


def test_base_alone_is_the_sheet_as_written(cli: Cli, sheet: Write) -> None:
    name = sheet(HAND_DRAWN + SCENARIOS)

    assert cli(f"eval {name} --scenario base").out == cli(f"eval {name}").out
