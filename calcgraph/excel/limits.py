"""Excel's limits, and diagnostics where a model passes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label
from calcgraph.core.source import Span
from calcgraph.core.values import visible_dim
from calcgraph.excel.layout.blocks import LAST_ACROSS
from calcgraph.excel.layout.defined_names import utf16_length
from calcgraph.excel.xlsx.pages import letters
from calcgraph.excel.xlsx.writer import LONGEST_TEXT, coded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.excel.formulas.translator import FormulaTranslator
    from calcgraph.excel.layout.blocks import Block
    from calcgraph.excel.layout.cell_addresses import ResolvedAddresses
    from calcgraph.excel.xlsx.pages import Page
    from calcgraph.model import Cell, Model


TOO_MANY = Code(
    "CG601",
    "workbook would have too many formulas",
    "In a workbook, each label of a cell along dims is a formula of its own. More than 400,000 of "
    "them take minutes to open and compute. The sheet itself still runs: export a sheet with "
    "fewer dims or labels, or read the results as CSV.",
)
TOO_LARGE = Code(
    "CG602",
    "cell has more labels than a workbook has room for",
    "An Excel sheet has 1,048,576 rows and 16,384 columns. In a cell that varies over several "
    "dims, the one along which it reads the previous label, or which a formula needs as one range, "
    "goes across.",
)
FORMULA_SIZE = Code(
    "CG603",
    "formula is too large for Excel",
    "Excel limits a formula to 8,192 characters, 64 levels of nesting, 255 arguments of a call "
    "and texts of 255 characters. Parts of a formula can be cells with names of their own.",
)
NOT_TAKEN = Code(
    "CG604",
    "Excel would reject the content of a cell",
    "A cell in Excel holds at most 32,767 characters. Anything else that breaks a rule of its file "
    "format is refused before the workbook is written: Excel would only report a damaged file.",
)


MOST_FORMULAS, MOST_ROWS = 400_000, 1_000_000
FEWER = "export a sheet with fewer labels, or without this cell"
HINTS = {
    FORMULA_SIZE.id: "split it into cells with names of their own",
    NOT_TAKEN.id: "shorten it, or leave it out of what is exported",
}
LONGEST_FORMULA, LONGEST_LITERAL, DEEPEST, MOST_ARGUMENTS = 8_192, 255, 64, 255
LONGEST_ADDRESS = len("XFD1048576") // len("A1")
"""A formula may be this many times longer in another cell that shares it."""
_LITERAL = re.compile(r'"(?:[^"]|"")*"')
_PUNCTUATION = re.compile(r"[(),]")
_QUOTED_SHEET = re.compile(r"'(?:[^']|'')*'!")


@dataclass(frozen=True, slots=True)
class Breach:
    """What Excel rejects: the page, the row and column of a cell (none for a rule), words."""

    page: str
    cell: tuple[int, int] | None
    code: Code
    words: str


def too_large(translator: FormulaTranslator) -> list[Diagnostic]:
    """Report the cells that are too large for a workbook, or that all are together."""
    found: dict[int, Diagnostic] = {}
    for block in translator.blocks.values():
        owner = _owner(translator, block)
        if block.height > MOST_ROWS:
            message = (
                f"`{owner.name}` has {block.height:,} rows of {block.width:,}; "
                f"a sheet of a workbook has room for {MOST_ROWS:,}"
            )
            found.setdefault(owner.number, _refused(translator.model, owner, TOO_LARGE, message))
    return list(found.values()) or _too_many(translator)


def too_long(model: Model, number: int, line: str) -> Diagnostic:
    """Report a cell that needs all labels of a long dim in a row."""
    cell = model.cells[number]
    owner = model.cells[cell.owner] if cell.kind == "helper" else cell
    message = (
        f"`{owner.name}` needs all labels of `{visible_dim(line)}` in one row, "
        f"{model.dim(line).size:,} of them; a workbook has room for {LAST_ACROSS:,}"
    )
    return _refused(model, owner, TOO_LARGE, message)


def _too_many(translator: FormulaTranslator) -> list[Diagnostic]:
    """Report too many formulas, including those that compare inputs with their exported values."""
    cells = translator.model.cells
    sizes = {
        n: b.height * b.width
        for n, b in translator.blocks.items()
        if b.text or (n < len(cells) and cells[n].kind == "input")
    }
    total = sum(sizes.values()) + len(translator.texts)
    if total <= MOST_FORMULAS:
        return []
    largest = max(sizes, key=lambda number: sizes[number])
    owner = _owner(translator, translator.blocks[largest])
    message = (
        f"the workbook would have {total:,} formulas, {sizes[largest]:,} of them for "
        f"`{owner.name}`; {MOST_FORMULAS:,} are the most that open in reasonable time"
    )
    return [_refused(translator.model, owner, TOO_MANY, message)]


def _owner(translator: FormulaTranslator, block: Block) -> Cell:
    cells = translator.model.cells
    number = block.number if block.number < len(cells) else block.helps
    return cells[cells[number].owner if cells[number].kind == "helper" else number]


def _refused(model: Model, cell: Cell, code: Code, message: str) -> Diagnostic:
    span = model.graph.nodes[cell.number].decl.key.span
    return Diagnostic(code, message, Label(span, "this cell"), HINTS.get(code.id, FEWER))


def find_breaches(pages: list[Page], addresses: ResolvedAddresses) -> Iterator[Breach]:
    """Find the formulas and texts that Excel rejects, in the order of pages and cells."""
    for page in pages:
        rules = [formula for rule in page.rules for formula in (rule.first, rule.second)]
        for formula in (*rules, *(test for _, test in page.marks)):
            written = addresses.text(formula)
            for words in (*_length_breaches(written), *_shape_breaches(written)):
                yield Breach(page.name, None, FORMULA_SIZE, f"a rule: {words}")
        yield from sorted(_cell_breaches(page, addresses), key=lambda breach: breach.cell or (0, 0))


def _cell_breaches(page: Page, addresses: ResolvedAddresses) -> Iterator[Breach]:
    """Find the cells of a page that Excel rejects; read a shared formula once."""
    sound, shapes = {""}, dict[str, "tuple[str, ...]"]()
    for place, cell in page.cells.items():
        formula, value = cell.formula, cell.value
        if formula not in sound:
            written = unescape(addresses.xml(formula, *place, page.name))
            if formula not in shapes:
                shapes[formula] = tuple(_shape_breaches(written))
            found = [*_length_breaches(written), *shapes[formula]]
            yield from (Breach(page.name, place, FORMULA_SIZE, words) for words in found)
            if not found and len(written) * LONGEST_ADDRESS <= LONGEST_FORMULA:
                sound.add(formula)
        if isinstance(value, str) and len(value) > LONGEST_TEXT // 2:
            length = len(coded(value))
            words = f"a text of {length:,} characters; Excel takes {LONGEST_TEXT:,}"
            if length > LONGEST_TEXT:
                yield Breach(page.name, place, NOT_TAKEN, words)


def _length_breaches(formula: str) -> Iterator[str]:
    if utf16_length(formula) > LONGEST_FORMULA:
        yield f"a formula of more than {LONGEST_FORMULA:,} characters"


def _shape_breaches(formula: str) -> Iterator[str]:
    """Find breaches that all cells that share a formula have; most are too short for any."""
    if len(formula) <= 2 * DEEPEST:
        return
    if any(utf16_length(text) > LONGEST_LITERAL for text in _LITERAL.findall(formula)):
        yield f"a text of more than {LONGEST_LITERAL} characters within a formula"
    if formula.count("(") <= DEEPEST and formula.count(",") < MOST_ARGUMENTS:
        return
    deepest, most = _nesting(_QUOTED_SHEET.sub("", _LITERAL.sub('""', formula)))
    if deepest > DEEPEST:
        yield f"a formula nested {deepest} deep; Excel takes {DEEPEST}"
    if most > MOST_ARGUMENTS:
        yield f"{most} arguments; Excel takes {MOST_ARGUMENTS}"


def _nesting(formula: str) -> tuple[int, int]:
    """Measure the deepest nesting of parentheses and the most arguments of a call."""
    depth = deepest = most = 0
    commas: list[int] = []
    for char in _PUNCTUATION.findall(formula):
        if char == "(":
            depth += 1
            deepest = max(deepest, depth)
            commas.append(0)
        elif char == ")":
            depth -= 1
            most = max(most, commas.pop() + 1 if commas else 0)
        elif commas:
            commas[-1] += 1
    return deepest, most


def not_taken(model: Model, number: int | None, breach: Breach) -> Diagnostic:
    """Report a breach at the cell of the model, or at the sheet if there is none."""
    where = breach.page
    if breach.cell:
        row, column = breach.cell
        where = f"{where}!{letters(column)}{row}"
    if number is not None:
        cell = model.cells[number]
        cell = model.cells[cell.owner] if cell.kind == "helper" else cell
        return _refused(model, cell, breach.code, f"`{cell.name}` ({where}): {breach.words}")
    sheets = model.graph.sheets
    source = sheets.sheets[sheets.root].source
    label = Label(Span(source, 0, source.text.find("\n")), "this sheet")
    return Diagnostic(breach.code, f"{where}: {breach.words}", label, HINTS[breach.code.id])
