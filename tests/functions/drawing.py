"""Where the tests of the function table draw arguments from, as each row says."""

import math

from hypothesis import strategies as st

from calcgraph.functions.spec import Draw, Function
from calcgraph.language.parser import BINARY

TABLE = """
tables:
  table:
    columns: {price: USD, share: 1, name: text, used: truth, spare: USD, none: 1, unknown: truth}
    rows:
      a: [2, 0.1, one, true, 1, null, null]
      b: [4, 0.2, two, true, null, null, null]
      c: [6, 0.3, three, false, 3, null, null]
"""

# What the examples of rows along dims speak of.
DIMS = """
dims:
  month: {from: 2026-01, to: 2026-06}
  quarter: {from: 2026-01, to: 2026-06, step: quarter}
"""
FLOW = (-100.0, 10.0, 10.0, 10.0, 10.0, 110.0)
SERIES = f"  flow[month]: {{unit: USD, values: {list(FLOW)}}}\n"


def nudged(value: float, ulps: int) -> float:
    """Go a few doubles up or down, to where 15 digits are equal and doubles are not."""
    for _ in range(abs(ulps)):
        value = math.nextafter(value, math.copysign(math.inf, ulps))
    return value


_ROUGH = st.builds(
    lambda whole, parts, ulps: nudged(whole / parts, ulps),
    st.integers(-60, 60),
    st.sampled_from([1, 3, 8, 10, 100]),
    st.integers(-3, 3),
)
_ANY = st.floats(-1e9, 1e9, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-9)
_FEW = st.builds(
    lambda tenths, ulps: nudged(tenths / 10, ulps), st.integers(1, 2), st.integers(-3, 3)
)
_NUMBERS = st.one_of(_FEW, _FEW, _ROUGH, _ANY)

STRATEGIES: dict[Draw, st.SearchStrategy[float | bool | str]] = {
    "number": _NUMBERS,
    "positive": _NUMBERS.map(abs).filter(lambda x: x > 1e-6),
    "share": st.floats(0, 1),
    "whole": st.integers(0, 5).map(float),
    "truth": st.booleans(),
    "text": st.text("abA ", max_size=3),
    "date": st.integers(61, 100_000).map(float),
    "digits": st.integers(-4, 12).map(float),
}


def written(value: float | bool | str) -> str:  # noqa: FBT001 - it is the value
    """Write an argument as a formula has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value!r}" if value >= 0 else f"(-{-value!r})"


def called(row: Function, args: list[str]) -> str:
    """Write a call of a row, or its operator between its arguments."""
    if row.name == "neg":
        return f"-{args[0]}"
    if row.name == "not":
        return f"not {args[0]}"
    if row.name in BINARY:
        return f"{args[0]} {row.name} {args[1]}"
    return f"{row.name}({', '.join(args)})"
