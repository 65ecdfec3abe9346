"""Functions along one dim: running sums, neighbours, ranks, balances and positions.

Excel's spellings take the ranges of a line, and last the position of a label in it, from 1.
"""

from __future__ import annotations

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

WINDOW_ROWS = (
    Function(
        name="prev",
        params=("x", "initial"),
        doc="The value at the previous label; at the first label, the initial value.",
        units=rules.neighbour,
        python="",
        excel="",
        examples=(
            Example("last(prev(flow, 0))", "10 USD"),
            Example("first(prev(flow, 7 [USD]))", "7 USD"),
        ),
        rejects=("prev(1 [USD], 1 [day])", "prev(1)", 'prev(1, "a")'),
        takes_na=True,
        of_dims=True,
    ),
    Function(
        name="lag",
        params=("x", "n", "outside"),
        doc="The value n labels earlier, or later if negative; a third value beyond the ends.",
        units=rules.lagged,
        python="ln.lag({0}, {1}, {2})",
        array="vec.lag({0}, {1}, {2})",
        excel=(
            'IF(INDEX({1},{3})="","",IF(OR({3}-INDEX({1},{3})<1,'
            "{3}-INDEX({1},{3})>ROWS({0})*COLUMNS({0})),"
            "INDEX({2},{3}),INDEX({0},{3}-INDEX({1},{3}))))"
        ),
        examples=(
            Example("last(lag(flow, 5, 0))", "-100 USD"),
            Example("sum(lag(flow, -1, 0))", "150 USD"),
        ),
        rejects=("lag(1 [USD], 1, 1 [day])", "lag(1, 1 [day], 0)", "lag(1, 1)"),
        takes_na=True,
        along=True,
        failure_reach="window",
    ),
    Function(
        name="cumsum",
        params=("x",),
        doc="The sum of all labels up to this one.",
        units=rules.same_unit,
        python="ln.cumsum({0})",
        array="vec.cumsum({0})",
        excel='IF(INDEX({0},{1})="","",SUM(INDEX({0},1):INDEX({0},{1})))',
        examples=(Example("last(cumsum(flow))", "50 USD"),),
        rejects=("cumsum(1)", 'cumsum("a")', "cumsum()"),
        takes_na=True,
        along=True,
        failure_reach="onward",
    ),
    Function(
        name="rolling_sum",
        params=("x", "n"),
        doc="The sum of the last n labels including this one; at the start, of fewer.",
        units=rules.windowed,
        python="ln.rolling_sum({0}, {1})",
        array="vec.rolling_sum({0}, {1})",
        excel=(
            'IF(INDEX({1},{2})="","",SUM(INDEX({0},MAX(1,{2}-INDEX({1},{2})+1)):INDEX({0},{2})))'
        ),
        examples=(
            Example("last(rolling_sum(flow, 2))", "120 USD"),
            Example("first(rolling_sum(flow, 3))", "-100 USD"),
        ),
        rejects=("rolling_sum(1 [USD], 2 [day])", "rolling_sum(true, 2)", "rolling_sum(1)"),
        takes_na=True,
        along=True,
        failure_reach="window",
    ),
    Function(
        name="rank",
        params=("x", "tie?", "…"),
        doc="The rank, 1 for the smallest; values equal at 12 digits go by ties, then by order.",
        units=rules.ranked,
        python="ln.rank({args})",
        array="vec.rank({args})",
        # Ties are columns of a workbook: the exporter writes them out one by one.
        excel=lambda args: f'1+COUNTIF({args[0]},"<"&INDEX({args[0]},{args[-1]}))',
        examples=(Example("last(rank(flow))", "6"), Example("max(rank(table.share))", "3")),
        rejects=("rank(1)", "rank(true)", 'rank("a")', "rank()"),
        takes_na=True,
        along=True,
        failure_reach="line",
    ),
    Function(
        name="stock",
        params=("opening", "inflow", "outflow?"),
        doc="The closing balance: the opening balance plus inflows less outflows, label by label.",
        units=rules.roll_forward,
        python="ln.stock({args})",
        array="vec.stock({args})",
        excel=lambda args: "".join(
            (
                f"INDEX({args[0]},1)+SUM(INDEX({args[1]},1):INDEX({args[1]},{args[-1]}))",
                *(f"-SUM(INDEX({out},1):INDEX({out},{args[-1]}))" for out in args[2:-1]),
            )
        ),
        examples=(
            Example("last(stock(100 [USD], flow))", "150 USD"),
            Example("first(stock(100 [USD], flow, 25 [USD]))", "-25 USD"),
        ),
        rejects=("stock(1 [USD], 1 [day])", "stock(1)", "stock(true, 1)"),
        takes_na=True,
        along=True,
        failure_reach="onward",
        reads_first=frozenset({0}),
    ),
    Function(
        name="index",
        params=("dim",),
        doc="The position of a label, from 0.",
        units=rules.position,
        python="",
        excel="",
        examples=(Example("max(index(month))", "5"),),
        rejects=("index(1)", "index()"),
        of_dims=True,
    ),
    Function(
        name="duration",
        params=("dim",),
        doc="The length of each period of a time axis.",
        units=rules.length,
        python="",
        excel="",
        examples=(Example("sum(duration(month))", "181 day"),),
        rejects=("duration(table)", "duration(1 [day])", "duration()"),
        of_dims=True,
    ),
    Function(
        name="within",
        params=("dim", "longer dim"),
        doc="True if a period begins within a longer one.",
        units=rules.inside,
        python="",
        excel="",
        examples=(Example("count(within(month, quarter))", "6"),),
        rejects=("within(month, table)", "within(month)"),
        of_dims=True,
    ),
)
