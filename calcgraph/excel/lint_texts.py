"""What texts and links of a workbook may be: they stay texts, and lead to the web or nowhere."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from calcgraph.excel.texts import LONGEST_TEXT, is_web, looks_computed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_CELL = re.compile(r'<c r="([A-Z]+[0-9]+)"([^>]*)><is>(.*?)</is></c>', re.DOTALL)
_SHARED = re.compile(r'<c r="([A-Z]+[0-9]+)"[^>]* t="s"')
_TEXT = re.compile(r"<t(?: [^>]*)?>(.*?)</t>", re.DOTALL)
_XFS = re.compile(r"<cellXfs.*?</cellXfs>", re.DOTALL)
_XF = re.compile(r"<xf [^>]*>")
_STYLE = re.compile(r' s="([0-9]+)"')
_CACHED = re.compile(r'<c r="([A-Z]+[0-9]+)"[^>]* t="str"[^>]*><f>[^<]*</f><v>([^<]*)</v>')
_EXTERNAL = re.compile(r'<Relationship [^>]*TargetMode="External"[^>]*>')
_TARGET = re.compile(r' Target="([^"]*)"')
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def lint_texts(parts: Mapping[str, str]) -> Iterator[str]:
    """Find texts that Excel cuts or could take for formulas, and links to elsewhere."""
    prefixed = _prefixed(parts.get("xl/styles.xml", ""))
    for part, content in parts.items():
        if _CONTROL.search(content):
            yield f"{part}: a character that XML does not take"
        if part.startswith("xl/worksheets/sheet"):
            yield from (f"{part}: {finding}" for finding in _sheet(content, prefixed))
        if part.endswith(".rels"):
            yield from (f"{part}: {finding}" for finding in _links(content))


def _prefixed(styles: str) -> set[int]:
    """Find the styles that keep a text a text, whatever it starts with."""
    found = _XFS.search(styles)
    formats = _XF.findall(found.group()) if found else []
    return {at for at, text in enumerate(formats) if 'quotePrefix="1"' in text}


def _sheet(content: str, prefixed: set[int]) -> Iterator[str]:
    for place in _SHARED.findall(content):
        yield f"{place}: a text that stands elsewhere; ours stand in their cells"
    for place, attributes, inside in _CELL.findall(content):
        text, style = html.unescape("".join(_TEXT.findall(inside))), _STYLE.search(attributes)
        yield from (f"{place}: {finding}" for finding in _long(text))
        if looks_computed(text) and (style is None or int(style.group(1)) not in prefixed):
            yield f"{place}: a text that starts as a formula does is not marked as a text"
    for place, value in _CACHED.findall(content):
        yield from (f"{place}: {finding}" for finding in _long(html.unescape(value)))


def _long(text: str) -> Iterator[str]:
    if len(text) > LONGEST_TEXT:
        yield f"a text of {len(text):,} characters; Excel takes {LONGEST_TEXT:,}"


def _links(content: str) -> Iterator[str]:
    for relation in _EXTERNAL.findall(content):
        target = _TARGET.search(relation)
        if target is None or not is_web(html.unescape(target.group(1))):
            yield f"a link to `{target.group(1) if target else ''}`, which is not of the web"
