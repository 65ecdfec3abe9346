"""What a block is for people: its label, key, unit, formula, and where it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.analysis.described import label_of
from calcgraph.analysis.explain import formula_text
from calcgraph.core.dim import plain_dim
from calcgraph.core.type import NUMBER, Kind, Type
from calcgraph.excel.builder import unit_text
from calcgraph.excel.places import note_text, place_text, yaml_path
from calcgraph.excel.style import PERIOD, TEXT_FORMAT, number_format
from calcgraph.model import Load
from calcgraph.sheet.declarations import CalcDecl, CheckDecl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from calcgraph.core.dim import Dim
    from calcgraph.core.value import Value
    from calcgraph.excel.blocks import Block
    from calcgraph.excel.builder import Builder
    from calcgraph.model import Model

    Choose: TypeAlias = Callable[[Value, Type], str]

DAY = "yyyy-mm-dd"


@dataclass(frozen=True, slots=True)
class BlockText:
    """What stands beside the values of a block; ``type`` is what they are."""

    label: str
    key: str
    type: Type
    written: str = ""
    note: str = ""
    place: str = ""
    path: str = ""

    @property
    def unit(self) -> str:
        """The unit, as the column of units shows it."""
        return unit_text(self.type)


def block_text(builder: Builder, block: Block) -> BlockText:
    """Describe a block: as its cell, or as what it helps with."""
    model = builder.request.model
    if block.number >= len(model.cells):
        return BlockText(block.label, "", _type_of(builder, block))
    cell = model.cells[block.number]
    node = model.graph.nodes[cell.number]
    place = place_text(node.decl.key.span)
    if isinstance(node.decl, CheckDecl):
        name = node.decl.name
        label = {"check": name, "message": f"{name}: what is wrong"}.get(cell.kind, f"{name}, part")
        return BlockText(label, "", cell.type, place=place)
    label, written = label_of(model, cell), ""
    if isinstance(node.decl, CalcDecl) and cell.kind == "calc":
        written = formula_text(node).split(" -> ")[0]
        path = yaml_path(model, cell)
        return BlockText(label, cell.name, cell.type, written, note_text(node.decl), place, path)
    owner = model.cells[cell.owner] if cell.kind == "helper" else cell
    label = f"part of {label_of(model, owner)}" if cell.kind == "helper" else label
    return BlockText(label, cell.name, cell.type, place=place)


def _type_of(builder: Builder, block: Block) -> Type:
    if isinstance(block.op, Load) and not block.is_position:
        return builder.request.model.cells[block.op.cell].type
    return NUMBER


def entry_text(model: Model, dims: Sequence[str], position: int) -> str:
    """Give the labels of a value among all: ``us, 2026-07``."""
    found: list[str] = []
    for dim in reversed(dims):
        position, at = divmod(position, model.dim(dim).size)
        found.append(model.dim(dim).labels[at])
    return ", ".join(reversed(found))


def shape_of(model: Model, value: Value, type_: Type, choose: Choose = number_format) -> str:
    """Choose the format of a value: periods look like their labels, anything else as chosen."""
    if type_.kind is Kind.DATE and type_.table:
        dim = model.graph.dims.get(plain_dim(type_.table))
        if dim is not None and dim.kind == "time" and dim.step != "day":
            return PERIOD
    return choose(value, type_)


def block_format(model: Model, block: Block, type_: Type, *, dash: bool) -> str:
    """Choose one format for all values: by the largest; ``dash`` shows a nought as a dash."""
    numbers = [value for value in block.values if isinstance(value, float)]
    sample = max(numbers, key=abs, default=None)
    if sample is None and block.values and isinstance(block.values[0], str | bool):
        return number_format(block.values[0], type_)
    shape = shape_of(model, sample, type_)
    is_plain = type_.kind is NUMBER.kind and ";" not in shape and shape != TEXT_FORMAT
    if is_plain and sample is not None and any(n != round(n) for n in numbers):
        shape = shape.replace("General_)", "0.00_)")
    return f'{shape};-{shape};"–"_)' if is_plain and dash else shape


def key_format(dim: Dim) -> str:
    """Choose how labels look: months as months, days as days."""
    if dim.kind == "time":
        return DAY if dim.step == "day" else "yyyy-mm"
    return "0" if dim.kind == "count" else "General"
