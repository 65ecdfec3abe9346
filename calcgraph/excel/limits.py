"""How much a workbook may hold: what passes it is refused, in words, with the cell's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.dim import plain_dim
from calcgraph.core.source import Span
from calcgraph.excel.codes import FORMULA_SIZE, NOT_TAKEN, TOO_LARGE, TOO_MANY
from calcgraph.excel.frames import LAST_ACROSS

if TYPE_CHECKING:
    from calcgraph.core.diagnostic import Code
    from calcgraph.excel.blocks import Block
    from calcgraph.excel.spelling import Spelling
    from calcgraph.model import Cell, Model

MOST_FORMULAS, MOST_ROWS = 400_000, 1_000_000
FEWER = "export a sheet with fewer labels, or without this cell"
HINTS = {
    FORMULA_SIZE.id: "split it into cells with names of their own",
    NOT_TAKEN.id: "shorten it, or leave it out of what is exported",
}
SIZES = ("a formula of more", "a formula nested", "a text of more", "a rule: a formula")


def too_large(spelling: Spelling) -> list[Diagnostic]:
    """Say which cells are too large for a workbook, or that all of them are together."""
    found: dict[int, Diagnostic] = {}
    for block in spelling.blocks.values():
        owner = _owner(spelling, block)
        if block.height > MOST_ROWS:
            said = (
                f"`{owner.name}` has {block.height:,} rows of {block.width:,}; "
                f"a sheet of a workbook takes {MOST_ROWS:,}"
            )
            found.setdefault(owner.number, _refused(spelling.model, owner, TOO_LARGE, said))
    return list(found.values()) or _too_many(spelling)


def too_long(model: Model, number: int, line: str) -> Diagnostic:
    """Say that a cell varies over other dims beside one that is too long to go across."""
    cell = model.cells[number]
    owner = model.cells[cell.owner] if cell.kind == "helper" else cell
    said = (
        f"`{owner.name}` needs all labels of `{plain_dim(line)}` in a row, "
        f"{model.dim(line).size:,} of them; a workbook takes {LAST_ACROSS:,}"
    )
    return _refused(model, owner, TOO_LARGE, said)


def _too_many(spelling: Spelling) -> list[Diagnostic]:
    """Count formulas, those too that compare an input's entries with what was exported."""
    cells = spelling.model.cells
    sizes = {
        n: b.height * b.width
        for n, b in spelling.blocks.items()
        if b.text or (n < len(cells) and cells[n].kind == "input")
    }
    total = sum(sizes.values()) + len(spelling.texts)
    if total <= MOST_FORMULAS:
        return []
    largest = max(sizes, key=lambda number: sizes[number])
    owner = _owner(spelling, spelling.blocks[largest])
    said = (
        f"the workbook would have {total:,} formulas, {sizes[largest]:,} of them for "
        f"`{owner.name}`; {MOST_FORMULAS:,} are the most that can be opened with patience"
    )
    return [_refused(spelling.model, owner, TOO_MANY, said)]


def _owner(spelling: Spelling, block: Block) -> Cell:
    cells = spelling.model.cells
    number = block.number if block.number < len(cells) else block.helps
    return cells[cells[number].owner if cells[number].kind == "helper" else number]


def _refused(model: Model, cell: Cell, code: Code, said: str) -> Diagnostic:
    span = model.graph.nodes[cell.number].decl.key.span
    return Diagnostic(code, said, Label(span, "this cell"), HINTS.get(code.id, FEWER))


def not_taken(model: Model, number: int | None, where: str, words: str) -> Diagnostic:
    """Say what a workbook holds that Excel would not take: of a cell, or of the whole."""
    code = FORMULA_SIZE if words.startswith(SIZES) or "arguments; Excel" in words else NOT_TAKEN
    if number is not None:
        cell = model.cells[number]
        cell = model.cells[cell.owner] if cell.kind == "helper" else cell
        return _refused(model, cell, code, f"`{cell.name}` ({where}): {words}")
    sheets = model.graph.sheets
    source = sheets.sheets[sheets.root].source
    label = Label(Span(source, 0, source.text.find("\n")), "this sheet")
    return Diagnostic(code, f"{where}: {words}", label, HINTS[code.id])
