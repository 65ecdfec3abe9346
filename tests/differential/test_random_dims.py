"""Random sheets with dims: LibreOffice computes what the engine does, after changes too."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from differential.along import Along, export_along
from differential.office import Office
from differential.random_dims import random_book
from differential.test_dims import changed, follow
from differential.values import differences, told

SEEDS = range(4)


@pytest.fixture(scope="module", params=SEEDS)
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Along:
    folder = tmp_path_factory.mktemp("random")
    book = random_book(request.param, folder)
    return export_along(Path(book.name), folder)


def test_libreoffice_agrees(exported: Along, office: Office) -> None:
    values = office.recalculate(exported.stripped).values

    found = differences(exported.written.cached, values)

    assert not found, told(found, exported.written.formulas)


def test_changes_in_the_workbook(exported: Along, office: Office) -> None:
    settings = changed(exported.book, random.Random(0))  # noqa: S311 - tests are no secret

    follow(exported, office, settings, "")
