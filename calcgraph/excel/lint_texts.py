"""What texts and links of a workbook may be: they stay texts, and lead to the web or nowhere."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from calcgraph.excel.texts import LONGEST_TEXT, is_web, looks_computed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_CELL = re.compile(r'<c r="([A-Z]+[0-9]+)"([^>]*)><is>(.*?)</is></c>', re.DOTALL)
_STARTED = re.compile(
    r"<is>(?!<t(?: [^>]*)?>[^<&=+@\t\r\n\uff1d\uff0b\uff0d\uff20-][^<]{0,32000}<)"
)
"""A text that has to be looked at: it starts oddly, or is long. Most need no second look."""
_LONG_VALUE = re.compile(r"<v>[^<]{32000}")
_SHARED = re.compile(r'<c r="([A-Z]+[0-9]+)"[^>]* t="s"')
_TEXT = re.compile(r"<t(?: [^>]*)?>(.*?)</t>", re.DOTALL)
_XFS = re.compile(r"<cellXfs.*?</cellXfs>", re.DOTALL)
_XF = re.compile(r"<xf [^>]*>")
_STYLE = re.compile(r' s="([0-9]+)"')
_CACHED = re.compile(r'<c r="([A-Z]+[0-9]+)"[^>]* t="str"[^>]*><f>[^<]*</f><v>([^<]*)</v>')
_EXTERNAL = re.compile(r'<Relationship [^>]*TargetMode="External"[^>]*>')
_TARGET = re.compile(r' Target="([^"]*)"')
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r")
_NO_CHARACTER = re.compile(rb"\xed[\xa0-\xbf]|\xef\xbf[\xbe\xbf]")


def lint_texts(parts: Mapping[str, str]) -> Iterator[str]:
    """Find texts that Excel cuts or could take for formulas, and links to elsewhere."""
    prefixed = _prefixed(parts.get("xl/styles.xml", ""))
    for part, content in parts.items():
        if _is_refused(content.encode(errors="surrogatepass")):
            yield f"{part}: a character that XML does not take"
        if part.startswith("xl/worksheets/sheet"):
            yield from (f"{part}: {finding}" for finding in _sheet(content, prefixed))
        if part.endswith(".rels"):
            yield from (f"{part}: {finding}" for finding in _links(content))


def _is_refused(raw: bytes) -> bool:
    """Whether there is a character that XML does not take, half of one among them."""
    if len(raw.translate(None, _CONTROL)) < len(raw):
        return True
    may_be = b"\xed" in raw or b"\xef\xbf" in raw
    return may_be and _NO_CHARACTER.search(raw) is not None


def _prefixed(styles: str) -> set[int]:
    """Find the styles that keep a text a text, whatever it starts with."""
    found = _XFS.search(styles)
    formats = _XF.findall(found.group()) if found else []
    return {at for at, text in enumerate(formats) if 'quotePrefix="1"' in text}


def _sheet(content: str, prefixed: set[int]) -> Iterator[str]:
    if ' t="s"' in content:
        for place in _SHARED.findall(content):
            yield f"{place}: a text that stands elsewhere; ours stand in their cells"
    for found in _STARTED.finditer(content):
        cell = _CELL.match(content, content.rfind("<c ", 0, found.start()))
        if cell:
            place, attributes, inside = cell.groups()
            yield from (f"{place}: {finding}" for finding in _text(attributes, inside, prefixed))
    for found in _LONG_VALUE.finditer(content):
        cell = _CACHED.match(content, content.rfind("<c ", 0, found.start()))
        if cell:
            yield from (f"{cell[1]}: {finding}" for finding in _long(html.unescape(cell[2])))


def _text(attributes: str, inside: str, prefixed: set[int]) -> Iterator[str]:
    text, style = html.unescape("".join(_TEXT.findall(inside))), _STYLE.search(attributes)
    yield from _long(text)
    if looks_computed(text) and (style is None or int(style.group(1)) not in prefixed):
        yield "a text that starts as a formula does is not marked as a text"


def _long(text: str) -> Iterator[str]:
    if len(text) > LONGEST_TEXT:
        yield f"a text of {len(text):,} characters; Excel takes {LONGEST_TEXT:,}"


def _links(content: str) -> Iterator[str]:
    for relation in _EXTERNAL.findall(content):
        target = _TARGET.search(relation)
        if target is None or not is_web(html.unescape(target.group(1))):
            yield f"a link to `{target.group(1) if target else ''}`, which is not of the web"
