"""What we ship is found."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from calcgraph.core import resources


def test_the_units_texts_are_read_in_alphabetical_order() -> None:
    texts = resources.unit_texts()

    assert list(texts) == sorted(texts)
    assert {"time.txt", "information.txt", "prefixes.txt"} <= set(texts)
    assert "hour = 60 * min" in texts["time.txt"]


def test_sheets_are_named_by_their_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sheets" / "catalog").mkdir(parents=True)
    (tmp_path / "sheets" / "catalog" / "models.yaml").touch()
    (tmp_path / "sheets" / "llama70b.yaml").touch()
    (tmp_path / "sheets" / "notes.txt").touch()
    monkeypatch.setattr(resources, "_BUNDLED", str(tmp_path))

    paths = resources.sheet_paths()

    assert list(paths) == ["catalog/models", "llama70b"]
    assert Path(paths["llama70b"]).is_file()


def test_the_folder_inside_the_wheel_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = resources.folder("units")
    (tmp_path / "units").mkdir()
    monkeypatch.setattr(resources, "_BUNDLED", str(tmp_path))

    assert Path(beside).is_dir()
    assert resources.folder("units") == str(tmp_path / "units")


def test_the_release_of_a_library_is_told_without_importing_it() -> None:
    script = (
        "import sys; from calcgraph.core.resources import installed_release as release; "
        "print(release('pint'), release('no_such_library'), 'pint' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    name, missing, imported = done.stdout.split()
    assert name.casefold() == f"pint-{version('pint')}.dist-info"
    assert (missing, imported) == ("None", "False")


def test_our_own_sources_are_read_by_package() -> None:
    sources = resources.own_sources("units")

    assert sources is not None
    assert "vocabulary.py" in sources
    assert resources.own_sources("no_such_package") is None


def test_importing_units_imports_neither_pint_nor_numpy() -> None:
    script = "import sys, calcgraph.units; print({'pint', 'numpy'} & {*sys.modules})"

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout == "set()\n"
