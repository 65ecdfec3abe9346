"""Random syntax trees, and trees without their places, which can be compared."""

from __future__ import annotations

from hypothesis import strategies as st

from calcgraph.core.numbers import read_number
from calcgraph.core.source import Slice, Source, Span
from calcgraph.language.ast import (
    Call,
    EntryExpr,
    Expr,
    Formula,
    Hole,
    Name,
    Number,
    Period,
    Text,
    Truth,
    UnitText,
)
from calcgraph.language.parser import BINARY, parse_formula

NOWHERE = Span(Source("nowhere", ""), 0, 0)
OPERATORS = sorted(set(BINARY) - {"=", "<>", "**"})


def parsed(text: str) -> Formula:
    found = parse_formula(Slice(Source("formula", text), text, 0))
    assert isinstance(found, Formula), (text, found)
    return found


def bare(part: object) -> object:
    """Leave out places, so that two trees are equal where they mean the same."""
    match part:
        case Number(text=text, value=value, unit=unit):
            return ("number", text, value, bare(unit))
        case Truth(value=value):
            return ("truth", value)
        case UnitText(text=text) | Period(text=text):
            return text
        case Name(path=path):
            return path
        case EntryExpr(base=base, args=args, column=column):
            return ("entry", bare(base), [bare(arg) for arg in args], bare(column))
        case Text(pieces=pieces, holes=holes, args=args):
            return ("text", pieces, [bare(hole) for hole in holes], [bare(arg) for arg in args])
        case Hole(unit=unit, decimals=decimals):
            return (bare(unit), decimals)
        case Call(function=function, args=args):
            return (function, [bare(arg) for arg in args])
        case Formula(expr=expr, unit=unit):
            return (bare(expr), bare(unit))
        case _:
            return part


def number(text: str, unit: UnitText | None) -> Number:
    value = read_number(text)
    assert value is not None
    return Number(NOWHERE, value, text, unit)


WORDS = st.sampled_from(["a", "gpus", "x_1", "e5", "nota", "hw", "TRUE", "h100", "k"])
UNITS = st.sampled_from(["GB", "USD/gpu/hour", "1/year", "%", "byte^(1/2)"]).map(
    lambda text: UnitText(NOWHERE, text)
)
NUMBERS = st.builds(
    number,
    st.sampled_from(
        [
            "0",
            "1",
            "2.5",
            ".5",
            "6.3e24",
            "1E-3",
            "40%",
            "70.6B",
            "128Ki",
            "2Mi",
            "3Gi",
            "1Ti",
            "1_000",
        ]
    ),
    st.none() | UNITS,
)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(lambda path: Name(NOWHERE, tuple(path)))
TEXTS = st.text("aé\"\\{}\n\t'=;", max_size=4)
LEAVES: st.SearchStrategy[Expr] = NUMBERS | NAMES | st.booleans().map(lambda v: Truth(NOWHERE, v))


def call(function: str, *args: Expr) -> Call:
    return Call(NOWHERE, function, args, NOWHERE)


def _larger(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    periods = st.sampled_from(["2026-07", "2026-07-31"]).map(lambda text: Period(NOWHERE, text))
    keys = st.lists(parts | periods, min_size=1, max_size=2).map(tuple)
    return st.one_of(
        st.builds(call, st.sampled_from(OPERATORS), parts, parts),
        st.builds(call, st.sampled_from(["neg", "not"]), parts),
        st.builds(lambda args: call("f", *args), st.lists(parts, max_size=3)),
        st.builds(lambda args: call("and", *args), st.lists(parts, max_size=1)),
        st.builds(lambda b, k, c: EntryExpr(NOWHERE, b, k, c), NAMES, keys, st.none() | NAMES),
    )


WITHOUT_TEXTS = st.recursive(LEAVES, _larger, max_leaves=14)
_HOLES = st.builds(
    lambda unit, decimals: Hole(NOWHERE, unit, decimals),
    st.none() | UNITS,
    st.none() | st.integers(0, 15),
)


@st.composite
def texts(draw: st.DrawFn) -> Text:
    shown = draw(st.lists(st.tuples(_HOLES, WITHOUT_TEXTS), max_size=2))
    pieces = tuple(draw(TEXTS) for _ in range(len(shown) + 1))
    holes, args = tuple(hole for hole, _ in shown), tuple(arg for _, arg in shown)
    return Text(NOWHERE, pieces, holes, args)


EXPRS = st.recursive(LEAVES | texts(), _larger, max_leaves=14)
FORMULAS = st.builds(lambda expr, unit: Formula(expr, unit, ""), EXPRS, st.none() | UNITS)
