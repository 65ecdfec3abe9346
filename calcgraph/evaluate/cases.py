"""One plan for many cases: what does not vary is computed once, the rest over arrays of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.evaluate.run import Evaluation, recompute

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike

    from calcgraph.evaluate.sweeps import Sweep
    from calcgraph.model import Change


def evaluate_cases(base: Evaluation, cases: Sequence[Sequence[Change]]) -> Iterator[Evaluation]:
    """Compute every cell in some cases, each with changes of its own on top of ``base``.

    They come one after the other, computed in blocks: who lets go of them needs the room of one
    block only.
    """
    if len(cases) < 2:
        for case in cases:
            yield recompute(base, case)
        return
    from calcgraph.evaluate.axis import on_axis  # a small sheet needs no numpy

    yield from on_axis(base, cases)


def sweep(base: Evaluation, inputs: Mapping[int, ArrayLike], wanted: Sequence[int]) -> Sweep:
    """Compute cells for arrays of values of inputs, cases first; of a series all its entries.

    All else is as in ``base``. Cases that fail are computed one by one, to say why.
    """
    from calcgraph.evaluate.sweeps import Sweeper, typed  # few sheets are swept

    model = base.plan.model
    given = {cell: typed(model, cell, values) for cell, values in inputs.items()}
    return Sweeper(base, given, tuple(dict.fromkeys(wanted))).run()
