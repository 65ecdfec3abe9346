"""The cells of a page read from its text, and formulas told apart by all but where they stand."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Findings: TypeAlias = "tuple[str, ...]"
SHORT = 4_000
"""A formula of so many characters is not too long, whatever stands in it."""
HOLE = "\x00"
_ADDRESS = re.compile(r"(?<![A-Za-z0-9_.$])\$?[A-Z]{1,3}\$?[0-9\x00]+(?![A-Za-z0-9_.(])")
_TEXT = re.compile(r'"(?:[^"]|"")*"')
_NAMED = re.compile(r'(?:^|\s)r="([A-Z]+[0-9]+)"')


def cells_of(text: str) -> Iterator[tuple[str, str, str]]:
    """Cut a page into its cells: the row's number, the attributes, what is inside and behind."""
    rows = text[text.find("<sheetData") : text.rfind("</sheetData>")]
    for line in rows.split("<row ")[1:]:
        row = line[3 : line.find('"', 3)]
        for cell in line.split("<c ")[1:]:
            attributes, _, content = cell.partition(">")
            yield row, attributes, content


def address_of(attributes: str) -> str:
    """Give a cell's address; ``?`` where it has none."""
    found = _NAMED.search(attributes)
    return found.group(1) if found else "?"


class Shapes:
    """What is wrong with formulas, looked at once for all that differ in addresses only."""

    def __init__(self, long: Callable[[str], Findings], wrong: Callable[[str], Findings]) -> None:
        """Take what finds a formula too long, and what finds all that is the same for a shape."""
        self._long, self._wrong = long, wrong
        self._shapes: dict[str, Findings] = {}
        self._hollow: dict[str, Findings] = {}

    def findings(self, formula: str, row: str) -> Findings:
        """Find what is wrong with a formula, written as XML does, that stands in a row.

        Most differ from one above in the number of the row, which a replacement finds at once.
        """
        hollow = formula.replace(row, HOLE) if row else formula
        known = self._hollow.get(hollow)
        if known is None:
            written = html.unescape(formula)
            known = (*self._long(written), *self._shaped(written))
            if len(formula) < SHORT and _is_only_of_addresses(hollow):
                self._hollow[hollow] = known
        return known

    def _shaped(self, written: str) -> Findings:
        shape = _ADDRESS.sub("A1", written)
        if shape not in self._shapes:
            self._shapes[shape] = self._wrong(shape)
        return self._shapes[shape]


def _is_only_of_addresses(hollow: str) -> bool:
    """Whether the row's number was replaced in addresses alone: not in a name, a text, a sheet."""
    rest = _ADDRESS.sub("", hollow)
    return HOLE not in rest and not any(HOLE in text for text in _TEXT.findall(hollow))
