"""Finds what breaks a rule of Excel, or one of ours, in the parts of a workbook.

``lint_exports`` makes this process lint every workbook it exports; ``python -m excel.workbook_lint
export …`` is the command line of a process that does so.
"""

from __future__ import annotations

import html
import io
import re
import sys
import zipfile
from typing import TYPE_CHECKING, TypeAlias

import calcgraph.excel.export as exporting
from calcgraph.excel.layout.defined_names import reads_otherwise, utf16_length
from calcgraph.excel.xlsx.writer import is_web, looks_computed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

LONGEST_NAME, LONGEST_SHEET, LONGEST_TEXT = 255, 31, 32_767
LONGEST_FORMULA, LONGEST_LITERAL, DEEPEST, MOST_ARGUMENTS = 8_192, 255, 64, 255
MOST_POINTS = 32_000
_FUNCTION_LIST = """
ABS AND AVERAGE CHAR COLUMN COLUMNS COS COUNT COUNTA COUNTIF DATE DAY EXACT EXP FIXED IF IFERROR
INDEX INT IRR ISBLANK ISERROR ISLOGICAL ISNUMBER LEN LN LOG LOG10 LOOKUP MATCH MAX MID MIN MONTH NA
NOT OR PI PMT PRODUCT RIGHT ROUND ROUNDDOWN ROUNDUP ROW ROWS SEARCH SIGN SIN SQRT SUM SUMPRODUCT
YEAR
"""
FUNCTIONS = frozenset(_FUNCTION_LIST.split())
"""What our formulas may call: each is in Excel 2010, and none is volatile."""
RECORDED: list[str] = []
"""The findings of workbooks exported by this process, until somebody has seen them."""


class UnsoundWorkbookError(AssertionError):
    """An exported workbook with findings."""


class UnlintedExportError(AssertionError):
    """A test starts a process that would export a workbook without linting it."""


def lint_exports() -> None:
    """Lint every workbook this process exports, and refuse processes that would not.

    A finding raises ``UnsoundWorkbookError``; it is also recorded, for callers that swallow that.
    """
    finish = exporting.finish

    def linted(*args: object) -> bytes:
        workbook = finish(*args)  # type: ignore[arg-type]
        if findings := lint(read_parts(workbook)):
            RECORDED.extend(findings)
            raise UnsoundWorkbookError("\n".join(findings[:20]))
        return workbook

    if finish.__name__ != linted.__name__:
        exporting.finish = linted
        sys.addaudithook(_refuse_unlinted)


_EXPORTS = re.compile(r"\bexport\b|export_book|workbook_bytes")
_OURS = re.compile(r"(?<![\w/])calcgraph\b|/calcgraph$")


def _refuse_unlinted(event: str, args: tuple[object, ...]) -> None:
    """Audit hook: refuse to start an export that does not import this module."""
    if event != "subprocess.Popen":
        return
    command = args[1] if isinstance(args[1], list | tuple) else [args[1]]
    words = [str(word) for word in command]
    is_export = any(map(_EXPORTS.search, words)) and any(map(_OURS.search, words))
    if is_export and not any("excel.workbook_lint" in word for word in words):
        message = "start `python -m excel.workbook_lint export …`, which lints what it exports"
        raise UnlintedExportError(message)


