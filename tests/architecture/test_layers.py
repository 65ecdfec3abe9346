"""The arrows between modules are those of the architecture."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

CLONE = Path(__file__).parents[2]
PROJECT = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))
IMPORT_NAMES = {"pyyaml": "yaml"}  # where it is not the package's own name


@pytest.mark.skipif(
    importlib.util.find_spec("importlinter") is None,
    reason="import-linter is not installed: pip install -e '.[dev]'",
)
def test_every_import_keeps_the_contracts() -> None:
    lint = "from importlinter.cli import lint_imports_command as lint; lint()"

    done = subprocess.run(
        [sys.executable, "-c", lint, "--no-logo", "--no-cache"],
        cwd=CLONE,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 broken" in done.stdout


# Nobody imports it: openpyxl does where it is installed.
BEHIND_OPENPYXL = {"defusedxml"}


def test_every_library_lives_behind_a_wall() -> None:
    names = [re.split(r"[<>=!~\[; ]", line)[0] for line in PROJECT["project"]["dependencies"]]
    libraries = {IMPORT_NAMES.get(name, name) for name in names}

    walls = {
        library
        for contract in PROJECT["tool"]["importlinter"]["contracts"]
        if contract["type"] == "protected"
        for library in contract["protected_modules"]
    }

    assert walls == libraries - BEHIND_OPENPYXL
