"""Lists after `--set`: hundreds of cases together, each as it is alone."""

import json
from collections.abc import Callable
from typing import Any

import pytest

Cli = Callable[[str], Any]
Write = Callable[..., str]

SHEET = """
inputs:
  price: 2 USD/gpu/hour
  gpus: 8 gpu
  hours: 10 hour
  tax: {value: 20%, min: 0%, max: 90%}
calc:
  gpu_hours: = gpus * hours -> gpu*hour
  cost: = gpu_hours * price -> USD
  gross: = cost * (1 + tax) -> USD
  report: '= "it costs {gross, 0}"'
  double: = 2 * hours -> hour
  capped: = min(gpu_hours, 50 [gpu*hour]) -> gpu*hour
  capped_days: = capped / 1 [gpu] -> day
outputs: [cost, gross]
"""


def test_many_cases_are_what_each_is_alone(
    cli: Cli, sheet: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calcgraph.evaluate.cases.WORTH", 0)
    name = sheet(SHEET)
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
    monkeypatch.setattr("calcgraph.evaluate.cases.WORTH", 0)
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
        SHEET + "checks: [{name: cheap, severity: warning, assert: '= cost < 200 [USD]'}]\n"
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
    ran = cli(f"eval {sheet(SHEET)} --set tax=10%,95%,99% --set gpus=1,2")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("error[CG504]") == 2
