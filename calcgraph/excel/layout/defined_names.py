"""Legal names of cells and sheets in Excel."""

from __future__ import annotations

import re

LONGEST_NAME, LONGEST_SHEET = 255, 31
LAST_COLUMN, LAST_ROW = 16_384, 1_048_576
_A1 = re.compile(r"([a-z]{1,3})0*([0-9]{1,7})", re.IGNORECASE)
_R1C1 = re.compile(r"(r[0-9]*c?[0-9]*|c[0-9]*)|[rc][0-9].*|rc[0-9].*", re.IGNORECASE)
_WORDS = {"true", "false"}
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
OWN_SHEETS = (
    "Summary", "Charts", "Inputs", "Tables", "Dims", "Series", "Scenarios", "Cases", "Compare",
    "Sensitivity", "Checks", "Expectations", "Units", "Sources", "Map", "_Base",
)  # fmt: skip


def excel_name(name: str) -> str:
    """Return the defined name of a cell: its name, with a leading ``_`` if Excel misreads it.

    Excel may read it as an address in A1 or R1C1 form, or as a truth value.
    """
    return f"_{name}" if reads_otherwise(name) else name


def reads_otherwise(name: str) -> bool:
    """Whether Excel reads a word as an address or a truth value."""
    if name.lower() in _WORDS or _R1C1.fullmatch(name):
        return True
    hit = _A1.fullmatch(name)
    return (
        hit is not None
        and column_of(hit.group(1)) <= LAST_COLUMN
        and 1 <= int(hit.group(2)) <= LAST_ROW
    )


def column_of(letters: str) -> int:
    """Return the number of a column from its letters: 1 for ``A``."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


class NameBook:
    """Makes defined names unique, ignoring case."""

    def __init__(self) -> None:
        """Start with no name taken."""
        self.taken: set[str] = set()

    def take(self, name: str) -> str:
        """Return a legal name that is not taken yet; the second of a name gets ``_2``."""
        base = excel_name(name)[: LONGEST_NAME - 4]
        found, count = base, 1
        while found.lower() in self.taken:
            count += 1
            found = f"{base}_{count}"
        self.taken.add(found.lower())
        return found


class SheetNames:
    """Makes names of sheets legal and unique."""

    def __init__(self) -> None:
        """Start with the word that Excel reserves and the names of our own sheets."""
        self.taken = {"history", *(name.casefold() for name in OWN_SHEETS)}

    def take_one(self, *wanted: str) -> str:
        """Return the first name that fits and is not taken, else one made from the shortest."""
        fitting = [name for name in wanted if self._is_free(name)]
        return self.take((*fitting, min(wanted, key=len))[0])

    def _is_free(self, wanted: str) -> bool:
        legal = _legal(wanted)
        return utf16_length(legal) <= LONGEST_SHEET and legal.casefold() not in self.taken

    def take(self, wanted: str) -> str:
        """Return a name of at most 31 characters; the second of a name gets `` 2``."""
        base = _legal(wanted)
        found, count = _cut(base, LONGEST_SHEET), 1
        while found.casefold() in self.taken:
            count += 1
            tail = f" {count}"
            found = _cut(base, LONGEST_SHEET - len(tail)) + tail
        self.taken.add(found.casefold())
        return found


def _legal(wanted: str) -> str:
    return " ".join(_NOT_IN_SHEET_NAMES.sub(" ", wanted).split()).strip(" '") or "Sheet"


def utf16_length(text: str) -> int:
    """Count as Excel counts: a character beyond the first 65,536 is two."""
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


def _cut(text: str, most: int) -> str:
    while utf16_length(text) > most:
        text = text[:-1]
    return text.rstrip(" '")
