"""The guide is true: its sheets load, and every result, refusal and command line on it is run.

Blocks of ```yaml are sheets (`calcgraph: 1` is added), ```csv NAME are files beside them;
```results and ```console speak of the last sheet above. Rows of tables of formulas and values are
run too, and Python as doctests. CALCGRAPH_WRITE_GOLDEN=1 writes what commands print into the
```console blocks: read it before you commit it. Results are worked out by hand, never written.
"""

import doctest
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import calcgraph as cg
from calcgraph.cli import COMMANDS
from calcgraph.cli.exits import BUG

Cli = Callable[[str], Any]
ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
TABLES = ("formula", "formula here", "refused", "value", "refused value")
WRITE = os.environ.get("CALCGRAPH_WRITE_GOLDEN") == "1"
CONVENTIONS = "conventions: {year: 365 day}"


@dataclass(frozen=True)
class Block:
    """A fenced block, or a row of a table that is tested."""

    page: str
    line: int
    kind: str
    text: str

    @property
    def sheet_name(self) -> str:
        named = re.match(r"# (\S+\.yaml)\n", self.text)
        return named.group(1) if named else "sheet.yaml"


def blocks_of(path: Path) -> list[Block]:
    found: list[Block] = []
    fence, start, table = "", 0, ""
    lines = path.read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines, start=1):
        if line.startswith("```"):
            if start:
                text = "\n".join(lines[start : at - 1]) + "\n"
                found.append(Block(path.name, start, fence, text))
            fence, start = line[3:], 0 if start else at
        elif not start and line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if cells[0] in TABLES:
                table = cells[0]
            elif table and not line.startswith("|--"):
                found.append(Block(path.name, at, table, line))
        elif not line:
            table = ""
    return found


BLOCKS = [block for path in PAGES for block in blocks_of(path)]


def of_kind(*kinds: str) -> list[Any]:
    return [
        pytest.param(block, id=f"{block.page}:{block.line}")
        for block in BLOCKS
        if block.kind in kinds
    ]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sheets").symlink_to(ROOT / "sheets")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796083200")  # 2026-12-01


def lay_out(block: Block) -> None:
    """Write the sheets above a block, the last of a name winning."""
    for other in BLOCKS:
        if other.page != block.page or other.line > block.line:
            continue
        if other.kind == "yaml":
            write(other.sheet_name, other.text)
        elif other.kind.startswith("csv "):
            Path(other.kind.removeprefix("csv ")).write_text(other.text, encoding="utf-8")


def write(name: str, text: str) -> None:
    head = (
        "" if "calcgraph: 1" in text else "calcgraph: 1\n"
    )  # at its end: lines keep their numbers
    Path(name).write_text(text + head, encoding="utf-8")


def is_refused(block: Block) -> bool:
    after = BLOCKS[BLOCKS.index(block) + 1]
    return after.kind == "console" and "\nerror[" in after.text and "--set" not in after.text


@pytest.mark.parametrize("block", of_kind("yaml"))
def test_a_sheet_loads(block: Block, cli: Cli) -> None:
    lay_out(block)

    assert cli(f"check {block.sheet_name}").code in ({3} if is_refused(block) else {0, 1})


def key_text(label: str) -> str:
    """Write a label as a formula does: periods and numbers bare, texts quoted."""
    return label if re.fullmatch(r"\d{4}-\d\d(-\d\d)?|\d+", label) else f'"{label}"'


def stated_in(block: Block) -> dict[str, str]:
    """Read results: formulas over the sheet as `it`, to texts.

    `name = text` states a value; a line that starts with blanks is the labels of a dim, and each
    line below it a series along them. `name[us]` is the part of a series of more dims.
    """
    found: dict[str, str] = {}
    labels: list[str] = []
    for line in block.text.splitlines():
        if line.startswith(" "):
            labels = re.split(r"\s{2,}", line.strip())
        elif " = " in line:
            name, text = line.split(" = ", 1)
            found[f"it.{name}"] = text
        elif line:
            series, *texts = re.split(r"\s{2,}", line.strip())
            name, _, part = series.rstrip("]").partition("[")
            for label, text in zip(labels, texts, strict=True):
                keys = [key_text(key) for key in (*filter(None, part.split(", ")), label)]
                found[f"it.{name}[{', '.join(keys)}]"] = text
    return found


@pytest.mark.parametrize("block", of_kind("results"))
def test_results_are_so(block: Block) -> None:
    lay_out(block)
    stated = stated_in(block)
    series = [formula for formula in stated if formula.endswith("]")]
    cells = [f"  entry_{at}: '= {formula}'\n" for at, formula in enumerate(series)]
    calc = "calc:\n" + "".join(cells) if cells else ""
    write("results.yaml", f"imports: {{it: sheet.yaml}}\n{calc}")

    book = cg.open("results.yaml")

    names = {formula: f"entry_{at}" for at, formula in enumerate(series)}
    assert {name: book.text(names.get(name, name)) for name in stated} == stated


