"""Dims as declared, and cells that name them."""

import pytest

from calcgraph.sheet.declarations import DimDecl
from calcgraph.sheet.yaml_reader import YamlScalar
from sheet.reading_of import read_all, read_one


def texts(*scalars: YamlScalar | None) -> list[str]:
    return [scalar.text.text if scalar else "" for scalar in scalars]


def dim(text: str) -> DimDecl:
    (found,) = read_one(f"dims:\n  month: {text}\n").dims
    return found


def test_labels_are_texts_whatever_they_look_like() -> None:
    found = dim("[NO, on, 2026-01, 017, 1e3, null, 'us, east', 8]")

    assert found.kind == "labels"
    assert texts(*found.labels) == ["NO", "on", "2026-01", "017", "1e3", "null", "us, east", "8"]


def test_a_count_a_time_axis_and_a_like() -> None:
    count, time, quarters = (
        dim("{count: 64}"),
        dim("{from: 2026-01, to: 2028-12}"),
        dim("{from: 2026-01, to: 2026-10, step: quarter}"),
    )
    like = dim("{like: hw.period}")

    assert (count.kind, texts(count.count)) == ("count", ["64"])
    assert (time.kind, texts(time.start, time.end), time.step) == (
        "time",
        ["2026-01", "2028-12"],
        None,
    )
    assert (quarters.kind, texts(quarters.step)) == ("time", ["quarter"])
    assert (like.kind, texts(like.like)) == ("like", ["hw.period"])


def test_a_grid_has_columns_and_a_condition() -> None:
    found = dim("{grid: {tp: [1, 2], mbs: [1 seq, 2 seq]}, where: = tp * 2 <= 4, note: small}")

    assert found.kind == "grid"
    assert [(column.name, texts(*column.values)) for column in found.columns] == [
        ("tp", ["1", "2"]),
        ("mbs", ["1 seq", "2 seq"]),
    ]
    assert found.where is not None
    assert found.where.text.strip() == "tp * 2 <= 4"
    assert found.about.note == "small"


def test_a_broken_dim_is_left_out_and_its_name_is_not_called_unknown() -> None:
    sheets, found = read_all("dims:\n  month: {from: 2026-01}\n  region: [us, e*]\n")

    assert len(found) == 2
    assert sheets.sheets["sheet"].dims == ()
    assert {"month", "region"} <= sheets.sheets["sheet"].lost


@pytest.mark.parametrize("section", ["inputs", "calc"])
@pytest.mark.parametrize(
    ("key", "dims"),
    [
        ("fx[month]", ["month"]),
        ("fx [month]", ["month"]),
        ("fx[ region,month ]", ["region", "month"]),
        ("fx[hw.accelerators, month]", ["hw.accelerators", "month"]),
        ("'fx[month]'", ["month"]),
        ("fx", []),
    ],
)
@pytest.mark.parametrize("heading", [False, True])
def test_a_cell_names_its_dims(section: str, key: str, dims: list[str], *, heading: bool) -> None:
    value = "5" if section == "inputs" else "= 2 * 3"
    lines = f"  Money:\n    {key}: {value}\n" if heading else f"  {key}: {value}\n"

    sheet = read_one(f"{section}:\n{lines}")

    (cell,) = sheet.inputs or sheet.calcs
    assert cell.name == "fx"
    assert texts(*cell.dims) == dims
    assert [dim.span.text for dim in cell.dims] == dims
    assert cell.heading == ("Money" if heading else "")


def test_a_key_with_dims_is_quoted_in_flow_style() -> None:
    (cell,) = read_one('inputs: {"fx[region, month]": 5}\n').inputs

    assert texts(*cell.dims) == ["region", "month"]
    assert [dim.span.text for dim in cell.dims] == ["region", "month"]


def test_addresses_keep_their_brackets_and_an_expectation_its_labels() -> None:
    sheet = read_one(
        "calc:\n  a[month]: {formula: = 1 * 2, expect: {value: 2, at: 2026-12}}\n"
        "  b[region, month]: {formula: = 1 * 2, expect: [{value: 2, at: [us, 2026-12]}]}\n"
        "scenarios:\n  big:\n    fx[2026-07]: 1.2\n    budget[revenue, 2026-03]: 5\n"
    )

    assert [texts(*cell.expects[0].at) for cell in sheet.calcs] == [["2026-12"], ["us", "2026-12"]]
    assert texts(*(one.address for one in sheet.scenarios[0].settings)) == [
        "fx[2026-07]",
        "budget[revenue, 2026-03]",
    ]
