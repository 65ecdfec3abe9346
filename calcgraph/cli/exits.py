"""How a command ends: exit codes, the error that ends it early, and messages on stderr.

Apart from `common`, so that `calcgraph --version` and `--help` load nothing of the engine.
"""

from __future__ import annotations

import sys

FINE, FAILED, USAGE, WRONG_SHEET, NO_FILE, READ_BACK = 0, 1, 2, 3, 4, 5
BUG, INTERRUPTED = 70, 130


class CommandError(Exception):
    """Ends a command with an exit code, and a message if the findings do not explain it."""

    def __init__(self, code: int, message: str = "", hint: str = "") -> None:
        """Print ``message`` after ``calcgraph:``, and ``hint`` below it."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


def print_stderr(text: str) -> None:
    """Write to stderr, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()


def print_error(message: str, hint: str = "") -> None:
    """Write a message of the command itself to stderr, with a hint below it."""
    print_stderr(f"calcgraph: {message}\n")
    if hint:
        from calcgraph.report.diagnostic_text import hint_line

        print_stderr(f"{hint_line(hint)}\n")
