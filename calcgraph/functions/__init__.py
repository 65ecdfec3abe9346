"""The function table: each function and operator is one row, and rows are data."""

from __future__ import annotations

from calcgraph.functions import dates, logic, lookup, maths, operators, rounding, statistics, text

ROWS = (
    *operators.ROWS,
    *logic.ROWS,
    *maths.ROWS,
    *rounding.ROWS,
    *statistics.ROWS,
    *lookup.ROWS,
    *text.ROWS,
    *dates.ROWS,
)
FUNCTIONS = {row.name: row for row in ROWS}
ALONG_DIMS = frozenset(
    {
        "cumsum",
        "duration",
        "first_where",
        "index",
        "irr",
        "lag",
        "npv",
        "pmt",
        "prev",
        "rank",
        "rolling_sum",
        "within",
    }
)
CALLABLE = ALONG_DIMS | {name for name, row in FUNCTIONS.items() if not row.hidden}
