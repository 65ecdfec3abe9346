"""Resolve addresses and values of overrides (`--set`, scenarios, tests)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.core.shape import Shape
from calcgraph.core.values import Kind
from calcgraph.graph import CellTarget, ColumnTarget, DimTarget, TableTarget, Unresolved
from calcgraph.language.tokens import describe_character, printable
from calcgraph.model import Cell, Change
from calcgraph.sheet.schema import ENCODING, LIMIT
from calcgraph.sheet.yaml_reader import FORBIDDEN, TEXT, forbidden_message
from calcgraph.typecheck.input_checks import (
    OUT_OF_BOUNDS,
    allowed_text,
    bare_percentage,
    bound_violation,
)
from calcgraph.typecheck.literals import WRONG_KIND, read_as
from calcgraph.typecheck.series_inputs import UNKNOWN_LABEL, find_label, unknown_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Scalar
    from calcgraph.graph import Graph
    from calcgraph.sheet.yaml_reader import YamlScalar
    from calcgraph.units import UnitBook


def resolve_labels(
    graph: Graph, cell: Cell, keys: Sequence[YamlScalar], place: YamlScalar
) -> int | Diagnostic:
    """Return the flat index of the entry at some keys, one for each dim, in any order."""
    dims = [graph.dims[name] for name in cell.type.dims]
    shown = ", ".join(dim.name for dim in dims)
    if len(dims) == 1 < len(keys):  # a label with a comma in it, or a key in its parts
        words = [unquoted(key.text.text) for key in keys]
        for sign in (",", ", ", "/"):
            at = find_label(dims[0], sign.join(words))
            if at is not None:
                return at
    if len(keys) != len(dims):
        example = ", ".join(dim.labels[0] for dim in dims)
        message = f"`{cell.name}` varies over {shown}: name one label"
        hint = f"write `{cell.name}[{example}]`, or `at: {example}` beside an expectation"
        if not dims:
            message, hint = f"`{cell.name}` is a single value", "leave the label out"
        elif len(dims) > 1:
            message += " of each"
        return Diagnostic(UNKNOWN_LABEL, message, Label(place.span), hint)
    found: dict[str, int] = {}
    for key in keys:
        text = unquoted(key.text.text)
        left = [dim for dim in dims if dim.name not in found]
        hits = [(dim, at) for dim in left if (at := find_label(dim, text)) is not None]
        if not hits:
            return unknown_label(left[0], key)
        found[hits[0][0].name] = hits[0][1]
    return Shape(tuple(dims)).ravel(found[dim.name] for dim in dims)


def unquoted(text: str) -> str:
    """Strip the quotes of a key, of either kind."""
    text = text.strip()
    for quote in "\"'":
        if len(text) > 1 and text[0] == text[-1] == quote:
            return text[1:-1]
    return text


def split_address(address: YamlScalar) -> tuple[YamlScalar, tuple[YamlScalar, ...]]:
    """Split ``cash[2026-12]`` into the name and its keys, each with its span."""
    text = address.text
    start = text.text.find("[")
    if start < 0 or not text.text.rstrip().endswith("]"):
        return address, ()
    keys: list[YamlScalar] = []
    begin = start + 1
    for piece in text.text[begin : text.text.rindex("]")].split(","):
        left = begin + len(piece) - len(piece.lstrip())
        keys.append(replace(address, text=text.part(left, begin + len(piece.rstrip()))))
        begin += len(piece) + 1
    return replace(address, text=text.part(0, start)), tuple(keys)


UNKNOWN_INPUT = Code(
    "CG309",
    "no such input",
    "What is set must be an input: `gpus`, one of an import, `hw.rate`, or an entry of a table, "
    "`hw.accelerators[h100_sxm].price`. Calculated cells cannot be set.",
)
AMBIGUOUS_INPUT = Code(
    "CG310", "several inputs have this name", "Name the import as well, to say which one is meant."
)
NOT_OPTIONAL = Code(
    "CG506",
    "input cannot be empty",
    "Only an optional input, written `value: null`, can be emptied.",
)

_ADDRESS = re.compile(r"([A-Za-z_][\w.]*)(?:\[(.*?)\](?:\.(\w+))?)?")


@dataclass(frozen=True, slots=True)
class ResolvedInput:
    """The input at an address; ``elsewhere`` is its full name if only an import declares it."""

    cell: Cell
    row: int | None
    elsewhere: str = ""


class AddressResolver:
    """Resolves addresses of inputs, relative to one sheet, and reads values for them."""

    def __init__(
        self, graph: Graph, book: UnitBook, cells: Sequence[Cell | None], sheet: str
    ) -> None:
        """Resolve addresses relative to ``sheet``."""
        self.graph = graph
        self.book = book
        self.cells = cells
        self.sheet = sheet

    def change(
        self, address: YamlScalar, value: YamlScalar
    ) -> tuple[Change, str] | Diagnostic | None:
        """Read one setting; ``None`` if the input itself is broken, which was reported."""
        found = self.find(address)
        if not isinstance(found, ResolvedInput):
            return found
        cell = found.cell
        odd = _odd_text(address, value, is_text=cell.type.kind is Kind.TEXT)
        if odd:
            return odd
        read = read_as(
            value, cell.type, self.book, [str(c) for c in cell.bounds.choices if isinstance(c, str)]
        )
        if isinstance(read, Diagnostic):
            return read
        admitted = self.admit(found, address, value, read)
        if isinstance(admitted, Diagnostic):
            return admitted
        return bare_percentage(value, read, cell.type) or admitted

    def admit(
        self, found: ResolvedInput, address: YamlScalar, value: YamlScalar, read: Scalar
    ) -> tuple[Change, str] | Diagnostic:
        """Check a value in its input's unit for emptiness and bounds; ``value`` is its text."""
        cell, name = found.cell, address.text.text.strip()
        if read is None and not cell.may_be_na:
            hint = "give it a value; an optional input is written `value: null` in the sheet"
            return Diagnostic(NOT_OPTIONAL, f"`{name}` cannot be empty", Label(value.span), hint)
        problem = bound_violation(read, cell.type, cell.bounds)
        if problem:
            return Diagnostic(
                OUT_OF_BOUNDS,
                f"`{name}` is {problem}",
                Label(value.span),
                _percent_hint(cell, read) or allowed_text(cell.type, cell.bounds, self.graph.dims),
            )
        return Change(cell.number, found.row, read), found.elsewhere

    def find(self, address: YamlScalar) -> ResolvedInput | Diagnostic | None:
        """Resolve an address to an input."""
        text = address.text.text.strip()
        hit = _ADDRESS.fullmatch(text)
        if hit is None:
            return _no_address(address, text)
        path, key, column = hit.groups()
        target = self.graph.resolve(self.sheet, path.split("."))
        if isinstance(target, Unresolved):
            return None
        if key is not None and isinstance(target, CellTarget) and column is None:
            return self.resolve_series_entry(address, target.number)
        if key is not None:
            return self.resolve_table_entry(address, target, path, unquoted(key), column)
        if isinstance(target, CellTarget):
            return self.resolve_input(address, target.number)
        if isinstance(target, ColumnTarget):
            table, _, column = text.rpartition(".")
            message, hint = f"`{text}` is a column", f"name a row: `{table}[key].{column}`"
            return Diagnostic(UNKNOWN_INPUT, message, Label(address.span), hint)
        if isinstance(target, DimTarget):
            message, hint = f"`{text}` is a dim", "its labels are fixed in the sheet"
            return Diagnostic(UNKNOWN_INPUT, message, Label(address.span), hint)
        if isinstance(target, TableTarget):
            message, hint = f"`{text}` is a table", f"name an entry: `{text}[key].column`"
            return Diagnostic(UNKNOWN_INPUT, message, Label(address.span), hint)
        return self.resolve_imported(address, text)

    def resolve_input(
        self, address: YamlScalar, number: int, elsewhere: str = ""
    ) -> ResolvedInput | Diagnostic | None:
        """Accept an input; refuse a calculated cell, naming the inputs it depends on."""
        node = self.graph.nodes[number]
        if node.kind == "input":
            cell = self.cells[number]
            if cell is not None and cell.type.dims:
                return self.missing_label(address, cell)
            return None if cell is None else ResolvedInput(cell, None, elsewhere)
        if node.override_input >= 0:
            return self.resolve_input(address, node.override_input)
        inputs = sorted(
            self.graph.nodes[other].name
            for other in self.graph.ancestors(number)
            if self.graph.nodes[other].kind == "input"
        )
        shown = ", ".join(f"`{name}`" for name in inputs[:6]) + (" …" if len(inputs) > 6 else "")  # noqa: PLR2004
        hint = f"it depends on {shown}" if inputs else ""
        message = f"`{node.name}` is calculated and cannot be set"
        if node.overrides >= 0:
            message = f"`{node.name}` is set by a formula where the variant is imported"
        return Diagnostic(UNKNOWN_INPUT, message, Label(address.span), hint)

    def resolve_series_entry(
        self, address: YamlScalar, number: int
    ) -> ResolvedInput | Diagnostic | None:
        """Resolve ``series[label]``, with a label for each of its dims."""
        found = (
            self.resolve_input(address, number)
            if self.graph.nodes[number].kind != "input"
            else None
        )
        cell = self.cells[number]
        if found is not None or cell is None:
            return found
        name, keys = split_address(address)
        if not cell.type.dims:
            text = address.text.text.strip()
            message, hint = f"`{name.text.text}` is a single value", "leave out `[…]`"
            return Diagnostic(UNKNOWN_INPUT, message, Label(address.span), f"{hint}: `{text}`")
        place = resolve_labels(self.graph, cell, keys, address)
        return place if isinstance(place, Diagnostic) else ResolvedInput(cell, place)

    def missing_label(self, address: YamlScalar, cell: Cell) -> Diagnostic:
        """Report a series without a label: only one entry is set at a time."""
        labels = [self.graph.dims[dim].labels[0] for dim in cell.type.dims]
        message = f"`{cell.name}` is a series"
        hint = f"name a label: `{address.text.text.strip()}[{', '.join(labels)}]`"
        return Diagnostic(UNKNOWN_INPUT, message, Label(address.span), hint)

    def resolve_table_entry(
        self, address: YamlScalar, target: object, path: str, key: str, column: str | None
    ) -> ResolvedInput | Diagnostic | None:
        """Resolve ``table[key].column``."""
        label = Label(address.span)
        if not isinstance(target, TableTarget):
            hint = "an entry is written `table[key].column`, one of a series `series[label]`"
            return Diagnostic(UNKNOWN_INPUT, f"`{path}` is not a table", label, hint)
        table = self.graph.tables[target.table]
        if not table.columns:
            return None
        if table.is_grid:
            message = f"`{path}` is a grid, whose rows are fixed"
            hint = "no dim can depend on an input: change the grid in the sheet"
            return Diagnostic(UNKNOWN_INPUT, message, label, hint)
        if not key:
            hint = f"write one of its rows in the brackets: {', '.join(table.labels[:12])}"
            return Diagnostic(UNKNOWN_INPUT, f"no row given in `{path}[]`", label, hint)
        if key not in table.positions:
            hint = did_you_mean(key, table.labels, f"its rows: {', '.join(table.labels)}")
            return Diagnostic(UNKNOWN_INPUT, f"the table `{path}` has no row `{key}`", label, hint)
        if column not in table.columns:
            hint = did_you_mean(
                column or "", table.columns, f"its columns: {', '.join(table.columns)}"
            )
            message = f"the table `{path}` has no column `{column}`"
            if not column:
                message = f"`{path}[{key}]` is a row, not one entry"
                hint = f"add a column: {', '.join(table.columns)}"
            return Diagnostic(UNKNOWN_INPUT, message, label, hint)
        cell = self.cells[table.columns[column]]
        return None if cell is None else ResolvedInput(cell, table.positions[key])

    def resolve_imported(self, address: YamlScalar, text: str) -> ResolvedInput | Diagnostic | None:
        """Resolve a bare name in the imports if exactly one input there has it."""
        label = Label(address.span)
        bearers = [
            node.number
            for node in self.graph.nodes
            if node.kind == "input"
            and node.decl.name == text
            and not node.of
            and self._below(node.sheet)
        ]
        if len(bearers) == 1:
            return self.resolve_input(address, bearers[0], self.graph.nodes[bearers[0]].name)
        if bearers:
            names = " or ".join(f"`{self.graph.nodes[number].name}`" for number in bearers)
            return Diagnostic(
                AMBIGUOUS_INPUT, f"several inputs are called `{text}`", label, f"write {names}"
            )
        known = [node.name for node in self.graph.nodes if node.kind == "input"]
        hint = did_you_mean(text, known, "`calcgraph eval` lists the inputs")
        return Diagnostic(UNKNOWN_INPUT, f"there is no input `{text}`", label, hint)

    def _below(self, sheet: str) -> bool:
        """Whether a sheet is imported, directly or not, by the current one."""
        start = self.graph.sheets.paths[self.sheet]
        return self.graph.sheets.paths[sheet][: len(start)] == start


