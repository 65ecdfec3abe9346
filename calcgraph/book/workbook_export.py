"""A book to a workbook on the disk: whole or not at all, and never over somebody's edits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from calcgraph.book.files import OutputError, replace_file
from calcgraph.core.resources import source_date
from calcgraph.engine import evaluate, recompute
from calcgraph.excel import workbook_bytes
from calcgraph.excel.existing_workbook import ForeignWorkbook, find_edits
from calcgraph.excel.sheets.builder import Request
from calcgraph.model import BASE

if TYPE_CHECKING:
    from calcgraph.book.book import Book


class UnsavedEdits(Exception):
    """A workbook in the way that holds edits nobody has pulled."""


def request_of(book: Book) -> Request:
    """Return the export request for a book.

    Of several scenarios the last one is live in the workbook; those before it are in the inputs.
    """
    settings = tuple(book.set_changes)
    earlier = [c for name in book.scenarios[:-1] for c in book.model.scenarios[name].changes]
    before = recompute(evaluate(book.evaluation.plan), (*earlier, *settings))
    day = source_date()
    sheets = book.model.graph.sheets
    return Request(
        name=book.name,
        file=Path(book.name).name,
        title=book.title,
        description=sheets.sheets[sheets.root].description,
        before=before,
        now=book.evaluation,
        scenario=book.scenarios[-1] if book.scenarios else BASE,
        settings=settings,
        fingerprint=book.fingerprint,
        exported=day.isoformat() if day else "",
    )


def export_book(
    book: Book,
    path: str | os.PathLike[str],
    *,
    as_names: bool = True,
    force: bool = False,
    follow_symlinks: bool = False,
) -> None:
    """Write a workbook atomically: an existing file is replaced in full, or left unchanged.

    Raises ``OutputError``, ``UnsavedEdits`` where edits would be lost, ``ExportError`` where Excel
    would not take the workbook.
    """
    target = Path(path)
    if target.is_symlink():
        if not follow_symlinks:
            message = f"{target} is a symbolic link; --follow-symlinks writes through it"
            raise OutputError(message)
        target = target.resolve()
    _look_before(target, force=force)
    try:
        content = workbook_bytes(request_of(book), as_names=as_names)
    except OSError as error:  # openpyxl writes pages to temporary files
        message = f"{target} cannot be written: {error.strerror or error}"
        raise OutputError(message) from error
    replace_file(target, content)


def _look_before(target: Path, *, force: bool) -> None:
    if target.is_dir():
        message = f"{target} is a directory"
        raise OutputError(message)
    if target.exists() and not target.is_file():
        message = f"{target} is not a regular file"
        raise OutputError(message)
    if not target.exists() or force:
        return
    try:
        edits = find_edits(target)
    except OSError as error:
        message = f"{target} cannot be read: {error.strerror}"
        raise OutputError(message) from error
    except ForeignWorkbook as error:
        message = f"{target} {error}; --force overwrites it"
        raise OutputError(message) from error
    if edits:
        shown = ", ".join(edits[:5]) + (" …" if len(edits) > 5 else "")  # noqa: PLR2004 - one line
        count = f"{len(edits)} edit{'' if len(edits) == 1 else 's'}"
        message = f"{target} contains {count} not yet pulled: {shown}"
        raise UnsavedEdits(message)
