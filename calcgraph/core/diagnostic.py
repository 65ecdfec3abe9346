"""What is wrong with a sheet, said once, with the place and one thing to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calcgraph.core.source import Span


class Severity(Enum):
    """An error stops the sheet; a warning does not."""

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
    """A place, and a few words on what is there."""

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
        """Whether the sheet must not run."""
        return self.code.severity is Severity.ERROR


def errors(findings: list[Diagnostic]) -> list[Diagnostic]:
    """Keep what stops a sheet."""
    return [finding for finding in findings if finding.is_error]
