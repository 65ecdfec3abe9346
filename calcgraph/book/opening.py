"""A file to an opened book: read, checked and computed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from calcgraph.analysis.labels import cell_path
from calcgraph.book.book import Book
from calcgraph.book.errors import SheetError
from calcgraph.book.files import Opener, model_root, read_source, real_path
from calcgraph.book.kept import find_kept, keep, kept_key
from calcgraph.book.memory import paused_collection
from calcgraph.core.diagnostic import errors
from calcgraph.evaluate import evaluate
from calcgraph.graph import build_graph
from calcgraph.plan import make_plan
from calcgraph.sheet.imports import read_sheets
from calcgraph.units import load_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.core.diagnostic import Diagnostic
    from calcgraph.core.source import Source
    from calcgraph.plan import Plan


def open_book(
    path: str | os.PathLike[str],
    root: str | None = None,
    *,
    use_cache: bool = True,
    asked: Iterable[str] = (),
) -> Book:
    """Open, check and compute a sheet.

    ``asked`` are addresses of cells in variants that are wanted though nothing reads them.
    Raises ``FileError`` where a file cannot be read, ``SheetError`` with all that is wrong.
    """
    with paused_collection():
        return _open(os.fspath(path), root, asked, use_cache=use_cache)


def _open(name: str, root: str | None, asked: Iterable[str], *, use_cache: bool) -> Book:
    real = real_path(name)
    source = read_source(real, Path(name).as_posix())
    folder = real_path(root) if root else model_root(real)
    names = dict.fromkeys(cell_path(address)[0] for address in asked)
    inner = [path for path in names if "." in path]  # the others are in no variant
    key = kept_key(real, folder, source.name, inner)
    found = find_kept(key, source, _opener(folder, real, source)) if use_cache else None
    if found is None:
        opener = _opener(folder, real, source)
        found = _checked(str(real), source, opener, inner, use_cache=use_cache)
        if use_cache:
            keep(key, source, opener, *found)
    plan, findings = found
    return Book(source.name, evaluate(plan), findings)


def _opener(root: Path, path: Path, source: Source) -> Opener:
    opener = Opener(root)
    opener.names[str(path)] = source.name
    return opener


def _checked(
    key: str, source: Source, opener: Opener, asked: Iterable[str], *, use_cache: bool
) -> tuple[Plan, tuple[Diagnostic, ...]]:
    from calcgraph.check.settle import settle  # a sheet that was kept needs none of it

    sheets, findings = read_sheets(key, source, opener, opener.data)
    graph, more = build_graph(sheets, asked)
    findings += more
    model, more = settle(graph, load_vocabulary(use_cache=use_cache))
    findings += more
    if errors(findings):
        raise SheetError(findings)
    return make_plan(model), tuple(findings)
