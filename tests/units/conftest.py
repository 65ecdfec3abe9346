"""What the tests of units share."""

from collections.abc import Iterator
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


@pytest.fixture(scope="session", autouse=True)
def _no_cache_of_the_users(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CALCGRAPH_CACHE", str(tmp_path_factory.mktemp("session") / "cache"))
        yield


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("CALCGRAPH_CACHE", str(folder))
    return folder