def read_parts(workbook: bytes) -> dict[str, str]:
    """Read the parts of a workbook as texts."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def lint(parts: Mapping[str, str]) -> list[str]:
    """Find everything wrong, in words; a sound workbook has no findings."""
    book = parts["xl/workbook.xml"]
    found = list(_defined_names(book))
    names = {html.unescape(name).lower() for name, _ in _DEFINED.findall(book)}
    sheets = [html.unescape(name) for name in _SHEET.findall(book)]
    found += _sheet_names(sheets)
    found += _places(book, sheets)
    found += lint_texts(parts)
    found += lint_charts(parts, sheets)
    for part, text in parts.items():
        if part.startswith("xl/worksheets/sheet"):
            found += [f"{part}: {finding}" for finding in _sheet(text, names)]
        if part.endswith(".rels") and re.search(r'Target="/', text):
            found.append(f"{part}: a relationship is not relative")
        if "externalLink" in part or "vbaProject" in part:
            found.append(f"{part}: a workbook of ours has no such part")
    return found


# Names and sheets.

_DEFINED = re.compile(r'<definedName name="([^"]*)"[^>]*>(.*?)</definedName>')
_SHEET = re.compile(r'<sheet [^>]*name="([^"]*)"')
_QUOTED_SHEET = re.compile(r"'(?:[^']|'')*'!")


def _defined_names(book: str) -> Iterator[str]:
    seen: set[str] = set()
    for name, place in _DEFINED.findall(book):
        if name.startswith("_xlnm."):
            continue
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name) or len(name) > LONGEST_NAME:
            yield f"`{name}` is not a legal name"
        if reads_otherwise(name):
            yield f"Excel reads the name `{name}` as an address or a truth value"
        if name.lower() in seen:
            yield f"the name `{name}` is defined twice"
        if "#REF!" in place:
            yield f"the name `{name}` refers to nothing"
        seen.add(name.lower())


def _sheet_names(sheets: list[str]) -> Iterator[str]:
    folded = [name.casefold() for name in sheets]
    for name in sheets:
        is_short = 0 < utf16_length(name) <= LONGEST_SHEET
        is_plain = not re.search(r"[\[\]:*?/\\]|^'|'$", name) and name.lower() != "history"
        if not is_short or not is_plain:
            yield f"`{name}` is not a legal name of a sheet"
        if folded.count(name.casefold()) > 1:
            yield f"two sheets are called `{name}`"


def _places(book: str, sheets: list[str]) -> Iterator[str]:
    """Find defined names that refer to a sheet the workbook does not have."""
    for name, place in _DEFINED.findall(book):
        for quoted in _QUOTED_SHEET.findall(html.unescape(place)):
            sheet = quoted[1:-2].replace("''", "'")
            if sheet not in sheets:
                yield f"the name `{name}` refers to a cell of `{sheet}`, which is no sheet"


# Cells of a sheet.

_VALUE = re.compile(r"<v>(.*?)</v>", re.DOTALL)
_KIND = re.compile(r't="(\w+)"')
_NUMBER = re.compile(r"-?[0-9.]+(?:[eE][+-]?[0-9]+)?")
_RULE = re.compile(r"<formula[12]?>(.*?)</formula[12]?>", re.DOTALL)
_CELL_ADDRESS = re.compile(r'(?:^|\s)r="([A-Z]+[0-9]+)"')


def _sheet(text: str, names: set[str]) -> Iterator[str]:
    if "<mergeCell " in text:
        yield "cells are merged"
    for rule in map(html.unescape, _RULE.findall(text)):
        yield from (f"a rule: {f}" for f in (*_length(rule), *_formula(rule, names)))
    shapes = FormulaShapes(lambda text: tuple(_length(text)), lambda f: tuple(_formula(f, names)))
    for row, attributes, content in _cells(text):
        if content.startswith("<f"):
            found = _computed(row, content, shapes)
        else:
            found = _constant(attributes, content)
        for finding in found:
            address = _CELL_ADDRESS.search(attributes)
            yield f"{address.group(1) if address else '?'}: {finding}"


def _cells(text: str) -> Iterator[tuple[str, str, str]]:
    """Cut a sheet into its cells: the row's number, the attributes, and all that follows them."""
    rows = text[text.find("<sheetData") : text.rfind("</sheetData>")]
    for line in rows.split("<row ")[1:]:
        row = line[3 : line.find('"', 3)]
        for cell in line.split("<c ")[1:]:
            attributes, _, content = cell.partition(">")
            yield row, attributes, content


