"""The vocabulary we ship, from the cache if the same texts were read before."""

from __future__ import annotations

import json
from functools import lru_cache

from calcgraph import cache, resources
from calcgraph.units.vocabulary import Vocabulary, vocabulary_from_json


def load_vocabulary(*, use_cache: bool = True) -> Vocabulary:
    """Read ``units/*.txt``, without pint where the cache knows what pint says about them."""
    texts = resources.unit_texts()
    key = _key(texts) if use_cache else None
    kept = _kept(key) if key else None
    if kept is not None:
        return kept
    from calcgraph.units.definitions import read_vocabulary  # with the cache, never needed

    vocabulary = read_vocabulary(texts)
    if key:
        content = json.dumps(vocabulary.to_json(), separators=(",", ":"))
        cache.write(key, content.encode("utf-8"))
    return vocabulary


@lru_cache(maxsize=1)
def shipped_vocabulary() -> Vocabulary:
    """Return the same vocabulary each time, for what needs one beside a model's own book."""
    return load_vocabulary()


def _key(texts: dict[str, str]) -> str | None:
    """Name all the answer depends on: the texts, pint's release, and our own reading of them."""
    release = resources.installed_release("pint")
    sources = resources.own_sources("units")
    if release is None or sources is None:
        return None
    named = {**{name: text.encode("utf-8") for name, text in texts.items()}, **sources}
    parts = [part for name, content in named.items() for part in (name.encode("utf-8"), content)]
    return f"units-{cache.key_of(release.encode('utf-8'), *parts)}"


def _kept(key: str) -> Vocabulary | None:
    content = cache.read(key)
    if content is None:
        return None
    try:
        return vocabulary_from_json(json.loads(content))
    except (ValueError, RecursionError):
        return None
