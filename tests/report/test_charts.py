"""Charts in the terminal: each mark and bar stands where its number says."""

from collections.abc import Callable

import pytest

from calcgraph.report.text_charts import ASCII, DRAWN, HEIGHT, PlotGrid, bar_runs, plot_lines
from conftest import Cli

SHEET = """title: T
dims:
  k:    [a, b, c]
  size: {count: 10}
  far:  {count: 40}
  side: [left, right]
inputs:
  v[k]:       {unit: USD, values: [1, 2, 4], label: Costs}
  w[k]:       {unit: USD, values: [3, null, 4]}
  parts[k, side]: {unit: GB, values: {a: [1, 1], b: [2, 6], c: [0, 4]}}
  none[k]:    {unit: GB, values: [null, null, null]}
calc:
  up[size]:   = size * 3 -> 1
  wide[far]:  = 10 ^ (size_of * far) -> 1
  down[k]:    = -v -> USD
  size_of:    = 2 / 39 -> 1
  k_at[k]:    = 3 [USD] - v / 2 -> USD
charts:
"""


@pytest.fixture
def draw(sheet: Callable[..., str], cli: Cli) -> Callable[..., list[str]]:
    def drawn(chart: str, options: str = "") -> list[str]:
        ran = cli(f"eval {sheet(f'{SHEET}  - {chart}' + chr(10))} --charts {options}")
        assert (ran.code, ran.err) == (0, "")
        picture = ran.out.rstrip("\n").split("\n\n")[-1]
        return picture.split("\n")

    return drawn


def test_a_line_goes_from_corner_to_corner(draw: Callable[..., list[str]]) -> None:
    title, *rows = draw("{type: line, x: size, y: [up], title: Up}")

    grid = [row.partition("│")[2] for row in rows[:HEIGHT]]
    assert title == "Up"
    assert [row.split("│")[0].strip() for row in rows[:HEIGHT]] == [
        "27",
        *[""] * 3,
        "13.5",
        *[""] * 3,
        "0",
    ]
    assert [len(row) for row in grid] == sorted((len(row) for row in grid), reverse=True)
    assert all(row.strip(" ").strip("•") == "" and "•" in row for row in grid)
    assert rows[HEIGHT + 1].split() == ["0", "9"]
    assert rows[HEIGHT + 2].split() == ["Size"]


def test_bars_are_as_long_as_their_numbers(draw: Callable[..., list[str]]) -> None:
    title, *rows = draw("{type: column, x: k, y: [v]}")

    lengths = [row.count("█") for row in rows]
    assert title == "Costs, USD"
    assert [row.split()[0] + row.split()[-1] for row in rows] == ["a1", "b2", "c4"]
    assert lengths[1] == pytest.approx(lengths[2] / 2, abs=0.5)
    assert lengths[0] == pytest.approx(lengths[2] / 4, abs=0.5)
    assert len(rows[2]) == 76


def test_parts_of_a_stack_stand_behind_each_other(draw: Callable[..., list[str]]) -> None:
    _, *rows, legend = draw("{type: stacked, x: k, y: [parts]}")

    shares = [(row.count("█"), row.count("▒")) for row in rows]
    total = sum(shares[1])
    assert [row.split()[-1] for row in rows] == ["2", "8", "4"]
    assert shares[1] == pytest.approx((total / 4, total * 3 / 4), abs=0.5)
    assert shares[2] == pytest.approx((0, total / 2), abs=0.5)
    assert legend == "  █ left  ▒ right"


def test_columns_of_several_series_stand_below_each_other(draw: Callable[..., list[str]]) -> None:
    _, *rows, legend = draw("{type: column, x: k, y: [v, w]}")

    assert [row[:3].strip() for row in rows] == ["a", "", "b", "", "c", ""]
    assert [row.split()[-1] for row in rows] == ["1", "3", "2", "n/a", "4", "4"]
    assert legend == "  █ Costs  ▒ w"


@pytest.mark.parametrize(
    "chart",
    [
        "{type: column, x: far, y: [wide]}",
        "{type: column, x: k, y: [down]}",
        "{type: column, x: k, y: [v], log: y}",
    ],
)
def test_what_bars_cannot_show_is_drawn_as_lines(
    chart: str, draw: Callable[..., list[str]]
) -> None:
    rows = draw(chart)

    assert len(rows) == 1 + HEIGHT + 3
    assert "█" not in "".join(rows)


def test_the_middle_of_powers_of_ten_is_between_them(draw: Callable[..., list[str]]) -> None:
    rows = draw("{type: line, x: far, y: [wide], log: y}")

    assert [
        row.split("│")[0].strip() for row in rows if "│" in row if row.split("│")[0].strip()
    ] == [
        "100",
        "10",
        "1",
    ]


def test_points_are_not_joined(draw: Callable[..., list[str]]) -> None:
    rows = draw("{type: scatter, x: v, y: [w]}")

    assert sum(row.count("•") for row in rows) == 2


def test_points_bear_their_labels(draw: Callable[..., list[str]]) -> None:
    rows = draw("{type: scatter, x: k_at, y: [v], title: V}")

    named = [row.partition("│")[2].split() for row in rows if "•" in row]
    assert named == [["•", "c"], ["•", "b"], ["a", "•"]]


def test_nothing_is_said_to_be_nothing(draw: Callable[..., list[str]]) -> None:
    assert draw("{type: line, x: k, y: [none]}")[1] == "nothing to draw"


def test_each_case_has_its_picture(draw: Callable[..., list[str]]) -> None:
    rows = draw("{type: column, x: k, y: [v]}", "--set 'v[a]=8,9'")

    assert rows[0] == "Costs, USD, v[a] = 9 USD"
    assert rows[1].split()[-1] == "9"


def test_a_plain_terminal_gets_plain_characters(
    draw: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")

    line = "".join(draw("{type: line, x: size, y: [up]}"))
    bars = "".join(draw("{type: stacked, x: k, y: [parts]}"))

    assert line.isascii()
    assert bars.isascii()
    assert line.count("*") > HEIGHT


@pytest.mark.parametrize("form", ["json", "csv", "markdown"])
def test_data_has_no_pictures(form: str, sheet: Callable[..., str], cli: Cli) -> None:
    name = sheet(f"{SHEET}  - {{type: column, x: k, y: [v]}}\n")

    plain, refused = (
        cli(f"eval {name} --format {form}"),
        cli(f"eval {name} --charts --format {form}"),
    )

    assert "█" not in plain.out
    assert (refused.code, refused.out) == (2, "")
    assert f"not with --format {form}" in refused.err


def test_a_sheet_without_charts_says_so(sheet: Callable[..., str], cli: Cli) -> None:
    ran = cli(f"eval {sheet('inputs: {a: 1}')} --charts")

    assert (ran.code, ran.err) == (0, "calcgraph: the sheet has no charts\n")


@pytest.mark.parametrize("width", [40, 60, 76])
def test_no_row_is_wider_than_asked(width: int) -> None:
    points = [(float(at), float(at * at)) for at in range(30)]
    grid = PlotGrid([points], width, str, lambda value: f"{value:.0f}", joined=True)

    rows = ["".join(text for text, _ in row) for row in plot_lines(grid, ASCII)]

    assert max(map(len, rows)) == width


def test_parts_of_a_bar_add_up_to_it() -> None:
    runs = bar_runs((1.0, 0.0, 2.0), 6.0, 60, DRAWN)

    assert runs == [("█" * 10, 0), ("░" * 20, 2)]
