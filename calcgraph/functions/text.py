"""Rows of texts and of dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.functions import unit_rules as rules
from calcgraph.functions.spec import Example, Function

if TYPE_CHECKING:
    from collections.abc import Sequence


def _number_in_excel(args: Sequence[str]) -> str:
    """Spell a number in a text without TEXT(), whose codes depend on the country."""
    number, decimals, unit, percent = args
    shown = f"{number}*100" if percent == "TRUE" else number
    if decimals == '""':
        digits = f"5-INT(LOG10(ABS({shown})))"
        text = f'IF({shown}=ROUND({shown},0),FIXED({shown},0,TRUE),ROUND({shown},{digits})&"")'
    else:
        # Rounded by itself: ROUND sees 15 digits, FIXED the double, which may lie just below.
        text = f"FIXED(ROUND({shown},{decimals}),{decimals},TRUE)"
    tail = ('&"%"' if percent == "TRUE" else "") + ("" if unit == '""' else f"&{unit}")
    return text + tail


def _join_in_excel(args: Sequence[str]) -> str:
    """Spell a join: what may be empty brings its separator along, the first one is cut off."""
    separator, *pieces = args
    pieces = [piece for piece in pieces if piece != '""']
    if not any(piece.endswith("?}") for piece in pieces):
        return f"&{separator}&".join(pieces)
    joined = "&".join(
        f'IF({piece}="","",{separator}&{piece})' if piece.endswith("?}") else f"{separator}&{piece}"
        for piece in pieces
    )
    return f"MID({joined},LEN({separator})+1,32767)"


TEXT_ROWS = (
    Function(
        name="join",
        params=("separator", "a", "…"),
        doc="Joins texts with a separator; entries that are not applicable are left out.",
        units=rules.joined,
        python="fn.join({args})",
        array="vec.join({args})",
        excel=_join_in_excel,
        examples=(
            Example('join(" ", "a", na(), "b")', '"a b"'),
            Example('"{2.5 [GB]} of {1 [TB], 1}"', '"2.5 GB of 1.0 TB"'),
            Example(
                '"{40%, 1} {1 / 3} {6.3e24 [FLOP]} {-0.01, 1}"',
                '"0.4 0.333333 6300000000000000000000000 FLOP 0.0"',
            ),
            Example('"{0.405 -> %} and {2048 [MiB] -> GiB, 2}"', '"40.5% and 2.00 GiB"'),
        ),
        rejects=('join(" ", 1)', 'join(" ")', '"{"', '"{1 [GB] -> day}"'),
        draws=("text", "text", "text"),
        takes_na=True,
        gives_na="never",
    ),
    Function(
        name="join series",
        params=("separator", "series"),
        doc="Puts the texts of a series together; what is not applicable is left out.",
        units=rules.joined_series,
        python="ag.join({0}, {1})",
        array="vec.join_series({0}, {1})",
        # Excel 2010 has no TEXTJOIN: the exporter goes on from label to label in a column.
        excel="",
        examples=(Example('join("-", table.name, table)', '"one-two-three"'),),
        takes_na=True,
        gives_na="never",
        takes_series=True,
        singles=frozenset({0}),
        hidden=True,
    ),
    Function(
        name="concat",
        params=("a", "…"),
        doc="Puts the pieces of a text together.",
        units=rules.joined,
        python="fn.concat({args})",
        array="vec.concat({args})",
        excel="&".join,
        draws=("text", "text"),
        hidden=True,
    ),
    Function(
        name="show number",
        params=("x", "decimals", "unit", "percent"),
        doc="A number as a text shows it.",
        units=rules.to_text,
        python="fn.show_number({args})",
        array="vec.show_number({args})",
        excel=_number_in_excel,
        hidden=True,
    ),
    Function(
        name="show truth",
        params=("x",),
        doc="A truth as a text shows it.",
        units=rules.to_text,
        python="fn.show_truth({0})",
        array="vec.show_truth({0})",
        excel='IF({0},"true","false")',
        draws=("truth",),
        hidden=True,
    ),
    Function(
        name="show date",
        params=("x",),
        doc="A day as a text shows it.",
        units=rules.to_text,
        python="fn.show_date({0})",
        array="vec.show_date({0})",
        excel='YEAR({0})&"-"&RIGHT("0"&MONTH({0}),2)&"-"&RIGHT("0"&DAY({0}),2)',
        draws=("date",),
        hidden=True,
    ),
    Function(
        name="show period",
        params=("x",),
        doc="The key of a period as a text shows it.",
        units=rules.to_text,
        python="fn.show_period({0})",
        array="vec.show_period({0})",
        excel='YEAR({0})&"-"&RIGHT("0"&MONTH({0}),2)',
        draws=("date",),
        hidden=True,
    ),
    Function(
        name="or na",
        params=("x",),
        doc="A text, or `n/a` where it is not applicable.",
        units=rules.to_text,
        python="fn.or_na({0})",
        array="vec.or_na({0})",
        excel='IF({0}="","n/a",{0})',
        draws=("text",),
        takes_na=True,
        gives_na="never",
        hidden=True,
    ),
    *(
        Function(
            name=f"{mark} text",
            params=("a", "b"),
            doc="Whether two texts or truths are the same.",
            units=rules.compared(mark),
            python=f"{{0}} {mark} {{1}}",
            array="vec.equal({0}, {1})" if mark == "==" else "~vec.equal({0}, {1})",
            excel=excel,
            examples=(Example(f'"a" {mark} "A"', gives),),
            draws=("text", "text"),
            hidden=True,
        )
        for mark, excel, gives in (
            ("==", "EXACT({0},{1})", "false"),
            ("!=", "NOT(EXACT({0},{1}))", "true"),
        )
    ),
)


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
