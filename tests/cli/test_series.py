"""Values along dims in every format, addresses of entries, and checks over dims."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[[str], Any]
Write = Callable[..., str]

SHEET = """
dims:
  month: {from: 2026-11, to: 2027-02}
  region: [us, eu]
inputs:
  rate[month]: {unit: USD, fill: zero, values: {2026-11: 4, 2027-01: 2}}
  sold[region, month]:
    {unit: 1, fill: blank, values: {us: {2026-11: 3, 2026-12: 5}, eu: {2027-02: 7}}}
  start: {value: 2026-11, note: a day}
calc:
  cash[month]: = prev(cash, 10 [USD]) - rate -> USD
  per[month]: = 8 [USD] / rate -> 1
  twice[month]: = per * 2 -> 1
  safe[month]: = iferror(1 / rate, 0 [1/USD]) -> 1/USD
  worth[region, month]: = sold * rate -> USD
  lowest: = argmin(cash)
  never: = first_where(cash > 100 [USD])
  high[month]: = cash > 5 [USD]
checks:
  - {name: enough, assert: = high, message: "{cash} in {month}"}
  - {name: all sold, assert: "= sold < 6", severity: warning, message: "{region}"}
  - {name: ratio, assert: = twice > 1, severity: warning}
  - {name: alone, assert: "= sum(rate) == 6 [USD]"}
outputs: [cash, lowest]
"""


@pytest.fixture
def name(sheet: Write) -> str:
    return sheet(SHEET)


@pytest.fixture
def found(cli: Cli, name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(cli(f"eval {name} --format json").out)
    return result


MONTHS = ["2026-11", "2026-12", "2027-01", "2027-02"]


def test_a_series_has_its_dim_its_labels_and_its_values(found: dict[str, Any]) -> None:
    cash = found["cells"]["cash"]

    assert cash == {
        "dims": ["month"],
        "labels": MONTHS,
        "value": [6, 6, 4, 4],
        "unit": "USD",
        "text": "4 values, 4 to 6 USD",
        "kind": "calc",
        "label": "cash",
        "status": "ok",
    }


def test_along_two_dims_values_are_nested(found: dict[str, Any]) -> None:
    worth = found["cells"]["worth"]

    assert worth["dims"] == ["region", "month"]
    assert worth["labels"] == [["us", "eu"], MONTHS]
    assert worth["value"] == [[12, 0, None, None], [None, None, None, 0]]


def test_keys_of_periods_are_labels_and_have_no_unit(found: dict[str, Any]) -> None:
    lowest, never = found["cells"]["lowest"], found["cells"]["never"]

    assert [lowest[key] for key in ("value", "unit", "text")] == ["2027-01", None, "2027-01"]
    assert [never[key] for key in ("value", "unit", "status")] == [None, None, "na"]
    assert found["cells"]["start"]["value"] == "2026-11-01"


def test_a_label_that_fails_is_null_and_told(found: dict[str, Any]) -> None:
    per, twice = found["cells"]["per"], found["cells"]["twice"]
    errors = [
        {"at": at, "kind": "div0", "blame": f"per[{at}]", "message": "division by zero"}
        for at in ("2026-12", "2027-02")
    ]

    assert [per["value"], per["status"], per["errors"]] == [[2, None, 4, None], "error", errors]
    assert [twice["value"], twice["errors"]] == [[4, None, 8, None], errors]
    assert found["cells"]["safe"]["value"] == [0.25, 0, 0.5, 0]


def test_a_check_over_a_dim_says_where_it_fails(found: dict[str, Any]) -> None:
    enough, sold, ratio, alone = found["checks"]

    assert enough["ok"] is False
    assert enough["failing"] == ["2027-01", "2027-02"]
    assert enough["message"] == "4 USD in 2027-01"
    assert sold["failing"] == [["eu", "2027-02"]]
    assert sold["message"] == "eu"
    assert ratio["failing"] == ["2026-12", "2027-02"]
    assert ratio["message"] == "could not be computed: division by zero in `per[2026-12]`"
    assert alone == {"name": "alone", "ok": True, "severity": "error", "message": ""}


def test_a_failed_label_that_nothing_caught_is_the_exit_code(cli: Cli, name: str) -> None:
    ran = cli(f"eval {name}")

    assert ran.code == 3
    assert "`per` cannot be computed at 2026-12: division by zero; 1 cell needs it" in ran.err
    assert "rate[2026-12] = 0 USD" in ran.err


def test_csv_has_a_column_for_each_dim(cli: Cli, name: str) -> None:
    rows = list(csv.DictReader(io.StringIO(cli(f"eval {name} --format csv").out)))

    assert list(rows[0]) == ["name", "unit", "label", "kind", "month", "region", "value"]
    worth = {(r["region"], r["month"]): r["value"] for r in rows if r["name"] == "worth"}
    assert len(worth) == 8
    assert worth["us", "2026-11"] == "12"
    assert worth["eu", "2026-11"] == ""
    lowest = next(row for row in rows if row["name"] == "lowest")
    assert [lowest[key] for key in ("unit", "month", "value")] == ["", "", "2027-01"]
    failed = [row["value"] for row in rows if row["name"] == "per"]
    assert failed == ["2", "#div0", "4", "#div0"]


def test_short_time_series_stand_across(cli: Cli, name: str) -> None:
    lines = cli(f"eval {name} --show cash --show rate").out.splitlines()

    assert "month  2026-11  2026-12  2027-01  2027-02" in lines
    assert "cash         6        6        4        4  USD" in lines
    assert "rate         4        0        2        0  USD" in lines


@pytest.mark.parametrize(
    ("address", "value"),
    [
        ("cash[2027-01]", 4),
        ("sold[us, 2026-12]", 5),
        ("sold[2026-12, us]", 5),
        ('sold["us", 2026-12]', 5),
    ],
)
def test_an_entry_is_shown_by_its_address(cli: Cli, name: str, address: str, value: float) -> None:
    found = json.loads(cli(f"eval {name} --format json --show '{address}'").out)
    cells = {key: cell for key, cell in found["cells"].items() if "[" in key}

    assert [cell["value"] for cell in cells.values()] == [value]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("cash[2027-03]", "`month` has no label `2027-03`; did you mean `2027-02`?"),
        ("sold[us]", "`sold[us]` names no entry; write a label of each: region, month"),
        ("lowest[us]", "`lowest` is a single value; leave out `[us]`"),
        ("cahs[2027-01]", "there is no cell `cahs`; did you mean `cash`?"),
    ],
)
def test_a_wrong_address_is_refused(cli: Cli, name: str, address: str, words: str) -> None:
    ran = cli(f"eval {name} --show '{address}'")

    assert ran.code == 2
    assert words in ran.err


def test_more_labels_than_a_screen_has_are_cut_and_counted(cli: Cli, sheet: Write) -> None:
    name = sheet(
        """
