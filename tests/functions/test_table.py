"""Every row of the function table keeps its promises; a new row is tested by being there."""

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calcgraph.core.diagnostics import errors
from calcgraph.core.values import Failure, Kind
from calcgraph.functions import CALLABLE, FUNCTIONS, ROWS
from calcgraph.functions.spec import Draw, Example, Function, spell
from functions.drawing import DIMS, SERIES, STRATEGIES, TABLE, called, written
from properties.pipeline import cell_of, evaluated, formula, read, value_of

NULLS: dict[Draw, str] = {"truth": "truth", "text": "text", "date": "date"}
SCALES = {"GB": 1, "MB": 1_000, "kB": 1_000_000}
EXCEL_2010 = re.compile(
    "ABS|ACOS|AND|ASIN|ATAN|ATAN2|AVERAGE|COS|COSH|COLUMN|COLUMNS|COUNT|COUNTA|COUNTIF|DATE|DAY|EXACT"
    "|EXP|FACT|FIXED|GCD|IF|IFERROR|INDEX|INT|IRR|LARGE|LCM|LEFT|LEN|LN|LOG|LOG10|LOOKUP|LOWER|MATCH"
    "|MAX|MEDIAN|MID|MIN|MONTH|NA|NOT|OR|PI|PMT|PRODUCT|QUOTIENT|RIGHT|ROUND|ROUNDDOWN|ROUNDUP|ROW|ROWS"
    "|SIGN|SIN|SINH|SMALL|SQRT|SUM|SUMPRODUCT|SUMSQ|TAN|TANH|TRIM|TRUNC|UPPER|YEAR"
)

each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


def rows(condition: Callable[[Function], bool]) -> pytest.MarkDecorator:
    chosen = [row for row in ROWS if condition(row)]
    assert chosen
    return pytest.mark.parametrize("row", chosen, ids=lambda row: row.name)


def arguments(row: Function) -> st.SearchStrategy[list[Any]]:
    return st.tuples(*(STRATEGIES[draw] for draw in row.draws)).map(list)


def one_cell(text: str, before: str = "inputs:\n") -> str:
    return f"{DIMS}{before}{SERIES}{TABLE}\ncalc:\n  x: {formula(text)}\n"


@each_row
def test_a_row_explains_itself(row: Function) -> None:
    assert row.doc.endswith(".")
    assert row.usage.startswith(row.name)
    assert row.hidden or row.examples
    assert row.hidden or row.rejects
    assert len(row.draws) >= row.least or not row.draws
    assert row.most is None or len(row.draws) <= row.most


def test_names_are_found_once_and_without_case() -> None:
    assert len(FUNCTIONS) == len(ROWS)
    assert all(name == name.lower() for name in FUNCTIONS)
    assert {row.name for row in ROWS if not row.hidden} == CALLABLE


@pytest.mark.parametrize(
    "example",
    [example for row in ROWS for example in row.examples],
    ids=lambda e: e.formula,
)
def test_an_example_gives_what_it_says(example: Example) -> None:
    unit = ", unit: text" if example.gives.startswith('"') else ""
    inputs = f"inputs:\n  gives: {{value: {example.gives}{unit}}}\n"

    evaluation = evaluated(one_cell(example.formula, inputs))

    found, wanted = cell_of(evaluation, "x").type, cell_of(evaluation, "gives").type
    assert found.kind is wanted.kind
    assert found.unit.same_as(wanted.unit)
    value, gives = value_of(evaluation, "x"), value_of(evaluation, "gives")
    assert value == (pytest.approx(gives, rel=1e-12) if wanted.kind is Kind.NUMBER else gives)


@pytest.mark.parametrize("text", [text for row in ROWS for text in row.rejects])
def test_what_a_row_rejects_is_refused(text: str) -> None:
    _, findings = read(one_cell(text))

    assert errors(findings)


def test_the_table_needs_no_numpy() -> None:
    code = "import sys, calcgraph.functions, calcgraph.engine; sys.exit('numpy' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def quantity_places(row: Function) -> tuple[int, ...]:
    """Find the arguments of a row that may have a unit: the most of them."""
    numbers = {"number", "positive", "digits"}
    places = [at for at, draw in enumerate(row.draws) if draw in numbers]
    for keep in sorted(product([True, False], repeat=len(places)), key=sum, reverse=True):
        chosen = tuple(at for at, kept in zip(places, keep, strict=True) if kept)
        args = [
            "2 [GB]" if at in chosen else written(True if draw == "truth" else 2.0)
            for at, draw in enumerate(row.draws)
        ]
        if not errors(read(one_cell(called(row, args)))[1]):
            return chosen
    return ()


