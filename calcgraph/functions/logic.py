"""Conditions, and what is not applicable or failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

if TYPE_CHECKING:
    from collections.abc import Sequence


def _nested_if(args: Sequence[str]) -> str:
    """Spell ``c, v, c, v, o`` as Excel's nested IF."""
    text = args[-1]
    for index in range(len(args) - 3, -1, -2):
        text = f"IF({args[index]},{args[index + 1]},{text})"
    return text


def _conditional(args: Sequence[str]) -> str:
    """Spell ``c, v, c, v, o`` as Python's conditional expression."""
    text = args[-1]
    for index in range(len(args) - 3, -1, -2):
        text = f"{args[index + 1]} if {args[index]} else {text}"
    return f"({text})"


LOGIC_ROWS = (
    Function(
        name="if",
        params=("condition", "then", "otherwise"),
        doc="One of two values of the same dimension; only that one is evaluated.",
        units=rules.branches,
        python=_conditional,
        array="vec.choose({args})",
        excel=_nested_if,
        examples=(
            Example("if(2 > 1, 5 [GB], 0)", "5 GB"),
            Example("if(true, 1, 1 / 0)", "1"),
            Example("if(false, 1 [GB], 500 [MB])", "0.5 GB"),
        ),
        rejects=("if(1, 2, 3)", "if(true, 1 [GB], 1 [day])", 'if(true, 1, "a")', "if(true, 1)"),
        draws=("truth", "number", "number"),
        takes_na=True,
        lazy=True,
    ),
    Function(
        name="ifs",
        params=("condition", "value", "otherwise", "…"),
        doc="The value at the first condition that holds, else the last value.",
        units=rules.branches,
        python=_conditional,
        array="vec.choose({args})",
        excel=_nested_if,
        examples=(Example('ifs(1 > 2, "a", 2 > 1, "b", "c")', '"b"'),),
        rejects=("ifs(true, 1)", "ifs(1, 2, 3)", "ifs(true, 1, false, 2)"),
        draws=("truth", "number", "truth", "number", "number"),
        takes_na=True,
        lazy=True,
    ),
    Function(
        name="switch",
        params=("x", "key", "value", "…"),
        doc="The value at the first key that equals x, else the last; not applicable if none.",
        units=rules.switched,
        python=_conditional,
        array="vec.choose({args})",
        excel=_nested_if,
        examples=(
            Example('switch("b", "a", 1, "b", 2, 3)', "2"),
            Example("isblank(switch(3, 1, 10, 2, 20))", "true"),
        ),
        rejects=('switch(1, "a", 2, 3)', 'switch("a", "a", 1 [GB], 2)'),
        draws=("whole", "whole", "number", "number"),
        takes_na=True,
        lazy=True,
        keyed=True,
    ),
    Function(
        name="and",
        params=("a", "b"),
        doc="True if both hold; the second is evaluated only if the first holds.",
        units=rules.truths,
        python="{0} and {1}",
        array="vec.both({0}, {1})",
        excel="AND({0},{1})",
        excel_stops="IF({0},{1},FALSE)",
        examples=(Example("1 < 2 and 2 < 3", "true"),),
        rejects=("1 and true",),
        draws=("truth", "truth"),
    ),
    Function(
        name="or",
        params=("a", "b"),
        doc="True if either holds; the second is evaluated only if the first does not.",
        units=rules.truths,
        python="{0} or {1}",
        array="vec.either({0}, {1})",
        excel="OR({0},{1})",
        excel_stops="IF({0},TRUE,{1})",
        examples=(Example("1 < 2 or 1 > 2", "true"),),
        rejects=('true or "a"',),
        draws=("truth", "truth"),
    ),
    Function(
        name="not",
        params=("a",),
        doc="True if the condition does not hold.",
        units=rules.truths,
        python="not {0}",
        array="vec.negated({0})",
        excel="NOT({0})",
        examples=(Example("not 1 > 2", "true"),),
        rejects=("not 1",),
        draws=("truth",),
    ),
    Function(
        name="na",
        params=(),
        doc="Not applicable: fits any unit, is not an error, and propagates to dependent cells.",
        units=rules.na,
        python="None",
        array="np.nan",
        excel='""',
        examples=(Example("isblank(na() + 1 [GB])", "true"), Example("if(false, na(), 2)", "2")),
        rejects=("na(1)",),
        takes_na=True,
        gives_na="always",
    ),
    Function(
        name="isblank",
        params=("x",),
        doc="True if x is not applicable.",
        units=rules.is_blank,
        python="fn.is_na({0})",
        array="vec.is_na({0})",
        excel='{0}=""',
        examples=(Example("isblank(na())", "true"), Example("isblank(0)", "false")),
        rejects=("isblank()",),
        draws=("number",),
        takes_na=True,
        gives_na="never",
        excel_rank=2,
    ),
    Function(
        name="iferror",
        params=("x", "otherwise"),
        doc="x, or the other value if x failed; not applicable is not a failure.",
        units=rules.alike,
        python="fn.if_error(lambda: {0}, lambda: {1})",
        array="{0}",
        excel="IFERROR({0},{1})",
        examples=(Example("iferror(1 / 0, 7)", "7"), Example("iferror(ln(0 - 1), 2)", "2")),
        rejects=("iferror(1 [GB], 1 [day])", "iferror(1)"),
        draws=("number", "number"),
        takes_na=True,
        lazy=True,
    ),
)
