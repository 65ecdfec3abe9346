"""What a start loads: the command table, and of the commands only the one that is called."""

import subprocess
import sys
from pathlib import Path

import pytest

CLONE = Path(__file__).parents[2]

TABLE = {
    "calcgraph",
    "calcgraph.__main__",
    "calcgraph.cli",
    "calcgraph.cli.exits",
    "calcgraph.core",
    "calcgraph.core.resources",
}
REPORT = """
import atexit, runpy, sys
atexit.register(lambda: sys.stderr.write("\\n".join(sys.modules)))
sys.argv = ["calcgraph", *sys.argv[1:]]
runpy.run_module("calcgraph", run_name="__main__")
"""


def loaded(*arguments: str) -> set[str]:
    """List the modules in memory when ``python -m calcgraph`` ends."""
    ran = subprocess.run(
        [sys.executable, "-c", REPORT, *arguments],
        cwd=CLONE,
        check=True,
        capture_output=True,
        text=True,
    )
    return set(ran.stderr.split())


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_the_command_table_is_all_that_a_flag_loads(flag: str) -> None:
    modules = loaded(flag)

    assert {name for name in modules if name.startswith("calcgraph")} <= TABLE
    assert not modules & {"pint", "numpy", "networkx", "rich", "openpyxl", "yaml"}


def test_help_of_a_command_loads_no_other_command() -> None:
    modules = loaded("graph", "--help")

    assert "calcgraph.cli.explain_command" in modules
    assert not modules & {
        f"calcgraph.cli.{name}" for name in ("eval_command", "check_command", "export_command")
    }


def test_a_plain_eval_of_a_healthy_sheet_needs_no_networkx() -> None:
    modules = loaded("eval", "sheets/llama70b.yaml", "--no-cache")

    assert "calcgraph.graph" in modules
    assert "networkx" not in modules
