"""Formulas read and written again are the same."""

from itertools import chain
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calcgraph.core.diagnostics import Diagnostic
from calcgraph.core.source import Slice, Source
from calcgraph.language.ast import Formula, Name
from calcgraph.language.parser import parse_formula, parse_template
from calcgraph.language.tokens import TOO_BIG
from calcgraph.language.unparser import unparse, unparse_formula
from calcgraph.sheet.reader import read_sheet
from language.trees import FORMULAS, NOWHERE, OPERATORS, bare, call, parsed

SHEETS = Path(__file__).parents[2] / "sheets"


def formulas_of(path: Path) -> list[Formula]:
    sheet, _ = read_sheet(Source(path.name, path.read_text(encoding="utf-8")))
    found = [decl.formula for decl in sheet.calcs] + [check.condition for check in sheet.checks]
    return [formula for formula in found if formula is not None]


WRITTEN = list(chain.from_iterable(formulas_of(path) for path in sorted(SHEETS.rglob("*.yaml"))))


def test_there_are_formulas_to_try() -> None:
    assert len(WRITTEN) > 50


@settings(max_examples=400)
@given(FORMULAS)
def test_a_tree_written_and_read_is_the_same(formula: Formula) -> None:
    text = unparse_formula(formula)
    found = parse_formula(Slice(Source("formula", text), text, 0))
    assume(not (isinstance(found, Diagnostic) and found.code is TOO_BIG))

    assert bare(found) == bare(formula), text


def test_every_operator_stands_in_every_other() -> None:
    a, b, c = (Name(NOWHERE, (word,)) for word in "abc")
    signs = [call("neg", b), call("not", b)]
    for outer in OPERATORS:
        for inner in [*signs, *(call(operator, a, b) for operator in OPERATORS)]:
            for tree in (call(outer, inner, c), call(outer, c, inner)):
                assert bare(parsed(unparse(tree)).expr) == bare(tree)
            for sign in ("neg", "not"):
                assert bare(parsed(unparse(call(sign, inner))).expr) == bare(call(sign, inner))


@pytest.mark.parametrize("formula", WRITTEN, ids=lambda formula: formula.text.strip()[:60])
def test_a_formula_of_our_sheets_survives(formula: Formula) -> None:
    assert bare(parsed(unparse_formula(formula))) == bare(formula)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("a<>b", "a != b"),
        ("a=b", "a == b"),
        ("a**2", "a^2"),
        ("2^-1", "2^-1"),
        ("2^(-(1))", "2^-1"),
        ("((a))+(b*c)", "a + b * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "a - b - c"),
        ("a/(b*c)", "a / (b * c)"),
        ("(-a)^2", "(-a)^2"),
        ("-(a^2)", "-(a^2)"),
        ("not(a) and b", "not a and b"),
        ("not (a and b)", "not (a and b)"),
        ("IF(a,b,c)", "if(a, b, c)"),
        ("AND(a,b,c)", "a and b and c"),
        ("AND(a)", "AND(a)"),
        ("NOT(a, b)", "NOT(a, b)"),
        ("5[GB]", "5 [GB]"),
        ('t["k"].c', 't["k"].c'),
        ("t[2026-07, x].c", "t[2026-07, x].c"),
    ],
)
def test_there_is_one_canonical_spelling(text: str, canonical: str) -> None:
    first = unparse(parsed(text).expr)

    assert first == canonical
    assert unparse(parsed(first).expr) == canonical


FORMULA_LIKE = st.text(
    st.sampled_from(list("abe1290.,%^*/+-<>=!&|()[]{}\" \\\n_'#;BTk§é٣")), max_size=60
)


def survives(text: str) -> None:
    found = parse_formula(Slice(Source("formula", text), text, 0))
    if isinstance(found, Formula):
        assert bare(parsed(unparse_formula(found))) == bare(found)
    else:
        start, end = found.label.span.start, found.label.span.end
        assert 0 <= start <= end <= len(text)


@settings(max_examples=400)
@given(FORMULA_LIKE | st.text(max_size=60))
def test_no_text_makes_the_parser_raise(text: str) -> None:
    survives(text)
    parse_template(Slice(Source("message", text), text, 0))


@settings(max_examples=400)
@given(st.sampled_from(WRITTEN), st.data())
def test_no_mutated_formula_makes_the_parser_raise(formula: Formula, data: st.DataObject) -> None:
    text = formula.text
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 4))
        text = text[:at] + data.draw(FORMULA_LIKE.map(lambda piece: piece[:3])) + text[at + cut :]

    survives(text)
