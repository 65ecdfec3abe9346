"""Random nested formulas: LibreOffice and another engine find what ours finds.

One seed a run of CI, so that it is the same for all; `CALCGRAPH_SEED=7 pytest …` tries another.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from calcgraph.book import Book
from calcgraph.engine import compute_part
from calcgraph.functions import ROWS
from calcgraph.model import Apply, Cell, Op, Reduce, Scan, fold_op
from differential.exports import Export, export
from differential.formulas import sheet_text
from differential.office import Office
from differential.values import Place, Values, differences, told
from differential.workbooks import read_written

Opinion = Callable[[Path], Values]
SEED = int(os.environ.get("CALCGRAPH_SEED", "1"))
COUNT = 400
ULP = 1e-15


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Export:
    folder = tmp_path_factory.mktemp("random")
    sheet = folder / "random.yaml"
    sheet.write_text(sheet_text(SEED, COUNT), encoding="utf-8")
    return export(sheet, folder)


@pytest.fixture(scope="module")
def slack(exported: Export) -> dict[Place, float]:
    """Give how far a difference of near-equal numbers may be off: Excel cuts it to 0."""
    return {
        exported.place(cell.name): ULP * largest_operand(exported.book, cell)
        for cell in exported.book.cells()
        if cell.op is not None
    }


def test_every_row_is_tried(exported: Export) -> None:
    """Rows with keys, or of names of dims, are lowered to others: their own name is not seen."""
    seen = {
        op.function.name
        for cell in exported.book.model.cells
        if cell.op is not None
        for op in parts(cell.op)
        if isinstance(op, Apply | Reduce | Scan)
    }

    assert {row.name for row in ROWS if not row.keyed and not row.of_dims} - seen == set()
    assert len(exported.calculated(exported.book)) >= COUNT


def test_the_cache_is_the_engines(exported: Export) -> None:
    expected = exported.calculated(exported.book)

    found = differences(expected, exported.written.values)

    assert not found, told(found, exported.written.formulas)
    assert expected.keys() <= exported.written.formulas.keys()


def test_libreoffice_agrees(exported: Export, slack: dict[Place, float], office: Office) -> None:
    assert read_written(exported.stripped).uncached == exported.written.formulas.keys()

    values = office.recalculate(exported.stripped).values

    found = differences(exported.written.cached, values, slack)
    assert not found, told(found, exported.written.formulas)


def test_another_engine_agrees(
    exported: Export, slack: dict[Place, float], formulon: Opinion, ironcalc: Opinion
) -> None:
    """Each lacks something (see `engines`), so it is enough that one of the two agrees.

    Only the cells of the model are asked for: what sums them up, parity and the master check, is
    wrong in both as soon as each lacks something somewhere.
    """
    expected = exported.calculated(exported.book)

    found = differences(expected, formulon(exported.stripped), slack)
    also = differences(expected, ironcalc(exported.stripped), slack)

    both = {place: (*found[place], also[place][1]) for place in found.keys() & also.keys()}
    assert not both, told(both, exported.written.formulas)


def parts(op: Op) -> list[Op]:
    """Give a tree's nodes, itself last."""
    found: list[Op] = []
    fold_op(op, lambda node, _: found.append(node))
    return found


def largest_operand(book: Book, cell: Cell) -> float:
    """Give the largest number that is added or subtracted in a tree and nearly cancelled there."""
    largest = 0.0
    assert cell.op is not None, "only calculated cells are looked at"
    for node in parts(cell.op):
        if isinstance(node, Apply) and node.function.name in {"+", "-", "mod"}:
            a, b, result = (value_of(book, cell, part) for part in (*node.args, node))
            if abs(result) < ULP * 1e3 * max(abs(a), abs(b)):
                largest = max(largest, abs(a), abs(b))
    return largest


def value_of(book: Book, cell: Cell, op: Op) -> float:
    """Compute a part of a formula; what is no number, or cannot be computed, is 0."""
    value = compute_part(book.evaluation, cell.number, op)
    return value if isinstance(value, float) else 0.0
