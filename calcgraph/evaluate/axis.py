"""Cases to evaluations: their changes become arrays, cases first, in blocks that fit the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.evaluate.block import Block, Column, block_size
from calcgraph.evaluate.changes import changed_inputs
from calcgraph.evaluate.run import Evaluation
from calcgraph.evaluate.values import Overlay
from calcgraph.plan.cases import compile_units, reached_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from calcgraph.core.value import Value
    from calcgraph.model import Change
    from calcgraph.plan import Plan


def on_axis(base: Evaluation, cases: Sequence[Sequence[Change]]) -> Iterator[Evaluation]:
    """Compute cases block by block."""
    plan, steady = base.plan, list(base.values)
    varied = sorted({change.cell for case in cases for change in case})
    stale = reached_cells(plan, varied)
    codes = compile_units(plan, varied, stale)
    size = block_size(plan.model, [*varied, *stale])
    for start in range(0, len(cases), size):
        some = cases[start : start + size]
        touched = [changed_inputs(plan.model, base.changes, case) for case in some]
        given = {
            cell: Column.of(plan.model, cell, [own.get(cell, steady[cell]) for own in touched]).array
            for cell in varied
        }
        block = Block(plan, steady, codes, given)
        block.run()
        lists = {cell: block.values(cell) for cell in (*varied, *stale)}
        for at, (case, own) in enumerate(zip(some, touched, strict=True)):
            values = Overlay(steady, {cell: column[at] for cell, column in lists.items()})
            yield Evaluation(
                plan,
                values,
                tuple(stale),
                (*base.changes, *case),
                base.touched | own.keys(),
            )

