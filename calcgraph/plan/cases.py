"""The part of a plan that varies with cases, as one function over arrays of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from calcgraph.plan.array_statements import ArrayStore
from calcgraph.plan.arrays import NoArray
from calcgraph.plan.plan import compile_text
from calcgraph.plan.statements import STRICT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from calcgraph.plan.plan import Plan

CaseCode: TypeAlias = "Callable[[Any, int, Mapping[int, NDArray[Any]]], tuple[NDArray[Any], ...]]"
"""From guarded values, a number of cases and their inputs to the cells wanted, cases first."""


def stale_cells(plan: Plan, inputs: Collection[int], wanted: Collection[int]) -> list[int]:
    """Give the cells that must be computed for each case, in order."""
    reached = _reach(inputs, plan.users)
    needed = _reach(wanted, plan.needs)
    return [cell for cell in plan.order if cell in reached and cell in needed]


def _reach(start: Collection[int], edges: Sequence[Sequence[int]]) -> set[int]:
    found, waiting = set(start), list(start)
    while waiting:
        new = [cell for cell in edges[waiting.pop()] if cell not in found]
        found.update(new)
        waiting.extend(new)
    return found


def compile_cases(
    plan: Plan, inputs: Collection[int], stale: Sequence[int], wanted: Sequence[int]
) -> CaseCode | None:
    """Write and compile what varies with the inputs; none where that cannot be over arrays.

    ``wanted`` are inputs, or cells among those that are stale.
    """
    lines = [f"a{cell} = given[{cell}]" for cell in inputs]
    constants: list[object] = []
    store = ArrayStore(plan.model, constants, lines, frozenset(inputs) | frozenset(stale))
    store.arrays.update(inputs)
    try:
        for cell in stale:
            unit = plan.unit(cell)
            if unit in plan.group_dims:
                if cell == unit[0]:
                    store.group(unit, plan.group_dims[unit])
            else:
                store.cell(cell)
    except NoArray:
        return None
    lines.append(f"return ({''.join(f'a{cell}, ' for cell in wanted)})")
    text = "\n        ".join([f"def run(v, n, given):\n    {STRICT}", *lines])
    code: CaseCode = compile_text(text, constants, has_arrays=True)["run"]
    return code
