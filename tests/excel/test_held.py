"""What stands where a workbook goes: kept where it is not ours, or holds edits."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from calcgraph.excel.existing_workbook import ForeignWorkbook, find_edits

Cli = Callable[[str], Any]


def change(path: Path, sheet: str, address: str, value: object) -> None:
    book = openpyxl.load_workbook(path)
    book[sheet][address] = value
    book.save(path)


def row_of(path: Path, sheet: str, column: int, text: str) -> int:
    page = openpyxl.load_workbook(path)[sheet]
    return next(r for r in range(1, page.max_row + 1) if page.cell(r, column).value == text)


def zipped(**parts: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in parts.items():
            book.writestr(name, content)
    return buffer.getvalue()


def other_workbook() -> bytes:
    buffer = io.BytesIO()
    openpyxl.Workbook().save(buffer)
    return buffer.getvalue()


def twice() -> bytes:
    return zipped(aaaa=b"1", aaab=b"2").replace(b"aaab", b"aaaa")


def declaring() -> bytes:
    entities = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
    return zipped(**{"xl/workbook.xml": entities})


FOREIGN = {
    "a text": (b"hello", "is not a workbook"),
    "nothing": (b"", "is not a workbook"),
    "half a zip": (other_workbook()[:2000], "is not a workbook"),
    "a zip": (zipped(x=b"y"), "is not a workbook that can be read"),
    "another workbook": (other_workbook(), "was not made by calcgraph"),
    "a bomb": (zipped(x=b" " * 300 * 2**20), "is too large, or packed too tight"),
    "too tight": (zipped(x=b" " * 20 * 2**20), "is too large, or packed too tight"),
    "many parts": (zipped(**{f"p{at}": b"" for at in range(2001)}), "is too large"),
    "a way out": (zipped(**{"../../x": b"y"}), "is not packed as workbooks are"),
    "an absolute path": (zipped(**{"/etc/x": b"y"}), "is not packed as workbooks are"),
    "a part twice": (twice(), "is not packed as workbooks are"),
    "entities": (declaring(), "declares entities"),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_not_ours_is_kept(what: str, name: str, cli: Cli, tmp_path: Path) -> None:
    content, words = FOREIGN[what]
    (tmp_path / "out.xlsx").write_bytes(content)

    ran = cli(f"export {name} -o out.xlsx")

    assert ran.code == 4
    assert words in ran.err
    assert ran.err.endswith("; --force overwrites it\n")
    assert (tmp_path / "out.xlsx").read_bytes() == content
    assert not [item for item in tmp_path.iterdir() if item.name.startswith(".")]


def test_what_is_not_ours_is_overwritten_where_asked(name: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "out.xlsx").write_bytes(b"hello")

    assert cli(f"export {name} -o out.xlsx --force").code == 0

    assert find_edits(tmp_path / "out.xlsx") == []


EDITS = {
    "gpus": ("Inputs", "B", 12),
    "chip": ("Inputs", "B", "b"),
    "since": ("Inputs", "B", 46_083),
    "opt": ("Inputs", "B", 1),
    "yes": ("Inputs", "B", False),
    "chips[a].price": ("Tables", "B8", 2.5),
    "chips[b].price": ("Tables", "B9", 3),
    "chips[a].seen": ("Tables", "C8", 46_054),
    "chips[b].fast": ("Tables", "D9", 0),
    "chips[a].maker": ("Tables", "E8", "X"),
    "big: gpus": ("Scenarios", "F", 17),
    "big: opt": ("Scenarios", "F", 1),
    "rich: chips[a].price": ("Scenarios", "G", None),
    "none: opt": ("Scenarios", "H", None),
}


def edit(path: Path, name: str) -> None:
    """Make an edit; on Inputs and Scenarios the row is that of the key."""
    sheet, address, value = EDITS[name]
    if len(address) == 1:
        address += str(row_of(path, sheet, 4, name.rpartition(": ")[2]))
    change(path, sheet, address, value)


@pytest.mark.parametrize("edited", EDITS)
def test_edits_are_kept(edited: str, out: Path, name: str, cli: Cli) -> None:
    edit(out, edited)
    before = out.read_bytes()

    ran = cli(f"export {name} -o out.xlsx")

    assert ran.code == 5
    assert ran.err == (
        f"calcgraph: out.xlsx contains 1 edit not yet pulled: {edited}\n"
        "  = hint: pull them first, or pass --force\n"
    )
    assert out.read_bytes() == before


def test_edits_are_counted_and_overwritten_where_asked(out: Path, name: str, cli: Cli) -> None:
    for edited in ("gpus", "yes", "chips[a].price"):
        edit(out, edited)

    ran = cli(f"export {name} -o out.xlsx")
    forced = cli(f"export {name} -o out.xlsx --force")

    assert ran.code == 5
    assert "contains 3 edits not yet pulled: gpus, yes, chips[a].price" in ran.err
    assert forced.code == 0
    assert find_edits(out) == []


@pytest.mark.parametrize("value", ["=3+5", "8 gpu", 8.000001, True, None, "#N/A"], ids=str)
def test_anything_else_in_an_input_is_an_edit(value: object, out: Path) -> None:
    change(out, "Inputs", f"B{row_of(out, 'Inputs', 4, 'gpus')}", value)

    assert find_edits(out) == ["gpus"]


def test_an_input_whose_cell_is_gone_is_an_edit(out: Path) -> None:
    book = openpyxl.load_workbook(out)
    book.defined_names["chip"].attr_text = "#REF!"
    book.save(out)

    assert find_edits(out) == ["chip (its cell is gone)"]


def test_saving_without_edits_is_no_edit(out: Path, name: str, cli: Cli) -> None:
    book = openpyxl.load_workbook(out)
    book["Summary"]["F2"] = "big"
    book.save(out)

    assert find_edits(out) == []
    assert cli(f"export {name} -o out.xlsx").code == 0


def test_rows_put_between_are_no_edit(out: Path) -> None:
    """Names follow their cells; openpyxl does not move them, so it is done by hand."""
    book = openpyxl.load_workbook(out)
    page = book["Inputs"]
    row = row_of(out, "Inputs", 4, "yes")
    page.cell(row + 3, 2).value = page.cell(row, 2).value
    page.cell(row, 2).value = None
    book.defined_names["yes"].attr_text = f"'Inputs'!$B${row + 3}"
    book.save(out)

    assert find_edits(out) == []


def test_a_merge_of_the_whole_sheet_is_read_at_once(out: Path, tmp_path: Path) -> None:
    bomb = tmp_path / "merge.xlsx"
    with zipfile.ZipFile(out) as book, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as copy:
        for item in book.namelist():
            content = book.read(item)
            if item.startswith("xl/worksheets/sheet"):
                merge = b'</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
                content = content.replace(b"</sheetData>", merge)
                far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
                content = content.replace(b"</sheetData>", far, 1)
            copy.writestr(item, content)

    assert find_edits(bomb) == []


def test_entities_hide_in_no_encoding(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    text = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'
    path.write_bytes(zipped(**{"xl/workbook.xml": text.encode("utf-16")}))

    with pytest.raises(ForeignWorkbook, match="declares entities"):
        find_edits(path)