def _no_address(address: YamlScalar, text: str) -> Diagnostic:
    hint = "write a name, `alias.name`, or `table[key].column`"
    odd = next((char for char in text.partition("[")[0] if not char.isascii()), "")
    if odd:
        hint = f"names have no {describe_character(odd)}: write them in a to z, digits and `_`"
    message = f"`{printable(text)}` is not an address of an input"
    return Diagnostic(UNKNOWN_INPUT, message, Label(address.span), hint)


def _odd_text(address: YamlScalar, value: YamlScalar, *, is_text: bool) -> Diagnostic | None:
    """Refuse what the sheet reader refuses too: no value, control characters, an open quote."""
    text, name, label = value.text.text, address.text.text.strip(), Label(value.span)
    if not text and not value.quoted:
        hint = f'write `{name}=""` for an empty text' if is_text else f"write `{name}=…`"
        return Diagnostic(WRONG_KIND, f"`{name}` is given no value", label, hint)
    odd = FORBIDDEN.search(text)
    if odd:
        message = forbidden_message(odd.group(), "a value")
        place = Label(value.text.span(odd.start(), odd.end()))
        return Diagnostic(ENCODING, message, place, "delete it")
    if len(text) > TEXT:
        message = f"text of {len(text):,} characters; {TEXT:,} is the most"
        return Diagnostic(LIMIT, message, Label(value.text.span(0, 1)), "shorten it")
    if text.startswith('"') and not value.quoted:
        return Diagnostic(WRONG_KIND, "this text has no end", label, 'close it with `"`')
    return None


def _percent_hint(cell: Cell, read: object) -> str:
    if cell.type.unit.percent and isinstance(read, float) and read >= 1:
        return f"did you mean {read:.15g}%?"
    return ""
