"""Rows of statistics and lookups: many values to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

if TYPE_CHECKING:
    from calcgraph.functions.spec import UnitRule


def _aggregation(
    name: str, doc: str, units: UnitRule, python: str, example: tuple[str, str], excel: str
) -> Function:
    """Make a row for an aggregation of one series."""
    return Function(
        name=name,
        params=("series",),
        doc=doc,
        units=units,
        python=python,
        array=python.replace("ag.", "vec."),
        excel=excel,
        examples=(Example(*example),),
        rejects=(f"{name}(1)", f"{name}()"),
        takes_na=True,
        gives_na="never" if name in {"sum", "count"} else "any",
        takes_series=True,
    )


def _extreme(name: str, doc: str, helper: str, example: tuple[Example, ...]) -> Function:
    return Function(
        name=name,
        params=("a", "…"),
        doc=doc,
        units=rules.extreme,
        python=lambda args: (
            f"ag.{helper}({args[0]})" if len(args) == 1 else f"ag.{helper}_of({', '.join(args)})"
        ),
        array=f"vec.{helper}({{args}})",
        excel=lambda args: (
            f'IF(COUNT({args[0]})=0,"",{name.upper()}({args[0]}))'
            if len(args) == 1
            else f"{name.upper()}({','.join(args)})"
        ),
        examples=example,
        rejects=(f"{name}(1 [GB], 1)", f"{name}()", f'{name}("a", 1)', f"{name}(1)"),
        draws=("number", "number", "number"),
        takes_na=True,
        gives_na="all",
        takes_series=True,
    )


STATISTICS_ROWS = (
    _extreme(
        "min",
        "The smallest of several values, or of a series.",
        "least",
        (Example("min(2 [GB], 500 [MB])", "0.5 GB"), Example("min(table.price)", "2 USD")),
    ),
    _extreme(
        "max",
        "The largest of several values, or of a series.",
        "largest",
        (Example("max(0, -(3 [USD]))", "0 USD"), Example("max(table.price)", "6 USD")),
    ),
    _aggregation(
        "sum",
        "The sum of a series; 0 if it has no applicable entry.",
        rules.series_kept,
        "ag.total({0})",
        ("sum(table.price)", "12 USD"),
        "SUM({0})",
    ),
    _aggregation(
        "product",
        "Multiplies the pure numbers of a series.",
        rules.series_pure,
        "ag.product({0})",
        ("product(table.share)", "0.006"),
        'IF(COUNT({0})=0,"",PRODUCT({0}))',
    ),
    _aggregation(
        "mean",
        "The arithmetic mean of a series.",
        rules.series_kept,
        "ag.mean({0})",
        ("mean(table.price)", "4 USD"),
        'IF(COUNT({0})=0,"",AVERAGE({0}))',
    ),
    _aggregation(
        "count",
        "The number of true entries, or of applicable ones.",
        rules.series_count,
        "ag.count({0})",
        ("count(table.spare)", "2"),
        "COUNT({0})",
    ),
    _aggregation(
        "first",
        "The first applicable value of a series.",
        rules.series_any,
        "ag.first({0})",
        ("first(table.price)", "2 USD"),
        'IF(COUNTA({0})=0,"",INDEX({0},MATCH(TRUE,INDEX({0}<>"",0),0)))',
    ),
    _aggregation(
        "last",
        "The last applicable value of a series.",
        rules.series_any,
        "ag.last({0})",
        ("last(table.price)", "6 USD"),
        'IF(COUNTA({0})=0,"",LOOKUP(2,1/({0}<>""),{0}))',
    ),
    _aggregation(
        "any",
        "True if any entry of a series holds.",
        rules.series_truth,
        "ag.any_of({0})",
        ("any(table.used)", "true"),
        'IF(COUNTIF({0},TRUE)+COUNTIF({0},FALSE)=0,"",OR({0}))',
    ),
    _aggregation(
        "all",
        "True if every entry of a series holds.",
        rules.series_truth,
        "ag.all_of({0})",
        ("all(table.used)", "false"),
        'IF(COUNTIF({0},TRUE)+COUNTIF({0},FALSE)=0,"",AND({0}))',
    ),
    *(
        Function(
            name=f"count {kind}",
            params=("series",),
            doc="How many are true." if kind == "truth" else "How many are applicable.",
            units=rules.series_count,
            python="ag.count({0})",
            array="vec.count_true({0})" if kind == "truth" else "vec.count({0})",
            excel=excel,
            examples=(Example(*example),),
            takes_na=True,
            gives_na="never",
            takes_series=True,
            hidden=True,
        )
        for kind, excel, example in (
            ("truth", "COUNTIF({0},TRUE)", ("count(table.used)", "2")),
            ("text", 'SUMPRODUCT(--({0}<>""))', ("count(table.name)", "3")),
        )
    ),
)


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
