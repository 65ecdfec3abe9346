"""How a command ends: exit codes, the error that ends it early, and messages on stderr.

Apart from `common`, so that `calcgraph --version` and `--help` load nothing of the engine.
"""

from __future__ import annotations

import sys

FINE, FAILED, USAGE, WRONG_SHEET, NO_FILE, READ_BACK = 0, 1, 2, 3, 4, 5
BUG, INTERRUPTED = 70, 130


class Refused(Exception):
    """Ends a command with words on stderr and an exit code."""

    def __init__(self, text: str, code: int) -> None:
        """Carry both."""
        super().__init__(text)
        self.text = text
        self.code = code


def say(text: str) -> None:
    """Write to stderr, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()
