"""calcgraph: models that read like equations, with units checked, every number explained.

>>> import calcgraph as cg
>>> book = cg.open("sheets/llama70b.yaml")
>>> book.set(gpus=512).text("train_time")
'362.7 day'
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes longer than all else that happens here
if TYPE_CHECKING:
    from typing import Any

    import pint

    from calcgraph.analysis.explain import Explanation
    from calcgraph.analysis.results import CheckResult, FigureResult
    from calcgraph.book import Book, CellError, FileError, SettingError, SheetError
    from calcgraph.book import open_book as open  # noqa: A004 - `cg.open` reads best
    from calcgraph.core.diagnostics import Diagnostic
    from calcgraph.core.resources import VERSION as __version__  # noqa: N811 - the usual name

    ureg: pint.UnitRegistry[float]

_PLACES = {
    "open": ("calcgraph.book", "open_book"),
    "Book": ("calcgraph.book", "Book"),
    "SheetError": ("calcgraph.book", "SheetError"),
    "SettingError": ("calcgraph.book", "SettingError"),
    "CellError": ("calcgraph.book", "CellError"),
    "FileError": ("calcgraph.book", "FileError"),
    "Diagnostic": ("calcgraph.core.diagnostics", "Diagnostic"),
    "Explanation": ("calcgraph.analysis.explain", "Explanation"),
    "CheckResult": ("calcgraph.analysis.results", "CheckResult"),
    "FigureResult": ("calcgraph.analysis.results", "FigureResult"),
    "__version__": ("calcgraph.core.resources", "VERSION"),
}

__all__ = [
    "Book",
    "CellError",
    "CheckResult",
    "Diagnostic",
    "Explanation",
    "FigureResult",
    "FileError",
    "SettingError",
    "SheetError",
    "__version__",
    "open",
    "ureg",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - each name has a type of its own, above
    """Load a public name at its first use, so that importing the package costs nothing."""
    import importlib

    if name == "ureg":
        return importlib.import_module("calcgraph.units").float_registry()
    if name not in _PLACES:
        message = f"module 'calcgraph' has no attribute {name!r}"
        raise AttributeError(message)
    module, attribute = _PLACES[name]
    return getattr(importlib.import_module(module), attribute)
