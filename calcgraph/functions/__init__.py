"""The function table: each function and operator is one row, and rows are data."""

from __future__ import annotations

from calcgraph.functions.aggregation import LOOKUP_ROWS, STATISTICS_ROWS
from calcgraph.functions.finance import FINANCE_ROWS
from calcgraph.functions.math import MATH_ROWS, ROUNDING_ROWS
from calcgraph.functions.operators import LOGIC_ROWS, OPERATOR_ROWS
from calcgraph.functions.text import DATE_ROWS, TEXT_ROWS
from calcgraph.functions.window import WINDOW_ROWS

ROWS = (
    *OPERATOR_ROWS,
    *LOGIC_ROWS,
    *MATH_ROWS,
    *ROUNDING_ROWS,
    *STATISTICS_ROWS,
    *LOOKUP_ROWS,
    *WINDOW_ROWS,
    *FINANCE_ROWS,
    *TEXT_ROWS,
    *DATE_ROWS,
)
FUNCTIONS = {row.name: row for row in ROWS}
CALLABLE = frozenset(name for name, row in FUNCTIONS.items() if not row.hidden)
