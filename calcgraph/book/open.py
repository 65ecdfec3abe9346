"""Open a sheet: read, check, plan, or take the kept plan."""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import cell_path
from calcgraph.book.book import Book
from calcgraph.book.errors import SheetError
from calcgraph.book.files import Opener, model_root, read_source, real_path
from calcgraph.book.sheet_cache import find_kept, keep, kept_key
from calcgraph.core.diagnostics import errors
from calcgraph.engine import evaluate, make_plan
from calcgraph.graph import build_graph
from calcgraph.sheet.imports import read_sheets
from calcgraph.units import load_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from calcgraph.core.diagnostics import Diagnostic
    from calcgraph.core.source import Source
    from calcgraph.engine import Plan


@contextmanager
def paused_collection() -> Iterator[None]:
    """Pause the collector: it would walk all cells again and again, and find nothing to free."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def freeze_heap() -> Iterator[None]:
    """Pause the collector, and let it never look at what was built: a command ends with it."""
    with paused_collection():
        yield
        gc.freeze()


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
    from calcgraph.typecheck.typecheck import typecheck  # a sheet that was kept needs none of it

    sheets, findings = read_sheets(key, source, opener, opener.data)
    graph, more = build_graph(sheets, asked)
    findings += more
    model, more = typecheck(graph, load_vocabulary(use_cache=use_cache))
    findings += more
    if errors(findings):
        raise SheetError(findings)
    return make_plan(model), tuple(findings)
