"""Files that are not there, not files, not sheets, too big; and imports that lead astray."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
SHEET = "calcgraph: 1\nimports: {hw: PATH}\ncalc:\n  x: = hw.price * 2\n"
PRICES = "calcgraph: 1\ninputs: {price: 2 USD/gpu/hour}\n"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model's root with a file of somebody else's beside it."""
    root = tmp_path / "model"
    root.mkdir()
    (root / "prices.yaml").write_text(PRICES)
    (tmp_path / "secret.yaml").write_text("password: hunter2\n")
    monkeypatch.chdir(root)
    return root


def imports(model: Path, path: str) -> str:
    (model / "sheet.yaml").write_text(SHEET.replace("PATH", path))
    return "sheet.yaml"


def test_missing_sheet_exits_4_with_the_nearest(model: Path, run: Run) -> None:
    assert model.is_dir()

    ran = run("eval", "price.yaml")

    assert (ran.code, ran.out) == (4, "")
    assert "there is no file price.yaml" in ran.err
    assert "did you mean prices.yaml?" in ran.err


def test_unreadable_sheet_exits_4(model: Path, run: Run) -> None:
    (model / "prices.yaml").chmod(0)
    if os.access(model / "prices.yaml", os.R_OK):
        pytest.skip("root may read anything")

    ran = run("eval", "prices.yaml")

    assert (ran.code, ran.out) == (4, "")
    assert "permission denied: prices.yaml" in ran.err


@pytest.mark.parametrize("name", [".", "/dev/zero", "/dev/null", "fifo", "prices.yaml/x", "a\0b"])
def test_what_is_no_file_exits_4_and_never_waits(name: str, model: Path, run: Run) -> None:
    os.mkfifo(model / "fifo")

    ran = run("eval", name)

    assert (ran.code, ran.out) == (4, "")
    assert "Traceback" not in ran.err


def test_file_over_64_mib_is_refused_by_its_size(model: Path, run: Run) -> None:
    with (model / "big.yaml").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)

    ran = run("eval", "big.yaml")

    assert (ran.code, ran.out) == (3, "")
    assert "the limit is 64 MiB" in ran.err


@pytest.mark.parametrize(
    "raw",
    [
        "calcgraph: 1\ntitle: x\n".encode("utf-16"),
        "calcgraph: 1\ntitle: x\n".encode("utf-16-le"),
        "calcgraph: 1\ntitle: x\n".encode("utf-32"),
        b"calcgraph: 1\ntitle: caf\xe9\n",
        b"PK\x03\x04\x14\x00\x06\x00",
        b"\xed\xa0\x80",
        b"\x00",
    ],
    ids=ascii,
)
def test_what_is_no_text_is_no_sheet(raw: bytes, model: Path, run: Run) -> None:
    (model / "odd.yaml").write_bytes(raw)

    ran = run("eval", "odd.yaml")

    assert (ran.code, ran.out) == (3, "")
    assert "odd.yaml" in ran.err


def test_byte_order_mark_moves_no_column(model: Path, run: Run) -> None:
    text = "calcgraph: 1\ninputs: {a: 1}\ncalc: {b: = aa}\n"
    (model / "plain.yaml").write_text(text)
    (model / "marked.yaml").write_text(text, encoding="utf-8-sig")

    plain, bom = run("eval", "plain.yaml"), run("eval", "marked.yaml")

    assert bom.err.replace("marked", "plain") == plain.err


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("price.yaml", "`price.yaml` does not exist"),
        ("../secret.yaml", "lies outside of the model's root"),
        ("/etc/passwd", "lies outside of the model's root"),
        ("/dev/zero", "lies outside of the model's root"),
        ("link.yaml", "lies outside of the model's root"),
        ("door/secret.yaml", "lies outside of the model's root"),
        ("fifo", "is not a regular file"),
        ("folder", "is a directory"),
        ('"https://example.org/x.yaml"', "is not a local file"),
        ('"file:///etc/passwd"', "is not a local file"),
        ('"a\\tb"', "does not exist"),
        ("sheet.yaml", "import each other in a circle"),
        ('""', ""),
    ],
)
def test_import_that_leads_astray_is_one_finding(
    path: str, words: str, model: Path, run: Run
) -> None:
    (model / "link.yaml").symlink_to(model.parent / "secret.yaml")
    (model / "door").symlink_to(model.parent)
    (model / "folder").mkdir()
    os.mkfifo(model / "fifo")

    ran = run("eval", imports(model, path))

    assert (ran.code, ran.out) == (3, "")
    assert words in ran.err
    assert "hunter2" not in ran.err
    assert "sheet.yaml:2:" in ran.err
    if "circle" not in words:
        assert ran.err.count("error[") == 1


def test_root_lets_an_import_reach_further(model: Path, run: Run) -> None:
    (model.parent / "shared.yaml").write_text(PRICES)
    name = imports(model, "../shared.yaml")

    refused, taken = run("eval", name), run("eval", name, "--root", "..")

    assert refused.code == 3
    assert taken.code == 0


def test_root_that_is_no_directory_exits_4(model: Path, run: Run) -> None:
    ran = run("eval", imports(model, "prices.yaml"), "--root", "nowhere")

    assert (ran.code, ran.out) == (4, "")
    assert "nowhere is not a directory" in ran.err


def test_link_inside_of_the_root_is_the_same_sheet(model: Path, run: Run) -> None:
    (model / "other.yaml").symlink_to("prices.yaml")
    text = (
        "calcgraph: 1\nimports: {a: prices.yaml, b: other.yaml}\ncalc: {x: = a.price / b.price}\n"
    )
    (model / "sheet.yaml").write_text(text)

    ran = run("eval", "sheet.yaml", "--set", "b.price=5", "--show", "x", "--format", "csv")

    assert ran.code == 0
    assert ran.out.splitlines()[1].split(",")[1] == "1"


def test_imports_deeper_than_8_levels_are_refused(model: Path, run: Run) -> None:
    for level in range(12):
        text = f"calcgraph: 1\nimports: {{next: s{level + 1}.yaml}}\ninputs: {{a: 1}}\n"
        (model / f"s{level}.yaml").write_text(text)
    (model / "s12.yaml").write_text("calcgraph: 1\ninputs: {a: 1}\n")

    ran = run("eval", "s0.yaml")

    assert ran.code == 3
    assert "imports nest deeper than 8 levels" in ran.err


def test_broken_import_is_said_once_in_its_own_file(model: Path, run: Run) -> None:
    (model / "prices.yaml").write_text("calcgraph: 1\ninputs: {price: 2 USD/gpu/hours\n")

    ran = run("eval", imports(model, "prices.yaml"))

    assert ran.code == 3
    assert "prices.yaml:2:9" in ran.err
    assert ran.err.count("error[") == 1


@pytest.mark.parametrize("command", ["eval", "explain {} x", "graph"])
def test_a_sheet_from_a_pipe_is_told_to_be_saved(run: Run, command: str) -> None:
    reader, writer = os.pipe()
    names = {f"/dev/fd/{reader}": f"/dev/fd/{reader}", "-": "standard input"}
    try:
        for name, called in names.items():
            line = command.format(name) if "{}" in command else f"{command} {name}"

            ran = run(*line.split())

            assert (ran.code, ran.out) == (4, "")
            assert f"calcgraph: {called} is not a regular file but a pipe" in ran.err
            assert "hint: save it in a file" in ran.err
    finally:
        os.close(reader)
        os.close(writer)
