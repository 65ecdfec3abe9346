"""What house style asks of every file, as far as it can be counted."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

CLONE = Path(__file__).parents[2]
FOLDERS = (".ci", "calcgraph", "docs", "sheets", "tests", "units")
LINES_OF_A_FILE = 600  # look again at 500
LINES_OF_A_FUNCTION = 40

# What may be longer, and why: `path` or `path:function`.
LONGER: dict[str, str] = {}

# Written so that this file does not match itself.
LEFT_FOR_LATER = re.compile(r"\b(?:TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b")
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:work|root|home/\w+|Users/\w+|opt/py\w+)/")
REGISTRY = re.compile(
    r"https?://\S*(?:py[p]i|np[m]|de[b]ian)|\bpy[p]i\.\w|\bpython[h]osted|/si[m]ple/"
)

PACKED = {".png", ".pyc", ".xlsx"}
"""Of these the bytes are no text: what they spell is chance."""

TypeOrFunction = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def files_of_the_project() -> list[Path]:
    """Give what git tracks or would track; where git does not know the folder, what is ours."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607
        cwd=CLONE,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode == 0:
        found = [CLONE / name for name in listing.stdout.split("\0")]
    else:
        found = [path for folder in FOLDERS for path in (CLONE / folder).rglob("*")]
    return sorted({path for path in found if path.is_file() and path.suffix not in PACKED})


def name_of(path: Path) -> str:
    return path.relative_to(CLONE).as_posix()


FILES = files_of_the_project()
PYTHON = [path for path in FILES if path.suffix == ".py"]
PACKAGE = [path for path in PYTHON if name_of(path).startswith("calcgraph/")]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(read(path).splitlines(), 1)
        if pattern.search(line)
    ]


def long_things() -> Iterator[tuple[str, int]]:
    """Give each file and function over the limit, and its lines."""
    for path in PYTHON:
        text = read(path)
        if (lines := text.count("\n")) > LINES_OF_A_FILE:
            yield name_of(path), lines
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.body[0].lineno + 1
                if lines > LINES_OF_A_FUNCTION:
                    yield f"{name_of(path)}:{node.name}", lines


def public_things(path: Path) -> Iterator[TypeOrFunction]:
    for node in ast.parse(read(path)).body:
        if isinstance(node, TypeOrFunction) and not node.name.startswith("_"):
            yield node


def test_the_project_is_seen() -> None:
    assert Path(__file__) in FILES
    assert CLONE / "calcgraph" / "__init__.py" in PACKAGE


def test_files_and_functions_are_short() -> None:
    too_long = {name: lines for name, lines in long_things() if name not in LONGER}

    assert too_long == {}


def test_what_may_be_longer_still_is() -> None:
    assert set(LONGER) <= {name for name, _ in long_things()}


@pytest.mark.parametrize("path", PACKAGE, ids=name_of)
def test_every_module_and_every_public_thing_has_a_docstring(path: Path) -> None:
    module = ast.parse(read(path))

    mute = [node.name for node in public_things(path) if not ast.get_docstring(node)]

    assert ast.get_docstring(module) or not module.body
    assert mute == []


def test_nothing_is_left_for_later() -> None:
    assert lines_with(LEFT_FOR_LATER) == []


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    assert lines_with(MACHINE_PATH) == []


def test_no_file_names_a_package_registry() -> None:
    assert lines_with(REGISTRY) == []
