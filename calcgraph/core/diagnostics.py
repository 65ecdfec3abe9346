"""Diagnostics: what is wrong in a sheet, where, and the nearest right word."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.core.source import Span


class Severity(Enum):
    """How bad a mistake is: an error keeps the sheet from running, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of mistake with a stable number; ``meaning`` is what ``calcgraph errors`` prints."""

    id: str
    title: str
    meaning: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Label:
    """A place in the source, with a short note on it."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake: what, where, and what to do about it."""

    code: Code
    message: str
    label: Label
    hint: str = ""
    others: tuple[Label, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether it keeps the sheet from running."""
        return self.code.severity is Severity.ERROR


def errors(findings: list[Diagnostic]) -> list[Diagnostic]:
    """Return the findings that keep a sheet from running."""
    return [finding for finding in findings if finding.is_error]


MAX_COMPARED, MAX_LENGTH_GAP = 300, 3


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to ``word``, or ``None`` if none is similar."""
    folded = {name.casefold(): name for name in known}
    if word.casefold() in folded:
        return folded[word.casefold()]
    found = get_close_matches(word.casefold(), _few(word.casefold(), folded), n=1, cutoff=0.6)
    return folded[found[0]] if found else None


def _few(word: str, known: dict[str, str]) -> list[str]:
    """Return the words to compare: beyond a limit, only those that begin alike."""
    if len(known) <= MAX_COMPARED:
        return list(known)
    begin = word[:1]
    alike = (
        name for name in known if name[:1] == begin and abs(len(name) - len(word)) <= MAX_LENGTH_GAP
    )
    return list(islice(alike, MAX_COMPARED))


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return a hint that names the nearest known word, or ``otherwise``."""
    found = nearest(word, known)
    return f"did you mean `{found}`?" if found else otherwise
