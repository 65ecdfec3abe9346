"""The vocabulary comes from the cache exactly as it was read, or is read again."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pint
import pytest

from calcgraph.core import cache, resources
from calcgraph.units import Vocabulary, load_vocabulary, vocabulary_from_json


def kept_file(folder: Path) -> Path:
    """The one file a first load leaves."""
    load_vocabulary()
    (file,) = folder.iterdir()
    return file


def same(left: Vocabulary, right: Vocabulary) -> bool:
    return left.to_json() == right.to_json()


def loads_without_pint(folder: Path) -> bool:
    """Whether a fresh process gets the vocabulary without importing pint."""
    script = (
        "import sys; imported = set(); "
        "sys.addaudithook(lambda event, args: event == 'import' and imported.add(args[0])); "
        "from calcgraph.units import load_vocabulary; "
        "load_vocabulary(); print('pint' in imported)"
    )
    environment = {**os.environ, "CALCGRAPH_CACHE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout == "False\n"


def test_the_second_load_needs_no_pint(cache_folder: Path) -> None:
    first = loads_without_pint(cache_folder)
    second = loads_without_pint(cache_folder)

    assert (first, second) == (False, True)


def test_the_kept_vocabulary_is_the_one_that_was_read(
    cache_folder: Path, vocabulary: Vocabulary
) -> None:
    kept_file(cache_folder)

    again = load_vocabulary()

    assert same(again, vocabulary)
    assert dict(again.units) == dict(vocabulary.units)
    assert [again.atom(text) for text in again.spellings()] == [
        vocabulary.atom(text) for text in vocabulary.spellings()
    ]


def test_other_units_texts_are_read_anew(
    cache_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_file(cache_folder)
    shutil.copytree(resources.folder("units"), tmp_path / "units")
    with (tmp_path / "units" / "time.txt").open("a") as text:
        text.write("fortnight = 14 * day\n")
    monkeypatch.setattr(resources, "_BUNDLED", str(tmp_path))

    vocabulary = load_vocabulary()

    assert vocabulary.units["fortnight"].scale == 1_209_600
    assert len(list(cache_folder.iterdir())) == 2


def test_another_release_of_pint_is_asked_anew(
    cache_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept_file(cache_folder)
    assert pint.UnitRegistry, "the real one is loaded before it is hidden"
    (tmp_path / "pint").mkdir()
    (tmp_path / "pint" / "__init__.py").touch()
    (tmp_path / "pint-99.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)

    load_vocabulary()

    assert first in cache_folder.iterdir()
    assert len(list(cache_folder.iterdir())) == 2


def test_without_the_cache_nothing_is_read_or_written(cache_folder: Path) -> None:
    load_vocabulary(use_cache=False)

    assert not cache_folder.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'{"format": 0}',
        b"[" * 100_000,
        b'{"format": 1, "units": [], "prefixes": {}}',
    ],
)
def test_a_sound_file_with_strange_content_is_ignored(
    cache_folder: Path, vocabulary: Vocabulary, content: bytes
) -> None:
    cache.write(kept_file(cache_folder).name, content)

    assert same(load_vocabulary(), vocabulary)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("format", 0),
        ("format", None),
        ("units", [["s"]]),
        ("units", [["s", "s 1", "1/0", "", "s", ""]]),
        ("units", [["s", "s one", "1", "", "s", ""]]),
        ("units", [["s", "s", "1", "", "s", ""]]),
        ("units", [["s", "s 1", 1, "", "s", ""]]),
        ("units", [["s", "s 1", "1", "Q", "s", ""]]),
        ("units", [None]),
        ("units", "s"),
        ("prefixes", {"k": 1000}),
        ("prefixes", {"k": "much"}),
        ("refused", {"h": 1}),
        ("unknown", None),
    ],
)
def test_json_of_another_shape_is_no_vocabulary(
    vocabulary: Vocabulary, part: str, wrong: object
) -> None:
    kept = json.loads(json.dumps(vocabulary.to_json()))

    assert vocabulary_from_json({**kept, part: wrong}) is None
    assert vocabulary_from_json(kept) is not None


def test_pint_knows_numpy_after_definitions_are_read(cache_folder: Path) -> None:
    script = (
        "from calcgraph.units import load_vocabulary; load_vocabulary(); "
        "import pint, numpy; "
        "made = pint.UnitRegistry().Quantity(numpy.array([1.0, 2.0]), 'm').to('cm'); "
        "print(made.magnitude.tolist())"
    )
    environment = {**os.environ, "CALCGRAPH_CACHE": str(cache_folder)}

    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )

    assert done.stdout == "[100.0, 200.0]\n"
