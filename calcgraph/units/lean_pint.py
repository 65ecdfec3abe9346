"""pint without numpy, for the one thing that needs it at a cold start: reading definitions.

pint imports numpy where it can, which takes longer than all the rest of a first run. Here it is
imported without, and forgotten again, so that who uses quantities later gets the whole of it.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

BUILT_ON = ("pint", "flexparser", "flexcache")


@contextmanager
def lean_pint() -> Iterator[ModuleType]:
    """Give pint; one that is imported already is given as it is."""
    if "pint" in sys.modules or "numpy" in sys.modules:
        import pint

        yield pint
        return
    before = set(sys.modules)
    sys.modules["numpy"] = None  # type: ignore[assignment]  # makes `import numpy` fail
    try:
        import pint

        yield pint
    finally:
        del sys.modules["numpy"]
        for name in set(sys.modules) - before:
            if name.partition(".")[0] in BUILT_ON:
                del sys.modules[name]
