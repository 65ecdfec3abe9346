"""A cache of the tests' own: units are resolved once for all bugs."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _no_cache_of_the_users(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CALCGRAPH_CACHE", str(tmp_path_factory.mktemp("session") / "cache"))
        yield
