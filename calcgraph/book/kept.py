"""A large sheet in the per-user cache: read and checked again only where something has changed.

What is kept under a sheet's name holds for one state of our own program, and for the texts of all
files that were opened. It is believed only if each of these is found again, opened in the same way.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from calcgraph import cache, resources
from calcgraph.sheet.imports import Unreadable
from calcgraph.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from calcgraph.book.files import Opener
    from calcgraph.core.diagnostic import Diagnostic
    from calcgraph.core.source import Source
    from calcgraph.plan import Plan

SMALL = 1_000
"""Cells of a sheet that is checked faster than it would be kept."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an opened sheet is kept, and the state of our own program that it is kept for."""

    key: str
    state: str


def kept_at(path: Path, root: Path, name: str, asked: Iterable[str]) -> Place | None:
    """Name an opened sheet: where it is, what it is called in messages, and what is asked of it.

    Gives none where our own sources cannot be read: nothing would tell an old state from a new one.
    """
    sources = resources.all_own_sources()
    pint = resources.installed_release("pint")
    if sources is None or pint is None:
        return None
    units = {name: text.encode() for name, text in resources.unit_texts().items()}
    facts = [VERSION, sys.version, pint, *sources, *units]
    state = cache.key_of(*map(str.encode, facts), *sources.values(), *units.values())
    parts = [str(path), str(root), name, *asked]
    key = cache.key_of(*(part.encode(errors="surrogateescape") for part in parts))
    return Place(f"sheet-{key}", state)


def find_kept(
    place: Place, source: Source, opener: Opener
) -> tuple[Plan, tuple[Diagnostic, ...]] | None:
    """Give the plan and the findings of a sheet that is still what it was; else none."""
    content = cache.read(place.key)
    if content is None:
        return None
    head, _, body = content.partition(b"\n")
    try:
        facts = json.loads(head)
    except ValueError:
        return None
    if facts["state"] != place.state or facts["text"] != _digest(source):
        return None
    for importer, path, is_data, target, digest in facts["opened"]:
        opened = (opener.data if is_data else opener)(importer, path)
        if isinstance(opened, Unreadable) or opened[0] != target or _digest(opened[1]) != digest:
            return None
    from calcgraph.plan.kept import plan_from

    return plan_from(body)


def keep(
    place: Place, source: Source, opener: Opener, plan: Plan, findings: tuple[Diagnostic, ...]
) -> None:
    """Keep a sheet that took its time to be read and checked."""
    if len(plan.model.cells) < SMALL:
        return
    from calcgraph.plan.kept import plan_bytes

    content = plan_bytes(plan, findings)
    if content is None:
        return
    opened = [(*way, target, _digest(text)) for way, (target, text) in opener.opened.items()]
    facts = {"state": place.state, "text": _digest(source), "opened": opened}
    cache.write(place.key, json.dumps(facts).encode() + b"\n" + content)


def _digest(source: Source) -> str:
    return sha256(source.text.encode(errors="surrogatepass")).hexdigest()
