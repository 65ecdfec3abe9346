"""A workbook as it lies in its zip: what is written in each cell, with nothing computed.

Read straight from the XML and not by openpyxl, which turns numbers into dates and writes what the
exporter wrote: a proof must not lean on what it proves.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from defusedxml.ElementTree import fromstring

from differential.values import Place, Value, Values, Wrong

if TYPE_CHECKING:
    import os
    from xml.etree.ElementTree import Element

    AnyPath = str | os.PathLike[str]

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
CELL = re.compile(rb"<c\b[^>]*?(?:/>|>.*?</c>)", re.DOTALL)
CACHED = re.compile(rb"<v\b[^>]*?(?:/>|>.*?</v>)", re.DOTALL)
KIND = re.compile(rb'\s+t="[^"]*"')
NAMED = re.compile(r"(?:'((?:[^']|'')+)'|([^'!]+))!\$([A-Z]+)\$([0-9]+)(?::\$\3\$[0-9]+)?")


@dataclass(frozen=True)
class Written:
    """All cells that hold anything, by sheet and address.

    ``values`` of formulas are the cached ones; a formula without one is in ``uncached``. ``names``
    are those of the whole workbook that mean a cell, or a part of a column: then its first cell.
    """

    values: Values
    formulas: dict[Place, str]
    names: dict[str, Place]
    uncached: frozenset[Place]

    @cached_property
    def cached(self) -> Values:
        """The cached value of every formula."""
        return {place: self.values[place] for place in self.formulas if place in self.values}


def read_written(path: AnyPath) -> Written:
    """Read a workbook as it was written."""
    values: Values = {}
    formulas: dict[Place, str] = {}
    uncached = set()
    with zipfile.ZipFile(path) as book:
        texts = _shared_texts(book)
        for sheet, part in sheet_parts(book).items():
            for cell in fromstring(book.read(part)).iter(f"{MAIN}c"):
                place = (sheet, cell.attrib["r"])
                formula, held = cell.find(f"{MAIN}f"), cell.find(f"{MAIN}v")
                if formula is not None:
                    formulas[place] = formula.text or ""
                value = _value(cell, held, texts)
                if value is not None:
                    values[place] = value
                elif formula is not None:
                    uncached.add(place)
        names = _names(fromstring(book.read("xl/workbook.xml")))
    return Written(values, formulas, names, frozenset(uncached))


def sheet_parts(book: zipfile.ZipFile) -> dict[str, str]:
    """Give the part of the zip that holds each sheet, in the order of the tabs."""
    relations = fromstring(book.read("xl/_rels/workbook.xml.rels"))
    targets = {item.attrib["Id"]: item.attrib["Target"] for item in relations}
    sheets = fromstring(book.read("xl/workbook.xml")).iter(f"{MAIN}sheet")
    return {
        sheet.attrib["name"]: posixpath.join("xl", targets[sheet.attrib[RELATION]]).lstrip("/")
        for sheet in sheets
    }


def strip(path: AnyPath, out: AnyPath) -> Path:
    """Write a copy in which no formula has a cached value, so that nothing can come from there."""

    def stripped(cell: bytes) -> bytes:
        if b"<f" not in cell:
            return cell
        head, bracket, rest = cell.partition(b">")
        return KIND.sub(b"", head) + bracket + CACHED.sub(b"", rest)

    with zipfile.ZipFile(path) as book:
        parts = set(sheet_parts(book).values())
    return _rewrite(path, out, lambda part, cell: stripped(cell) if part in parts else cell)


def poison(path: AnyPath, out: AnyPath, place: Place, value: float | str) -> Path:
    """Write a copy in which one cached value is another."""
    sheet, address = place
    with zipfile.ZipFile(path) as book:
        wanted = sheet_parts(book)[sheet]
    start = re.compile(rb'<c\b[^>]*\sr="' + address.encode() + rb'"')
    text = escape(value) if isinstance(value, str) else repr(value)
    kind = b' t="str"' if isinstance(value, str) else b""
    poisoned = 0

    def changed(part: str, cell: bytes) -> bytes:
        nonlocal poisoned
        if part != wanted or not start.match(cell):
            return cell
        head, bracket, rest = cell.partition(b">")
        rest, found = CACHED.subn(f"<v>{text}</v>".encode(), rest)
        poisoned += found
        return KIND.sub(b"", head) + kind + bracket + rest

    _rewrite(path, out, changed)
    assert poisoned == 1, f"{sheet}!{address} has no cached value to poison"
    return Path(out)


def _rewrite(path: AnyPath, out: AnyPath, change: Callable[[str, bytes], bytes]) -> Path:
    """Copy a workbook; each cell of each part may become another."""
    with zipfile.ZipFile(path) as book, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        for item in book.infolist():
            content = book.read(item)
            if item.filename.startswith("xl/worksheets/"):
                content = CELL.sub(lambda cell, p=item.filename: change(p, cell[0]), content)
            copy.writestr(item, content)
    return Path(out)


def _shared_texts(book: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in book.namelist():
        return []
    items = fromstring(book.read("xl/sharedStrings.xml"))
    return [_all_text(item) for item in items.iter(f"{MAIN}si")]


def _all_text(item: Element) -> str:
    return "".join(piece.text or "" for piece in item.iter(f"{MAIN}t"))


def _value(cell: Element, held: Element | None, texts: list[str]) -> Value:
    text = "" if held is None else held.text or ""
    match cell.get("t", "n"):
        case "s":
            return texts[int(text)]
        case "inlineStr":
            return _all_text(cell)
        case "str":
            return text if held is not None else None
        case "b":
            return text == "1"
        case "e":
            return Wrong(text)
        case _:
            return float(text) if text else None


def _names(workbook: Element) -> dict[str, Place]:
    names = {}
    for item in workbook.iter(f"{MAIN}definedName"):
        found = NAMED.fullmatch(item.text or "")
        if found and "localSheetId" not in item.attrib:
            quoted, plain, column, row = found.groups()
            sheet = quoted.replace("''", "'") if quoted else plain
            names[item.attrib["name"]] = (sheet, column + row)
    return names
