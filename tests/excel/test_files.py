"""Where workbooks are written: whole or not at all, and not through links."""

import errno
import os
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[[str], Any]


def left_over(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir() if item.name.startswith("."))


# What fails on the way leaves what was there.


@pytest.mark.parametrize("step", ["fsync", "replace", "write", "chmod"])
def test_a_failing_disk_leaves_the_old_file(
    step: str, out: Path, name: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = out.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    target = {"fsync": os, "replace": Path, "write": os, "chmod": Path}[step]
    monkeypatch.setattr(target, "fdopen" if step == "write" else step, fail)
    ran = cli(f"export {name} -o out.xlsx --set gpus=9")

    assert ran.code == 4
    assert ran.err == "calcgraph: out.xlsx cannot be written: No space left on device\n"
    assert out.read_bytes() == before
    assert left_over(out.parent) == []


def test_a_full_disk_leaves_the_old_file(out: Path, name: str) -> None:
    before = out.read_bytes()

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    cache, path = str(out.parent / "cache"), str(Path(__file__).parents[1])
    environment = os.environ | {"CALCGRAPH_CACHE": cache, "PYTHONPATH": path}
    arguments = ["export", name, "-o", out.name, "--set", "gpus=9"]
    command = [sys.executable, "-m", "excel.workbook_lint", *arguments]
    ran = subprocess.run(  # the limit is a child's own
        command,
        cwd=out.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=small,
    )

    assert ran.returncode == 4
    assert ran.stderr == "calcgraph: out.xlsx cannot be written: File too large\n"
    assert out.read_bytes() == before
    assert left_over(out.parent) == []


def test_an_interrupt_leaves_nothing(
    out: Path, name: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = out.read_bytes()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    ran = cli(f"export {name} -o out.xlsx --set gpus=9")

    assert ran.code == 130
    assert out.read_bytes() == before
    assert left_over(out.parent) == []


def test_what_is_replaced_keeps_its_permissions(out: Path, name: str, cli: Cli) -> None:
    out.chmod(0o640)

    assert cli(f"export {name} -o out.xlsx --set gpus=9").code == 0

    assert out.stat().st_mode & 0o777 == 0o640


# Where it may not go.


def test_a_symbolic_link_is_refused(name: str, cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "profile"
    target.write_text("precious", encoding="utf-8")
    (tmp_path / "out.xlsx").symlink_to(target)

    ran = cli(f"export {name} -o out.xlsx")
    forced = cli(f"export {name} -o out.xlsx --force")

    assert (ran.code, forced.code) == (4, 4)
    assert ran.err == (
        "calcgraph: out.xlsx is a symbolic link; --follow-symlinks writes through it\n"
    )
    assert target.read_text(encoding="utf-8") == "precious"
    assert (tmp_path / "out.xlsx").is_symlink()


def test_a_symbolic_link_is_followed_where_asked(name: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "out.xlsx").symlink_to(tmp_path / "target.xlsx")

    assert cli(f"export {name} -o out.xlsx --follow-symlinks").code == 0

    assert (tmp_path / "out.xlsx").is_symlink()
    assert zipfile.is_zipfile(tmp_path / "target.xlsx")


@pytest.mark.parametrize(
    ("output", "code", "words"),
    [
        ("folder.xlsx", 4, "folder.xlsx is a directory"),
        ("pipe.xlsx", 4, "pipe.xlsx is not a regular file"),
        ("nowhere/out.xlsx", 4, "nowhere/out.xlsx cannot be written: No such file or directory"),
        ("out.xls", 2, "a workbook's name ends in .xlsx, not `out.xls`"),
        ("out", 2, "a workbook's name ends in .xlsx, not `out`"),
        (".xlsx/", 2, "a workbook's name ends in .xlsx"),
    ],
)
def test_what_cannot_be_written_is_refused(
    output: str, code: int, words: str, name: str, cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "folder.xlsx").mkdir()
    os.mkfifo(tmp_path / "pipe.xlsx")
    before = sorted(tmp_path.iterdir())

    for force in ("", " --force"):
        ran = cli(f"export {name} -o {output}{force}")
        assert ran.code == code
        assert words in ran.err
        assert ran.out == ""
    assert sorted(tmp_path.iterdir()) == before
