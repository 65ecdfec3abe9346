"""What is raised where a sheet is wrong, a value is refused, or a cell has no value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import errors

if TYPE_CHECKING:
    from calcgraph.core.diagnostics import Diagnostic
    from calcgraph.core.values import Failure


class SheetError(Exception):
    """A sheet that is wrong; ``diagnostics`` hold every mistake found."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        """Hold the findings."""
        wrong = errors(diagnostics)
        first = min(wrong, key=lambda found: (found.label.span.source.name, found.label.span.start))
        rest = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        super().__init__(f"{first.label.span.place}: {first.message}{rest}")
        self.diagnostics = diagnostics


class SettingError(SheetError):
    """A value that cannot be set, or a name that is not there."""


class CellError(ArithmeticError):
    """A cell that could not be computed; ``failure`` says in which cell it started."""

    def __init__(self, name: str, failure: Failure) -> None:
        """``name`` is the cell that was read."""
        super().__init__(f"`{name}` cannot be computed: {failure.message}")
        self.name = name
        self.failure = failure

    def __reduce__(self) -> tuple[type[CellError], tuple[str, Failure]]:
        """Rebuild from the arguments, not from the message, when pickled or copied."""
        return CellError, (self.name, self.failure)


class UnknownName(KeyError):
    """A cell or scenario that is not there; a ``KeyError`` whose text reads well."""

    def __str__(self) -> str:
        """Return the words, without the quotes of a key."""
        return str(self.args[0])
