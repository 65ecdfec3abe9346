"""The mistakes that the unit check finds."""

from __future__ import annotations

from calcgraph.core.diagnostic import Code

UNIT_CLASH = Code(
    "CG403",
    "units do not fit",
    "Only like is added to or compared with like. A bare number is not a quantity: write "
    "`1 [USD]`. A percentage of a quantity is `x * (1 + 10%)`.",
)
UNIT_OF_CELL = Code(
    "CG401",
    "formula has another dimension than its cell",
    "The unit after `->` is the unit of the cell, and the formula's own units must have the same "
    "dimension. The hint says what to multiply or divide by.",
)
WRONG_ARGUMENT = Code(
    "CG405",
    "argument does not fit",
    "A function is given an argument of another type than it takes; `calcgraph functions NAME` "
    "shows examples.",
)
WRONG_COUNT = Code("CG305", "wrong number of arguments", "A function is given too many or too few.")
UNKNOWN_FUNCTION = Code(
    "CG306",
    "unknown function",
    "`calcgraph functions` lists what there is; names are Excel's where the meaning is.",
)
UNKNOWN_KEY = Code("CG307", "unknown row", "A key written out must be one of the table's rows.")
NOT_A_CONDITION = Code(
    "CG406", "check is not true or false", "An `assert` is a comparison or a truth."
)
SERIES = Code(
    "CG407",
    "one value is needed",
    "A column holds a value for each row of its table. Take one entry, or aggregate it.",
)
