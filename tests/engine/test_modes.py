"""Lists, arrays, one label at a time and many cases are ways to compute one tree: they agree."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from calcgraph.core.values import Failure, Kind, Scalar, Series
from calcgraph.engine import evaluate, make_plan, statements
from calcgraph.engine.case_arrays import evaluate_blocks
from calcgraph.engine.failures import compute_unit
from calcgraph.engine.value_stores import CheckedValues, OverlayValues
from calcgraph.model import Change, Const, LabelFact, Load, Lookup, Op
from engine.by_hand import MONTH, REGION, STARTS, Sheet, apply, prev, reduce, scan

M, R, RM = ("month",), ("region",), ("region", "month")
NUMBERS = st.sampled_from([0.0, 1.0, -2.5, 3.0, 0.1 + 0.2, 0.3, 1e308])
GAPS = st.one_of(st.none(), NUMBERS)
LEAVES: list[Op] = [
    Load(0),
    Load(1, M),
    Load(2, R),
    Load(3, RM),
    Load(4, M),
    Const(2.0),
    Const(0.0),
    LabelFact("month", "index"),
    LabelFact("month", "length"),
    Lookup(3, ("", "month"), (Const("eu"),)),
    Lookup(3, ("region", ""), (Const(STARTS[2]),)),
    prev("month", 3, RM, Load(2, R)),
    prev("region", 3, RM, Load(1, M)),
    reduce("sum", M, Load(3, RM)),
    reduce("max", R, Load(3, RM)),
    reduce("mean", M, Load(4, M)),
    reduce("sum", ("month", "region"), Load(3, RM)),
    reduce("count", M, Load(4, M)),
    Lookup(1, ("",), (reduce("argmax", M, Load(1, M)),)),
    Lookup(3, ("region", ""), (reduce("argmin", M, Load(3, RM)),)),
    Lookup(1, ("",), (reduce("argmin", M, Load(4, M)),)),
    Load(5, RM),
    prev("month", 5, RM, Load(2, R)),
    reduce("sum", M, Load(5, RM)),
    Lookup(5, ("region", ""), (reduce("argmin", M, Load(3, RM)),)),
]


def trees() -> st.SearchStrategy[Op]:
    def nested(inner: st.SearchStrategy[Op]) -> st.SearchStrategy[Op]:
        pair = st.tuples(inner, inner)
        names = st.sampled_from(["+", "-", "*", "/", "min", "max", "mod"])
        tests = st.sampled_from(["<", "<=", "==", "!="])
        compared = st.builds(lambda name, two: apply(name, *two, na=True), tests, pair)
        truths = st.one_of(
            compared,
            st.builds(lambda x: apply("isblank", x, na=True), inner),
            st.builds(lambda a, b: apply("and", a, b, na=True), compared, compared),
            st.builds(lambda a: apply("not", a, na=True), compared),
        )
        return st.one_of(
            st.builds(lambda name, two: apply(name, *two, na=True), names, pair),
            st.builds(lambda x: apply("neg", x, na=True), inner),
            st.builds(lambda t, two: apply("if", t, *two, na=True), truths, pair),
            st.builds(lambda two: apply("iferror", *two, na=True), pair),
            st.builds(lambda x: apply("round", x, na=True), inner),
        )

    scans = st.sampled_from(
        [
            scan("cumsum", "month", Load(3, RM)),
            scan("cumsum", "region", Load(3, RM)),
            scan("cumsum", "month", Load(4, M)),
            scan("rank", "month", Load(3, RM), Load(4, M)),
            scan("rolling_sum", "month", Load(4, M), Const(2.0)),
            scan("lag", "region", Load(3, RM), Const(1.0), Load(1, M)),
            scan("cumsum", "month", Load(5, RM)),
        ]
    )
    return st.one_of(st.recursive(st.sampled_from(LEAVES), nested, max_leaves=8), scans)


@st.composite
def starts(draw: st.DrawFn) -> list[list[Scalar]]:
    months, regions = MONTH.size, REGION.size
    return [
        [draw(GAPS)],
        *(
            draw(st.lists(NUMBERS, min_size=size, max_size=size))
            for size in (months, regions, months * regions)
        ),
        draw(st.lists(GAPS, min_size=months, max_size=months)),
    ]


def sheet_of(given: list[list[Scalar]], op: Op, over: tuple[str, ...]) -> Sheet:
    sheet = Sheet()
    sheet.put(start=given[0][0], may_be_na=True)
    sheet.put(M, start=list(given[1]))
    sheet.put(R, start=list(given[2]))
    sheet.put(RM, start=list(given[3]))
    sheet.put(M, start=list(given[4]), may_be_na=True)
    sheet.put(RM, apply("/", Const(1.0), Load(3, RM)))
    sheet.put(over, op, kind=Kind.NUMBER, may_be_na=True)
    return sheet


@pytest.mark.parametrize("over", [RM, ("month", "region")])
@settings(max_examples=150, deadline=None, report_multiple_bugs=False, phases=[Phase.generate])
@given(given=starts(), op=trees())
def test_all_ways_agree(over: tuple[str, ...], given: list[list[Scalar]], op: Op) -> None:
    model = sheet_of(given, op, over).model()
    found = []
    for many in (1, 256):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(statements, "MANY", many)
            evaluation = evaluate(make_plan(model))
            found.append(evaluation.values[6])
    found.append(one_by_one(make_plan(model), list(evaluation.values)))

    found.append(in_cases(given, op, over))

    arrays, lists, singles, cases = ([_shown(v) for v in value.data] for value in found)  # type: ignore[union-attr]
    assert arrays == singles
    assert lists == singles
    assert cases == singles


def in_cases(given: list[list[Scalar]], op: Op, over: tuple[str, ...]) -> Series:
    """Compute the last cell in many cases, of which the last but one is the given one."""
    base = evaluate(make_plan(sheet_of([[3.0], *given[1:]], op, over).model()))
    values = [7.0, *[None] * 4, given[0][0], -1.0]
    found = list(evaluate_blocks(base, [[Change(0, None, value)] for value in values]))
    series = found[-2].values[6]
    assert isinstance(series, Series)
    return series


def one_by_one(plan: object, values: list[object]) -> Series:
    """Compute the last cell with care, as if its quick code had stopped."""
    plan.compiled.units[(6,)] = _stops  # type: ignore[attr-defined]
    guarded = CheckedValues(OverlayValues(values, {}))  # type: ignore[arg-type]
    compute_unit(plan, guarded, (6,))  # type: ignore[arg-type]
    series = guarded.values[6]
    assert isinstance(series, Series)
    return series


def _stops(_values: object) -> None:
    raise ArithmeticError


def _shown(value: object) -> object:
    return value.kind if isinstance(value, Failure) else value
