"""One mistake a sheet, and beside it the words we print: ``CG301_misspelt.yaml`` and ``.txt``.

A sheet is run by ``calcgraph eval``, or by the command in its first line, ``# calcgraph check``.
After a change of words, look at each of them: ``CALCGRAPH_WRITE_GOLDEN=1 pytest tests/errors``.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calcgraph.cli.reference_commands import all_codes

FOLDER = Path(__file__).parent
SHEETS = sorted(path.name for path in FOLDER.glob("*.yaml"))
COMMAND = b"# calcgraph "
HAS_RESULTS = "CG508"
"""Where numbers fail, the whole result is on stdout all the same."""


def command(name: str) -> str:
    first = (FOLDER / name).read_bytes().partition(b"\n")[0]
    return first.removeprefix(COMMAND).decode() if first.startswith(COMMAND) else "eval"


def timeless(words: str) -> str:
    return re.sub(r"\d+ days ago", "… days ago", words)


def golden(name: str) -> str:
    return (FOLDER / name).with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SHEETS)
def test_words_are_those_beside_the_sheet(
    name: str, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(FOLDER)
    verb = command(name)
    more = ("-o", str(tmp_path / "out.xlsx")) if verb == "export" else ()

    ran = run(verb, name, "--root", ".", *more)

    if os.environ.get("CALCGRAPH_WRITE_GOLDEN"):
        (FOLDER / name).with_suffix(".txt").write_text(timeless(ran.err), encoding="utf-8")
    assert timeless(ran.err) == golden(name)
    assert ran.code == (0 if verb == "check" else 3)
    assert bool(ran.out) == (verb == "check" or name.startswith(HAS_RESULTS))
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("name", [name for name in SHEETS if name.startswith("CG")])
def test_a_sheet_has_the_one_mistake_its_name_says(name: str) -> None:
    code = name.partition("_")[0]

    found = set(re.findall(r"^(?:error|warning)\[(CG\d{3})\]", golden(name), re.MULTILINE))

    assert found == {code} or (not found and golden(name).startswith("calcgraph: "))


def test_every_code_has_a_sheet() -> None:
    shown = {name.partition("_")[0] for name in SHEETS}

    assert all_codes().keys() - shown == set()


@pytest.mark.parametrize("name", SHEETS)
def test_every_finding_says_where_and_what_to_do(name: str) -> None:
    blocks = [block for block in golden(name).split("\n\n") if block.startswith(("error", "warn"))]

    for block in blocks:
        assert re.search(r"^ +--> [\w/.]+:\d+:\d+$", block, re.MULTILINE), block
        assert re.search(r"^ *\| +\^+", block, re.MULTILINE), block
        assert "= hint: " in block or "CG508" in block, block


def test_no_words_lie_beside_no_sheet() -> None:
    words = {path.stem for path in FOLDER.glob("*.txt")}

    assert words == {Path(name).stem for name in SHEETS}
