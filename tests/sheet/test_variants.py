"""Imports with `set`, and by which way each file is reached."""

from dataclasses import replace
from pathlib import Path

import pytest

from calcgraph.book.files import Opener, read_source
from calcgraph.sheet.imports import read_sheets
from sheet.reading_of import read, read_all, read_one

LEAF = "calcgraph: 1\ninputs: {gpus: 8 gpu}\n"


def importing(**imports: str) -> str:
    lines = "".join(f"  {alias}: {path}\n" for alias, path in imports.items())
    return f"calcgraph: 1\nimports:\n{lines}"


def test_a_variant_sets_values_and_formulas_over_dims() -> None:
    text = (
        "imports:\n"
        "  a: {sheet: leaf.yaml, over: plan, set: {job.tp: = plan.tp, gpus: 40 gpu}}\n"
        "  b:\n    sheet: leaf.yaml\n    over: [cluster, hw.chips]\n"
        '    set: {gpus: "= if(v > 1, 8, 16)"}\n'
        "  c: leaf.yaml\n"
    )

    first, second, third = read_one(text, leaf_yaml=LEAF).imports

    assert [
        (
            one.address.text.text,
            one.value.text.text,
            one.formula.text.strip() if one.formula else "",
        )
        for one in first.settings
    ] == [("job.tp", "= plan.tp", "plan.tp"), ("gpus", "40 gpu", "")]
    assert [dim.text.text for dim in first.over] == ["plan"]
    assert [one.formula.text.strip() for one in second.settings if one.formula] == [
        "if(v > 1, 8, 16)"
    ]
    assert [dim.text.text for dim in second.over] == ["cluster", "hw.chips"]
    assert (third.settings, third.over) == ((), ())


@pytest.mark.parametrize(
    "body",
    [
        "{sheet: leaf.yaml, over: plan}",
        "{sheet: leaf.yaml, set: {}}",
        "{sheet: leaf.yaml, set: {gpus: = 8 +}}",
        "{sheet: leaf.yaml, set: {gpus: [8]}}",
        "{sheet: leaf.yaml, set: {gpus: =max(a, b)}}",
        "{sheet: leaf.yaml, over: [plan, plan], set: {gpus: 8}}",
        "{sheet: leaf.yaml, over: Plan, set: {gpus: 8}}",
    ],
)
def test_a_broken_variant_is_one_finding_and_no_other_variant(body: str) -> None:
    sheets, found = read_all(f"imports:\n  a: {body}\n", leaf_yaml=LEAF)

    assert len(found) == 1
    assert sheets.sheets["sheet"].imports == ()
    assert "a" in sheets.sheets["sheet"].lost


def test_the_way_without_a_variant_is_taken_though_it_is_longer() -> None:
    sheets = read(
        "imports:\n  v: {sheet: leaf.yaml, set: {gpus: 16 gpu}}\n  a: a.yaml\n",
        a_yaml=importing(b="b.yaml"),
        b_yaml=importing(c="leaf.yaml"),
        leaf_yaml=LEAF,
    )

    assert sheets.paths["leaf.yaml"] == ("a", "b", "c")
    assert sheets.plain == {"sheet", "a.yaml", "b.yaml", "leaf.yaml"}
    assert sheets.imports["sheet"] == {"v": "leaf.yaml", "a": "a.yaml"}


def test_what_only_a_variant_reaches_is_not_plain() -> None:
    sheets = read(
        "imports:\n  a: a.yaml\n  v: {sheet: b.yaml, set: {x: 1}}\n",
        a_yaml=importing(w="{sheet: c.yaml, set: {x: 2}}"),
        b_yaml=importing(leaf="leaf.yaml", c="c.yaml"),
        c_yaml=importing(a="leaf.yaml"),
        leaf_yaml=LEAF,
    )

    assert sheets.plain == {"sheet", "a.yaml"}
    assert sheets.paths["b.yaml"] == ("v",)
    assert sheets.paths["c.yaml"] == ("a", "w")
    assert sheets.paths["leaf.yaml"] == ("v", "leaf")


def test_a_circle_through_a_variant_is_a_circle() -> None:
    _, found = read_all(
        "imports:\n  a: a.yaml\n", a_yaml=importing(b="{sheet: a.yaml, set: {x: 1}}")
    )

    assert [finding.code.id for finding in found] == ["CG111"]


def test_charts_are_read_and_sensitivities_accepted() -> None:
    sheet = read_one(
        "charts:\n  - {type: line, x: month, y: [cash, budget], title: Cash, log: [y, x]}\n"
        "sensitivity:\n"
        "  - {of: cost, vary: [mfu, job.price]}\n"
        "  - {of: cost, rows: {gpus: [512, 1024]}, columns: {mfu: [35%, 40%]}}\n"
    )

    (chart,) = sheet.charts
    assert (chart.kind, chart.title, chart.log) == ("line", "Cash", ("x", "y"))
    assert [name.text.text for name in (chart.x, *chart.y)] == ["month", "cash", "budget"]
    assert sheet == replace(read_one(""), source=sheet.source, charts=(chart,))


def test_every_shape_is_read() -> None:
    folder = Path(__file__).parent
    name = str(folder / "every_shape.yaml")
    opener = Opener(folder)
    opener.names[name] = "every_shape.yaml"

    sheets, found = read_sheets(
        name, read_source(Path(name), "every_shape.yaml"), opener, opener.data
    )

    assert [finding.message for finding in found] == []
    sheet = sheets.sheets[name]
    assert [dim.kind for dim in sheet.dims].count("grid") == 2
    assert [len(decl.entries) for decl in sheet.inputs] == [0, 2, 2, 2, 3, 1, 1, 1, 2]
    assert [len(table.rows) for table in sheet.tables] == [2, 2, 1, 2]
    assert [len(decl.settings) for decl in sheet.imports] == [0, 2, 1, 2]
    assert list(sheets.data) == [str(folder / "every_shape.csv")]