dims: {day: {count: 50}}
calc: {"x[day]": = index(day) * 2 -> 1}
outputs: [x]
"""
    )

    lines = cli(f"eval {name}").out.splitlines()

    assert [line.split() for line in lines[3:14]] == [
        *([str(at), str(2 * at)] for at in range(6)),
        ["…"],
        *([str(at), str(2 * at)] for at in range(47, 50)),
        ["50", "labels;", "--format", "csv", "shows", "all"],
    ]


def test_a_figure_of_an_entry_says_at_which_label(cli: Cli, sheet: Write) -> None:
    name = sheet(
        """
dims: {month: {from: 2026-01, to: 2026-03}}
calc:
  x[month]:
    formula: = index(month) * 2 -> 1
    expect: [{value: 4, at: 2026-03}, {value: 3, at: 2026-02}]
"""
    )

    ran = cli(f"eval {name} --format json")

    figures = json.loads(ran.out)["expectations"]
    assert ran.code == 1
    assert [(f["at"], f["actual"], f["ok"]) for f in figures] == [
        ("2026-03", 4, True),
        ("2026-02", 2, False),
    ]


VARIANT = """
imports: {step: step.yaml, cand: {sheet: step.yaml, over: size, set: {gpus: = size.gpus}}}
dims: {size: {grid: {gpus: [2, 4, 8]}}}
calc: {"time[size]": = cand.time -> s}
outputs: [time]
"""
STEP = """
inputs: {gpus: 1, work: 16 s}
calc: {time: = work / gpus -> s, half: = time / 2 -> s, unread: = work / gpus / 4 -> s}
checks: [{name: never runs in variants, assert: = gpus == 1}]
"""


def test_cells_of_a_variant_are_told_only_when_asked_for(cli: Cli, sheet: Write) -> None:
    sheet(STEP, "step.yaml")
    name = sheet(VARIANT)

    plain = json.loads(cli(f"eval {name} --format json").out)
    asked = json.loads(cli(f"eval {name} --format json --show cand.unread --show cand.time[4]").out)

    assert plain["cells"]["time"]["value"] == [8, 4, 2]
    assert [name for name in plain["cells"] if name.startswith("cand")] == []
    assert asked["cells"]["cand.unread"]["value"] == [2, 1, 0.5]
    assert asked["cells"]["cand.unread"]["dims"] == ["size"]
    assert asked["cells"]["cand.time[4]"]["value"] == 4
    assert [check["name"] for check in plain["checks"]] == ["step.never runs in variants"]
    assert plain["checks"][0]["ok"] is True


def test_an_explanation_says_in_which_variant(cli: Cli, sheet: Write) -> None:
    sheet(STEP, "step.yaml")
    name = sheet(VARIANT)

    lines = [line.strip("│├└─ ") for line in cli(f"explain {name} time[4]").out.splitlines()]

    assert "= 16 s / 4" in lines
    assert f"in variant: `cand` ({name}:3)" in lines


GAPS = """
dims: {month: {from: 2026-01, to: 2026-03}}
inputs:
  spend[month]: {unit: kUSD, from_csv: spend.csv%s}
calc: {total: = sum(spend) -> kUSD}
outputs: [total]
"""


@pytest.mark.parametrize(
    ("fill", "shown"), [("", "CG510"), ("zero", "50"), ("blank", "50"), ("previous", "90")]
)
def test_an_empty_field_of_a_file_is_a_gap(fill: str, shown: str, cli: Cli, sheet: Write) -> None:
    name = sheet(GAPS % (f", fill: {fill}" if fill else ""))
    Path("spend.csv").write_text("month,value\n2026-01,10\n2026-02,40\n2026-03,\n")

    ran = cli(f"eval {name}")

    assert ran.code == (0 if fill else 3)
    assert shown in (ran.out if fill else ran.err)
    assert ("has no value at 2026-03" in ran.err) == (not fill)


@pytest.mark.parametrize("command", ["explain {} total", "graph {}", "export {} -o x.xlsx"])
@pytest.mark.parametrize("option", ["--set gpus=512,1024", "--scenario base,big"])
def test_lists_are_for_eval(command: str, option: str, cli: Cli, sheet: Write) -> None:
    name = sheet(
        "inputs: {gpus: 5 gpu}\ncalc: {total: = 2 * gpus -> gpu}\nscenarios: {big: {gpus: 9 gpu}}\n"
    )

    ran = cli(f"{command.format(name)} {option}")

    assert (ran.code, ran.out) == (2, "")
    assert f"{option}: this command takes one case" in ran.err
    assert "`calcgraph eval` takes lists" in ran.err
    assert not Path("x.xlsx").exists()
