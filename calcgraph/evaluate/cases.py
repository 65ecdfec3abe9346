"""One plan for many cases: what does not vary is computed once, the rest over arrays of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.evaluate.run import Evaluation, evaluate, recompute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from calcgraph.evaluate.sweeps import Sweep
    from calcgraph.model import Change
    from calcgraph.plan import Plan


def evaluate_cases(plan: Plan, cases: Sequence[Sequence[Change]]) -> list[Evaluation]:
    """Compute every cell in some cases, each with changes of its own; what they share once."""
    base = evaluate(plan)
    return [recompute(base, case) for case in cases]


def sweep(base: Evaluation, inputs: Mapping[int, ArrayLike], wanted: Sequence[int]) -> Sweep:
    """Compute cells for arrays of values of inputs, cases first; of a series all its entries.

    All else is as in ``base``. Cases that fail are computed one by one, to say why.
    """
    from calcgraph.evaluate.sweeps import Sweeper, typed  # few sheets are swept

    model = base.plan.model
    given = {cell: typed(model, cell, values) for cell, values in inputs.items()}
    return Sweeper(base, given, tuple(dict.fromkeys(wanted))).run()
