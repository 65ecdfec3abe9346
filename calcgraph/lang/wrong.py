"""How a finding leaves a formula that cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calcgraph.core.diagnostic import Diagnostic


class Wrong(Exception):
    """Carries a finding out of a formula that cannot be read; never leaves this package."""

    def __init__(self, finding: Diagnostic) -> None:
        """Hold the finding."""
        super().__init__(finding.message)
        self.finding = finding
