"""The function table: each function and operator is one row, and rows are data."""

from __future__ import annotations

from calcgraph.functions.along import WINDOW_ROWS
from calcgraph.functions.dates import DATE_ROWS
from calcgraph.functions.finance import FINANCE_ROWS
from calcgraph.functions.logic import LOGIC_ROWS
from calcgraph.functions.lookup import LOOKUP_ROWS
from calcgraph.functions.maths import MATH_ROWS
from calcgraph.functions.operators import OPERATOR_ROWS
from calcgraph.functions.rounding import ROUNDING_ROWS
from calcgraph.functions.statistics import STATISTICS_ROWS
from calcgraph.functions.text import TEXT_ROWS

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
