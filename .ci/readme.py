"""Run the command blocks of README.md and report where the output differs from what is shown.

A ``console`` block has ``$ command`` lines, each followed by its output; a line ``...`` matches any
lines, and ``# exits 2`` after a command is the expected exit code. They run in this clone. Each
command of a ``bash`` block runs in a fresh clone of HEAD and must succeed, as must each ``python``
block. A ``pycon`` block is a doctest. Other blocks are ignored.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent
TIMEOUT = 900
KEPT_LINES = 40


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, the number of its first line, its lines."""

    language: str
    line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One command, where it runs, and the output it must have (None: any)."""

    shown: str
    line: int
    argv: tuple[str, ...]
    exits: int = 0
    prints: tuple[str, ...] | None = None
    fresh_clone: bool = False


class ReadmeError(Exception):
    """The README does not have the form that this script expects."""


def find_blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks, in order."""
    fence, language, start, lines = "", "", 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if fence:
            if line.rstrip() == fence:
                yield Block(language, start, tuple(lines))
                fence = ""
            else:
                lines.append(line)
        elif opening := re.match(r"(`{3,})\s*(\w*)", line):
            fence, language, start, lines = opening[1], opening[2], number + 1, []
    if fence:
        message = f"line {start - 1}: the block is not closed"
        raise ReadmeError(message)


def find_steps(block: Block) -> Iterator[Step]:
    """Yield the commands of a block."""
    match block.language:
        case "console":
            yield from _console_steps(block)
        case "bash":
            for number, command in _commands(block):
                yield Step(command, number, ("bash", "-c", command), fresh_clone=True)
        case "python":
            code = "\n".join(block.lines)
            yield Step(code, block.line, (sys.executable, "-c", code))
        case "pycon":
            code = "\n".join(block.lines)
            yield Step(code, block.line, (sys.executable, "-c", _DOCTEST, code))
        case _:
            pass


def run_step(step: Step, clone: Path) -> str:
    """Run one step; return what went wrong, or an empty text."""
    if not step.fresh_clone:
        return _run(step, clone, _venv_environment())
    with tempfile.TemporaryDirectory(prefix="calcgraph-readme-") as folder:
        fresh = Path(folder) / "calcgraph"
        argv = ("git", "clone", "--quiet", str(clone), str(fresh))
        problem = _run(Step("the clone", step.line, argv), clone, dict(os.environ))
        return problem or _run(step, fresh, dict(os.environ))


def lines_match(expected: Sequence[str], actual: Sequence[str]) -> bool:
    """Whether the lines are as expected; ``...`` matches any number of lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n" for line in expected
    )
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def main(names: Sequence[str], clone: Path = CLONE) -> int:
    """Run all blocks of the named files, by default README.md; return 1 if any differs."""
    steps, failures = 0, 0
    for name in names or ["README.md"]:
        text = (clone / name).read_text(encoding="utf-8")
        for step in (step for block in find_blocks(text) for step in find_steps(block)):
            steps += 1
            print(f"{name}:{step.line}: {_first_line(step)}", flush=True)
            began = time.monotonic()
            problem = run_step(step, clone)
            failures += bool(problem)
            print(problem or f"    ok, {time.monotonic() - began:.1f} s", flush=True)
    print(f"{steps} commands run, {failures} not as written")
    if not steps:
        print("no command was found: nothing was tested")
    return 1 if failures or not steps else 0


# The code comes as an argument; an empty run (no `>>>`) is a failure too.
_DOCTEST = """
import doctest, sys
test = doctest.DocTestParser().get_doctest(sys.argv[1], {}, "README.md", None, 0)
results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
sys.exit(bool(results.failed) or not results.attempted)
"""


def _console_steps(block: Block) -> Iterator[Step]:
    """Yield each command with its expected output."""
    commands = list(_commands(block, prompt="$ "))
    first_line = commands[0][0] if commands else block.line + len(block.lines)
    if any(line.strip() for line in block.lines[: first_line - block.line]):
        message = f"line {block.line}: output stands before the first `$ command`"
        raise ReadmeError(message)
    ends = [number for number, _ in commands[1:]] + [block.line + len(block.lines)]
    for (number, command), end in zip(commands, ends, strict=True):
        output = block.lines[number - block.line + command.count("\n") + 1 : end - block.line]
        code = re.search(r"\s# exits (\d+)\s*$", command)
        yield Step(
            command,
            number,
            ("bash", "-c", command),
            exits=int(code[1]) if code else 0,
            prints=_trimmed(output),
        )


def _commands(block: Block, prompt: str = "") -> Iterator[tuple[int, str]]:
    """Yield each command with its line number; a final backslash continues the line."""
    command: list[str] = []
    for number, line in enumerate(block.lines, block.line):
        if not command and (not line.startswith(prompt) or not line.strip()):
            continue
        if not command and not prompt and line.lstrip().startswith("#"):
            continue
        command.append(line if command else line.removeprefix(prompt))
        if not line.endswith("\\"):
            yield number - len(command) + 1, "\n".join(command)
            command = []
    if command:
        message = f"line {block.line + len(block.lines) - 1}: the command does not end"
        raise ReadmeError(message)


def _run(step: Step, folder: Path, environment: dict[str, str]) -> str:
    """Run the step's command in the folder and compare its output."""
    try:
        done = subprocess.run(
            step.argv,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"    it ran for more than {TIMEOUT} s"
    actual = _trimmed(done.stdout.splitlines())
    if step.prints is not None and not lines_match(step.prints, actual):
        diff = unified_diff(step.prints, actual, "README", "what it prints", lineterm="")
        return "\n".join(diff)
    if done.returncode != step.exits:
        what = f"    it exits with {done.returncode}, not {step.exits}; it printed last:"
        return "\n".join([what, *actual[-KEPT_LINES:]])
    return ""


def _venv_environment() -> dict[str, str]:
    """Return the environment of a user who has activated the virtual environment."""
    commands = Path(sys.executable).parent
    return {
        **os.environ,
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "PYTHONUNBUFFERED": "1",  # so that stdout and stderr come in the order of a terminal
    }


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    """Strip trailing white space, and empty lines at the end."""
    text = "\n".join(line.rstrip() for line in lines).rstrip("\n")
    return tuple(text.split("\n")) if text else ()


def _first_line(step: Step) -> str:
    first, *more = step.shown.splitlines()
    return f"{first} …" if more else first


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ReadmeError as error:
        sys.exit(f"README: {error}")
