"""Whatever a function refuses, it says what to write instead."""

from itertools import product

import pytest

from calcgraph.core.values import DATE, NUMBER, TEXT, TRUTH, Kind, Type
from calcgraph.functions import ROWS
from calcgraph.functions.spec import Clash, Function, Operand
from calcgraph.units import load_vocabulary, make_unit_book


def operands() -> list[Operand]:
    """One of each kind: numbers with and without units, columns, written out or not."""
    book, _ = make_unit_book(load_vocabulary(), {}, {})
    gpu = Type(Kind.NUMBER, book.unit("gpu^7"))
    column = Type(Kind.NUMBER, book.unit("USD"), dims=("table",))
    return [
        Operand(NUMBER, "x"),
        Operand(NUMBER, "2.5", 2.5, bare=True),
        Operand(NUMBER, "40%", 0.4, percent=True),
        Operand(gpu, "gpus"),
        Operand(column, "table.price"),
        Operand(TEXT, "name"),
        Operand(TRUTH, "flag"),
        Operand(DATE, "day"),
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_clash_has_a_hint(row: Function) -> None:
    for given in product(operands(), repeat=row.least):
        found = row.units(given)
        if isinstance(found, Clash):
            assert found.hint, (found.message, [operand.text for operand in given])
