"""What no workbook of ours may hold; a workbook with a finding is not saved."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from calcgraph.excel.lint_cells import Shapes, address_of, cells_of
from calcgraph.excel.lint_charts import lint_charts
from calcgraph.excel.lint_texts import lint_texts
from calcgraph.excel.names import LONGEST_NAME, LONGEST_SHEET, reads_otherwise, utf16_length

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LONGEST_FORMULA, LONGEST_LITERAL, DEEPEST, MOST_ARGUMENTS = 8_192, 255, 64, 255
FUNCTIONS = frozenset(
    [
        "ABS",
        "AND",
        "AVERAGE",
        "CHAR",
        "COLUMN",
        "COLUMNS",
        "COS",
        "COUNT",
        "COUNTA",
        "COUNTIF",
        "DATE",
        "DAY",
        "EXACT",
        "EXP",
        "FIXED",
        "IF",
        "IFERROR",
        "INDEX",
        "INT",
        "IRR",
        "ISBLANK",
        "ISERROR",
        "ISLOGICAL",
        "ISNUMBER",
        "LEN",
        "LN",
        "LOG",
        "LOG10",
        "LOOKUP",
        "MATCH",
        "MAX",
        "MID",
        "MIN",
        "MONTH",
        "NA",
        "NOT",
        "OR",
        "PI",
        "PMT",
        "PRODUCT",
        "RIGHT",
        "ROUND",
        "ROUNDDOWN",
        "ROUNDUP",
        "ROW",
        "ROWS",
        "SEARCH",
        "SIGN",
        "SIN",
        "SQRT",
        "SUM",
        "SUMPRODUCT",
        "YEAR",
    ]
)
_VALUE = re.compile(r"<v>(.*?)</v>", re.DOTALL)
_KIND = re.compile(r't="(\w+)"')
_TEXT = re.compile(r'"(?:[^"]|"")*"')
_QUOTED_SHEET = re.compile(r"'(?:[^']|'')*'!")
_CALL = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)\(")
_WORD = re.compile(r"(?<![A-Za-z0-9_.$!])([A-Za-z_][A-Za-z0-9_.]*)(?![A-Za-z0-9_.(!:$])")
_RULE = re.compile(r"<formula[12]?>(.*?)</formula[12]?>", re.DOTALL)
_NAME = re.compile(r'<definedName name="([^"]*)"[^>]*>(.*?)</definedName>')
_SHEET = re.compile(r'<sheet [^>]*name="([^"]*)"')
_NUMBER = re.compile(r"-?[0-9.]+(?:[eE][+-]?[0-9]+)?")


def lint(parts: Mapping[str, str]) -> list[str]:
    """Find everything wrong, in words; an empty list lets the workbook be saved."""
    book = parts["xl/workbook.xml"]
    found = list(_names(book))
    names = {html.unescape(name).lower() for name, _ in _NAME.findall(book)}
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


def _names(book: str) -> Iterator[str]:
    seen: set[str] = set()
    for name, place in _NAME.findall(book):
        if name.startswith("_xlnm."):
            continue
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name) or len(name) > LONGEST_NAME:
            yield f"`{name}` is not a legal name"
        if reads_otherwise(name):
            yield f"Excel reads the name `{name}` as an address or a truth"
        if name.lower() in seen:
            yield f"the name `{name}` stands twice"
        if "#REF!" in place:
            yield f"the name `{name}` stands for nothing"
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
    """Names that mean a place must mean one of a sheet that is there."""
    for name, place in _NAME.findall(book):
        for quoted in _QUOTED_SHEET.findall(html.unescape(place)):
            sheet = quoted[1:-2].replace("''", "'")
            if sheet not in sheets:
                yield f"the name `{name}` stands for a place of `{sheet}`, which is no sheet"


def _sheet(text: str, names: set[str]) -> Iterator[str]:
    if "<mergeCell " in text:
        yield "cells are merged"
    for rule in map(html.unescape, _RULE.findall(text)):
        yield from (f"a rule: {f}" for f in (*_long(rule), *_formula(rule, names)))
    shapes = Shapes(lambda formula: tuple(_long(formula)), lambda f: tuple(_formula(f, names)))
    for row, attributes, content in cells_of(text):
        if content.startswith("<f"):
            found = _computed(row, content, shapes)
        else:
            found = _constant(attributes, content)
        for finding in found:
            yield f"{address_of(attributes)}: {finding}"


def _computed(row: str, content: str, shapes: Shapes) -> Sequence[str]:
    """Find what is wrong with a cell that holds a formula."""
    start, _, behind = content.partition("</f>")
    kind, _, formula = start.partition(">")
    found = shapes.findings(formula, row)
    more = ["an array or shared formula"] if kind != "<f" else []
    if not behind.startswith("<v>"):
        more.append("a formula without a cached value")
    return [*more, *found] if more else found


def _constant(attributes: str, content: str) -> Sequence[str]:
    """Find what is wrong with a cell that holds a number, a truth or an error."""
    if 't="inlineStr"' in attributes or "<v>" not in content:
        return ()
    kind, value = _KIND.search(attributes), _VALUE.search(content)
    found = []
    if value and (kind is None or kind.group(1) == "n") and not _NUMBER.fullmatch(value.group(1)):
        found.append(f"`{value.group(1)}` is not a finite number")
    if kind and kind.group(1) == "e":
        found.append("an error written as a constant")
    return found


def _long(formula: str) -> Iterator[str]:
    """Find what is too long; all else is the same for formulas that differ in addresses only."""
    if utf16_length(formula) > LONGEST_FORMULA:
        yield f"a formula of more than {LONGEST_FORMULA:,} characters"
    if len(formula) <= LONGEST_LITERAL // 2:
        return
    for text in _TEXT.findall(formula):
        if utf16_length(text) > LONGEST_LITERAL:
            yield "a text of more than 255 characters within a formula"


def _formula(formula: str, names: set[str]) -> Iterator[str]:
    plain = _QUOTED_SHEET.sub("", _TEXT.sub('""', formula))
    deepest, most = _shape(plain)
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


def _shape(plain: str) -> tuple[int, int]:
    """Give the deepest nesting of parentheses and the most arguments of a call."""
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
