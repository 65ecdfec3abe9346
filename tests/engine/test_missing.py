"""What is not applicable meets what fails: nothing is computed, so nothing fails."""

import pytest

from calcgraph.core.values import Failure, Scalar
from properties.pipeline import evaluated, value_of

INPUTS = "inputs: {none: {value: null, unit: 1}, zero: 0, one: {value: 1, unit: 1}}\n"
SOME = """calc:
  some: = if(zero > 1, none, one)
  bad: = 1 / zero
  gone: = if(one > 0, none, bad)
"""


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        ("none + bad", None),
        ("bad + none", None),
        ("1 / zero + none", None),
        ("some / zero + gone", None),  # each side may be not applicable, and the first one fails
        ("gone + some / zero", None),
        ("round(some / zero) * (gone + bad)", None),
        ("some / zero + some", "div0"),
        ("iferror(bad + none, 3)", None),
        ("if(isblank(bad + none), 1, 2)", 1.0),
        ("min(none, bad)", "div0"),
        ("min(none, one)", 1.0),
    ],
)
def test_what_is_not_applicable_is_not_computed(formula: str, wanted: Scalar) -> None:
    assert outcome(f"  x: = {formula} -> 1\n") == wanted


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        ("true or none > 0", None),
        ("false and none > 0", None),
        ("none > 0 or true", None),
        ("false and bad > 0", False),
        ("bad > 0 or true", "div0"),
        ("zero != 0 and 1 / zero > 0", False),
        ("none > 0 and bad > 0", None),
        ("if(zero != 0, 1 / zero > 0, false)", False),
    ],
)
def test_and_and_or_stop_at_the_first_that_decides(formula: str, wanted: Scalar) -> None:
    assert outcome(f"  x: = {formula}\n") == wanted


@pytest.mark.parametrize("side", ["bad * gone", "gone * bad", "some / zero * gone"])
def test_a_long_chain_asks_all_of_its_terms(side: str) -> None:
    terms = " + ".join(["some"] * 700)

    assert outcome(f"  x: = {terms} -> 1\n") == 700
    assert outcome(f"  x: = {terms} + bad -> 1\n") == "div0"
    assert outcome(f"  x: = {terms} + some / zero + gone -> 1\n") is None
    assert outcome(f"  x: = {side} + {terms} -> 1\n") is None


def outcome(cell: str) -> Scalar:
    value = value_of(evaluated(INPUTS + SOME + cell), "x")
    assert not hasattr(value, "dims")
    return value.kind if isinstance(value, Failure) else value  # type: ignore[return-value]
