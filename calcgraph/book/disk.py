"""Writing files: whole, or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


class OutputError(Exception):
    """A workbook that cannot be written where it was asked for."""


def replace_file(target: Path, content: bytes) -> None:
    """Write beside the target and put it in place at once; raises ``OutputError``."""
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(target)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        reason = error.strerror or str(error)
        message = f"{target} cannot be written: {reason}"
        raise OutputError(message) from error
