"""Does a workbook in the way hold edits? Read with care: it may come from anywhere."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LARGEST, LARGEST_UNZIPPED, MOST_PARTS, MOST_RATIO = 50 * 2**20, 256 * 2**20, 2_000, 200
FIRST = 5


class NotOurs(Exception):
    """A file that is not a workbook of calcgraph."""


def held_edits(path: Path) -> list[str]:
    """List the inputs that differ from what was exported; raises ``NotOurs``."""
    raw = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    gate(raw)
    import openpyxl

    try:
        book = openpyxl.load_workbook(io.BytesIO(raw))
    except Exception as error:
        message = "is not a workbook that can be read"
        raise NotOurs(message) from error
    if "_Base" not in book.sheetnames or book["_Base"]["A1"].value != "_Base":
        message = "was not made by calcgraph"
        raise NotOurs(message)
    base = book["_Base"]
    edits: list[str] = []
    for row in base.iter_rows(min_row=FIRST, max_col=8, values_only=True):
        key, name, exported = row[0], row[1], row[2]
        if not isinstance(name, str) or name not in book.defined_names or row[7] is None:
            continue
        if key is not None and not _same(_input(book, name), exported):
            edits.append(str(key))
    return edits


def gate(raw: bytes) -> None:
    """Refuse what only looks like a workbook, before anything is unpacked; raises ``NotOurs``."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as book:
            parts = book.infolist()
    except zipfile.BadZipFile as error:
        message = "is not a workbook"
        raise NotOurs(message) from error
    unzipped = sum(part.file_size for part in parts)
    packed = sum(part.compress_size for part in parts) or 1
    names = [part.filename for part in parts]
    if (
        len(parts) > MOST_PARTS
        or unzipped > LARGEST_UNZIPPED
        or unzipped > MOST_RATIO * packed + 2**20
    ):
        message = "is too large, or packed too tight, to be a workbook of ours"
        raise NotOurs(message)
    if len(set(names)) < len(names) or any(name.startswith("/") or ".." in name for name in names):
        message = "is not packed as workbooks are"
        raise NotOurs(message)


def _input(book: object, name: str) -> object:
    place = book.defined_names[name].attr_text  # type: ignore[attr-defined]
    sheet, _, address = place.rpartition("!")
    sheet = sheet.strip("'").replace("''", "'")
    if "#REF" in place or sheet not in book.sheetnames:  # type: ignore[attr-defined]
        return None
    return book[sheet][address.replace("$", "")].value  # type: ignore[index]


def _same(now: object, exported: object) -> bool:
    """Whether two values are equal in 15 digits."""
    if isinstance(now, int | float) and isinstance(exported, int | float):
        return f"{now:.15g}" == f"{exported:.15g}"
    return now == exported
