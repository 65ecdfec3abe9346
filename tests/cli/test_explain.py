"""What `calcgraph explain` says beside the tree, which tests/analysis and tests/golden hold."""

import json
from pathlib import Path

import pytest

from calcgraph.cli import main

SHEET = str(Path(__file__).parents[2] / "docs" / "examples" / "train_time.yaml")


@pytest.mark.parametrize("depth", ["0", "3"])
@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("train_time", ["params", "tokens", "gpus", "peak", "mfu"]),
        ("total_flops", ["params", "tokens"]),
    ],
)
def test_json_lists_all_inputs_that_can_move_a_cell(
    name: str,
    inputs: list[str],
    depth: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["explain", SHEET, name, "--format", "json", "--depth", depth]) == 0

    assert json.loads(capsys.readouterr().out)["inputs"] == inputs
