"""What Excel lets people type into an input: kinds, bounds, and lists to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.excel.builder import is_number, unit_text
from calcgraph.excel.grid import Rule, XlsxCell, ref
from calcgraph.excel.literals import number_text
from calcgraph.sheet.declarations import InputDecl

if TYPE_CHECKING:
    from calcgraph.excel.builder import Builder
    from calcgraph.excel.grid import Page
    from calcgraph.model import Cell

TRUTHS = "cg.choices.truth"
FARTHEST = "1E+300"
LONGEST_PROMPT = 250


def input_rule(builder: Builder, cell: Cell, place: str) -> Rule | None:
    """Let Excel refuse what the engine would refuse."""
    prompt = _prompt(builder, cell)
    if cell.bounds.choices and cell.type.table not in builder.spelling.keys:
        return Rule(place, "list", ref(builder.choices(cell)), prompt=prompt)
    least, most = cell.bounds.least, cell.bounds.most
    low = number_text(least) if least is not None else f"-{FARTHEST}"
    high = number_text(most) if most is not None else FARTHEST
    return _rule(builder, cell, place, (low, high, prompt))


def column_rule(builder: Builder, cell: Cell, place: str) -> Rule | None:
    """Let Excel refuse what is of another kind than a table's column."""
    return _rule(builder, cell, place, (f"-{FARTHEST}", FARTHEST, ""))


def _rule(builder: Builder, cell: Cell, place: str, facts: tuple[str, str, str]) -> Rule | None:
    low, high, prompt = facts
    if cell.type.table in builder.spelling.keys:
        return Rule(place, "list", ref(builder.spelling.keys[cell.type.table]), prompt=prompt)
    if cell.type.kind is Kind.TRUTH:
        return Rule(place, "list", ref(TRUTHS), prompt=prompt)
    if is_number(cell.type):
        return Rule(place, "decimal", low, high, prompt)
    return None


def _prompt(builder: Builder, cell: Cell) -> str:
    decl = builder.request.model.graph.nodes[cell.number].decl
    assert isinstance(decl, InputDecl), "inputs are declared as such"
    unit, source = unit_text(cell.type), decl.about.source
    parts = [
        f"in {unit}" if unit else "",
        decl.about.note,
        f"source: {source.title}" if source and source.title else "",
    ]
    text = "; ".join(part for part in parts if part)
    return text if len(text) <= LONGEST_PROMPT else f"{text[:LONGEST_PROMPT]}…"


def add_choices(builder: Builder, page: Page) -> None:
    """Write what may be chosen, a row an input: lists within rules are short and hang on language.

    A list of Excel refers to these rows; so a truth is a truth and a number a number everywhere.
    """
    rows = {TRUTHS: (True, False)} | {
        name: cell.bounds.choices for name, cell in builder.lists.items()
    }
    for name, choices in rows.items():
        page.put(page.row, 1, XlsxCell(name, style="place"))
        for at, choice in enumerate(choices, 2):
            page.put(page.row, at, XlsxCell(choice, style="place"))
        first = page.at(page.row, 2, sheet=True)
        builder.places[name] = f"{first}:{page.at(page.row, 1 + len(choices))}"
        page.row += 1
