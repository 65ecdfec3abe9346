"""The cache may be missing, torn or someone else's: it is then as if it were not there."""

import os
from pathlib import Path

import pytest

from calcgraph.core import cache

KEY = cache.make_key(b"a test")


def test_what_was_written_is_read(cache_folder: Path) -> None:
    cache.write(KEY, b"\x00facts")

    assert cache.read(KEY) == b"\x00facts"
    assert [file.name for file in cache_folder.iterdir()] == [KEY]


def test_a_later_write_replaces(cache_folder: Path) -> None:
    cache.write(KEY, b"old")
    cache.write(KEY, b"new")

    assert cache.read(KEY) == b"new"
    assert len(list(cache_folder.iterdir())) == 1


def test_folder_and_file_are_private(cache_folder: Path) -> None:
    cache.write(KEY, b"facts")

    assert cache_folder.stat().st_mode & 0o777 == 0o700
    assert (cache_folder / KEY).stat().st_mode & 0o777 == 0o600


def test_what_was_never_written_is_missing(cache_folder: Path) -> None:
    assert cache.read(KEY) is None
    assert not cache_folder.exists()


@pytest.mark.parametrize("length", [0, 1, 31, 32, 36])
def test_a_torn_file_is_ignored(cache_folder: Path, length: int) -> None:
    cache.write(KEY, b"facts")
    file = cache_folder / KEY
    file.write_bytes(file.read_bytes()[:length])

    assert cache.read(KEY) is None


def test_one_flipped_bit_is_noticed(cache_folder: Path) -> None:
    cache.write(KEY, b"facts")
    file = cache_folder / KEY
    whole = file.read_bytes()

    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])

        assert cache.read(KEY) is None


def test_a_file_under_another_key_is_ignored(cache_folder: Path) -> None:
    cache.write(KEY, b"facts")
    other = cache.make_key(b"another")
    (cache_folder / KEY).rename(cache_folder / other)

    assert cache.read(other) is None


def test_parts_of_a_key_do_not_run_together() -> None:
    assert cache.make_key(b"ab", b"c") != cache.make_key(b"a", b"bc")


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_others_may_write_to_is_not_used(cache_folder: Path, mode: int) -> None:
    cache.write(KEY, b"facts")
    cache_folder.chmod(mode)

    cache.write(cache.make_key(b"new"), b"new")

    assert cache.read(KEY) is None
    assert len(list(cache_folder.iterdir())) == 1


def test_a_file_others_may_write_to_is_ignored(cache_folder: Path) -> None:
    cache.write(KEY, b"facts")
    (cache_folder / KEY).chmod(0o666)

    assert cache.read(KEY) is None


def test_someone_elses_folder_is_not_used(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write(KEY, b"facts")
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)

    cache.write(cache.make_key(b"new"), b"new")

    assert cache.read(KEY) is None
    assert len(list(cache_folder.iterdir())) == 1


def test_a_link_is_followed_neither_as_folder_nor_as_file(
    cache_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write(KEY, b"facts")
    (cache_folder / KEY).rename(tmp_path / "elsewhere")
    (cache_folder / KEY).symlink_to(tmp_path / "elsewhere")
    (tmp_path / "link").symlink_to(cache_folder)

    through_file = cache.read(KEY)
    monkeypatch.setenv("CALCGRAPH_CACHE", str(tmp_path / "link"))
    cache.write(cache.make_key(b"new"), b"new")

    assert through_file is None
    assert len(list(cache_folder.iterdir())) == 1


def test_neither_a_folder_nor_a_pipe_in_a_files_place_hangs_or_fails(cache_folder: Path) -> None:
    cache_folder.mkdir(mode=0o700)
    other = cache.make_key(b"pipe")
    (cache_folder / KEY).mkdir()
    os.mkfifo(cache_folder / other)

    cache.write(KEY, b"facts")

    assert cache.read(KEY) is None
    assert cache.read(other) is None
    assert {file.name for file in cache_folder.iterdir()} == {KEY, other}


def test_a_place_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CALCGRAPH_CACHE", str(tmp_path / "file" / "cache"))

    cache.write(KEY, b"facts")

    assert cache.read(KEY) is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_no_error(cache_folder: Path) -> None:
    cache_folder.mkdir(mode=0o500)

    cache.write(KEY, b"facts")

    assert cache.read(KEY) is None


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"CALCGRAPH_CACHE": "/a/b", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/a/b"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/calcgraph"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/calcgraph"),
        ({"CALCGRAPH_CACHE": "", "HOME": "/h"}, "/h/.cache/calcgraph"),
    ],
)
def test_the_place_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    for name in ("CALCGRAPH_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, text in environment.items():
        monkeypatch.setenv(name, text)

    assert cache.folder_path() == expected
