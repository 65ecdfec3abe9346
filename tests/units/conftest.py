"""What the tests of units share."""

from pathlib import Path

import pytest

from calcgraph.units import UnitBook, Vocabulary, load_vocabulary, make_unit_book


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    return load_vocabulary(use_cache=False)


@pytest.fixture(scope="session")
def book(vocabulary: Vocabulary) -> UnitBook:
    made, problems = make_unit_book(vocabulary, {}, {})
    assert problems == []
    return made


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("CALCGRAPH_CACHE", str(folder))
    return folder