@pytest.mark.parametrize("block", of_kind("console"))
def test_commands_say_so(block: Block, cli: Cli) -> None:
    lay_out(block)
    shown: list[str] = []
    for line in block.text.splitlines():
        if line.startswith("$ calcgraph "):
            ran = cli(line.removeprefix("$ calcgraph "))
            assert ran.code != BUG, ran.err
            # What is refused has no output; a note comes before it, warnings behind it.
            first, last = (ran.err, ran.out) if "--set" in line else (ran.out, ran.err)
            shown += [line, *first.splitlines(), *last.splitlines()]

    expected = block.text.splitlines()
    if expected[-1] == "…":  # and so on
        expected.pop()
        shown = shown[: len(expected)]
    if WRITE and shown != expected:
        write_console(block, shown)
        return
    assert shown == expected


def write_console(block: Block, shown: list[str]) -> None:
    """Put what commands print into a block; others on the page may have been written already."""
    path = ROOT / "docs" / block.page
    number = [other for other in BLOCKS if other.page == block.page].index(block)
    current = blocks_of(path)[number]
    lines = path.read_text(encoding="utf-8").splitlines()
    end = current.line + len(current.text.splitlines())
    lines[current.line : end] = shown
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def cells_of(block: Block) -> tuple[str, str]:
    code, text = block.text.strip("| ").split(" | ", 1)
    return code.strip().strip("`"), text.strip()


@pytest.mark.parametrize("block", of_kind("formula"))
def test_a_formula_gives(block: Block) -> None:
    formula, gives = cells_of(block)
    write("sheet.yaml", f"{CONVENTIONS}\ncalc:\n  x: '= {formula}'\n")

    assert cg.open("sheet.yaml").text("x") == gives


@pytest.mark.parametrize("block", of_kind("formula here"))
def test_a_formula_in_the_sheet_above_gives(block: Block) -> None:
    lay_out(block)
    formula, gives = cells_of(block)
    sheet = Path("sheet.yaml")
    text = sheet.read_text(encoding="utf-8").removesuffix("calcgraph: 1\n")
    assert text.rpartition("\ncalc:\n")[2].startswith("  "), "the sheet above ends with `calc:`"
    write("sheet.yaml", f"{text}  entry_0: '= {formula}'\n")

    assert cg.open("sheet.yaml").text("entry_0") == gives


@pytest.mark.parametrize("block", of_kind("value"))
def test_a_value_means(block: Block) -> None:
    value, means = cells_of(block)
    write("sheet.yaml", f"{CONVENTIONS}\ninputs:\n  x: {value}\n")

    assert cg.open("sheet.yaml").text("x") == means


@pytest.mark.parametrize("block", of_kind("refused", "refused value"))
def test_it_is_refused(block: Block) -> None:
    code, why = cells_of(block)
    body = f"calc:\n  x: '= {code}'\n" if block.kind == "refused" else f"inputs:\n  x: {code}\n"
    write("sheet.yaml", body)

    with pytest.raises(cg.SheetError) as caught:
        cg.open("sheet.yaml")

    (found,) = caught.value.diagnostics
    assert why.strip("`") in f"{found.message}; {found.hint}".replace("`x` is", "the cell is")


@pytest.mark.parametrize("page", [path for path in PAGES if "\n>>> " in path.read_text("utf-8")])
def test_python_on_the_page_runs(page: Path) -> None:
    failed, attempted = doctest.testfile(str(page), module_relative=False, encoding="utf-8")

    assert failed == 0
    assert attempted > 10


def test_the_guide_has_examples_of_each_kind() -> None:
    counts = {kind: len(of_kind(kind)) for kind in ("yaml", "results", "console", *TABLES)}

    assert counts["yaml"] >= 50
    assert counts["results"] >= 35
    assert counts["console"] >= 15
    assert counts["formula"] >= 40
    assert counts["formula here"] >= 15
    assert counts["refused"] >= 12
    assert counts["value"] >= 10
    assert counts["refused value"] >= 5


def test_every_function_is_in_the_guide(cli: Cli) -> None:
    guide = "".join(
        (ROOT / "docs" / name).read_text("utf-8") for name in ("language.md", "dims.md")
    )
    code = " ".join(re.findall(r"```.*?```|`[^`]+`", guide, re.DOTALL))

    names = re.findall(r"^(\w+)\(", cli("functions").out, re.MULTILINE)

    assert len(names) > 50
    assert [name for name in names if not re.search(rf"\b{name}\b", code)] == []


def test_commands_in_the_guide_are_commands() -> None:
    named = {
        command
        for path in PAGES
        for command in re.findall(r"calcgraph ([a-z]+)\b", path.read_text(encoding="utf-8"))
        if command not in {"as", "itself", "stands"}
    }

    assert {"eval", "check", "explain", "graph", "units", "functions", "errors"} <= named
    assert named <= set(COMMANDS)
