"""Contents of each heading: single cells, rows along a dim, and blocks of columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from calcgraph.excel.formulas.references import translate_residuals
from calcgraph.sheet.declarations import CalcDecl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.excel.formulas.translator import FormulaTranslator
    from calcgraph.excel.layout.blocks import Block
    from calcgraph.model import Cell

FALLBACK = "Calc"
OF_CHECKS = "Checks, label by label"
IN_PARTS = {"check", "message"}


@dataclass(slots=True)
class Section:
    """A heading, its single cells, and its blocks; a cell's helpers precede its own block."""

    title: str
    cells: list[Cell] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    @property
    def across(self) -> list[Block]:
        """The blocks that go across: a row each, or a row for each label of the other dims."""
        return [block for block in self.blocks if not block.frame.is_down]

    @property
    def down(self) -> list[Block]:
        """The blocks that are a column."""
        return [block for block in self.blocks if block.frame.is_down]


def sections_of(translator: FormulaTranslator) -> dict[str, list[Cell]]:
    """Group computed cells by heading; parts precede the cell that they are part of.

    The columns of a sub-model that is broadcast along dims are together, under its alias.
    """
    model = translator.model
    parts: dict[int, list[Cell]] = {}
    for cell in model.cells:
        if cell.kind == "helper" and translator.shows(cell):
            parts.setdefault(cell.owner, []).append(cell)
    groups: dict[str, list[Cell]] = {}
    in_checks: list[Cell] = []
    for cell in filter(translator.shows, model.cells):
        decl = model.graph.nodes[cell.number].decl
        if cell.kind == "calc" and isinstance(decl, CalcDecl):
            prefix = cell.name.rpartition(".")[0].replace(".", " ")
            is_column = not cell.is_listed and translator.is_down(cell.number)
            heading = "" if is_column else decl.heading or FALLBACK
            title = " ".join(part for part in (prefix, heading) if part)
            groups.setdefault(title, []).extend((*_parts(parts, cell), cell))
        elif cell.kind in IN_PARTS:
            in_checks.extend(_parts(parts, cell))
            if cell.type.dims:
                in_checks.append(cell)
    if in_checks:
        groups[OF_CHECKS] = in_checks
    return groups


def _parts(parts: dict[int, list[Cell]], cell: Cell) -> Iterator[Cell]:
    for part in parts.get(cell.number, ()):
        yield from _parts(parts, part)
        yield part


def translate_sections(translator: FormulaTranslator) -> list[Section]:
    """Translate all formulas, heading by heading; add the helpers that they need."""
    groups = sections_of(translator)
    title_of: dict[int, str] = {}
    for title, cells in groups.items():
        translator.translate(cell.number for cell in cells)
        title_of.update({cell.number: title for cell in cells})
    translator.try_checks()
    translator.residuals = translate_residuals(translator)
    found = {title: Section(title) for title in groups}
    helpers: dict[int, list[Block]] = {}
    for block in translator.helpers.values():
        helpers.setdefault(block.helps, []).append(block)
    for title, cells in groups.items():
        for cell in cells:
            found[title].blocks.extend(helpers.pop(cell.number, ()))
            if cell.number in translator.blocks:
                found[title].blocks.append(translator.blocks[cell.number])
            else:
                found[title].cells.append(cell)
    if helpers:
        rest = found.setdefault(OF_CHECKS, Section(OF_CHECKS))
        rest.blocks.extend(block for blocks in helpers.values() for block in blocks)
    return list(found.values())
