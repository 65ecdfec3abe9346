"""Charts refer to the cells whose values they show, and anybody can read or hear them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import openpyxl
import pytest
from openpyxl.utils.cell import range_boundaries

from calcgraph.book import open_book
from calcgraph.excel.xlsx.pages import axis_format, time_axis
from differential.values import Wrong
from excel.conftest import Made, Make
from excel.workbook_lint import lint, read_parts

DIMS = """
dims:
  month:   {from: 2026-01, to: 2026-04}
  region:  [us, eu]
  cluster: {grid: {gpus: [8 gpu, 16 gpu, 32 gpu]}, label: Size}
tables:
  chips: {columns: {price: USD, mass: kg}, rows: {H100: [3, 1], B200: [5, 2]}}
"""
SHEET = f"""title: Pictures
{DIMS}
inputs:
  opex[region, month]: {{unit: kUSD, values: {{us: [1, 2, 3, 4], eu: [5, 6, 7, 8]}}}}
  sites[month, region]:
    unit: 1
    values: {{2026-01: [1, 2], 2026-02: [3, 4], 2026-03: [5, 6], 2026-04: [7, 8]}}
  seen[month]: {{unit: kUSD, values: [null, 4, 9, 2], label: Seen}}
calc:
  Cash:
    cash[month]:
      formula: = prev(cash, 100 [kUSD]) - sum(opex, region) -> kUSD
      label:   Cash < "all" & more
    days[cluster]: = 96 [gpu*day] / cluster.gpus -> day
    cost[cluster]: = cluster.gpus * 2 [USD/gpu] + 1 [USD] -> USD
    share[cluster]: = cluster.gpus / 64 [gpu] -> %
    dear[chips]: = chips.price * 2 -> USD
    word[chips]: = if(dear > 8 [USD], "dear", "cheap")