def _computed(row: str, content: str, shapes: FormulaShapes) -> Sequence[str]:
    """Find what is wrong with a cell that holds a formula."""
    start, _, behind = content.partition("</f>")
    kind, _, formula = start.partition(">")
    found = shapes.findings(formula, row)
    more = ["an array or shared formula"] if kind != "<f" else []
    if not behind.startswith("<v>"):
        more.append("a formula without a cached value")
    return [*more, *found] if more else found


def _constant(attributes: str, content: str) -> Sequence[str]:
    """Find what is wrong with a cell that holds a number, a truth value or an error."""
    if 't="inlineStr"' in attributes or "<v>" not in content:
        return ()
    kind, value = _KIND.search(attributes), _VALUE.search(content)
    found = []
    if value and (kind is None or kind.group(1) == "n") and not _NUMBER.fullmatch(value.group(1)):
        found.append(f"`{value.group(1)}` is not a finite number")
    if kind and kind.group(1) == "e":
        found.append("an error written as a constant")
    return found


# Formulas.

_LITERAL = re.compile(r'"(?:[^"]|"")*"')
_CALL = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)\(")
_WORD = re.compile(r"(?<![A-Za-z0-9_.$!])([A-Za-z_][A-Za-z0-9_.]*)(?![A-Za-z0-9_.(!:$])")
_ADDRESS = re.compile(r"(?<![A-Za-z0-9_.$])\$?[A-Z]{1,3}\$?[0-9\x00]+(?![A-Za-z0-9_.(])")
_HOLE = "\x00"
SHORT = 4_000
"""A formula of fewer characters is not too long, whatever addresses it holds."""
Findings: TypeAlias = "tuple[str, ...]"


def _length(formula: str) -> Iterator[str]:
    """Find what is too long, which depends on the addresses in a formula."""
    if utf16_length(formula) > LONGEST_FORMULA:
        yield f"a formula of more than {LONGEST_FORMULA:,} characters"
    if len(formula) <= LONGEST_LITERAL // 2:
        return
    for text in _LITERAL.findall(formula):
        if utf16_length(text) > LONGEST_LITERAL:
            yield "a text of more than 255 characters within a formula"


def _formula(formula: str, names: set[str]) -> Iterator[str]:
    """Find what is wrong with a formula whatever addresses it holds."""
    plain = _QUOTED_SHEET.sub("", _LITERAL.sub('""', formula))
    deepest, most = _nesting(plain)
    if deepest > DEEPEST:
        yield f"a formula nested {deepest} deep; Excel takes {DEEPEST}"
    if most > MOST_ARGUMENTS:
        yield f"{most} arguments; Excel takes {MOST_ARGUMENTS}"
    for function in _CALL.findall(plain):
        if function not in FUNCTIONS:
            yield f"the function {function} is not on the list of Excel 2010"
    for word in _WORD.findall(plain):
        known = (
            word.lower() in names
            or word in {"TRUE", "FALSE"}
            or re.fullmatch(r"[A-Z]{1,3}[0-9]+", word)
        )
        if not known and not re.fullmatch(r"[eE][0-9]*", word):
            yield f"nothing is called `{word}`"


def _nesting(plain: str) -> tuple[int, int]:
    """Measure the deepest nesting of parentheses and the most arguments of a call."""
    depth = deepest = most = 0
    commas: list[int] = []
    for char in plain:
        if char == "(":
            depth += 1
            deepest = max(deepest, depth)
            commas.append(0)
        elif char == ")":
            depth -= 1
            most = max(most, commas.pop() + 1 if commas else 0)
        elif char == "," and commas:
            commas[-1] += 1
    return deepest, most


class FormulaShapes:
    """The findings of formulas, computed once for all that differ in addresses only."""

    def __init__(self, length: Callable[[str], Findings], wrong: Callable[[str], Findings]) -> None:
        """Take the rules that depend on the addresses of a formula, and those that do not."""
        self._length, self._wrong = length, wrong
        self._shapes: dict[str, Findings] = {}
        self._hollow: dict[str, Findings] = {}

    def findings(self, formula: str, row: str) -> Findings:
        """Find what is wrong with a formula in a row, written as XML does.

        Most formulas differ from the one above in the row's number, which a replacement finds at
        once.
        """
        hollow = formula.replace(row, _HOLE) if row else formula
        known = self._hollow.get(hollow)
        if known is None:
            written = html.unescape(formula)
            known = (*self._length(written), *self._shaped(written))
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
    return _HOLE not in rest and not any(_HOLE in text for text in _LITERAL.findall(hollow))


# Texts, and links.

_INLINE = re.compile(r'<c r="([A-Z]+[0-9]+)"([^>]*)><is>(.*?)</is></c>', re.DOTALL)
_SUSPECT = re.compile(
    r"<is>(?!<t(?: [^>]*)?>[^<&=+@\t\r\n\uff1d\uff0b\uff0d\uff20-][^<]{0,32000}<)"
)
"""A text that has to be looked at: it starts oddly, or is long. Most need no second look."""
_LONG_VALUE = re.compile(r"<v>[^<]{32000}")
_SHARED = re.compile(r'<c r="([A-Z]+[0-9]+)"[^>]* t="s"')
_RUN = re.compile(r"<t(?: [^>]*)?>(.*?)</t>", re.DOTALL)
_FORMATS = re.compile(r"<cellXfs.*?</cellXfs>", re.DOTALL)
_FORMAT = re.compile(r"<xf [^>]*>")
_STYLE = re.compile(r' s="([0-9]+)"')
_CACHED = re.compile(r'<c r="([A-Z]+[0-9]+)"[^>]* t="str"[^>]*><f>[^<]*</f><v>([^<]*)</v>')
_EXTERNAL = re.compile(r'<Relationship [^>]*TargetMode="External"[^>]*>')
_TARGET = re.compile(r' Target="([^"]*)"')
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r")
_NO_CHARACTER = re.compile(rb"\xed[\xa0-\xbf]|\xef\xbf[\xbe\xbf]")


def lint_texts(parts: Mapping[str, str]) -> Iterator[str]:
    """Find texts that Excel cuts or could take for formulas, and links out of the web."""
    marked = _marked_styles(parts.get("xl/styles.xml", ""))
    for part, content in parts.items():
        if _is_refused(content.encode(errors="surrogatepass")):
            yield f"{part}: a character that XML does not take"
        if part.startswith("xl/worksheets/sheet"):
            yield from (f"{part}: {finding}" for finding in _sheet_texts(content, marked))
        if part.endswith(".rels"):
            yield from (f"{part}: {finding}" for finding in _links(content))


def _is_refused(raw: bytes) -> bool:
    """Whether XML does not take a character, or a lone surrogate."""
    if len(raw.translate(None, _CONTROL)) < len(raw):
        return True
    may_be = b"\xed" in raw or b"\xef\xbf" in raw
    return may_be and _NO_CHARACTER.search(raw) is not None


def _marked_styles(styles: str) -> set[int]:
    """Find the styles that keep a text a text, whatever it starts with."""
    found = _FORMATS.search(styles)
    formats = _FORMAT.findall(found.group()) if found else []
    return {at for at, text in enumerate(formats) if 'quotePrefix="1"' in text}


def _sheet_texts(content: str, marked: set[int]) -> Iterator[str]:
    if ' t="s"' in content:
        for address in _SHARED.findall(content):
            yield f"{address}: a shared text; ours are in their cells"
    for found in _SUSPECT.finditer(content):
        cell = _INLINE.match(content, content.rfind("<c ", 0, found.start()))
        if cell:
            address, attributes, inside = cell.groups()
            yield from (f"{address}: {finding}" for finding in _text(attributes, inside, marked))
    for found in _LONG_VALUE.finditer(content):
        cell = _CACHED.match(content, content.rfind("<c ", 0, found.start()))
        if cell:
            yield from (f"{cell[1]}: {finding}" for finding in _too_long(html.unescape(cell[2])))


def _text(attributes: str, inside: str, marked: set[int]) -> Iterator[str]:
    text, style = html.unescape("".join(_RUN.findall(inside))), _STYLE.search(attributes)
    yield from _too_long(text)
    if looks_computed(text) and (style is None or int(style.group(1)) not in marked):
        yield "a text that starts as a formula does is not marked as a text"


def _too_long(text: str) -> Iterator[str]:
    if len(text) > LONGEST_TEXT:
        yield f"a text of {len(text):,} characters; Excel takes {LONGEST_TEXT:,}"


def _links(content: str) -> Iterator[str]:
    for relation in _EXTERNAL.findall(content):
        target = _TARGET.search(relation)
        if target is None or not is_web(html.unescape(target.group(1))):
            yield f"a link to `{target.group(1) if target else ''}`, which is not of the web"


# Charts.

_SERIES = re.compile(r"<c:ser>.*?</c:ser>", re.DOTALL)
_RANGE = re.compile(r"<c:f>(.*?)</c:f>.*?<c:ptCount val=\"([0-9]+)\"/>", re.DOTALL)
_CORNERS = re.compile(r"'((?:[^']|'')+)'!\$([A-Z]+)\$([0-9]+):\$([A-Z]+)\$([0-9]+)")
_AXIS_FORMAT = re.compile(r"<c:numFmt [^>]*>")
_PICTURE = re.compile(r"<(?:\w+:)?cNvPr [^>]*>")
_DESCRIPTION = re.compile(r' descr="[^"]+"')


def lint_charts(parts: Mapping[str, str], sheets: Collection[str]) -> Iterator[str]:
    """Find charts that Excel would draw wrongly, or not at all."""
    for part, content in parts.items():
        if part.startswith("xl/charts/"):
            yield from (f"{part}: {finding}" for finding in _chart(content, sheets))
        if part.startswith("xl/drawings/drawing"):
            pictures = _PICTURE.findall(content)
            if not pictures or not all(map(_DESCRIPTION.search, pictures)):
                yield f"{part}: a picture without a text for those who cannot see it"


def _chart(content: str, sheets: Collection[str]) -> Iterator[str]:
    series = _SERIES.findall(content)
    if not series:
        yield "a chart that shows nothing"
    for one in series:
        ranges = _RANGE.findall(one)
        sizes = [_size(place, sheets) for place, _ in ranges]
        yield from (size for size in sizes if isinstance(size, str))
        counts = {*(size for size in sizes if isinstance(size, int)), *(int(n) for _, n in ranges)}
        if len(ranges) != 2:
            yield "a series of a chart has not two ranges"
        elif len(counts) > 1:
            yield "the ranges of a series of a chart differ in size"
        elif max(counts, default=0) > MOST_POINTS:
            yield f"a chart of more than {MOST_POINTS:,} points"
    if any('sourceLinked="0"' not in found for found in _AXIS_FORMAT.findall(content)):
        yield "an axis that takes its format from cells"
    if "externalData" in content:
        yield "a chart of another file"


def _size(place: str, sheets: Collection[str]) -> int | str:
    """Count the cells of a range; return a finding where it is none."""
    hit = _CORNERS.fullmatch(html.unescape(place))
    if hit is None:
        return f"a chart of `{place}`, which is no range"
    sheet, left, top, right, bottom = hit.groups()
    if sheet.replace("''", "'") not in sheets:
        return f"a chart of `{sheet}`, which is no sheet"
    rows, columns = int(bottom) - int(top) + 1, _column(right) - _column(left) + 1
    return rows * columns if 1 in {rows, columns} else f"a chart of `{place}`, which is no row"


def _column(letters: str) -> int:
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column


if __name__ == "__main__":
    from calcgraph.cli import main

    lint_exports()
    sys.exit(main())
