"""The pass over a written workbook: the rows in, all that hangs on clock or machine out."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

from calcgraph.excel.chart_parts import charted
from calcgraph.excel.rows import with_rows

if TYPE_CHECKING:
    from calcgraph.excel.grid import Page

EPOCH = (1980, 1, 1, 0, 0, 0)
_MODIFIED = re.compile(r"<dcterms:(created|modified)([^>]*)>[^<]*</dcterms:\1>")


def finish(shell: bytes, pages: list[Page], rows: list[str], day: str) -> bytes:
    """Put the rows of each page into its part and make the bytes depend on the pages alone.

    ``day`` is the day of the export, ``2026-11-29``, or empty.
    """
    source = zipfile.ZipFile(io.BytesIO(shell))
    target = io.BytesIO()
    sheets = {f"xl/worksheets/sheet{at}.xml": at - 1 for at, _ in enumerate(pages, 1)}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as book:
        for name in source.namelist():
            content = source.read(name)
            if name in sheets:
                at = sheets[name]
                content = with_rows(content.decode(), pages[at], rows[at]).encode()
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
