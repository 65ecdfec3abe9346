"""The function table: each function and operator is one row, and rows are data."""

from __future__ import annotations

from calcgraph.functions import (
    along,
    dates,
    finance,
    logic,
    lookup,
    maths,
    operators,
    rounding,
    statistics,
    text,
)

ROWS = (
    *operators.ROWS,
    *logic.ROWS,
    *maths.ROWS,
    *rounding.ROWS,
    *statistics.ROWS,
    *lookup.ROWS,
    *along.ROWS,
    *finance.ROWS,
    *text.ROWS,
    *dates.ROWS,
)
FUNCTIONS = {row.name: row for row in ROWS}
CALLABLE = frozenset(name for name, row in FUNCTIONS.items() if not row.hidden)
