"""Tables on narrow screens: long texts are broken, numbers and units never."""

from collections.abc import Callable
from typing import Any

import pytest

from calcgraph.cli.common import Screen

Cli = Callable[[str], Any]
TEXT = "this is the least that does what is wanted in all of the time that there still is"
SHEET = f"""
dims: {{month: {{from: 2026-01, to: 2026-03}}, region: [us, eu]}}
inputs:
  gpus:  {{value: 16_000 gpu, label: GPUs in the whole job of training}}
  price: 2.5 USD/gpu/hour
  sales[region, month]: {{unit: kUSD/month, value: 1234567}}
conventions: {{year: 365 day, month: year/12}}
calc:
  cost:
    formula: = gpus * price * 1 [hour] -> USD
    label: Cost of all the GPUs in the whole run
  decision: '= "Take {{gpus}}, {TEXT}"'
  mood[month]: '= "In {{month}} {TEXT}"'
  total[month]: = sum(sales, region) -> kUSD/month
"""


@pytest.mark.parametrize("options", ["", "--all", "--set gpus=100,2_000_000", "--show decision"])
@pytest.mark.parametrize("width", [60, 64, 72, 80, 100])
def test_numbers_stay_whole_and_lines_within_the_screen(
    width: int, options: str, cli: Cli, sheet: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calcgraph.cli.eval_command.screen", lambda: Screen(width=width))

    ran = cli(f"eval {sheet(SHEET)} {options}")

    assert max(map(len, ran.out.splitlines())) <= width
    words = set(ran.out.replace(",\n", " ").split())
    assert {"Take", "gpu,"} <= words
    if "--show" not in options:
        expected = ["250", "5,000,000"] if "set" in options else ["16,000", "40,000"]
        assert {*expected, "USD", "2,469,134", "kUSD/month"} <= words


def test_letters_of_two_places_are_not_cut(cli: Cli, sheet: Callable[..., str]) -> None:
    name = sheet(
        "dims: {region: [東京, 大阪府]}\n"
        "inputs:\n  x: {value: 1, label: 日本語の長いラベル}\n  y[region]: {unit: 1, value: 2}\n"
        "calc:\n  z: '= \"日本語 {x}\"'\n"
    )

    lines = cli(f"eval {name}").out.splitlines()

    assert "日本語の長いラベル         1    x" in lines
    assert "z                   日本語 1    z" in lines
    assert {"東京    2", "大阪府  2"} <= set(lines)


LONG = """\
  dear: '= if(price > 2 [USD/gpu/hour], "--dear", "--cheap")'
  flags: '= "--gpus {gpus, 0} {dear} and so on for more than a column"'
"""


def test_a_long_text_has_a_line_a_case_and_pushes_no_numbers(
    cli: Cli, sheet: Callable[..., str]
) -> None:
    name = sheet(SHEET + LONG)
    tail = "and so on for more than a column"

    ran = cli(f"eval {name} --set gpus=100,200 --show flags --show cost")
    cost, flags, second = ran.out.splitlines()[3:6]

    assert cost.split()[-4:] == ["250", "500", "USD", "cost"]
    assert len(cost) < 80
    assert flags.split(maxsplit=1) == ["flags", f"100 gpu: --gpus 100 gpu --dear {tail}  flags"]
    assert second.strip() == f"200 gpu: --gpus 200 gpu --dear {tail}  flags"


def test_a_long_text_that_cases_share_stands_once(cli: Cli, sheet: Callable[..., str]) -> None:
    name = sheet(SHEET + LONG)

    out = cli(f"eval {name} --set 'price=3 USD/gpu/hour,4 USD/gpu/hour' --show flags").out

    assert out.count("--dear") == 1


def test_a_long_text_is_cut_where_each_case_is_a_line(cli: Cli, sheet: Callable[..., str]) -> None:
    name = sheet(SHEET + LONG)
    cases = ",".join(str(n) for n in range(100, 120))

    lines = cli(f"eval {name} --set gpus={cases} --show flags").out.splitlines()

    assert sum(line.endswith("…") for line in lines) == 20
    assert max(map(len, lines)) < 100
