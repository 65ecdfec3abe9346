"""Finding an entry: keys of the least and largest, and values by thresholds."""

from __future__ import annotations

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

ROWS = (
    *(
        Function(
            name=name,
            params=("series",),
            doc=f"The key at which a series is {word}; the first of equals.",
            units=rules.series_key,
            python=f"ag.position_of_{helper}({{0}}, {{1}})",
            excel=f'IF(COUNT({{0}})=0,"",INDEX({{1}},MATCH({extreme}({{0}}),{{0}},0)))',
            examples=(Example(f"{name}(table.price)", gives),),
            rejects=(f"{name}(1)", f"{name}(table.name)"),
            takes_na=True,
            takes_series=True,
            wants_labels=True,
        )
        for name, word, helper, extreme, gives in (
            ("argmin", "least", "least", "MIN", '"a"'),
            ("argmax", "largest", "largest", "MAX", '"c"'),
        )
    ),
    Function(
        name="lookup",
        params=("x", "thresholds", "values"),
        doc="The value at the last threshold not above x; not applicable below the first.",
        units=rules.threshold,
        python="ag.lookup({0}, {1}, {2})",
        excel=(
            'IF({0}<INDEX({1},1),"",IF(INDEX({2},MATCH({0},{1},1))="","",'
            "INDEX({2},MATCH({0},{1},1))))"
        ),
        examples=(
            Example("lookup(5 [USD], table.price, table.name)", '"two"'),
            Example("isblank(lookup(1 [USD], table.price, table.name))", "true"),
        ),
        rejects=("lookup(1, table.price, table.name)", "lookup(1 [USD], 2 [USD], 3)"),
        takes_series=True,
        gives_na="always",
    ),
)
