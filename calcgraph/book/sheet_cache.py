"""A large sheet in the per-user cache: read and checked again only where something has changed.

What is kept under a sheet's name holds for one state of our own program, and for the texts of all
files that were opened. It is believed only if each of these is found again, opened in the same way.
"""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from calcgraph.core import cache, resources
from calcgraph.core.resources import VERSION
from calcgraph.sheet.imports import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from calcgraph.book.files import Opener
    from calcgraph.core.diagnostics import Diagnostic
    from calcgraph.core.source import Source
    from calcgraph.engine import Plan

SMALL = 1_000
"""Cells of a sheet that is checked faster than it would be kept."""


def kept_key(path: Path, root: Path, name: str, asked: Iterable[str]) -> str:
    """Name an opened sheet: where it is, what it is called in messages, and what is asked of it."""
    parts = (str(path), str(root), name, *asked)
    return f"sheet-{cache.make_key(*(part.encode(errors='surrogateescape') for part in parts))}"


def find_kept(
    key: str, source: Source, opener: Opener
) -> tuple[Plan, tuple[Diagnostic, ...]] | None:
    """Return the plan and the findings of a sheet that is still what it was; else none."""
    content = cache.read(key)
    if content is None:
        return None
    head, _, body = content.partition(b"\n")
    try:
        facts = json.loads(head)
    except ValueError:
        return None
    if facts["state"] != _own_state() or facts["text"] != _digest(source):
        return None
    for importer, path, is_data, target, digest in facts["opened"]:
        opened = (opener.data if is_data else opener)(importer, path)
        if isinstance(opened, Unreadable) or opened[0] != target or _digest(opened[1]) != digest:
            return None
    from calcgraph.engine.plan import plan_from

    return plan_from(body)


def keep(
    key: str, source: Source, opener: Opener, plan: Plan, findings: tuple[Diagnostic, ...]
) -> None:
    """Keep a sheet that took its time to be read and checked."""
    state = _own_state() if len(plan.model.cells) >= SMALL else None
    if state is None:
        return
    from calcgraph.engine.plan import plan_bytes

    content = plan_bytes(plan, findings)
    if content is None:
        return
    opened = [(*way, target, _digest(text)) for way, (target, text) in opener.opened.items()]
    facts = {"state": state, "text": _digest(source), "opened": opened}
    cache.write(key, json.dumps(facts).encode() + b"\n" + content)


def _digest(source: Source) -> str:
    return sha256(source.text.encode(errors="surrogatepass")).hexdigest()


@lru_cache(maxsize=1)
def _own_state() -> str | None:
    """Return a fingerprint of calcgraph, its units and its Python.

    ``None`` if our own sources cannot be read: then an old state looks like a new one.
    """
    sources = resources.all_own_sources()
    pint = resources.installed_release("pint")
    if sources is None or pint is None:
        return None
    texts = {**sources, **{name: text.encode() for name, text in resources.unit_texts().items()}}
    return cache.make_key(*map(str.encode, [VERSION, sys.version, pint, *texts]), *texts.values())