charts:
"""


@dataclass(frozen=True)
class Drawn:
    """A chart as it stands in the workbook: the values its ranges hold, line by line."""

    made: Made
    xml: str
    alt: str

    @property
    def lines(self) -> dict[str, tuple[list[object], list[object]]]:
        found = {}
        for one in re.findall(r"<c:ser>.*?</c:ser>", self.xml):
            name = re.search(r"<c:tx><c:v>(.*?)</c:v>", one)[1]  # type: ignore[index]
            across, values = (self.cells(place) for place in re.findall(r"<c:f>(.*?)</c:f>", one))
            found[name] = (across, values)
        return found

    def cells(self, place: str) -> list[object]:
        sheet, _, address = place.rpartition("!")
        left, top, right, bottom = range_boundaries(address.replace("$", ""))
        page, written = sheet.strip("'"), self.made.written
        places = [
            (page, openpyxl.utils.cell.get_column_letter(column) + str(row))  # type: ignore[attr-defined]
            for row in range(top, bottom + 1)  # type: ignore[operator]
            for column in range(left, right + 1)  # type: ignore[operator]
        ]
        return [written.cached.get(place, written.values.get(place)) for place in places]

    def cached(self, tag: str) -> list[str]:
        held = re.search(rf"<c:{tag}>.*?</c:{tag}>", self.xml)[0]  # type: ignore[index]
        return re.findall(r"<c:v>(.*?)</c:v>", held)


def charts(made: Made) -> Iterator[Drawn]:
    parts = read_parts(made.raw)
    alts = re.findall(r'cNvPr [^>]*descr="([^"]*)"', parts.get("xl/drawings/drawing1.xml", ""))
    for at, alt in enumerate(alts, 1):
        yield Drawn(made, parts[f"xl/charts/chart{at}.xml"], alt)


@pytest.fixture
def draw(make: Make) -> Callable[[str], Drawn]:
    return lambda chart: next(charts(make(f"{SHEET}  - {chart}\n")))


MONTHS = [46023.0, 46054.0, 46082.0, 46113.0]  # first days of January to April 2026


@pytest.mark.parametrize(
    ("chart", "lines"),
    [
        (
            "{type: line, x: month, y: [cash]}",
            {'Cash &lt; "all" &amp; more': (MONTHS, [94, 86, 76, 64])},
        ),
        (
            "{type: line, x: month, y: [opex]}",
            {"us": (MONTHS, [1, 2, 3, 4]), "eu": (MONTHS, [5, 6, 7, 8])},
        ),
        (
            "{type: stacked, x: region, y: [sites]}",
            {
                "2026-01": (["us", "eu"], [1, 2]),
                "2026-02": (["us", "eu"], [3, 4]),
                "2026-03": (["us", "eu"], [5, 6]),
                "2026-04": (["us", "eu"], [7, 8]),
                "Total": (["us", "eu"], [16, 20]),
            },
        ),
        (
            "{type: column, x: cluster, y: [share]}",
            {"share": (["8", "16", "32"], [0.125, 0.25, 0.5])},
        ),
        ("{type: scatter, x: days, y: [cost]}", {"cost": ([12, 6, 3], [17, 33, 65])}),
        ("{type: scatter, x: cluster.gpus, y: [cost]}", {"cost": ([8, 16, 32], [17, 33, 65])}),
        ("{type: column, x: chips, y: [chips.price]}", {"price": (["H100", "B200"], [3, 5])}),
        ("{type: column, x: word, y: [chips.mass]}", {"mass": (["cheap", "dear"], [1, 2])}),
        (
            "{type: line, x: month, y: [seen, cash]}",
            {
                "Seen": (MONTHS, [Wrong("#N/A"), 4, 9, 2]),
                'Cash &lt; "all" &amp; more': (MONTHS, [94, 86, 76, 64]),
            },
        ),
    ],
)
def test_ranges_hold_what_is_shown(
    chart: str, lines: dict[str, tuple[list[object], list[object]]], draw: Callable[[str], Drawn]
) -> None:
    assert draw(chart).lines == lines


def test_what_no_range_holds_stands_on_a_page_of_its_own(make: Make) -> None:
    made = make(f"{SHEET}  - {{type: line, x: month, y: [seen]}}\n")

    first, page = next(charts(made)), made.opened["Charts"]
    place = re.findall(r"<c:f>'Charts'!\$([A-Z])\$([0-9]+)", first.xml)[1]
    shown = page[f"{place[0]}{place[1]}"].value
    assert re.fullmatch(r'=IF\(Series!\$\w+\$\d+="",NA\(\),Series!\$\w+\$\d+\)', shown)
    assert made.sheets[:2] == ["Summary", "Charts"]
    assert len(page._charts) == len(made.opened["Summary"]._charts) == 1  # type: ignore[attr-defined]


def test_four_stand_on_the_summary_and_all_on_their_page(make: Make) -> None:
    few = make(SHEET + "  - {type: line, x: month, y: [cash]}\n" * 4)
    many = make(SHEET + "  - {type: line, x: month, y: [cash]}\n" * 5)

    counts = [
        [len(made.opened[name]._charts) for name in made.sheets[:2]]  # type: ignore[attr-defined]
        for made in (few, many)
    ]
    assert "Charts" not in few.sheets
    assert counts == [[4, 0], [4, 5]]
    assert [one.id for one in many.opened["Charts"].row_breaks.brk] == [36]


def test_a_chart_says_what_it_shows_and_in_which_unit(draw: Callable[[str], Drawn]) -> None:
    drawn = draw("{type: scatter, x: days, y: [cost], title: 'Cost <&> \"time\"', log: [x, y]}")

    texts = re.findall(r"<a:t>(.*?)</a:t>", drawn.xml)
    assert texts[:4] == ['Cost &lt;&amp;&gt; "time"', "8", "16", "32"]
    assert texts[4:] == ["Days, day", "Cost, USD"]
    assert drawn.alt == (
        "Points: Cost &lt;&amp;&gt; &quot;time&quot;. Cost in USD, against Days, day."
    ).replace("Cost in", "cost in")
    assert drawn.xml.count('<c:logBase val="10"/>') == 2


def test_formats_are_its_own_and_colours_those_of_the_house(draw: Callable[[str], Drawn]) -> None:
    drawn = draw("{type: stacked, x: month, y: [opex]}")

    axes = drawn.xml.partition("</c:lineChart>")[2]
    assert re.findall(r"<c:numFmt ([^>]*)/>", axes) == [
        'formatCode="mmm yy" sourceLinked="0"',
        'formatCode="#,##0" sourceLinked="0"',
    ]
    assert drawn.xml.count('sourceLinked="0"') == drawn.xml.count("<c:numFmt") == 3
    assert re.findall(r'<c:spPr><a:solidFill><a:srgbClr val="(\w+)"', drawn.xml)[:2] == [
        "0072B2",
        "E69F00",
    ]
    assert '<c:overlap val="100"/>' in drawn.xml


def test_stacks_bear_their_totals_where_there_is_room(make: Make) -> None:
    made = make(f"{SHEET}  - {{type: stacked, x: month, y: [seen, cash]}}\n")
    first = next(charts(made))
    page = re.findall(r"<c:f>'Charts'!\$([A-Z])\$([0-9]+)", first.xml)[-1]

    total = made.opened["Charts"]["".join(page)].value
    assert first.lines["Total"][1] == [94, 90, 85, 66]
    assert total.startswith("=IF(COUNT(B")
    assert '<c:legendEntry><c:idx val="2"/><c:delete val="1"/></c:legendEntry>' in first.xml


def test_numbers_across_are_to_scale(draw: Callable[[str], Drawn]) -> None:
    to_scale = draw("{type: line, x: cluster.gpus, y: [cost]}")
    labels = draw("{type: line, x: cluster, y: [cost]}")

    assert "<c:scatterChart>" in to_scale.xml
    assert "<c:lineChart>" in labels.xml
    assert labels.cached("cat") == ["8", "16", "32"]
    assert labels.cached("val") == ["17", "33", "65"]


def test_the_bytes_are_the_same_each_time(make: Make) -> None:
    text = f"{SHEET}  - {{type: line, x: month, y: [seen]}}\n"

    assert make(text).raw == make(text).raw


def test_a_series_within_a_variant_is_charted_from_outside(sheet: Callable[..., str]) -> None:
    sheet(
        "inputs: {gpus: 1 gpu, rate: 1 USD/gpu}\ncalc: {cost: = gpus * rate -> USD}\n", "job.yaml"
    )
    sheet(
        "dims: {size: {grid: {gpus: [8 gpu, 16 gpu]}}}\n"
        "imports:\n  job: job.yaml\n"
        "  at: {sheet: job.yaml, over: size, set: {gpus: = size.gpus}}\n"
        "calc:\n  cost[size]: = at.cost -> USD\n",
        "run.yaml",
    )
    front = (
        "imports:\n  run: {sheet: run.yaml, set: {job.rate: = price}}\n"
        "inputs: {price: 5 USD/gpu}\n"
        "charts: [{type: column, x: run.size, y: [run.cost]}]\n"
    )

    drawn = next(charts(Made(open_book(sheet(front)))))

    assert drawn.lines == {"cost": (["8", "16"], [40, 80])}


@pytest.mark.parametrize(
    ("values", "percent", "shape"),
    [
        ((0.0, 1.5e-4), False, "[=0]0;0.0E+00"),
        ((0.0, 0.4), False, "[=0]0;0.00"),
        ((-3.0, 4.2), False, "0.0"),
        ((12.0, 300.0), False, "#,##0"),
        ((0.0, 1.2e6), False, '[=0]0;#,##0.0,,"M"'),
        ((1.6e7,), False, '#,##0,,"M"'),
        ((3e12, 9e12), False, '#,##0,,,,"T"'),
        ((1e16,), False, "0E+00"),
        ((0.0, 0.4), True, "0%"),
        ((0.001,), True, "[=0]0;0.0%"),
        ((), False, "[=0]0;0.0"),
    ],
)
def test_an_axis_is_short(values: tuple[float, ...], percent: bool, shape: str) -> None:  # noqa: FBT001
    assert axis_format(values, percent=percent) == shape


def test_a_long_time_axis_names_a_few_periods(make: Make) -> None:
    book = make(
        "dims:\n  m: {from: 2026-01, to: 2030-12}\n  y: {from: 2026-01, to: 2040-12, step: year}\n"
        "  d: {from: 2026-01-01, to: 2026-01-31, step: day}\ninputs: {a: 1}\n"
    ).book
    axes = [time_axis(book.model.graph.dims[name]) for name in "myd"]

    assert [(axis.step, axis.unit, axis.format) for axis in axes] == [
        (12, "months", "mmm yy"),
        (60, "months", "yyyy"),
        (7, "days", "d mmm yy"),
    ]
    columns = time_axis(book.model.graph.dims["y"], has_columns=True)
    assert (columns.kind, columns.format) == ("text", "yyyy")


FAULTS = {
    "a chart of `Cash!A1`, which is no range": ("'Cash'!$I$6:$L$6", "Cash!A1"),
    "a chart of `Kasse`, which is no sheet": ("'Cash'!$I$6:$L$6", "'Kasse'!$K$6:$N$6"),
    "which is no row": ("'Cash'!$I$6:$L$6", "'Cash'!$I$6:$L$9"),
    "the ranges of a series of a chart differ in size": ("'Cash'!$I$6:$L$6", "'Cash'!$I$6:$K$6"),
    "an axis that takes its format from cells": ('sourceLinked="0"', 'sourceLinked="1"'),
    "a picture without a text for those who cannot see it": ('descr="Lines', 'title="Lines'),
    "a chart that shows nothing": ("<c:ser>", "<c:series>"),
}


@pytest.mark.parametrize("words", FAULTS)
def test_each_fault_of_a_chart_is_found(words: str, make: Make) -> None:
    parts = dict(read_parts(make(f"{SHEET}  - {{type: line, x: month, y: [cash]}}\n").raw))
    before, after = FAULTS[words]
    places = [name for name in parts if name.startswith(("xl/charts/", "xl/drawings/drawing"))]
    broken = {name: parts[name].replace(before, after) for name in places}

    assert lint(parts) == []
    assert {**parts, **broken} != parts
    assert any(words in finding for finding in lint({**parts, **broken}))
