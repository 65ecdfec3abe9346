"""Data on stdout, everything else on stderr, colours on terminals only: with real processes."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calcgraph.report.text_page import Screen

Cli = Callable[[str], Any]

ROOT = Path(__file__).parents[2]
ESTIMATE = "docs/examples/estimate.yaml"


def run(
    *args: str, cwd: Path = ROOT, stdout: int = subprocess.PIPE, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run ``python -m calcgraph`` as a user would."""
    return subprocess.run(
        [sys.executable, "-m", "calcgraph", *args],
        check=False,
        cwd=cwd,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **env},
    )


def on_a_terminal(*args: str, **env: str) -> str:
    """Run with stdout and stderr on a terminal; give all it shows."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = {"TERM": "xterm", "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **env}
    environment["CALCGRAPH_CACHE"] = os.environ["CALCGRAPH_CACHE"]
    process = subprocess.Popen(
        [sys.executable, "-m", "calcgraph", *args],
        cwd=ROOT,
        stdout=theirs,
        stderr=theirs,
        env=environment,
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65_536):
            shown += piece
    except OSError:  # Linux says so at the end of a terminal
        pass
    process.wait()
    os.close(ours)
    return shown.decode()


def test_json_on_stdout_parses_and_notes_are_on_stderr() -> None:
    ran = run("eval", ESTIMATE, "--set", "gpus=512", "--stats", "--format", "json")

    assert ran.returncode == 0
    assert json.loads(ran.stdout)["cells"]["gpus"]["value"] == 512
    assert ran.stderr.startswith("computed ")


@pytest.mark.parametrize("output", ["table", "json", "csv", "markdown"])
def test_stdout_is_empty_where_there_is_an_error(tmp_path: Path, output: str) -> None:
    (tmp_path / "wrong.yaml").write_text("calcgraph: 1\ncalc:\n  a: = b\n", encoding="utf-8")

    ran = run("eval", "wrong.yaml", "--format", output, cwd=tmp_path)

    assert ran.returncode == 3
    assert ran.stdout == ""
    assert "wrong.yaml:3:8" in ran.stderr


def test_no_escape_codes_without_a_terminal() -> None:
    for args in (
        ("eval", ESTIMATE),
        ("explain", ESTIMATE, "cost"),
        ("eval", ESTIMATE, "--set", "x=1"),
    ):
        ran = run(*args, FORCE_COLOR="", TERM="xterm")

        assert "\x1b" not in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    "args", [("eval", ESTIMATE), ("explain", ESTIMATE, "cost", "--depth", "1")]
)
def test_colours_on_a_terminal_unless_no_color_is_set(args: tuple[str, ...]) -> None:
    assert "\x1b[" in on_a_terminal(*args)
    assert "\x1b" not in on_a_terminal(*args, NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(*args, TERM="dumb")


def test_findings_are_coloured_on_a_terminal_only() -> None:
    line = ("eval", ESTIMATE, "--set", "gpsu=1")

    assert "\x1b[" in on_a_terminal(*line)
    assert "\x1b" not in on_a_terminal(*line, NO_COLOR="1")


def test_a_closed_pipe_is_no_bug() -> None:
    ours, theirs = os.pipe()
    os.close(ours)

    ran = run("eval", ESTIMATE, "--format", "csv", stdout=theirs)

    os.close(theirs)
    assert ran.returncode == 0
    assert ran.stderr == ""


def test_head_takes_the_first_line() -> None:
    command = f"'{sys.executable}' -m calcgraph eval {ESTIMATE} --format csv | head -1"

    ran = subprocess.run(
        ["sh", "-c", command],  # noqa: S607 - a pipe is what is tested
        check=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )

    assert ran.stdout == "name,unit,label,kind,arch.models,hw.accelerators,value\n"
    assert ran.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_an_io_error() -> None:
    with Path("/dev/full").open("w") as full:
        ran = run("eval", ESTIMATE, stdout=full.fileno())

    assert ran.returncode == 4
    assert ran.stderr == "calcgraph: No space left on device\n"


def test_version_says_which() -> None:
    import calcgraph as cg

    assert run("--version").stdout == f"calcgraph {cg.__version__}\n"


@pytest.mark.parametrize("width", [60, 80, 100, 160])
@pytest.mark.parametrize("settings", [(), ("--set", "gpus=1,2,3,4,5")])
def test_a_table_fits_its_terminal(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, width: int, settings: tuple[str, ...]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("calcgraph.cli.eval_command.screen", lambda: Screen(width=width))

    lines = cli(f"eval {ESTIMATE} {' '.join(settings)}").out.splitlines()

    assert max(map(len, lines)) <= width
    days = [value for line in lines if line.startswith("Training time  ") for value in line.split()]
    assert [day for day in days if day[0].isdigit()] == (
        ["185,702", "92,851", "61,901", "46,426", "37,140"] if settings else ["11.61"]
    )
    assert ("train_time" in days) == (not settings and width >= 80)


def test_no_cache_leaves_no_cache(tmp_path: Path) -> None:
    folder = tmp_path / "cache"

    ran = run("eval", ESTIMATE, "--no-cache", CALCGRAPH_CACHE=str(folder))
    assert ran.returncode == 0
    assert not folder.exists()

    assert run("eval", ESTIMATE, CALCGRAPH_CACHE=str(folder)).stdout == ran.stdout
    assert list(folder.iterdir())
