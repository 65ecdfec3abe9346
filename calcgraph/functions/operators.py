"""Rows of operators and of logic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

if TYPE_CHECKING:
    from collections.abc import Sequence


OPERATOR_ROWS = (
    Function(
        name="+",
        params=("a", "b"),
        doc="Adds two quantities of one dimension, in the unit of the first.",
        units=rules.added,
        python="{0} + {1}",
        array="{0} + {1}",
        excel="{0}+{1}",
        examples=(
            Example("2 [GB] + 500 [MB]", "2.5 GB"),
            Example("0 + 5 [USD]", "5 USD"),
            Example("date(2026, 1, 31) + 1 [day]", "2026-02-01"),
        ),
        rejects=("1 [gpu] + 1 [token]", "80 [GB] + 1", "5 [USD] + 10%", '1 + "a"', "true + 1"),
        draws=("number", "number"),
        carries=frozenset({0, 1}),
    ),
    Function(
        name="-",
        params=("a", "b"),
        doc="Subtracts; two dates give the time between them.",
        units=rules.subtracted,
        python="{0} - {1}",
        array="{0} - {1}",
        excel="{0}-{1}",
        examples=(
            Example("2 [GB] - 500 [MB]", "1.5 GB"),
            Example("date(2026, 3, 1) - date(2026, 2, 1)", "28 day"),
        ),
        rejects=("1 [day] - 1 [USD]", "5 [USD] - 1", "date(2026, 3, 1) - 1"),
        draws=("number", "number"),
        carries=frozenset({0, 1}),
    ),
    Function(
        name="*",
        params=("a", "b"),
        doc="Multiplies; units multiply too, and those alike in dimension become the first.",
        units=rules.multiplied,
        python="{0} * {1}",
        array="{0} * {1}",
        excel="{0}*{1}",
        examples=(
            Example("16 [gpu] * 2.5 [USD/gpu/hour]", "40 USD/hour"),
            Example("2 [GB/s] * 1 [min]", "120 GB"),
        ),
        rejects=('2 * "a"', "true * 2"),
        draws=("number", "number"),
        carries=frozenset({0, 1}),
    ),
    Function(
        name="/",
        params=("a", "b"),
        doc="Divides; dividing by zero is a failure that names the cell to blame.",
        units=rules.divided,
        python="{0} / {1}",
        array="{0} / {1}",
        excel="{0}/{1}",
        examples=(Example("10 [GB] / 4 [gpu]", "2.5 GB/gpu"), Example("1 [hour] / 30 [min]", "2")),
        rejects=("1 / true", '"a" / 2'),
        draws=("number", "positive"),
        carries=frozenset({0}),
    ),
    Function(
        name="^",
        params=("a", "b"),
        doc="Raises to a power; a quantity only to a constant one.",
        units=rules.raised,
        python="fn.power({0}, {1})",
        array="vec.power({0}, {1})",
        excel="{0}^{1}",
        examples=(
            Example("3 [GB] ^ 2", "9 GB^2"),
            Example("2 ^ -1", "0.5"),
            Example("2 ** 10", "1024"),
        ),
        rejects=("2 ^ 1 [day]", "1 [GB] ^ (1 / mod(3, 2))", "-2 ^ 2", "2 ^ 3 ^ 2"),
        draws=("positive", "digits"),
    ),
    Function(
        name="neg",
        params=("a",),
        doc="Changes the sign.",
        units=rules.same_unit,
        python="-{0}",
        array="-{0}",
        excel="-{0}",
        examples=(Example("-(2 [USD])", "-2 USD"),),
        rejects=("-true", '-"a"'),
        draws=("number",),
        carries=frozenset({0}),
        hidden=True,
    ),
    *(
        Function(
            name=mark,
            params=("a", "b"),
            doc=f"Whether a {words} b, seen at 15 digits as Excel does.",
            units=rules.compared(mark) if mark in {"==", "!="} else rules.ordered,
            python=python,
            array=array,
            excel="{0}" + excel + "{1}",
            examples=examples,
            rejects=rejects,
            draws=("number", "number"),
        )
        for mark, words, python, array, excel, examples, rejects in (
            (
                "==",
                "equals",
                "fn.same({0}, {1})",
                "vec.same({0}, {1})",
                "=",
                (Example("0.1 + 0.2 == 0.3", "true"), Example('"a" == "A"', "false")),
                ("1 [GB] == 1", '1 == "a"'),
            ),
            (
                "!=",
                "differs from",
                "not fn.same({0}, {1})",
                "~vec.same({0}, {1})",
                "<>",
                (Example("1 [GB] <> 1000 [MB]", "false"),),
                ("1 [GB] != 1 [day]",),
            ),
            (
                "<",
                "is below",
                "fn.less({0}, {1})",
                "vec.less({0}, {1})",
                "<",
                (Example("1 [GB] < 1 [GiB]", "true"),),
                ("1 < 2 < 3", '"a" < "b"'),
            ),
            (
                "<=",
                "is not above",
                "fn.at_most({0}, {1})",
                "vec.at_most({0}, {1})",
                "<=",
                (Example("0.1 + 0.2 <= 0.3", "true"),),
                ("1 [gpu] <= 1 [node]",),
            ),
            (
                ">",
                "is above",
                "fn.less({1}, {0})",
                "vec.less({1}, {0})",
                ">",
                (Example("0.1 + 0.2 > 0.3", "false"),),
                ("true > false",),
            ),
            (
                ">=",
                "is not below",
                "fn.at_most({1}, {0})",
                "vec.at_most({1}, {0})",
                ">=",
                (Example("2 [day] >= 48 [hour]", "true"),),
                ("1 [USD] >= 1 [EUR]",),
            ),
        )
    ),
    *(
        Function(
            name=f"{mark} day",
            params=("a", "b"),
            doc="Moves a day by a time.",
            units=rules.added if mark == "+" else rules.subtracted,
            python=f"fn.moved_date({{0}}, {mark}{{1}})",
            array=f"vec.moved_date({{0}}, {mark}{{1}})",
            excel=f"{{0}}{mark}{{1}}",
            hidden=True,
        )
        for mark in ("+", "-")
    ),
    *(
        Function(
            name=f"{mark} in check",
            params=("a", "b"),
            doc="Whether two numbers of a check agree within 1e-9 of the larger.",
            units=rules.compared(mark),
            python=python,
            array=array,
            excel=excel,
            draws=("number", "number"),
            hidden=True,
        )
        for mark, python, array, excel in (
            (
                "==",
                "fn.close({0}, {1})",
                "vec.close({0}, {1})",
                "ABS({0}-{1})<=1E-9*MAX(ABS({0}),ABS({1}))",
            ),
            (
                "!=",
                "not fn.close({0}, {1})",
                "~vec.close({0}, {1})",
                "ABS({0}-{1})>1E-9*MAX(ABS({0}),ABS({1}))",
            ),
        )
    ),
)


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
