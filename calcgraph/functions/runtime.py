"""What the ``python`` spellings of the table call, under the names they call it by."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from calcgraph.functions import aggregates, flows, lines, scalar

if TYPE_CHECKING:
    from types import ModuleType

RUNTIME: dict[str, ModuleType] = {
    "ag": aggregates,
    "fi": flows,
    "fn": scalar,
    "ln": lines,
    "math": math,
}
