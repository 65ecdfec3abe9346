"""The per-user cache: bytes by key; entries that others could have written are ignored."""
# Files are opened relative to a checked directory descriptor, which pathlib cannot do.
# ruff: noqa: PTH100, PTH103, PTH111, PTH117, PTH118, PTH123

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256

_LIMIT = 64 * 1024 * 1024
_DIGEST = 32
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def make_key(*parts: bytes) -> str:
    """Hash everything an entry depends on into one key; each part is prefixed with its length."""
    whole = sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big"))
        whole.update(part)
    return whole.hexdigest()


def read(key: str) -> bytes | None:
    """Return the entry of ``key``, or ``None`` if it is missing, damaged, or writable by others."""
    with suppress(OSError), _opened_folder() as folder:
        if folder is not None:
            return _intact(key, _read_own_file(key, folder))
    return None


def write(key: str, content: bytes) -> None:
    """Store ``content`` under ``key``; do nothing if there is no usable cache folder."""
    with suppress(OSError), _opened_folder(make=True) as folder:
        if folder is not None:
            _replace(key, _digest(key, content) + content, folder)


def folder_path() -> str | None:
    """Return the path of the cache folder, or ``None`` if there is no home directory."""
    named = os.environ.get("CALCGRAPH_CACHE")
    if named:
        return os.path.abspath(named)
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG specification ignores relative paths
        base = os.path.expanduser("~/.cache")
    return os.path.join(base, "calcgraph") if os.path.isabs(base) else None


@contextmanager
def _opened_folder(*, make: bool = False) -> Iterator[int | None]:
    """Open the folder itself, so that nobody can swap it between check and use."""
    path = folder_path()
    if path is None or not hasattr(
        os, "geteuid"
    ):  # without file owners to check, nothing is cached
        yield None
        return
    if make:
        os.makedirs(path, mode=0o700, exist_ok=True)
    opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield opened if _is_ours(os.fstat(opened)) else None
    finally:
        os.close(opened)


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE


def _read_own_file(key: str, folder: int) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with open(os.open(key, flags, dir_fd=folder), "rb") as file:
        status = os.fstat(file.fileno())
        sound = stat.S_ISREG(status.st_mode) and _is_ours(status) and status.st_size <= _LIMIT
        return file.read() if sound else b""


def _intact(key: str, kept: bytes) -> bytes | None:
    content = kept[_DIGEST:]
    return content if kept[:_DIGEST] == _digest(key, content) else None


def _digest(key: str, content: bytes) -> bytes:
    return sha256(key.encode() + b"\n" + content).digest()


def _replace(key: str, kept: bytes, folder: int) -> None:
    temporary = f"{key}.{os.getpid()}.{os.urandom(8).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with open(os.open(temporary, flags, 0o600, dir_fd=folder), "wb") as file:
            file.write(kept)
        os.replace(temporary, key, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
