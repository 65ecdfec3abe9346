"""The part of a plan that varies with cases, as functions over arrays of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.reach import reached
from calcgraph.plan.array_statements import ArrayStore
from calcgraph.plan.arrays import NoArray
from calcgraph.plan.plan import compile_text
from calcgraph.plan.statements import STRICT

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from calcgraph.plan.plan import CaseCode, Plan, Unit

INDENT = "\n        "


def stale_cells(plan: Plan, inputs: Collection[int], wanted: Collection[int]) -> list[int]:
    """Give the cells that must be computed for each case, in order."""
    needed = reached(wanted, plan.needs.__getitem__)
    return [cell for cell in reached_cells(plan, inputs) if cell in needed]


def reached_cells(plan: Plan, inputs: Collection[int]) -> list[int]:
    """Give the cells that depend on inputs, in order."""
    stale = reached(inputs, plan.users.__getitem__)
    return [cell for cell in plan.order if cell in stale]


def stale_units(plan: Plan, stale: Sequence[int]) -> tuple[Unit, ...]:
    """Give what is computed together, each once."""
    return tuple(dict.fromkeys(map(plan.unit, stale)))


def compile_cases(
    plan: Plan, inputs: Collection[int], stale: Sequence[int], wanted: Sequence[int]
) -> CaseCode | None:
    """Write and compile what varies with the inputs; none where that cannot be over arrays.

    ``wanted`` are inputs, or cells among those that are stale.
    """
    lines: list[str] = []
    constants: list[object] = []
    store = ArrayStore(plan.model, constants, lines, frozenset(inputs) | frozenset(stale))
    try:
        for unit in stale_units(plan, stale):
            _put(plan, store, unit)
    except NoArray:
        return None
    results = "".join(f"{store.series(cell)}, " for cell in wanted)
    text = INDENT.join([f"def run(v, n, given):\n    {STRICT}", *lines, f"return ({results})"])
    code: CaseCode = compile_text(text, constants, has_arrays=True)["run"]
    return code


def compile_units(
    plan: Plan, inputs: Collection[int], stale: Sequence[int]
) -> dict[Unit, CaseCode | None]:
    """Write and compile each unit that varies on its own; none for one that is not over arrays.

    Who calls the code lets numpy raise. What was compiled once is kept.
    """
    varied = frozenset(inputs) | frozenset(stale)
    if varied not in plan.varying:
        plan.varying[varied] = _compile_units(plan, stale, varied)
    return plan.varying[varied]


def _compile_units(
    plan: Plan, stale: Sequence[int], varied: frozenset[int]
) -> dict[Unit, CaseCode | None]:
    constants: list[object] = []
    texts: list[str] = []
    units = stale_units(plan, stale)
    for unit in units:
        lines: list[str] = []
        store = ArrayStore(plan.model, constants, lines, varied)
        try:
            _put(plan, store, unit)
        except NoArray:
            continue
        results = "".join(f"a{cell}, " for cell in unit)
        texts.append(
            "\n    ".join([f"def f{unit[0]}(v, n, given):", *lines, f"return ({results})"])
        )
    names = compile_text("\n".join(texts), constants, has_arrays=True)
    return {unit: names.get(f"f{unit[0]}") for unit in units}


def _put(plan: Plan, store: ArrayStore, unit: Unit) -> None:
    if unit in plan.group_dims:
        store.group(unit, plan.group_dims[unit])
    else:
        store.cell(unit[0])
