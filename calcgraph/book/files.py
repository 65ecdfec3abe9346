"""Reading sheets from the disk: sizes, encodings and paths are checked before parsing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from calcgraph.core.nearest import nearest
from calcgraph.core.source import Source
from calcgraph.sheet.imports import Unreadable

LARGEST = 64 * 1024 * 1024


class FileError(Exception):
    """A file that cannot be read; ``is_shape`` says that it was opened, but is no sheet."""

    def __init__(self, message: str, hint: str = "", *, is_shape: bool = False) -> None:
        """Say why."""
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.is_shape = is_shape


def read_source(path: Path, name: str) -> Source:
    """Read a sheet's text; raises ``FileError`` with what to tell the user."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        raise _cannot_open(path, name, error) from error
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            kind = "a directory" if stat.S_ISDIR(facts.st_mode) else "not a regular file"
            message = f"{name} is {kind}"
            raise FileError(message)
        if facts.st_size > LARGEST:
            message = f"{name} has {facts.st_size / 1024 / 1024:,.0f} MiB; the limit is 64 MiB"
            raise FileError(message, is_shape=True)
        raw = file.read(LARGEST + 1)
    return Source(name, _decoded(raw, name))


def _decoded(raw: bytes, name: str) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        message = f"{name} is UTF-16"
        raise FileError(message, "save it as UTF-8", is_shape=True)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"{name} is not UTF-8 at byte {error.start}"
        raise FileError(message, "save it as UTF-8", is_shape=True) from error
    return text.removeprefix("\ufeff")


def _cannot_open(path: Path, name: str, error: Exception) -> FileError:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        folder = path.parent
        others = sorted(item.name for item in folder.iterdir()) if folder.is_dir() else []
        found = nearest(path.name, others)
        hint = f"did you mean {(Path(name).parent / found).as_posix()}?" if found else ""
        return FileError(f"there is no file {name}", hint)
    if isinstance(error, PermissionError):
        return FileError(f"permission denied: {name}")
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return FileError(f"{name} cannot be read: {reason}")


def model_root(path: Path) -> Path:
    """Give the nearest directory above a sheet that holds ``.git``, else the sheet's own."""
    own = path.parent
    return next((folder for folder in (own, *own.parents) if (folder / ".git").exists()), own)


class Opener:
    """Opens what sheets import: regular files inside of the model's root, and nothing else."""

    def __init__(self, root: Path) -> None:
        """Stay inside of ``root``, a real path."""
        self.root = root
        self.names: dict[str, str] = {}

    def __call__(self, importer: str, path: str) -> tuple[str, Source] | Unreadable:
        """Give the real path and the text of an import, or why it is refused."""
        if "://" in path:
            return Unreadable("is not a local file", "copy the sheet beside this one")
        name = os.path.normpath(os.path.join(os.path.dirname(self.names[importer]), path))  # noqa: PTH118, PTH120
        try:
            real = Path(os.path.realpath(Path(importer).parent / path))
        except (OSError, ValueError):
            return Unreadable("is not a path")
        if not real.is_relative_to(self.root):
            return Unreadable(
                f"lies outside of the model's root, {self.shown_root()}",
                "import files below it, or say --root",
            )
        key = str(real)
        self.names.setdefault(key, name)
        try:
            return key, read_source(real, name)
        except FileError as error:
            return Unreadable(error.message.removeprefix(f"{name} "), error.hint)

    def shown_root(self) -> str:
        """Give the root as seen from here."""
        try:
            return os.path.relpath(self.root)
        except ValueError:
            return str(self.root)
