"""Addresses and the values set there: after --set, in scenarios and in tests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.check.inputs import OUT_OF_BOUNDS, outside
from calcgraph.check.values import read_as
from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.nearest import did_you_mean
from calcgraph.graph import CellTarget, ColumnTarget, TableTarget
from calcgraph.model import Cell, Change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.graph import Graph
    from calcgraph.sheet.yaml_tree import Scalar
    from calcgraph.units import UnitBook

UNKNOWN_INPUT = Code(
    "CG309",
    "no such input",
    "What is set must be an input: `gpus`, one of an import, `hw.rate`, or an entry of a table, "
    "`hw.accelerators[h100_sxm].price`. Calculated cells cannot be set.",
)
AMBIGUOUS_INPUT = Code(
    "CG310", "several inputs bear this name", "Name the import too, so that one input is meant."
)
NOT_OPTIONAL = Code(
    "CG506",
    "input cannot be empty",
    "Only an optional input, written `value: null`, can be emptied.",
)

_ADDRESS = re.compile(r"([A-Za-z_][\w.]*)(?:\[(.*?)\](?:\.(\w+))?)?")


@dataclass(frozen=True, slots=True)
class Found:
    """The input at an address; ``elsewhere`` is its full name where only an import bears it."""

    cell: Cell
    row: int | None
    elsewhere: str = ""


class Settings:
    """Finds inputs by their addresses, seen from one sheet, and reads values for them."""

    def __init__(
        self, graph: Graph, book: UnitBook, cells: Sequence[Cell | None], sheet: str
    ) -> None:
        """Look from ``sheet``."""
        self.graph = graph
        self.book = book
        self.cells = cells
        self.sheet = sheet

    def change(self, address: Scalar, value: Scalar) -> tuple[Change, str] | Diagnostic | None:
        """Read one setting; none where the input itself is broken and has been said to be."""
        found = self.find(address)
        if not isinstance(found, Found):
            return found
        cell = found.cell
        read = read_as(
            value, cell.type, self.book, [str(c) for c in cell.bounds.choices if isinstance(c, str)]
        )
        if isinstance(read, Diagnostic):
            return read
        name = address.text.text.strip()
        if read is None and not cell.may_be_na:
            hint = "give it a value; an optional input is written `value: null` in the sheet"
            return Diagnostic(NOT_OPTIONAL, f"`{name}` cannot be empty", Label(value.span), hint)
        problem = outside(read, cell.type, cell.bounds)
        if problem:
            return Diagnostic(
                OUT_OF_BOUNDS,
                f"`{name}` is {problem}",
                Label(value.span),
                _percent_hint(cell, read),
            )
        return Change(cell.number, found.row, read), found.elsewhere

    def find(self, address: Scalar) -> Found | Diagnostic | None:
        """Find the input at an address."""
        text = address.text.text.strip()
        hit = _ADDRESS.fullmatch(text)
        if hit is None:
            hint = "write a name, `alias.name`, or `table[key].column`"
            return Diagnostic(
                UNKNOWN_INPUT, f"`{text}` is not an address of an input", Label(address.span), hint
            )
        path, key, column = hit.groups()
        target = self.graph.resolve(self.sheet, path.split("."))
        if key is not None:
            return self.entry(address, target, path, key.strip().strip('"'), column)
        if isinstance(target, CellTarget):
            return self.input(address, target.number)
        if isinstance(target, ColumnTarget | TableTarget):
            hint = f"name a row: `{self._table(target)}[key].column`"
            return Diagnostic(
                UNKNOWN_INPUT, f"`{text}` is not one input", Label(address.span), hint
            )
        return self.elsewhere(address, text)

    @staticmethod
    def _table(target: ColumnTarget | TableTarget) -> str:
        return target.table

    def input(self, address: Scalar, number: int, elsewhere: str = "") -> Found | Diagnostic | None:
        """Let an input through; a calculated cell is refused with what it stands on."""
        node = self.graph.nodes[number]
        if node.kind == "input":
            cell = self.cells[number]
            return None if cell is None else Found(cell, None, elsewhere)
        inputs = sorted(
            self.graph.nodes[other].name
            for other in self.graph.ancestors(number)
            if self.graph.nodes[other].kind == "input"
        )
        shown = ", ".join(f"`{name}`" for name in inputs[:6]) + (" …" if len(inputs) > 6 else "")  # noqa: PLR2004
        hint = f"it stands on {shown}" if inputs else ""
        message = f"`{node.name}` is calculated and cannot be set"
        return Diagnostic(UNKNOWN_INPUT, message, Label(address.span), hint)

    def entry(
        self, address: Scalar, target: object, path: str, key: str, column: str | None
    ) -> Found | Diagnostic | None:
        """Find ``table[key].column``."""
        label = Label(address.span)
        if not isinstance(target, TableTarget):
            return Diagnostic(UNKNOWN_INPUT, f"`{path}` is not a table", label)
        table = self.graph.tables[target.table]
        if key not in table.positions:
            hint = did_you_mean(key, table.labels, f"its rows: {', '.join(table.labels)}")
            return Diagnostic(UNKNOWN_INPUT, f"the table `{path}` has no row `{key}`", label, hint)
        if column not in table.columns:
            hint = did_you_mean(
                column or "", table.columns, f"its columns: {', '.join(table.columns)}"
            )
            message = (
                f"the table `{path}` has no column `{column}`" if column else "a column is missing"
            )
            return Diagnostic(UNKNOWN_INPUT, message, label, hint)
        cell = self.cells[table.columns[column]]
        return None if cell is None else Found(cell, table.positions[key])

    def elsewhere(self, address: Scalar, text: str) -> Found | Diagnostic | None:
        """Find a bare name in the imports, where exactly one bears it as an input."""
        label = Label(address.span)
        bearers = [
            node.number
            for node in self.graph.nodes
            if node.kind == "input" and node.decl.name == text and self._below(node.sheet)
        ]
        if len(bearers) == 1:
            return self.input(address, bearers[0], self.graph.nodes[bearers[0]].name)
        if bearers:
            names = ", ".join(f"`{self.graph.nodes[number].name}`" for number in bearers)
            return Diagnostic(
                AMBIGUOUS_INPUT, f"several inputs are called `{text}`", label, f"write {names}"
            )
        known = [node.name for node in self.graph.nodes if node.kind == "input"]
        hint = did_you_mean(text, known, "`calcgraph eval` lists the inputs")
        return Diagnostic(UNKNOWN_INPUT, f"there is no input `{text}`", label, hint)

    def _below(self, sheet: str) -> bool:
        """Whether a sheet is reached from the one looked from."""
        start = self.graph.sheets.paths[self.sheet]
        return self.graph.sheets.paths[sheet][: len(start)] == start


def _percent_hint(cell: Cell, read: object) -> str:
    if cell.type.unit.percent and isinstance(read, float) and read >= 1:
        return f"did you mean {read:.15g}%?"
    return ""
