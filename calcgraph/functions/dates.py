"""Days and their parts; the time between two days is `-`."""

from __future__ import annotations

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

# Excel moves a day that the calendar lacks into the next month; here it has no value.
_CHECKED = (
    "IF(AND(YEAR(DATE({0},{1},{2}))={0},MONTH(DATE({0},{1},{2}))={1},DAY(DATE({0},{1},{2}))={2}),"
    "DATE({0},{1},{2}),NA())"
)

DATE_ROWS = (
    Function(
        name="date",
        params=("year", "month", "day"),
        doc="A day of the calendar.",
        units=rules.to_date,
        python="fn.make_date({0}, {1}, {2})",
        array="vec.make_date({0}, {1}, {2})",
        excel="DATE({0},{1},{2})",
        examples=(
            Example("date(2026, 1, 31)", "2026-01-31"),
            Example("date(2028, 2, 29) - date(2028, 2, 1)", "28 day"),
        ),
        rejects=(
            "date(2026, 2, 30)",
            "date(2026, 1)",
            "date(2026 [year], 1, 1)",
            'date("2026", 1, 1)',
        ),
    ),
    *(
        Function(
            name=name,
            params=("day",),
            doc=doc,
            units=rules.of_date,
            python=f"fn.{name}_of({{0}})",
            array=f"vec.{name}_of({{0}})",
            excel=f"{name.upper()}({{0}})",
            examples=(Example(f"{name}(date(2026, 3, 31))", gives),),
            rejects=(f"{name}(2026)", f"{name}()"),
            draws=("date",),
        )
        for name, doc, gives in (
            ("year", "The year of a day.", "2026"),
            ("month", "The month of a day, 1 to 12.", "3"),
            ("day", "The day of the month, 1 to 31.", "31"),
        )
    ),
    Function(
        name="date of numbers",
        params=("year", "month", "day"),
        doc="A day whose year, month and day are computed.",
        units=rules.to_date,
        python="fn.make_date({0}, {1}, {2})",
        array="vec.make_date({0}, {1}, {2})",
        excel=_CHECKED,
        examples=(Example("date(year(date(2026, 1, 31)), 2, 1)", "2026-02-01"),),
        hidden=True,
    ),
)
