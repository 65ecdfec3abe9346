"""The public names are these, each with its words, and the package's own example is true."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import calcgraph as cg

ROOT = Path(__file__).parents[2]
NAMES = [
    "Book",
    "CellError",
    "CheckResult",
    "Diagnostic",
    "Explanation",
    "FigureResult",
    "FileError",
    "SettingError",
    "SheetError",
    "__version__",
    "open",
    "ureg",
]


def test_public_names_are_exactly_these() -> None:
    assert cg.__all__ == NAMES
    assert [name for name in NAMES if not hasattr(cg, name)] == []


@pytest.mark.parametrize("name", [name for name in NAMES if name != "__version__"])
def test_each_public_name_is_documented(name: str) -> None:
    found = getattr(cg, name)

    assert found.__doc__
    if isinstance(found, type):
        members = {
            key: value
            for key, value in vars(found).items()
            if not key.startswith("_") and (callable(value) or isinstance(value, property))
        }
        assert [key for key, value in members.items() if not value.__doc__] == []


@pytest.mark.parametrize("name", NAMES)
def test_each_public_name_is_in_the_guide(name: str) -> None:
    guide = (ROOT / "docs/python_api.md").read_text(encoding="utf-8")

    assert f"cg.{name}" in guide


def test_members_of_a_book_are_in_the_guide() -> None:
    guide = (ROOT / "docs/python_api.md").read_text(encoding="utf-8")
    inner = {"evaluation", "model", "after", "set_texts", "set_changes", "run_cases", "cell"}
    inner |= {"after_each", "cells", "cases", "prints", "spot"}

    members = {name for name in dir(cg.Book) if not name.startswith("_")} - inner

    assert [name for name in sorted(members) if f"book.{name}" not in guide] == []


def test_the_packages_example_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    assert doctest.testmod(cg) == doctest.TestResults(failed=0, attempted=3)


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'opne'"):
        _ = cg.opne  # type: ignore[attr-defined]


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = {"pint", "numpy", "networkx", "openpyxl", "yaml"}
    code = f"import sys, calcgraph; print(*sorted({heavy} & {{*sys.modules}}))"

    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert ran.stdout == "\n"
