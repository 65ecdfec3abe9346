"""What tells one evaluation from all others: a digest of the model's files and its inputs."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from typing import TYPE_CHECKING

from calcgraph.core.values import Series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Value
    from calcgraph.model import Model


class Fingerprints:
    """Makes fingerprints of many cases; what they have in common is digested once."""

    def __init__(self, model: Model) -> None:
        """Make fingerprints of a model."""
        self.model = model
        self.inputs = [cell for cell in model.cells if cell.op is None]
        self.known: dict[int, tuple[Value, bytes]] = {}

    @cached_property
    def files(self) -> hashlib._Hash:
        """The digest of the files, by relative name."""
        digest = hashlib.sha256()
        sheets = self.model.graph.sheets
        folder = os.path.dirname(sheets.root)  # noqa: PTH120 - a name, not a file
        texts = {key: sheet.source for key, sheet in sheets.sheets.items()} | sheets.data
        for key in sorted(texts):
            text = texts[key].text.replace("\r\n", "\n")
            digest.update(f"{os.path.relpath(key, folder)}\0{text}\0".encode())
        return digest

    def of(self, values: Sequence[Value]) -> str:
        """Return the SHA-256 of the files and of the inputs among values."""
        digest = self.files.copy()
        for cell in self.inputs:
            value = values[cell.number]
            seen = self.known.get(cell.number)
            if seen is None or seen[0] is not value:
                data = list(value.data) if isinstance(value, Series) else value
                seen = self.known[cell.number] = value, f"{cell.name}\0{data!r}\0".encode()
            digest.update(seen[1])
        return digest.hexdigest()
