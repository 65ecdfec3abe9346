"""Numbers that have no result: the whole result is shown, with the first cell to blame."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CLUSTER = str(Path(__file__).parent / "parts" / "cluster.yaml")
Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("setting", "cell", "kind", "fact"),
    [
        ("gpus=8", "each", "div0", "gpus = 8 gpu"),
        ("shards=1", "log", "domain", "shards = 1"),
        ("shards=2", "log", "domain", "shards = 2"),
        ("shards=1", "power", "domain", "shards = 1"),
    ],
)
def test_failed_cell_is_blamed_with_its_numbers(
    setting: str, cell: str, kind: str, fact: str, run: Run
) -> None:
    ran = run("eval", CLUSTER, "--set", setting, "--format", "json")

    found = json.loads(ran.out)["cells"][cell]
    assert ran.code == 3
    assert (found["value"], found["status"]) == (None, "error")
    assert (found["error"]["kind"], found["error"]["blame"]) == (kind, cell)
    block = next(block for block in ran.err.split("\n\n") if f"`{cell}` cannot" in block)
    assert "error[CG508]" in block
    assert fact in block
    assert "cluster.yaml:" in block


def test_what_needs_a_failed_cell_is_marked_and_all_else_is_computed(run: Run) -> None:
    ran = run("eval", CLUSTER, "--set", "gpus=8", "--format", "json")

    found = json.loads(ran.out)["cells"]
    assert found["both"]["status"] == "error"
    assert found["both"]["error"]["blame"] == "each"
    assert found["twice"]["value"] == 16
    assert found["cost"]["value"] == pytest.approx(22)
    assert ran.err.count("error[") == 1  # `both` is not to blame
    assert "1 cell needs it" in ran.err


@pytest.mark.parametrize(
    ("formula", "kind"),
    [
        ("= 1 / none", "div0"),
        ("= none / none", "div0"),
        ("= ln(none)", "domain"),
        ("= ln(-one)", "domain"),
        ("= sqrt(-one)", "domain"),
        ("= none ^ none", "domain"),
        ("= none ^ (-one)", "div0"),
        ("= (-one) ^ 0.5", "domain"),
        ("= big * 10", "overflow"),
        ("= big + big", "overflow"),
        ("= exp(1000 * one)", "overflow"),
        ("= 10 ^ (10 ^ (10 * one))", "overflow"),
        ("= mod(one, none)", "div0"),
    ],
)
@pytest.mark.parametrize("style", ["table", "json", "csv", "markdown"])
def test_number_without_result_ends_well(
    formula: str, kind: str, style: str, run: Run, tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.yaml"
    cells = f'bad: "{formula}"\n  behind: = bad + 1\n  caught: = iferror(bad, 7)\n  fine: = one + 1'
    sheet.write_text(f"calcgraph: 1\ninputs: {{one: 1, none: 0, big: 1.5e308}}\ncalc:\n  {cells}\n")

    ran = run("eval", str(sheet), "--format", style)

    assert ran.code == 3
    assert "error[CG508]: `bad` cannot be computed" in ran.err
    assert "inf" not in ran.out
    assert "nan" not in ran.out.lower()
    if style == "json":
        found = json.loads(ran.out)["cells"]
        assert found["bad"]["error"]["kind"] == kind
        assert found["behind"]["error"]["blame"] == "bad"
        assert found["caught"]["value"] == 7
        assert found["fine"]["value"] == 2
    else:
        assert "fine" in ran.out


def test_caught_failure_is_no_failure(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.yaml"
    sheet.write_text(
        "calcgraph: 1\ninputs: {none: 0}\ncalc:\n  bad: = 1 / none\n  ok: = iferror(bad, 7)\n"
    )

    ran = run("eval", str(sheet), "--format", "json")

    assert ran.code == 0
    assert json.loads(ran.out)["cells"]["ok"]["value"] == 7


def test_failed_check_exits_1_with_its_message(run: Run) -> None:
    ran = run("eval", CLUSTER, "--set", "hw.chips[h100].price=5k")

    assert ran.code == 1
    assert "costs 2816000 USD" in ran.out + ran.err  # 512 gpu * 5000 USD/gpu/hour * 1.1


def calcgraph(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401
    return subprocess.Popen([sys.executable, "-m", "calcgraph", *arguments], **options)


def test_broken_pipe_is_quiet() -> None:
    read, write = os.pipe()
    os.close(read)

    child = calcgraph("functions", stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    _, err = child.communicate(timeout=60)

    assert err == b""
    assert child.returncode in {0, 141}


def test_interrupt_exits_130(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.yaml"
    sheet.write_text("calcgraph: 1\ncalc:\n" + "".join(f"  c{n}: = 1\n" for n in range(100_000)))

    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)  # reading this sheet takes far longer
    try:
        ran = run("eval", str(sheet))
    finally:
        signal.signal(signal.SIGALRM, before)

    assert (ran.code, ran.out, ran.err) == (130, "", "interrupted\n")


def test_full_disk_exits_4() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full here")
    with full.open("wb") as out:
        child = calcgraph("functions", stdout=out, stderr=subprocess.PIPE)
        _, err = child.communicate(timeout=60)

    assert child.returncode == 4
    assert b"Traceback" not in err