MEASURED = {
    row.name: places
    for row in ROWS
    if (not row.hidden or row.name == "neg") and (places := quantity_places(row))
}


def test_most_rows_take_quantities() -> None:
    assert set(MEASURED) >= {"+", "*", "/", "<", "if", "min", "round", "ceil", "mod", "sqrt", "abs"}


def physical(text: str) -> tuple[object, object]:
    """Give a result in base units, and what it measures."""
    evaluation = evaluated(one_cell(text))
    value, type_ = value_of(evaluation, "x"), cell_of(evaluation, "x").type
    if isinstance(value, Failure):
        return value.kind, type_.unit.dimension
    if type_.kind is not Kind.NUMBER:
        return value, type_.kind
    assert isinstance(value, float)
    return pytest.approx(value * float(type_.unit.scale), rel=1e-12), type_.unit.dimension


@pytest.mark.parametrize("name", MEASURED)
@settings(max_examples=15)
@given(data=st.data())
def test_rescaling_units_changes_nothing_physical(name: str, data: st.DataObject) -> None:
    row = FUNCTIONS[name]
    eighths = st.integers(1 if "positive" in row.draws else -80, 80).map(lambda n: n / 8)
    first: list[str] = []
    second: list[str] = []
    for at, draw in enumerate(row.draws):
        value = data.draw(eighths if at in MEASURED[name] else STRATEGIES[draw])
        unit = data.draw(st.sampled_from(list(SCALES)))
        if at in MEASURED[name]:
            first.append(f"({written(abs(value))} [GB] * {1 if value >= 0 else '(-1)'})")
            scaled = abs(value) * SCALES[unit]
            second.append(f"({written(scaled)} [{unit}] * {1 if value >= 0 else '(-1)'})")
        else:
            first.append(written(value))
            second.append(written(value))

    assert physical(called(row, second)) == physical(called(row, first))


@rows(lambda row: bool(row.draws) and not row.hidden)
@settings(max_examples=15)
@given(data=st.data())
def test_na_spreads_as_the_row_says(row: Function, data: st.DataObject) -> None:
    inputs = "inputs:\n" + "".join(
        f"  n{at}: {{value: null, unit: {NULLS.get(draw, '1')}}}\n"
        for at, draw in enumerate(row.draws)
    )
    empty = data.draw(st.sets(st.sampled_from(range(len(row.draws))), min_size=1))
    args = [
        f"n{at}" if at in empty else written(value)
        for at, value in enumerate(data.draw(arguments(row)))
    ]

    evaluation = evaluated(one_cell(called(row, args), inputs))

    value, may_be_na = value_of(evaluation, "x"), cell_of(evaluation, "x").may_be_na
    assert may_be_na or value is not None
    if not row.takes_na:
        assert value is None
    if row.gives_na == "never":
        assert value is not None
    if row.gives_na == "all":
        assert (value is None) == (len(empty) == len(row.draws))


@rows(lambda row: row.takes_series and len(row.params) < 2 + (row.most is None) and not row.hidden)
def test_aggregations_pass_over_what_is_not_applicable(row: Function) -> None:
    column = "unknown" if row.name in {"any", "all", "first_where"} else "none"

    value = value_of(evaluated(one_cell(f"{row.name}(table.{column})")), "x")

    if row.name == "irr":
        assert isinstance(value, Failure)
        return
    assert value == (0 if row.gives_na == "never" else None)


@each_row
def test_excel_text_is_whole_and_known_to_excel_2010(row: Function) -> None:
    count = max(len(row.draws), row.least, sum(not name.startswith("…") for name in row.params))
    args = [f"A{number}" for number in range(1, count + 1 + row.wants_labels + row.along)]
    if row.name == "show number":
        args = ["A1", '""', '" GB"', "TRUE"]

    text = spell(row.excel, args)

    bare = re.sub(r'"(?:[^"]|"")*"', "", text)
    assert bare.count("(") == bare.count(")")
    assert not re.search(r"[{}]", bare)
    assert all(map(EXCEL_2010.fullmatch, re.findall(r"([A-Z][A-Z0-9.]*)\(", bare)))
