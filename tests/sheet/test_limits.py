"""Limits are met with words, and what lies just below them is read."""

from collections.abc import Callable
from typing import Any

import pytest

from calcgraph.core.source import Source
from calcgraph.sheet.reader import read_sheet

LONGEST_TEXT = 32_767


def words(text: str) -> list[str]:
    return [one.message for one in read_sheet(Source("sheet", f"calcgraph: 1\n{text}\n"))[1]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"title: {'x' * LONGEST_TEXT}", []),
        (f"title: {'x' * (LONGEST_TEXT + 1)}", ["text of 32,768 characters; 32,767 is the most"]),
        (f"calc: {{x: = {'+'.join(['1'] * 1900)}}}", []),
        (f'calc: {{x: "= {"(" * 63}1{")" * 63}"}}', []),
        (f'calc: {{x: "= {"(" * 64}1{")" * 64}"}}', ["formula is nested deeper than 64 levels"]),
        (f'calc: {{x: "= {"-(" * 500}1{")" * 500}"}}', ["formula is nested deeper than 64 levels"]),
        (
            f'calc: {{x: "= {"abs(" * 500}1{")" * 500}"}}',
            ["formula is nested deeper than 64 levels"],
        ),
        (f"calc: {{x: = {'not ' * 500}true}}", ["formula is nested deeper than 64 levels"]),
        (f"calc: {{x: = {'2^' * 500}2}}", ["`2^2^2` can be read in two ways: add parentheses"]),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_limit(text: str, said: list[str]) -> None:
    assert words(text) == said


def test_nesting_of_yaml_is_counted_as_it_goes() -> None:
    assert words(f"title: {'[' * 100_000}") == ["nested deeper than 32 levels"]


def test_forbidden_characters_are_listed_up_to_twenty() -> None:
    found = words(f"title: {chr(0x200B) * 1000}")

    assert found == ["U+200B ZERO WIDTH SPACE is not allowed in a sheet"] * 20


def test_variants_of_variants_come_to_an_end(
    cli: Callable[[str], Any], sheet: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet("inputs: {x: 1}\ncalc: {c: = x * 2}\n", "l3.yaml")
    for level in range(3):
        leaf = f"l{level + 1}.yaml"
        ways = "".join(f"  a{n}: {{sheet: {leaf}, set: {{x: = x + {n}}}}}\n" for n in range(5))
        total = " + ".join(f"a{n}.c" for n in range(5))
        sheet(f"imports:\n{ways}inputs: {{x: 1}}\ncalc:\n  c: = {total}\n", f"l{level}.yaml")

    allowed = cli("eval l0.yaml --show c")
    monkeypatch.setattr("calcgraph.graph.submodels.MAX_INSTANCES", 200)
    refused = cli("eval l0.yaml")

    assert "c  1,750" in allowed.out  # 125 times 2 * (1 + n + m + k), of which each is 2 on average
    assert (refused.code, refused.out) == (3, "")
    assert refused.err.count("error[") == 1
    assert "error[CG109]: variants of variants compute more than" in refused.err
