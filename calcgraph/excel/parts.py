"""The pass over a written workbook: cached values in, all that hangs on clock or machine out."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from calcgraph.excel.chart_parts import charted
from calcgraph.excel.texts import coded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calcgraph.excel.grid import Cached, Page

EPOCH = (1980, 1, 1, 0, 0, 0)
_FORMULA = re.compile(r'<c r="([A-Z]+[0-9]+)"([^>]*)><f>(.*?)</f><v\s*/?>(?:</v>)?</c>', re.DOTALL)
_EMPTY = re.compile(r'(<c r="[A-Z]+[0-9]+"[^>]*) t="n"([^>]*/>)')
_LONG = re.compile(r'(<c r="([A-Z]+[0-9]+)"[^>]*><v>)(-?[0-9][0-9.e+-]{15,})(</v>)')
_ADDRESS = re.compile(r"([A-Z]+)([0-9]+)")
_MODIFIED = re.compile(r"<dcterms:(created|modified)([^>]*)>[^<]*</dcterms:\1>")
ERRORS = ("#DIV/0!", "#NUM!", "#N/A", "#VALUE!")


def finish(raw: bytes, pages: list[Page], day: str) -> bytes:
    """Put cached values beside formulas and make the bytes depend on the pages alone.

    ``day`` is the day of the export, ``2026-11-29``, or empty.
    """
    source = zipfile.ZipFile(io.BytesIO(raw))
    target = io.BytesIO()
    sheets = {f"xl/worksheets/sheet{at}.xml": page for at, page in enumerate(pages, 1)}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as book:
        for name in source.namelist():
            content = source.read(name)
            if name in sheets:
                content = _with_values(content.decode(), sheets[name]).encode()
            elif name.endswith(".rels"):
                content = _relative(content.decode(), name).encode()
            elif name == "docProps/core.xml":
                content = _core(content.decode(), day).encode()
            elif name == "docProps/app.xml":
                content = _APP.encode()
            elif name.startswith(("xl/charts/", "xl/drawings/")):
                content = charted(name, content.decode(), pages).encode()
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            book.writestr(info, content)
    return target.getvalue()


_APP = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    "<Application>calcgraph</Application></Properties>"
)


def _with_values(text: str, page: Page) -> str:
    """Write ``<v>`` beside every formula of a sheet, and numbers that have 17 digits in full."""

    def one(hit: re.Match[str]) -> str:
        address, attributes, formula = hit.groups()
        kind, value = _value(_spot_value(page, address))
        return f'<c r="{address}"{attributes}{kind}><f>{formula}</f><v>{value}</v></c>'

    def exact(hit: re.Match[str]) -> str:
        start, address, shown, end = hit.groups()
        value = _spot_value(page, address)
        return f"{start}{value!r}{end}" if isinstance(value, float) else f"{start}{shown}{end}"

    return _LONG.sub(exact, _EMPTY.sub(r"\1\2", _FORMULA.sub(one, text)))


def _spot_value(page: Page, address: str) -> Cached:
    hit = _ADDRESS.fullmatch(address)
    assert hit is not None, "the pattern finds addresses only"
    column = 0
    for letter in hit.group(1):
        column = column * 26 + ord(letter) - 64
    return page.spots[int(hit.group(2)), column].value


def _value(value: Cached) -> tuple[str, str]:
    """Give a cached value's type and text; a formula without one is a bug."""
    assert value is not None, "every formula has a value"
    if isinstance(value, bool):
        return ' t="b"', "1" if value else "0"
    if isinstance(value, float):
        return "", repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)  # noqa: PLR2004
    if value in ERRORS:
        return ' t="e"', value
    return ' t="str"', escape(coded(value))


def _relative(text: str, name: str) -> str:
    """Make targets relative: openpyxl writes them from the root."""
    folder = name.partition("_rels/")[0]
    up = "../" if folder.count("/") > 1 else ""
    if folder == "":
        return text.replace('Target="/', 'Target="')
    text = text.replace(f'Target="/{folder}', 'Target="')
    return text.replace('Target="/xl/', f'Target="{up}')


def _core(text: str, day: str) -> str:
    moment = f"{day or '1980-01-01'}T00:00:00Z"
    text = text.replace(">openpyxl</dc:creator>", ">calcgraph</dc:creator>")
    return _MODIFIED.sub(lambda hit: f"<dcterms:{hit[1]}{hit[2]}>{moment}</dcterms:{hit[1]}>", text)


def read_parts(raw: bytes) -> Mapping[str, str]:
    """Give the parts of a workbook as texts."""
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        return {name: book.read(name).decode() for name in book.namelist()}
