"""Arrays of many cases give what one value at a time gives, na included, for every row."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calcgraph.engine.array_runtime import innermost
from calcgraph.functions import FUNCTIONS, ROWS
from calcgraph.functions.kernels import arrays, cashflows, series
from calcgraph.functions.spec import RUNTIME, Function, Spelling, spell
from functions.drawing import STRATEGIES

CLOSE = {"exp", "ln", "log10", "log2", "cos", "sin", "^", "pmt"}
"""Numpy has its own ways of computing these; all others agree to the last bit."""
STRICT: dict[str, Any] = {"divide": "raise", "invalid": "raise", "over": "raise"}
TEXTS = st.sampled_from(["a", "b", "B", ""])
FEW = st.sampled_from([0.1 + 0.2, 0.3, 1.0, 1.0 + 1e-13, 1.0 + 3e-12, -2.5, 0.0])
NUMBERS = st.one_of(STRATEGIES["number"], FEW)
TRUTHS = st.booleans()
COUNTS = st.integers(1, 4).map(float)
LINES: dict[str, tuple[st.SearchStrategy[Any], ...]] = {
    "sum": (NUMBERS,),
    "product": (NUMBERS,),
    "mean": (NUMBERS,),
    "count": (NUMBERS,),
    "count truth": (TRUTHS,),
    "count text": (TEXTS,),
    "first": (TEXTS,),
    "last": (NUMBERS,),
    "any": (TRUTHS,),
    "all": (TRUTHS,),
    "min": (NUMBERS,),
    "max": (NUMBERS,),
    "argmin": (FEW,),
    "argmax": (FEW,),
    "first_where": (TRUTHS,),
    "lookup": (FEW, FEW, TEXTS),
    "join series": (TEXTS, TEXTS),
    "npv": (STRATEGIES["share"], NUMBERS),
    "irr": (NUMBERS,),
    "cumsum": (NUMBERS,),
    "rolling_sum": (NUMBERS, COUNTS),
    "lag": (TEXTS, st.integers(-3, 3).map(float), TEXTS),
    "rank": (FEW, TEXTS, FEW),
    "stock": (NUMBERS, NUMBERS, NUMBERS),
}


def compiled(spelling: Spelling, count: int, names: dict[str, Any]) -> Callable[..., Any]:
    args = [f"a{index}" for index in range(count)]
    code = f"lambda {', '.join(args)}: {spell(spelling, args)}"
    made: Callable[..., Any] = eval(code, names)  # noqa: S307 - it is our own table
    return made


def in_python(row: Function, count: int) -> Callable[..., Any]:
    return compiled(row.python, count, dict(RUNTIME))


def in_numpy(row: Function, count: int) -> Callable[..., Any]:
    return compiled(row.array, count, {"vec": arrays, "np": np})


def packed(column: Sequence[Any], shape: tuple[int, ...]) -> Any:  # noqa: ANN401 - of any kind
    """Give values as the engine packs them: ``nan`` or ``None`` for what is not applicable."""
    if any(isinstance(value, str) for value in column):
        found = np.empty(len(column), object)
        found[:] = column
        return found.reshape(shape)
    if all(isinstance(value, bool) for value in column):
        return np.array(column).reshape(shape)
    return np.array([np.nan if v is None else float(v) for v in column]).reshape(shape)


def unpacked(found: Any, count: int) -> list[Any]:  # noqa: ANN401 - of any kind
    """Give back values, none for what is not applicable; 1.0 and 0.0 equal true and false."""
    flat = np.broadcast_to(found, count) if np.ndim(found) == 0 else np.asarray(found).reshape(-1)
    return [None if value is None or value != value else value for value in flat.tolist()]  # noqa: PLR0124


def nearly(expected: list[Any]) -> list[Any]:
    return [v if v is None else pytest.approx(v, rel=1e-14, abs=0) for v in expected]


def run_many(run: Callable[..., Any], cases: Sequence[Sequence[Any]]) -> list[Any] | None:
    try:
        return [run(*case) for case in cases]
    except (ArithmeticError, ValueError):
        return None


def run_array(run: Callable[..., Any], args: Sequence[Any]) -> Any:  # noqa: ANN401 - of any kind
    try:
        with np.errstate(**STRICT):
            return run(*args)
    except (ArithmeticError, ValueError):
        return None


def elementwise(condition: Callable[[Function], bool] = bool) -> pytest.MarkDecorator:
    chosen = [row for row in ROWS if row.draws and row.array and not row.keyed and condition(row)]
    assert chosen
    return pytest.mark.parametrize("row", chosen, ids=lambda row: row.name)


along = pytest.mark.parametrize("name", LINES)


def test_every_row_has_an_array_spelling() -> None:
    without = {row.name for row in ROWS if not row.array}

    assert without == {row.name for row in ROWS if row.of_dims}
    assert set(LINES) == {row.name for row in ROWS if row.takes_series or row.along}


@elementwise()
@settings(max_examples=40)
@given(data=st.data())
def test_array_agrees_with_scalar(row: Function, data: st.DataObject) -> None:
    one = st.tuples(*(STRATEGIES[draw] for draw in row.draws))
    cases = data.draw(st.lists(one, min_size=1, max_size=12))
    count, size = len(row.draws), len(cases)

    expected = run_many(in_python(row, count), cases)
    columns = [packed(column, (size,)) for column in zip(*cases, strict=True)]
    actual = run_array(in_numpy(row, count), columns)

    if row.lazy and actual is None:
        return
    assert (actual is None) == (expected is None)
    if expected is not None:
        wanted = nearly(expected) if row.name in CLOSE else expected
        assert unpacked(actual, size) == wanted


@elementwise()
@settings(max_examples=30)
@given(data=st.data())
def test_array_agrees_with_scalar_where_some_are_not_applicable(
    row: Function, data: st.DataObject
) -> None:
    one = st.tuples(*(st.none() | STRATEGIES[draw] for draw in row.draws))
    cases = data.draw(st.lists(one, min_size=1, max_size=12))
    count, size = len(row.draws), len(cases)
    run = in_python(row, count)

    def spread(*case: object) -> object:
        """Do as the writer does: rows that do not treat na are not run for it."""
        is_stopped = case[0] is None if row.name in {"if", "ifs"} else None in case
        return None if is_stopped and (row.lazy or not row.takes_na) else run(*case)

    if row.name in {"ifs", "iferror"}:
        return
    expected = run_many(spread, cases)
    columns = [packed(column, (size,)) for column in zip(*cases, strict=True)]
    actual = run_array(in_numpy(row, count), columns)

    if actual is None or expected is None:
        assert actual is expected is None
        return
    if not row.takes_na:
        actual = arrays.with_na(actual, *columns)
    wanted = nearly(expected) if row.name in CLOSE else expected
    assert unpacked(actual, size) == wanted


@along
@settings(max_examples=40)
@given(data=st.data())
def test_lines_of_arrays_agree_with_lines(name: str, data: st.DataObject) -> None:
    row = FUNCTIONS[name]
    lines, size = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 6))
    keys = [f"k{at}" for at in range(size)]
    drawn = [
        [
            data.draw(st.none() | kind)
            if at in row.singles
            else tuple(data.draw(st.lists(st.none() | kind, min_size=size, max_size=size)))
            for at, kind in enumerate(LINES[name])
        ]
        for _ in range(lines)
    ]
    cases = [[*case, keys] if row.wants_labels else case for case in drawn]

    count = len(cases[0])
    expected = run_many(in_python(row, count), cases)
    columns = [
        packed([case[at] for case in drawn], (lines,))
        if at in row.singles
        else packed([value for case in drawn for value in case[at]], (lines, size))
        for at in range(len(LINES[name]))
    ]
    labels = [packed(keys, (size,))] if row.wants_labels else []
    actual = run_array(in_numpy(row, count), [*columns, *labels])

    assert (actual is None) == (expected is None)
    if expected is not None:
        flat = [value for line in expected for value in line] if row.along else expected
        assert np.shape(actual) == ((lines, size) if row.along else (lines,))
        assert unpacked(actual, len(flat)) == flat


@settings(max_examples=40)
@given(data=st.data())
def test_one_ladder_of_thresholds_serves_all(data: st.DataObject) -> None:
    x = data.draw(st.lists(st.none() | FEW, min_size=1, max_size=8))
    steps = sorted(data.draw(st.sets(FEW, min_size=1)))
    gives = data.draw(st.lists(st.none() | NUMBERS, min_size=len(steps), max_size=len(steps)))

    found = arrays.lookup(packed(x, (len(x),)), np.array(steps), packed(gives, (len(steps),)))

    run = in_python(FUNCTIONS["lookup"], 3)
    assert unpacked(found, len(x)) == [run(one, steps, gives) for one in x]


def test_comparing_many_numbers_writes_out_only_those_that_nearly_are() -> None:
    numbers = np.arange(1500.0)
    shifted = numbers.copy()
    shifted[7] = np.nextafter(7.0, 8.0)

    assert list(np.flatnonzero(arrays.less(numbers, shifted))) == []
    assert arrays.same(numbers, shifted).all()
    assert list(np.flatnonzero(arrays.less(numbers, np.where(numbers == 9, 9.001, numbers)))) == [9]


@pytest.mark.parametrize(
    "chosen",
    [
        arrays.choose(np.array([1.0, 0.0, np.nan]), "yes", np.nan),
        arrays.choose(np.array([1.0, 0.0, np.nan]), np.array(["yes"] * 3, object), None),
    ],
)
def test_a_choice_of_texts_may_be_of_nothing(chosen: Any) -> None:  # noqa: ANN401 - an array
    assert list(chosen) == ["yes", None, None]


def test_what_is_not_applicable_is_known_in_all_kinds() -> None:
    assert list(arrays.is_na(np.array([1.0, np.nan]))) == [False, True]
    assert list(arrays.is_na(np.array(["a", None], object))) == [False, True]
    assert list(arrays.is_na(np.array([True, False]))) == [False, False]
    assert arrays.with_na(np.array([True, True]), np.array([1.0, np.nan])).tolist()[0] == 1.0
    assert list(arrays.with_na(np.array(["a", "b"], object), np.nan)) == [None, None]


@given(st.lists(st.integers(-1000, 1000).map(lambda n: n / 8), min_size=2, max_size=12))
def test_a_rate_leaves_nothing(flow: list[float]) -> None:
    """What the rate discounts to is nothing, beside what is discounted: the meaning of irr."""
    try:
        growth = 1 + cashflows.irr(flow)
    except ValueError:
        signs = [value > 0 for value in flow if value]
        assert sum(a != b for a, b in pairwise(signs)) % 2 == 0
        return

    scaled = min(growth, 1.0)
    parts = [value * scaled ** (len(flow)) / growth**at for at, value in enumerate(flow)]
    assert abs(sum(parts)) <= 1e-6 * max(map(abs, parts))


@pytest.mark.parametrize("shape", [(5, 3), (1, 4), (4, 1), (300, 36), (7, 2, 30)])
def test_sums_have_the_same_bits_however_values_lie_in_memory(shape: tuple[int, ...]) -> None:
    numbers = np.random.default_rng(1).normal(size=shape) * 10.0 ** np.arange(shape[-1])

    expected = [series.total(line) for line in numbers.reshape(-1, shape[-1]).tolist()]

    for array in (numbers, innermost(numbers), np.asfortranarray(numbers)):
        assert arrays.total(array).ravel().tolist() == expected
