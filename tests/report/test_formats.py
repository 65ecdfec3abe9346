"""Every format of ``eval``: a new one is tested by being in the table."""

from collections.abc import Callable
from typing import Any

import pytest

from calcgraph.report import RENDERERS

Cli = Callable[[str], Any]
Sheet = Callable[..., str]

SHEET = """
title: Every kind of value
dims: {month: {from: 2026-01, to: 2026-03}}
inputs:
  gpus:  {value: 512 gpu, label: "GPUs, 80 | 96 GB"}
  spare: 0 gpu
  chip:  {value: h100, unit: text}
  empty: {value: null, unit: USD}
  flow[month]: {unit: USD, values: [1, 2.5, -4]}
calc:
  half:    = gpus / 2 -> gpu
  large:   = gpus > 100 [gpu]
  running[month]: = cumsum(flow) -> USD
  share:   = iferror(gpus / spare, 7)
"""

each_format = pytest.mark.parametrize("name", RENDERERS)


def text_of(cli: Cli, line: str, name: str, *, code: int = 0) -> str:
    ran = cli(f"eval {line} --format {name}")

    assert ran.code == code, ran.err
    assert ran.out.endswith("\n")
    return str(ran.out)


@each_format
def test_values_of_every_kind_are_shown(name: str, cli: Cli, sheet: Sheet) -> None:
    text = text_of(cli, f"{sheet(SHEET)} --all", name)

    for part in ("512", "256", "h100", "-0.5", "gpu", "USD", "running"):
        assert part in text


@each_format
def test_a_series_is_shown_label_by_label(name: str, cli: Cli, sheet: Sheet) -> None:
    text = text_of(cli, f"{sheet(SHEET)} --show running", name)

    for part in ("2026-01", "2026-02", "2026-03", "3.5", "-0.5", "USD"):
        assert part in text


@each_format
def test_only_what_is_asked_for_is_shown(name: str, cli: Cli, sheet: Sheet) -> None:
    text = text_of(cli, f"{sheet(SHEET)} --show half --show 'running[2026-02]'", name)

    assert "256" in text
    assert "3.5" in text
    assert name == "json" or "h100" not in text  # JSON holds the whole result


@each_format
@pytest.mark.parametrize("count", [2, 13], ids=["a column each", "a line each"])
def test_every_case_is_shown(name: str, count: int, cli: Cli, sheet: Sheet) -> None:
    gpus = [202 + 2 * number for number in range(count)]
    line = f"{sheet(SHEET)} --set gpus={','.join(map(str, gpus))} --show half --show flow"

    text = text_of(cli, line, name)

    assert [each for each in gpus if str(each) not in text] == []
    assert [each for each in gpus if str(each // 2) not in text] == []


@each_format
def test_a_failed_cell_hides_no_other(name: str, cli: Cli, sheet: Sheet) -> None:
    broken = f"{SHEET}  broken: = gpus / spare\n"

    text = text_of(cli, f"{sheet(broken)} --all", name, code=3)

    assert "div0" in text
    assert "256" in text


@each_format
def test_the_same_sheet_gives_the_same_bytes(name: str, cli: Cli, sheet: Sheet) -> None:
    line = f"{sheet(SHEET)} --all"

    assert text_of(cli, line, name) == text_of(cli, line, name)
