"""Cases to evaluations: their changes become arrays, cases first, in blocks that fit the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.evaluate.block import Block, Column, block_size
from calcgraph.evaluate.changes import changed_inputs
from calcgraph.evaluate.run import Evaluation, recompute
from calcgraph.evaluate.values import Overlay
from calcgraph.plan.cases import compile_units, reached_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calcgraph.model import Change

LEAST = 4
"""Fewer cases at once are not worth what reading and giving arrays costs."""


def on_axis(base: Evaluation, cases: Sequence[Sequence[Change]]) -> Iterator[Evaluation]:
    """Compute cases block by block; what any of them changes is an axis of all.

    Where they are so large that only few have room, they are computed one by one.
    """
    plan = base.plan
    varied = sorted({change.cell for case in cases for change in case})
    stale = reached_cells(plan, varied)
    size = block_size(plan, [*varied, *stale])
    if not varied or size < LEAST:
        yield from (recompute(base, case) for case in cases)
        return
    for start in range(0, len(cases), size):
        yield from _block(base, cases[start : start + size], varied, stale)


def _block(
    base: Evaluation,
    cases: Sequence[Sequence[Change]],
    varied: Sequence[int],
    stale: Sequence[int],
) -> Iterator[Evaluation]:
    plan, steady = base.plan, list(base.values)
    touched = [changed_inputs(plan.model, base.changes, case) for case in cases]
    given = {
        cell: Column.of(plan.model, cell, [own.get(cell, steady[cell]) for own in touched]).array
        for cell in varied
    }
    block = Block(plan, steady, compile_units(plan, varied, stale), given)
    block.run()
    columns = {cell: block.values(cell) for cell in (*varied, *stale)}
    for at, (case, own) in enumerate(zip(cases, touched, strict=True)):
        yield Evaluation(
            plan,
            Overlay(steady, {cell: column[at] for cell, column in columns.items()}),
            tuple(stale),
            (*base.changes, *case),
            base.touched | own.keys(),
        )
