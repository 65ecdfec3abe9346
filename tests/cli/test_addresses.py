"""Addresses of inputs in imports and tables, and scenarios, from the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Cli = Callable[[str], Any]
Write = Callable[..., str]


def cells(cli: Cli, line: str) -> dict[str, Any]:
    """Give the values of an evaluation by name."""
    ran = cli(f"eval {line} --format json")
    assert ran.code == 0, ran.err
    return {name: cell["value"] for name, cell in json.loads(ran.out)["cells"].items()}


IMPORTED = """
inputs:
  rate: 3 USD/gpu
  gpus: 7 gpu
calc:
  cost: = rate * gpus -> USD
"""
IMPORTING = """
imports: {one: parts/one.yaml}
inputs: {gpus: 2 gpu}
calc:
  total: = one.cost + gpus * one.rate -> USD
"""


def test_a_bare_name_of_an_import_is_found_and_stderr_says_which(cli: Cli, sheet: Write) -> None:
    sheet(IMPORTED, "parts/one.yaml")

    ran = cli(f"eval {sheet(IMPORTING)} --set rate=5 --format json")

    assert ran.err == "calcgraph: `rate` is `one.rate`\n"
    found = json.loads(ran.out)
    assert found["set"] == {"one.rate": "5 USD/gpu"}
    assert found["cells"]["total"]["value"] == 45


def test_the_sheets_own_name_comes_first(cli: Cli, sheet: Write) -> None:
    sheet(IMPORTED, "parts/one.yaml")

    ran = cli(f"eval {sheet(IMPORTING)} --set gpus=0 --format json")

    assert ran.err == ""
    found = {name: cell["value"] for name, cell in json.loads(ran.out)["cells"].items()}
    assert (found["gpus"], found["one.gpus"]) == (0, 7)


def test_a_name_of_two_imports_is_refused(cli: Cli, sheet: Write) -> None:
    sheet(IMPORTED, "parts/one.yaml")
    sheet(IMPORTED, "parts/two.yaml")
    name = sheet(IMPORTING.replace("one: parts/one.yaml", "one: parts/one.yaml, b: parts/two.yaml"))

    ran = cli(f"eval {name} --set rate=5")

    assert ran.code == 2
    assert "several inputs are called `rate`" in ran.err
    assert "write `one.rate` or `b.rate`" in ran.err


def test_imports_stay_inside_of_the_root(cli: Cli, sheet: Write, tmp_path: Path) -> None:
    sheet(IMPORTED, "one.yaml")
    name = sheet(IMPORTING.replace("parts/one", "../one"), "below/main.yaml")

    outside = cli(f"eval {name}")
    assert outside.code == 3
    assert "lies outside of the model's root" in outside.err
    assert cli(f"eval {name} --root .").code == 0

    (tmp_path / ".git").mkdir()
    assert cli(f"eval {name}").code == 0


def test_entries_of_tables_are_set_by_their_address(cli: Cli, sheet: Write) -> None:
    name = sheet("""
tables:
  chips:
    columns: {price: USD, vendor: text}
    rows: {a100: [1, x], h100: [2, y]}
inputs: {chip: {value: h100, choices: chips}}
calc: {price: "= chips[chip].price -> USD"}
""")

    assert cells(cli, f"{name} --set chips[h100].price=7")["price"] == 7
    assert cells(cli, f"{name} --set chips[a100].price=7")["price"] == 2
    ran = cli(f"eval {name} --set chips[b100].price=7 --set chips[h100].prise=7")
    assert "has no row `b100`" in ran.err
    assert "did you mean `price`" in ran.err


SCENARIOS = """
inputs: {a: 1 USD, b: 2 USD}
calc: {both: = a + b -> USD}
scenarios:
  high: {a: 10 USD, b: 20 USD, note: the optimist's}
  higher: {extends: high, b: 30 USD}
  low: {b: 0 USD}
"""


def test_scenarios_stack_and_settings_lie_on_top(cli: Cli, sheet: Write) -> None:
    name = sheet(SCENARIOS)

    assert cells(cli, f"{name} --scenario high")["both"] == 30
    assert cells(cli, f"{name} --scenario higher")["both"] == 40
    assert cells(cli, f"{name} --scenario higher --scenario low")["both"] == 10
    assert cells(cli, f"{name} --scenario low --scenario higher")["both"] == 40
    assert cells(cli, f"{name} --set a=5 --scenario higher")["both"] == 35


def test_a_table_says_what_a_scenario_changes(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(SCENARIOS)} --scenario high --scenario low --set a=5")

    assert ran.out.splitlines()[1:5] == [
        "scenario: high (the optimist's)",
        "scenario: low",
        "with: b = 0 USD",
        "set: a = 5 USD",
    ]


def test_an_unknown_scenario_is_refused_with_the_nearest(cli: Cli, sheet: Write) -> None:
    ran = cli(f"eval {sheet(SCENARIOS)} --scenario hihg")

    assert ran.err == "calcgraph: there is no scenario `hihg`; did you mean `high`?\n"


def test_too_many_cases_are_refused_before_any_is_computed(cli: Cli, sheet: Write) -> None:
    many = ",".join(map(str, range(1, 102)))

    ran = cli(f"eval {sheet(SCENARIOS)} --set a={many} --set b={many}")

    assert ran.code == 2
    assert ran.err == "calcgraph: 10,201 cases; 10,000 is the most\n"
