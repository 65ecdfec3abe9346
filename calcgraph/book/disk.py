"""Writing files: whole, or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


class OutputError(Exception):
    """A file that cannot be written where it was asked for."""


def replace_file(target: Path, content: bytes) -> None:
    """Write beside the target and put it in place at once; raises ``OutputError``."""
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=".calcgraph-", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{target} cannot be written: {reason}"
        raise OutputError(message) from error
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _mode(target: Path) -> int:
    """Return the permissions of what is replaced; for a new file those the user gives to any."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
