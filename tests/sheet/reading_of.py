"""Reading a sheet from texts alone, for the tests of what it declares."""

from calcgraph.core.diagnostics import Diagnostic
from calcgraph.core.source import Source
from calcgraph.sheet.declarations import Sheet
from calcgraph.sheet.imports import Sheets, Unreadable, read_sheets


def read(text: str, **files: str) -> Sheets:
    """Read a sheet that holds no mistake; ``files`` are the sheets and CSV files beside it."""
    sheets, findings = read_all(text, **files)

    assert [finding.message for finding in findings] == []
    return sheets


def read_one(text: str, **files: str) -> Sheet:
    """Give the sheet alone."""
    return read(text, **files).sheets["sheet"]


def read_all(text: str, **files: str) -> tuple[Sheets, list[Diagnostic]]:
    """Read a sheet, with what is wrong; ``chips_csv`` is the file ``chips.csv``."""
    known = {name.replace("_csv", ".csv").replace("_yaml", ".yaml"): files[name] for name in files}

    def opened(_: str, path: str) -> tuple[str, Source] | Unreadable:
        if path not in known:
            return Unreadable("does not exist")
        return path, Source(path, known[path])

    return read_sheets("sheet", Source("sheet", f"calcgraph: 1\n{text}"), opened, opened)
