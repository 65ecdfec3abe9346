"""Where the shipped units and sheets lie, in a checkout or in a wheel; the version."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date


# No pathlib: importing it takes a sixth of Python's own start-up time.
# ruff: noqa: PTH100, PTH112, PTH118, PTH120, PTH122, PTH123, PTH208


_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_BUNDLED = os.path.join(_PACKAGE, "_bundled")


def folder(name: str) -> str:
    """Return the path of ``units`` or ``sheets``: inside the package in a wheel, else beside it."""
    bundled = os.path.join(_BUNDLED, name)
    return bundled if os.path.isdir(bundled) else os.path.join(os.path.dirname(_PACKAGE), name)


def source_date() -> date | None:
    """Return the day that SOURCE_DATE_EPOCH names, for output that is the same on every run."""
    from datetime import UTC, datetime

    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), tz=UTC).date() if epoch.isdecimal() else None


def unit_texts() -> dict[str, str]:
    """Read ``units/*.txt`` into a dict from file names, in alphabetical order, to texts.

    Raises ``OSError`` if calcgraph is installed without them.
    """
    home = folder("units")
    names = sorted(name for name in os.listdir(home) if name.endswith(".txt"))
    return {name: _read(os.path.join(home, name)).decode("utf-8") for name in names}


def sheet_paths() -> dict[str, str]:
    """Map the names of the shipped sheets, such as ``catalog/models``, to paths, sorted by name."""
    home = folder("sheets")
    found = {}
    for inside, _, files in os.walk(home):
        for file in files:
            stem, ending = os.path.splitext(file)
            if ending == ".yaml":
                name = os.path.relpath(os.path.join(inside, stem), home).replace(os.sep, "/")
                found[name] = os.path.join(inside, file)
    return dict(sorted(found.items()))


def own_sources(package: str) -> dict[str, bytes] | None:
    """Read the sources of one of our packages; ``None`` if only compiled files are installed.

    They are part of cache keys: a cached result is valid only while the code stays the same.
    """
    home = os.path.join(_PACKAGE, package)
    try:
        names = sorted(name for name in os.listdir(home) if name.endswith(".py"))
        return {name: _read(os.path.join(home, name)) for name in names} or None
    except OSError:
        return None


def all_own_sources() -> dict[str, bytes] | None:
    """Read all our sources by path; ``None`` if only compiled files are installed."""
    found = {}
    for inside, folders, files in os.walk(_PACKAGE):
        folders[:] = sorted(name for name in folders if not name.startswith("_"))
        for name in sorted(files):
            if name.endswith(".py"):
                path = os.path.join(inside, name)
                found[os.path.relpath(path, _PACKAGE)] = _read(path)
    return found or None


def installed_release(library: str) -> str | None:
    """Return the release of a library that would be imported, as its metadata folder is named.

    Importing it, or reading its metadata, would take as long as Python's own start-up.
    """
    spec = PathFinder.find_spec(library)
    if spec is None or spec.origin is None:
        return None
    try:
        beside = os.listdir(os.path.dirname(os.path.dirname(spec.origin)))
    except OSError:
        return None
    releases = sorted(
        name
        for name in beside
        if name.casefold().startswith(f"{library}-") and name.endswith((".dist-info", ".egg-info"))
    )
    return releases[0] if len(releases) == 1 else None


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


VERSION = "0.1.0"
