"""Finding an entry: keys of the least, the largest and the first, and values by thresholds."""

from __future__ import annotations

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

LOOKUP_ROWS = (
    *(
        Function(
            name=name,
            params=("series",),
            doc=f"The key at which a series is {word}; the first of equals.",
            units=rules.series_key,
            python=f"ag.position_of_{helper}({{0}}, {{1}})",
            array=f"vec.position_of_{helper}({{0}}, {{1}})",
            excel=f'IF(COUNT({{0}})=0,"",INDEX({{1}},MATCH({extreme}({{0}}),{{0}},0)))',
            examples=(Example(f"{name}(table.price)", gives),),
            rejects=(f"{name}(1)", f"{name}(table.name)"),
            takes_na=True,
            takes_series=True,
            one_dim=True,
            wants_labels=True,
        )
        for name, word, helper, extreme, gives in (
            ("argmin", "least", "least", "MIN", '"a"'),
            ("argmax", "largest", "largest", "MAX", '"c"'),
        )
    ),
    Function(
        name="first_where",
        params=("condition",),
        doc="The key of the first label at which a condition holds; not applicable if at none.",
        units=rules.first_key,
        python="ag.first_where({0}, {1})",
        array="vec.first_where({0}, {1})",
        excel='IF(COUNTIF({0},TRUE)=0,"",INDEX({1},MATCH(TRUE,{0},0)))',
        examples=(
            Example("first_where(table.used)", '"a"'),
            Example("first_where(flow > 0)", "2026-02-01"),
        ),
        rejects=("first_where(true)", "first_where(table.price)", "first_where()"),
        takes_na=True,
        gives_na="always",
        takes_series=True,
        one_dim=True,
        wants_labels=True,
    ),
    Function(
        name="lookup",
        params=("x", "thresholds", "values"),
        doc="The value at the last threshold not above x; not applicable below the first.",
        units=rules.threshold,
        python="ag.lookup({0}, {1}, {2})",
        array="vec.lookup({0}, {1}, {2})",
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
        singles=frozenset({0}),
        one_dim=True,
        gives_na="always",
    ),
)
