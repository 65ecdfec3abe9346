"""Python's collector of garbage, held back while much is built and little thrown away."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def paused_collection() -> Iterator[None]:
    """Pause the collector: it would walk all cells again and again, and find nothing to free."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def kept_to_the_end() -> Iterator[None]:
    """Pause the collector, and let it never look at what was built: a command ends with it."""
    with paused_collection():
        yield
        gc.freeze()
