"""The first drafts of real models run as they were written: a proof of the language.

They say what was published: exact parameters of LLaMA models, memory of a plan, steps of a run,
TFLOP/s of Llama 3. These figures stand in the sheets as tests and expectations.
"""

from pathlib import Path

import pytest

import calcgraph as cg

DRAFTS = Path(__file__).parent / "drafts"
SHEETS = sorted(path.relative_to(DRAFTS).as_posix() for path in DRAFTS.glob("*/*.yaml"))


def open_draft(name: str) -> cg.Book:
    return cg.open(DRAFTS / name, root=DRAFTS)


@pytest.mark.parametrize("name", SHEETS)
def test_a_draft_runs_and_its_figures_hold(name: str) -> None:
    book = open_draft(name)

    results = [result for found in book.run_cases(book.model.cases) for result in found]
    results += book.expectations

    assert not book.evaluation.failures
    assert [(result.cell.name, result.actual) for result in results if result.ok is False] == []


def test_the_drafts_hold_figures_of_many_kinds() -> None:
    book = open_draft("training/exercises.yaml")
    planner = open_draft("training/planner.yaml")
    schedule = open_draft("training/lr_schedule.yaml")

    assert sum(len(case.figures) for case in planner.model.cases) >= 15
    assert any(case.name == "Llama 3 steps" for case in schedule.model.cases)
    assert len(book.expectations) == 2


def test_only_what_is_read_of_a_variant_is_computed() -> None:
    book = open_draft("training/schedules.yaml")

    nodes = book.model.graph.nodes
    ran = {nodes[number].name for number in book.model.order if nodes[number].within}

    assert {"each.idle", "each.held"} <= ran
    assert "each.p2p_factor" not in ran  # nothing reads it
    assert "each.ideal" not in ran  # reads no schedule, so it is the one of the model itself


def test_the_planner_searches_the_same_layouts_as_a_loop_would() -> None:
    """Count the grid by hand: its condition over the product of its columns."""
    planner = open_draft("training/planner.yaml")

    rows = [
        (tp, pp, cp, mbs, v, recompute, zero)
        for tp in (1, 2, 4, 8)
        for pp in (1, 2, 4, 5, 8, 10, 16, 20)
        for cp in (1, 2, 4)
        for mbs in (1, 2, 4)
        for v in (1, 2, 4, 5, 8, 10)
        for recompute in ("selective", "full")
        for zero in ("zero1", "zero3")
        if (v == 1 or pp > 1) and (zero == "zero1" or pp == 1) and pp * v <= 80
    ]

    labels = planner.model.dim("plan").labels
    assert list(labels) == ["/".join(map(str, row)) for row in rows]
