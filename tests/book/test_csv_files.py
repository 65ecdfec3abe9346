"""CSV files beside a sheet: opened under the rules of imports, and part of the fingerprint."""

from pathlib import Path

import pytest

from calcgraph.book import open_book
from calcgraph.book.errors import SheetError
from calcgraph.book.files import Opener
from calcgraph.core.source import Source
from calcgraph.sheet.imports import Unreadable

SHEET = """\
calcgraph: 1
tables:
  chips: {columns: {hbm: GB}, from_csv: parts/chips.csv}
inputs: {gpus: 8 gpu}
calc: {twice: = gpus * 2}
"""
LINES = "name,hbm\nH100,80\n"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "model" / "parts").mkdir(parents=True)
    (tmp_path / "model" / "parts" / "chips.csv").write_text(LINES)
    (tmp_path / "model" / "sheet.yaml").write_text(SHEET)
    return tmp_path / "model"


def opener(model: Path) -> tuple[Opener, str]:
    found = Opener(model.resolve())
    sheet = str(model.resolve() / "sheet.yaml")
    found.names[sheet] = "model/sheet.yaml"
    return found, sheet


def test_the_fingerprint_covers_the_text_of_csv_files(model: Path) -> None:
    def fingerprint(text: str) -> str:
        (model / "parts" / "chips.csv").write_bytes(text.encode())
        return open_book(model / "sheet.yaml", use_cache=False).fingerprint

    first = fingerprint(LINES)

    assert fingerprint(LINES.replace("80", "81")) != first
    assert fingerprint(LINES.replace("\n", "\r\n")) == first
    assert fingerprint(LINES) == first


def test_a_file_is_named_as_seen_from_here_and_bears_no_byte_order_mark(model: Path) -> None:
    (model / "parts" / "chips.csv").write_bytes(b"\xef\xbb\xbf" + LINES.encode())
    found, sheet = opener(model)

    opened = found.data(sheet, "parts/chips.csv")

    path = str(model.resolve() / "parts" / "chips.csv")
    assert opened == (path, Source("model/parts/chips.csv", LINES))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("parts", "is a directory"),
        ("parts/chip.csv", "does not exist"),
        ("../outside.csv", "lies outside of the model's root"),
        ("link.csv", "lies outside of the model's root"),
        ("https://example.com/chips.csv", "is not a local file"),
        ("latin.csv", "is not UTF-8"),
    ],
)
def test_only_regular_files_inside_the_root_are_opened(
    model: Path, path: str, message: str
) -> None:
    outside = model.parent / "outside.csv"
    outside.write_text(LINES)
    (model / "link.csv").symlink_to(outside)
    (model / "latin.csv").write_bytes("name,hbm\nSão,80\n".encode("latin-1"))
    found, sheet = opener(model)

    opened = found.data(sheet, path)

    assert isinstance(opened, Unreadable)
    assert message in opened.message


def test_a_mistake_in_a_file_is_a_mistake_of_the_sheet(model: Path) -> None:
    (model / "parts" / "chips.csv").write_text("name,hbm\nH100,80,5\n")

    with pytest.raises(SheetError) as raised:
        open_book(model / "sheet.yaml", use_cache=False)

    places = [one.label.span.file_line for one in raised.value.diagnostics if one.is_error]
    assert [place.endswith("parts/chips.csv:2") for place in places] == [True]
