"""The name a user may have meant."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MANY, SLIPS = 300, 3


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Give the known word most like ``word``, or none that is like it."""
    folded = {name.casefold(): name for name in known}
    if word.casefold() in folded:
        return folded[word.casefold()]
    found = get_close_matches(word.casefold(), _few(word.casefold(), folded), n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def _few(word: str, known: dict[str, str]) -> list[str]:
    """Give the words to compare with: of very many only some that begin alike."""
    if len(known) <= MANY:
        return list(known)
    begin = word[:1]
    alike = (name for name in known if name[:1] == begin and abs(len(name) - len(word)) <= SLIPS)
    return list(islice(alike, MANY))


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Give a hint that names the nearest known word, or ``otherwise``."""
    found = nearest(word, known)
    return f"did you mean `{found}`?" if found else otherwise
