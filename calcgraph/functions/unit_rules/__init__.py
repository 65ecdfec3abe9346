"""Unit rules: from what is given to what is wanted and what comes out. A rule never raises."""

from calcgraph.functions.unit_rules.arithmetic import (
    added,
    divided,
    multiplied,
    raised,
    root,
    subtracted,
)
from calcgraph.functions.unit_rules.choices import (
    alike,
    blank,
    branches,
    chosen,
    compared,
    nothing,
    ordered,
    switched,
    truths,
)
from calcgraph.functions.unit_rules.likeness import constant, kept, pure, same, signed
from calcgraph.functions.unit_rules.rounding import rounding, stepped
from calcgraph.functions.unit_rules.series import (
    extreme,
    series_any,
    series_count,
    series_kept,
    series_key,
    series_pure,
    series_truth,
    threshold,
)
from calcgraph.functions.unit_rules.texts import joined, of_date, shown, to_date

__all__ = [
    "added",
    "alike",
    "blank",
    "branches",
    "chosen",
    "compared",
    "constant",
    "divided",
    "extreme",
    "joined",
    "kept",
    "multiplied",
    "nothing",
    "of_date",
    "ordered",
    "pure",
    "raised",
    "root",
    "rounding",
    "same",
    "series_any",
    "series_count",
    "series_kept",
    "series_key",
    "series_pure",
    "series_truth",
    "shown",
    "signed",
    "stepped",
    "subtracted",
    "switched",
    "threshold",
    "to_date",
    "truths",
]
