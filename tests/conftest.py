"""What all tests share: how Hypothesis runs, and that the benches run only when asked for."""

from pathlib import Path

import pytest
from hypothesis import settings

BENCH = Path(__file__).parent / "bench"

# Never assert on time: a slow machine must not turn a law into a failure.
settings.register_profile("calcgraph", deadline=None, print_blob=True)
settings.load_profile("calcgraph")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave `tests/bench` alone unless it is named: ``pytest tests/bench``."""
    if collection_path != BENCH or any("bench" in Path(arg).parts for arg in config.args):
        return None
    return True
