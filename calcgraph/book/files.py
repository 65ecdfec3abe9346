"""Read files within the model's root; write files atomically."""

from __future__ import annotations

import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from calcgraph.core.diagnostics import nearest
from calcgraph.core.source import Source
from calcgraph.language.tokens import printable
from calcgraph.sheet.imports import Unreadable

LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileKind:
    """What a file should be, and what to do where it is something else, too large, or outside."""

    name: str
    instead: str
    smaller: str
    inside: str


SHEET = FileKind(
    "sheet",
    "name a sheet, such as model.yaml",
    "split it into sheets that import each other",
    "import files below it, or say --root",
)
CSV = FileKind(
    "file",
    "name a CSV file, such as prices.csv",
    "leave out what the model does not use",
    "copy the file below it, or say --root",
)


class FileError(Exception):
    """A file that cannot be read; ``is_shape`` says that it was opened, but is no sheet."""

    def __init__(self, message: str, hint: str = "", *, is_shape: bool = False) -> None:
        """Take the reason as shown to the user."""
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.is_shape = is_shape


def real_path(name: str) -> Path:
    """Follow all links; raises ``FileError`` for what can be no path."""
    try:
        return Path(os.path.realpath(name))
    except (OSError, ValueError) as error:
        message = f"{printable(name)} is not a path"
        raise FileError(message) from error


def read_source(path: Path, name: str, written: str = "", kind: FileKind = SHEET) -> Source:
    """Read a file's text; raises ``FileError`` with what to tell the user.

    ``written`` is how the user called the file, where that is not its name.
    """
    called = written or name
    try:
        if called.startswith("/dev/"):
            _refuse_odd(os.stat(called), called, kind)  # noqa: PTH116 - where it leads is no path
        _refuse_odd(path.stat(), called, kind)  # a device may do something when it is opened
        with open(path, "rb", opener=_without_waiting) as file:
            _refuse_odd(os.fstat(file.fileno()), called, kind)
            raw = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise _cannot_open(path, called, error) from error
    return Source(name, _decoded(raw, called))


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def _refuse_odd(facts: os.stat_result, called: str, kind: FileKind) -> None:
    if not stat.S_ISREG(facts.st_mode):
        what = "a directory" if stat.S_ISDIR(facts.st_mode) else "not a regular file"
        if stat.S_ISFIFO(facts.st_mode):
            raise _piped(called, kind)
        message = f"{called} is {what}"
        raise FileError(message, kind.instead)
    if facts.st_size > LARGEST:
        message = f"{called} has {facts.st_size / 1024 / 1024:,.0f} MiB; the limit is 64 MiB"
        raise FileError(message, kind.smaller, is_shape=True)


def _piped(called: str, kind: FileKind) -> FileError:
    hint = f"save it in a file: imports and messages need the place of a {kind.name}"
    return FileError(f"{called} is not a regular file but a pipe", hint)


def _decoded(raw: bytes, name: str) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        message = f"{name} is UTF-16"
        raise FileError(message, "save it as UTF-8", is_shape=True)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        message = f"{name} is not UTF-8 at byte {error.start} (line {line}, column {column})"
        raise FileError(message, "save it as UTF-8", is_shape=True) from error
    return text.removeprefix("\ufeff")


def _cannot_open(path: Path, name: str, error: Exception) -> FileError:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        if name == "-":
            return _piped("standard input", SHEET)
        found = nearest(path.name, _beside(path))
        hint = f"did you mean {(Path(name).parent / found).as_posix()}?" if found else ""
        return FileError(f"there is no file {name}", hint)
    if isinstance(error, PermissionError):
        return FileError(f"permission denied: {name}")
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return FileError(f"{name} cannot be read: {reason}")


def _beside(path: Path) -> list[str]:
    try:
        return sorted(item.name for item in path.parent.iterdir())
    except OSError:
        return []


def model_root(path: Path) -> Path:
    """Return the nearest directory above a sheet that holds ``.git``, else the sheet's own."""
    own = path.parent
    return next((folder for folder in (own, *own.parents) if (folder / ".git").exists()), own)


class Opener:
    """Opens what sheets import: regular files inside of the model's root, and nothing else."""

    def __init__(self, root: Path) -> None:
        """Stay inside of ``root``, a real path."""
        if not root.is_dir():
            message = f"{root} is not a directory"
            raise FileError(message, "pass --root with a directory above the sheet")
        self.root = root
        self.names: dict[str, str] = {}
        self.opened: dict[tuple[str, str, bool], tuple[str, Source]] = {}
        """What each file names, as it is written there, and whether as data, to what that was."""

    def __call__(self, importer: str, path: str) -> tuple[str, Source] | Unreadable:
        """Return the real path and the text of an import, or why it is refused."""
        return self._open(importer, path, SHEET)

    def data(self, importer: str, path: str) -> tuple[str, Source] | Unreadable:
        """Return the real path and the text of a CSV file, or why it is refused."""
        return self._open(importer, path, CSV)

    def _open(self, importer: str, path: str, kind: FileKind) -> tuple[str, Source] | Unreadable:
        if not path:
            return Unreadable("is no path", kind.instead)
        if "://" in path:
            return Unreadable("is not a local file", f"copy the {kind.name} beside this one")
        name = os.path.normpath(os.path.join(os.path.dirname(self.names[importer]), path))  # noqa: PTH118, PTH120
        try:
            real = Path(os.path.realpath(Path(importer).parent / path))
        except (OSError, ValueError):
            return Unreadable("is not a path")
        if not real.is_relative_to(self.root):
            return Unreadable(
                f"lies outside of the model's root, {self.shown_root()}",
                kind.inside,
            )
        key = str(real)
        self.names.setdefault(key, name)
        try:
            found = key, read_source(real, name, path, kind)
        except FileError as error:
            message = error.message.removeprefix(f"{path} ")
            if message.startswith("there is no file"):
                message = "does not exist"
            return Unreadable(message, error.hint)
        self.opened[importer, path, kind is CSV] = found
        return found

    def shown_root(self) -> str:
        """Return the root as seen from here."""
        try:
            return os.path.relpath(self.root)
        except ValueError:
            return str(self.root)


class OutputError(Exception):
    """A file that cannot be written at the given path."""


def replace_file(target: Path, content: bytes) -> None:
    """Write beside the target and put it in place at once; raises ``OutputError``."""
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=".calcgraph-", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{target} cannot be written: {reason}"
        raise OutputError(message) from error
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _mode(target: Path) -> int:
    """Return the permissions of what is replaced; for a new file those the user gives to any."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
