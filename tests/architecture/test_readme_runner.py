"""The runner of the README's blocks finds what does not hold."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

CLONE = Path(__file__).parents[2]


def load_runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("readme_runner", CLONE / ".ci" / "readme.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


runner = load_runner()


def run(folder: Path, readme: str) -> int:
    (folder / "README.md").write_text(readme, encoding="utf-8")
    code: int = runner.main([], folder)
    return code


def console(*lines: str) -> str:
    return "\n".join(["# A title", "```console", *lines, "```", ""])


@pytest.mark.parametrize(
    "readme",
    [
        pytest.param(console("$ echo one", "one", "", "$ echo two", "two"), id="as shown"),
        pytest.param(console("$ printf 'one  \\n\\n'", "one"), id="white space at ends"),
        pytest.param(console("$ seq 9", "1", "...", "9"), id="any number of lines"),
        pytest.param(console("$ seq 2", "1", "...", "2"), id="even none"),
        pytest.param(console("$ true"), id="silence"),
        pytest.param(console("$ echo no; exit 2 # exits 2", "no"), id="expected failure"),
        pytest.param(console("$ echo one \\", "    two", "one two"), id="goes on"),
        pytest.param(console("$ echo a; echo b >&2; echo c", "a", "b", "c"), id="both streams"),
        pytest.param(console("$ cat"), id="no input to wait for"),
        pytest.param("```python\nassert 1 + 1 == 2\n```\n", id="python"),
        pytest.param("```pycon\n>>> 1 + 1\n2\n```\n", id="doctest"),
        pytest.param("```yaml\n- : [\n```\n" + console("$ true"), id="yaml is not run"),
        pytest.param("````console\n$ echo '```'\n```\n````\n", id="a longer fence"),
    ],
)
def test_what_holds_passes(tmp_path: Path, readme: str) -> None:
    assert run(tmp_path, readme) == 0


@pytest.mark.parametrize(
    ("readme", "said"),
    [
        pytest.param(console("$ echo one", "two"), "-two\n+one", id="other words"),
        pytest.param(console("$ echo one; echo two", "one"), "+two", id="a line more"),
        pytest.param(console("$ echo one", "one", "two"), "-two", id="a line less"),
        pytest.param(console("$ seq 9", "1", "...", "8"), "+9", id="other end"),
        pytest.param(console("$ echo axb", "a.b"), "+axb", id="a dot is a dot"),
        pytest.param(console("$ false"), "exits with 1, not 0", id="fails"),
        pytest.param(console("$ true # exits 2"), "exits with 0, not 2", id="does not fail"),
        pytest.param(console("$ exit 3 # exits 2"), "exits with 3, not 2", id="fails otherwise"),
        pytest.param("```python\nassert 1 + 1 == 3\n```\n", "AssertionError", id="python"),
        pytest.param("```pycon\n>>> 1 + 1\n3\n```\n", "Got:", id="doctest"),
        pytest.param("```yaml\na: 1\n```\n", "nothing was tested", id="no command"),
    ],
)
def test_what_does_not_hold_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], readme: str, said: str
) -> None:
    code = run(tmp_path, readme)

    assert code == 1
    assert said in capfd.readouterr().out


@pytest.mark.parametrize(
    ("readme", "said"),
    [
        pytest.param("```console\n$ true\n", "line 1: the block is not closed", id="open"),
        pytest.param(console("one", "$ echo one"), "output stands before", id="output first"),
        pytest.param(console("one"), "output stands before", id="no command"),
        pytest.param(console("$ echo one \\"), "line 3: the command does not end", id="no end"),
    ],
)
def test_a_readme_that_cannot_be_read_is_refused(tmp_path: Path, readme: str, said: str) -> None:
    with pytest.raises(runner.ReadmeError, match=said):
        run(tmp_path, readme)


def test_one_failure_hides_no_other(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, console("$ echo one", "1", "$ echo two", "2", "$ true"))

    out = capfd.readouterr().out

    assert "+one" in out
    assert "+two" in out
    assert "3 commands run, 2 not as written" in out


def test_commands_find_the_programs_of_the_environment_first(tmp_path: Path) -> None:
    shown = Path(sys.executable).parent / "python"

    assert run(tmp_path, console("$ command -v python", str(shown))) == 0


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Make a repository with one commit, and a file that is not in it."""
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / "known").touch()
    git = ("git", "-c", "user.name=Test", "-c", "user.email=test@example.org")
    for arguments in (
        ("init", "--quiet"),
        ("add", "known"),
        ("commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message", "one"),
    ):
        subprocess.run([*git, *arguments], cwd=folder, check=True)
    (folder / "stranger").touch()
    return folder


def test_each_set_up_command_gets_a_fresh_clone(clone: Path) -> None:
    lines = ("# a comment", "test -e known && touch left", "", "test ! -e left && \\", "    true")
    readme = "\n".join(["```bash", *lines, "```"])

    assert run(clone, readme) == 0
    assert not (clone / "left").exists()


@pytest.mark.parametrize("command", ["test -e stranger", "false", "exit 3"])
def test_a_set_up_command_that_fails_is_told(clone: Path, command: str) -> None:
    assert run(clone, f"```bash\n{command}\n```\n") == 1


def test_a_clone_that_cannot_be_made_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = run(tmp_path, "```bash\ntrue\n```\n")

    assert code == 1
    assert "does not exist" in capfd.readouterr().out
