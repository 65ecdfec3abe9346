"""Diagnostics: what is wrong with a sheet, where, and one thing to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
