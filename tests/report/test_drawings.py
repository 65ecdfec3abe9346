"""Drawings hold the graph and nothing else, whatever is written in labels; tables line up."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import calcgraph as cg
from calcgraph.report.table_layout import align_points

Cli = Callable[[str], Any]
Write = Callable[..., str]

SHEET = r"""
inputs:
  Say "this" & <that>:
    a: {value: 1 USD, label: 'a "quoted" [label] \ with {marks} | and <b>'}
    b: {value: "two\nlines", label: "B; end"}
calc:
  c: = a * 2 -> USD
  d: = c + a -> USD
  e: '= "{b}"'
"""
EDGES = {("a", "c"), ("c", "d"), ("a", "d"), ("b", "e")}


def edges(text: str, arrow: str, names: list[str]) -> set[tuple[str, str]]:
    found = re.findall(rf"^  n(\d+) {arrow} n(\d+);?$", text, re.MULTILINE)
    return {(names[int(one)], names[int(other)]) for one, other in found}


@pytest.mark.parametrize(("kind", "arrow"), [("dot", "->"), ("mermaid", "-->")])
def test_edges_are_those_of_the_graph(cli: Cli, sheet: Write, kind: str, arrow: str) -> None:
    name = sheet(SHEET)
    book = cg.open(name)
    names = [cell.name for cell in book.model.cells]

    assert edges(cli(f"graph {name} --format {kind}").out, arrow, names) == EDGES
    assert set(book.graph.edges) == EDGES
    assert edges(cli(f"graph {name} c --format {kind}").out, arrow, names) == {("a", "c")}


def test_dot_quotes_what_is_in_labels(cli: Cli, sheet: Write) -> None:
    out = cli(f"graph {sheet(SHEET)}").out

    text = r"a \"quoted\" [label] \\ with {marks} | and <b>\n1 USD"
    assert f'n0 [label="{text}", tooltip="a", fillcolor="#FFF9DC"];' in out
    assert r'label="Say \"this\" & <that>"' in out
    assert r'n1 [label="B; end\ntwo\nlines"' in out
    for line in out.splitlines():  # every quote that is not escaped has its partner
        assert len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2 == 0


def test_mermaid_writes_marks_as_entities(cli: Cli, sheet: Write) -> None:
    out = cli(f"graph {sheet(SHEET)} --format mermaid").out

    labels = re.findall(r'\["(.*)"\]$', out, re.MULTILINE)
    assert len(labels) == 2 + 5  # two groups, five cells
    for label in labels:
        assert not set(label.replace("<br/>", "")) & set('"[]{}<>|\\&')


def test_values_in_a_drawing_follow_what_is_set(cli: Cli, sheet: Write) -> None:
    assert r"label=\"c\n20 USD" in cli(f"graph {sheet(SHEET)} --set a=10").out.replace('"', r"\"")


@pytest.mark.parametrize(
    ("texts", "aligned"),
    [
        (["1", "22.5", "3.25"], ["1   ", "22.5 ", "3.25"]),
        (["-1", "1,000.5", "n/a"], ["-1  ", "1,000.5", "n/a"]),
        (["40%", "2.98%", "7"], ["40%   ", "2.98%", "7    "]),
        (["h100", "text 1.5"], ["h100", "text 1.5"]),
        (["1.5e15", "2"], ["1.5e15", "2     "]),
    ],
)
def test_points_stand_below_each_other(texts: list[str], aligned: list[str]) -> None:
    found = align_points(texts)

    assert [text.rstrip() for text in found] == texts
    assert found == aligned
