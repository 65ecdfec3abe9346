"""What can be said of the look without eyes: formats hide no change, frames are in their places."""

import re

import pytest

from calcgraph.core.units import PER_CENT
from calcgraph.core.values import NUMBER, Kind, Type
from calcgraph.excel.xlsx.styles import (
    constant_format,
    input_format,
    kpi_format,
    number_format,
    wrapped_height,
)
from excel.conftest import Made

SHARE = Type(Kind.NUMBER, PER_CENT)


@pytest.mark.parametrize(
    ("value", "type_", "shape"),
    [
        (8.0, NUMBER, "General_)"),
        (16_000.0, NUMBER, "#,##0_)"),
        (3.99, NUMBER, "#,##0.00####_)"),
        (0.0826, NUMBER, "#,##0.0000####_)"),
        (1.5e13, NUMBER, '#,##0.00,,,," T"_)'),
        (7.06e10, NUMBER, '#,##0.00,,," B"_)'),
        (0.4, SHARE, "0.0####%_)"),
        (8e-5, NUMBER, "0.000E+00_)"),
        (None, NUMBER, "General_)"),
    ],
)
def test_an_input_shows_what_is_typed(value: float | None, type_: Type, shape: str) -> None:
    assert input_format(value, type_) == shape


@pytest.mark.parametrize(
    ("value", "type_", "shape"),
    [
        (8.0, NUMBER, "General_)"),
        (11.606, NUMBER, "#,##0.00_)"),
        (203.5, NUMBER, "#,##0.0_)"),
        (0.4279, NUMBER, "#,##0.0000_)"),
        (70_553_706_496.0, NUMBER, "#,##0_)"),
        (0.4, SHARE, "0.0%_)"),
        (0.0025, SHARE, "0.000%_)"),
        (1e24, NUMBER, "0.000E+00_)"),
    ],
)
def test_a_result_shows_about_four_digits(value: float, type_: Type, shape: str) -> None:
    assert number_format(value, type_) == shape


@pytest.mark.parametrize(
    ("value", "type_", "shape"),
    [
        (1e15, NUMBER, '#,##0,,,," T"_)'),
        (1e9, NUMBER, '#,##0,,," B"_)'),
        (1e6, NUMBER, "#,##0_)"),
        (1.0, SHARE, "0%_)"),
        (0.125, SHARE, "0.0####%_)"),
    ],
)
def test_a_bound_shows_no_needless_decimals(value: float, type_: Type, shape: str) -> None:
    assert constant_format(value, type_) == shape


def test_a_headline_number_has_its_unit(estimate: Made) -> None:
    shapes = {
        name: kpi_format(estimate.book[name], estimate.book.cell(name).type)  # type: ignore[arg-type]
        for name in ("train_time", "gpu_hours", "params", "ffn_share")
    }

    assert shapes == {
        "train_time": '#,##0.00" day"',
        "gpu_hours": '#,##0.00,," M gpu*hour"',
        "params": '#,##0.00,,," B param"',
        "ffn_share": "0.0%",
    }


def test_each_headline_has_its_tile(estimate: Made) -> None:
    page = estimate.opened["Summary"]
    tiles = [c for row in page.iter_rows() for c in row if c.style == "cg kpi label"]
    outputs = dict.fromkeys(estimate.book.model.outputs)

    assert len(tiles) == len(outputs)
    for tile, number in zip(tiles, outputs, strict=True):
        value, since = (page.cell(tile.row + down, tile.column) for down in (1, 2))
        assert tile.border.top.style == "thin"
        assert estimate.book.model.cells[number].name in value.value
        assert "cg.inputs_changed" in since.value
        assert estimate.written.cached["Summary", since.coordinate] == ""


def test_headers_stand_over_what_they_head(estimate: Made) -> None:
    for sheet in estimate.opened:
        if sheet.title in {"Summary", "Tables", "Scenarios", "_Base"}:
            continue
        rows = [row for row in range(5, sheet.max_row + 1) if sheet.cell(row, 4).value]
        for header in (cell for cell in sheet[4] if cell.value):
            cells = [sheet.cell(row, header.column) for row in rows]
            aligned = {c.alignment.horizontal for c in cells if c.value is not None}
            if aligned in ({"right"}, {"center"}):
                assert {header.alignment.horizontal} == aligned, (sheet.title, header.value)


def test_numbers_fit_their_columns(estimate: Made) -> None:
    """No ``####``: what a format shows of a number is not wider than its column."""
    checked = 0
    for sheet in estimate.opened:
        if sheet.title in {"Summary", "_Base"}:
            continue
        widths = {key: held.width for key, held in sheet.column_dimensions.items()}
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            value = estimate.written.values.get((sheet.title, cell.coordinate))
            if isinstance(value, float) and "0" in cell.number_format:
                assert len(shown(value, cell.number_format)) <= widths[cell.column_letter], (
                    sheet.title,
                    cell.coordinate,
                    value,
                    cell.number_format,
                )
                checked += 1
    assert checked > 600


def shown(value: float, shape: str) -> str:
    """Give about what Excel shows of a number."""
    if "yyyy" in shape:
        return "2026-01-31"
    if "E+" in shape:
        return "0.000E+000"
    words = "".join(re.findall(r'"([^"]*)"', shape))
    plain = re.sub(r'"[^"]*"', "", shape.partition(";")[0])
    scale = 1000 ** len(re.search(r",*(?=_|%|$)", plain)[0])  # type: ignore[index]
    decimals = len(plain.partition(".")[2].rstrip("%_),"))
    number = value * 100 if "%" in plain else value / scale
    text = f"{number:,.{decimals}f}"
    return text.rstrip("0") + words + ("% " if "%" in plain else " ")


def test_a_row_is_as_high_as_its_text() -> None:
    assert wrapped_height("short", 40, 9) == 16
    assert wrapped_height("word " * 40, 40, 9) >= 5 + 12 * 5
    assert wrapped_height("x" * 400, 40, 9) >= 5 + 12 * 9


def test_every_sheet_is_one_page_wide(estimate: Made) -> None:
    for sheet in estimate.opened:
        assert sheet.page_setup.orientation == "landscape"
        assert sheet.page_setup.fitToWidth == 1
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.sheet_view.showGridLines is False
        if sheet.title != "Summary":
            assert sheet.print_title_rows == "$1:$4"
        assert sheet.oddFooter.center.text.startswith("estimate.yaml · ")
