"""One LibreOffice for all differential tests, and the engines that are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator

import pytest

from differential.engines import ENGINES
from differential.office import NoOffice, Office, office_needed
from differential.values import Values


@pytest.fixture(scope="session")
def office() -> Iterator[Office]:
    try:
        running = Office()
    except NoOffice as error:
        if office_needed():
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))
    with running:
        yield running


@pytest.fixture(scope="session")
def formulon() -> Callable[..., Values]:
    return _engine("formulon")


@pytest.fixture(scope="session")
def ironcalc() -> Callable[..., Values]:
    return _engine("ironcalc")


def _engine(name: str) -> Callable[..., Values]:
    if importlib.util.find_spec(name) is None:
        reason = f"{name} is not installed: pip install -e '.[test]'"
        if office_needed():
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return ENGINES[name]
