"""What a reviewer asks: an input that nothing uses is the sheet's own fault only."""

from datetime import date
from pathlib import Path

import pytest

import calcgraph as cg
from calcgraph.analysis.review import review

JOB = """calcgraph: 1
inputs:
  gpus:  {value: 8 gpu, source: us}
  spare: {value: 3, source: us}
calc:
  pair: = 2 * gpus -> gpu
"""
MAIN = """calcgraph: 1
imports: {job: job.yaml}
calc:
  four: = 2 * job.pair -> gpu
"""


@pytest.mark.parametrize(
    ("sheet", "text", "expected"),
    [
        ("job.yaml", JOB, ["nothing uses the input `spare`"]),
        ("job.yaml", JOB + "outputs: [spare]\n", []),
        ("main.yaml", MAIN, []),
    ],
)
def test_an_unused_input_is_told_of_the_sheet_itself(
    tmp_path: Path, sheet: str, text: str, expected: list[str]
) -> None:
    (tmp_path / "job.yaml").write_text(JOB)
    (tmp_path / sheet).write_text(text)

    book = cg.open(tmp_path / sheet)

    assert [found.message for found in review(book.model.graph, date(2026, 11, 29))] == expected
