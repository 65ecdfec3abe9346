"""Long formulas work without recursion; deep ones are refused; what reads two ways is, too."""

import pytest

from calcgraph.core.diagnostics import Diagnostic, errors
from calcgraph.core.numbers import read_number
from calcgraph.core.source import Slice, Source
from calcgraph.language.parser import CHARACTERS, PARTS, parse_formula
from calcgraph.language.tokens import AMBIGUOUS, FORBIDDEN_CHARACTER, NUMBER_FORM, TOO_BIG
from calcgraph.language.unparser import unparse
from language.trees import parsed
from properties.pipeline import evaluated, formula, read, value_of


def refused(text: str) -> Diagnostic:
    found = parse_formula(Slice(Source("formula", text), text, 0))
    assert isinstance(found, Diagnostic), text
    return found


def chained(count: int, marks: str) -> str:
    terms = [str(number) for number in range(1, count + 1)]
    return terms[0] + "".join(
        f" {marks[at % len(marks)]} {term}" for at, term in enumerate(terms[1:])
    )


@pytest.mark.parametrize(("count", "marks"), [(1_900, "+"), (4_000, "+-"), (1_900, "-")])
def test_a_long_chain_is_read_written_and_computed(count: int, marks: str) -> None:
    text = chained(count, marks)
    expected = 1.0
    for at, term in enumerate(range(2, count + 1)):
        expected += term if marks[at % len(marks)] == "+" else -term

    evaluation = evaluated(
        f"inputs:\n  n: {{value: null}}\ncalc:\n  x: = {text}\n  y: = n + {text}"
    )

    assert unparse(parsed(text).expr) == text
    assert value_of(evaluation, "x") == expected
    assert value_of(evaluation, "y") is None


@pytest.mark.parametrize("mark", ["*", "/", "and", "or"])
def test_other_chains_may_be_long_as_well(mark: str) -> None:
    term = "true" if mark in {"and", "or"} else "1"

    evaluation = evaluated(f"calc:\n  x: = {f' {mark} '.join([term] * 1_900)}\n")

    assert value_of(evaluation, "x") == 1


def test_nesting_ends_at_64_levels() -> None:
    assert parsed("(" * 63 + "1" + ")" * 63)

    assert refused("(" * 64 + "1" + ")" * 64).code is TOO_BIG


@pytest.mark.parametrize("text", ["(" * 30_000, "not " * 5_000 + "a", "2^-" * 5_000, "f(" * 9_000])
def test_a_deep_formula_is_a_finding(text: str) -> None:
    assert refused(text).code in {TOO_BIG, AMBIGUOUS}


def test_a_formula_has_limits_of_length_and_parts() -> None:
    assert refused("1" * (CHARACTERS + 1)).code is TOO_BIG
    assert refused("+".join("1" * PARTS)).code is TOO_BIG


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        ("-a^b", ["-(a^b)", "(-a)^b"]),
        ("2^-a^b", ["-(a^b)", "(-a)^b"]),
        ("a^b^c", ["(a^b)^c", "a^(b^c)"]),
        ("a**b**c", ["(a^b)^c", "a^(b^c)"]),
        ("a < b < c", ["a < b and b < …"]),
        ("a = b = c", ["a = b and b = …"]),
        ("2026-07", ["date(2026, 7, 1)", "spaces around `-`"]),
    ],
)
def test_what_reads_two_ways_is_refused_with_right_spellings(
    text: str, spellings: list[str]
) -> None:
    found = refused(text)

    assert found.code is AMBIGUOUS
    for spelling in spellings:
        assert spelling in found.hint


@pytest.mark.parametrize(
    "text", ["1e400", "1e-400", "1e" + "9" * 5_000, "9" * 2_000, "1e999999999999T"]
)
def test_a_number_that_no_double_holds_is_refused(text: str) -> None:
    assert refused(text).code is NUMBER_FORM
    assert read_number(text) is None


@pytest.mark.parametrize("text", ["٣ + 1", "1\N{NO-BREAK SPACE}+ 1", "a × b", "ａ"])  # noqa: RUF001
def test_only_plain_characters_stand_outside_of_texts(text: str) -> None:
    assert refused(text).code is FORBIDDEN_CHARACTER


def test_a_switch_that_would_grow_without_bound_is_refused() -> None:
    text = "1"
    for _ in range(20):
        text = f"switch({text}, 1, 2, 3, 4, 5, 6, 7)"

    _, findings = read(f"calc:\n  x: {formula(text)}\n")

    assert [finding.code for finding in errors(findings)] == [TOO_BIG]
