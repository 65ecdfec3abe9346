"""Finds edits in the workbook to be overwritten, which may be any file from anywhere."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING, Any

from calcgraph.excel.layout.defined_names import column_of
from calcgraph.excel.sheets.builder import HEAD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LARGEST, LARGEST_UNZIPPED, MOST_PARTS, MOST_RATIO = 50 * 2**20, 256 * 2**20, 2_000, 200
_DOCTYPE = re.compile(rb"<\0?!\0?D\0?O\0?C\0?T\0?Y\0?P\0?E", re.IGNORECASE)
_PLACE = re.compile(
    r"(?:'((?:[^']|'')+)'|([^'!]+))!\$([A-Z]{1,3})\$([0-9]{1,7})(?::\$?([A-Z]{1,3}).*)?"
)


class ForeignWorkbook(Exception):
    """A file that is not a workbook of calcgraph."""


def find_edits(path: Path) -> list[str]:
    """List what was edited since the export: inputs, entries of tables, scenario overrides.

    Raise ``ForeignWorkbook``, or ``OSError`` if the file cannot be read.
    """
    raw = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    check_zip(raw)
    import openpyxl

    try:
        return list(_edits(openpyxl.load_workbook(io.BytesIO(raw), read_only=True)))
    except ForeignWorkbook:
        raise
    except Exception as error:
        raise ForeignWorkbook("is not a workbook that can be read") from error


def check_zip(raw: bytes) -> None:
    """Raise ``ForeignWorkbook`` for a zip file that is not safe to parse."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as book:
            _refuse_odd_sizes(book.infolist())
            has_entities = any(_DOCTYPE.search(book.read(part)) for part in book.infolist())
    except ForeignWorkbook:
        raise
    except Exception as error:
        raise ForeignWorkbook("is not a workbook") from error
    if has_entities:
        raise ForeignWorkbook("declares entities, which no workbook of ours does")


def _refuse_odd_sizes(parts: list[zipfile.ZipInfo]) -> None:
    unzipped = sum(part.file_size for part in parts)
    packed = sum(part.compress_size for part in parts) or 1
    names = [part.filename for part in parts]
    if (
        len(parts) > MOST_PARTS
        or unzipped > LARGEST_UNZIPPED
        or unzipped > MOST_RATIO * packed + 2**20
    ):
        raise ForeignWorkbook("is too large, or packed too tight, to be a workbook of ours")
    if len(set(names)) < len(names) or any(name.startswith("/") or ".." in name for name in names):
        raise ForeignWorkbook("is not packed as workbooks are")


def _edits(book: Any) -> Iterator[str]:  # noqa: ANN401 - a workbook has no type of its own here
    """Compare each row of the hidden metadata sheet with the cell that it is a copy of."""
    cells: dict[str, dict[tuple[int, int], object]] = {}
    base = _cells(book["_Base"]) if "_Base" in book.sheetnames else {}
    if base.get((1, 1)) != "_Base":
        raise ForeignWorkbook("was not made by calcgraph")
    for row in sorted({row for row, column in base if column == 1 and row > HEAD}):
        key, name, within = (base.get((row, column)) for column in (1, 2, 12))
        is_copy = base.get((row, 8)) is not None or within is not None
        if not is_copy or not isinstance(name, str) or name not in book.defined_names:
            continue
        place = _PLACE.fullmatch(book.defined_names[name].attr_text or "")
        if place is None:
            yield f"{key} (its cell is gone)"
            continue
        sheet = (place[1] or place[2]).replace("''", "'")
        if sheet not in cells:
            cells[sheet] = _cells(book[sheet]) if sheet in book.sheetnames else {}
        offset = int(within) - 1 if isinstance(within, int | float) else 0
        left = column_of(place[3])
        down, across = divmod(offset, max(column_of(place[5] or place[3]) - left + 1, 1))
        now = cells[sheet].get((int(place[4]) + down, left + across))
        if not _same(now, base.get((row, 3))):
            yield str(key)


def _cells(sheet: Any) -> dict[tuple[int, int], object]:  # noqa: ANN401 - read-only sheets are untyped
    """Read the cells of a sheet that have a value, without filling the gaps between them."""
    from openpyxl.worksheet._reader import WorkSheetParser

    with sheet._get_source() as source:  # noqa: SLF001 - all public ways fill the gaps
        rows = WorkSheetParser(source, sheet._shared_strings).parse()  # noqa: SLF001
        return {
            (cell["row"], cell["column"]): cell["value"]
            for _, row in rows
            for cell in row
            if cell["value"] is not None
        }


def _same(now: object, exported: object) -> bool:
    """Whether two values are equal, numbers to 15 digits, an empty text being no value."""
    now, exported = (None if value == "" else value for value in (now, exported))
    if isinstance(now, bool) or isinstance(exported, bool):
        return now is exported
    if isinstance(now, int | float) and isinstance(exported, int | float):
        return f"{now:.15g}" == f"{exported:.15g}"
    return now == exported
