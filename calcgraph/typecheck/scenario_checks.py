"""Type-check scenarios, tests and expected values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.core.numbers import read_number
from calcgraph.core.shape import Shape
from calcgraph.core.values import Kind
from calcgraph.graph import (
    CellTarget,
    ColumnTarget,
    DimTarget,
    SheetTarget,
    TableTarget,
    Unresolved,
)
from calcgraph.model import Cell, Change, ExpectedValue, Scenario, SheetTest
from calcgraph.sheet.declarations import CalcDecl
from calcgraph.typecheck.literals import WRONG_KIND, read_any, read_as
from calcgraph.typecheck.overrides import AddressResolver, resolve_labels, split_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.values import Type
    from calcgraph.graph import Graph
    from calcgraph.sheet.declarations import CaseDecl, ExpectationDecl, ScenarioDecl, Setting
    from calcgraph.sheet.yaml_reader import YamlScalar
    from calcgraph.units import UnitBook


BAD_TOLERANCE = Code(
    "CG507",
    "tolerance cannot be read",
    "`within` is a share such as 2%, or a quantity of the cell's dimension; it is not negative.",
)
EXACTLY = 1e-9


def read_figure(cell: Cell, decl: ExpectationDecl, book: UnitBook) -> ExpectedValue | Diagnostic:
    """Read an expected value; the tolerance defaults to a relative 1e-9."""
    expected = read_as(decl.value, cell.type, book)
    if isinstance(expected, Diagnostic):
        return expected
    if expected is None and not cell.may_be_na:
        message = f"`{cell.name}` always has a value"
        hint = "write the figure, or leave the expectation out"
        return Diagnostic(WRONG_KIND, message, Label(decl.value.span), hint)
    tolerance = _tolerance(cell.type, decl, expected, book)
    if isinstance(tolerance, Diagnostic):
        return tolerance
    shown = decl.value.text.text.strip()
    return ExpectedValue(cell.number, expected, tolerance, decl, shown, decl.value.span)


def _tolerance(
    type_: Type, decl: ExpectationDecl, expected: object, book: UnitBook
) -> float | Diagnostic:
    size = abs(expected) if isinstance(expected, float) else 0.0
    within = decl.within
    if within is None:
        return EXACTLY * size
    if type_.kind is not Kind.NUMBER:
        message = f"`within` needs a number, this is {type_}"
        return Diagnostic(BAD_TOLERANCE, message, Label(within.span), "leave `within` out")
    text = within.text.text.strip()
    share = read_number(text) if text.endswith("%") else None
    if share is not None:
        return share * size if share >= 0 else _negative(within)
    read = read_any(within, book)
    if not isinstance(read, Diagnostic) and read.type.unit.is_pure and not type_.unit.is_pure:
        if read.value == 0:
            return 0.0
        hint = f"write a share such as 1%, or a quantity in {type_.unit}"
        return Diagnostic(BAD_TOLERANCE, "`within` is a bare number", Label(within.span), hint)
    absolute = read_as(within, type_, book)
    if isinstance(absolute, Diagnostic):
        return absolute
    assert isinstance(absolute, float), "a number was read"
    return absolute if absolute >= 0 else _negative(within)


def _negative(node: YamlScalar) -> Diagnostic:
    hint = f"write {node.text.text.strip().lstrip('-')}"
    return Diagnostic(BAD_TOLERANCE, "a tolerance is not negative", Label(node.span), hint)


UNKNOWN_CELL = Code(
    "CG312", "no such cell", "An output, a chart or a test's figure names a cell of the model."
)
UNKNOWN_SCENARIO = Code(
    "CG313", "no such scenario", "`extends` and --scenario name one of `scenarios:`."
)


@dataclass(slots=True)
class ScenarioReader:
    """Reads what a sheet declares besides its cells; broken ``cells`` are ``None``."""

    graph: Graph
    book: UnitBook
    cells: Sequence[Cell | None]
    findings: list[Diagnostic]

    def figures(self) -> list[ExpectedValue]:
        """Read the expectations of cells in sheets that are not imported as a variant."""
        found: list[ExpectedValue] = []
        for node in self.graph.nodes:
            cell = self.cells[node.number] if node.kind == "calc" else None
            if cell is None or not cell.is_listed or not isinstance(node.decl, CalcDecl):
                continue
            for decl in node.decl.expects:
                self.keep(cell, decl, decl.at, decl.value, found)
        return found

    def keep(
        self,
        cell: Cell,
        decl: ExpectationDecl,
        keys: Sequence[YamlScalar],
        place: YamlScalar,
        figures: list[ExpectedValue],
    ) -> None:
        """Read one expectation, of a series at its keys."""
        row: int | None = None
        at = ""
        if cell.type.dims or keys:
            found = resolve_labels(self.graph, cell, keys, place)
            if isinstance(found, Diagnostic):
                self.findings.append(found)
                return
            row, shape = found, Shape(tuple(self.graph.dims[dim] for dim in cell.type.dims))
            at = ", ".join(shape.labels(row))
        figure = read_figure(replace(cell, type=replace(cell.type, dims=())), decl, self.book)
        if isinstance(figure, Diagnostic):
            self.findings.append(figure)
        else:
            figures.append(replace(figure, row=row, at=at) if row is not None else figure)

    def changes(self, settings: AddressResolver, decls: Sequence[Setting]) -> tuple[Change, ...]:
        """Read the settings of a scenario or test."""
        changes: list[Change] = []
        for decl in decls:
            found = settings.change(decl.address, decl.value)
            if isinstance(found, Diagnostic):
                self.findings.append(found)
            elif found is not None:
                changes.append(found[0])
        return tuple(changes)

    def scenarios(self) -> dict[str, Scenario]:
        """Read the scenarios of the evaluated sheet; those that one extends come first."""
        root = self.graph.sheets.root
        settings = AddressResolver(self.graph, self.book, self.cells, root)
        decls = {decl.name: decl for decl in self.graph.sheets.sheets[root].scenarios}
        own = {name: self.changes(settings, decl.settings) for name, decl in decls.items()}
        found: dict[str, Scenario] = {}
        for name, decl in decls.items():
            chain, finding = _chain(decls, decl)
            if finding:
                self.findings.append(finding)
                continue
            changes = tuple(change for link in chain for change in own[link])
            found[name] = Scenario(name, changes, decl.note)
        return found

    def tests(self) -> list[SheetTest]:
        """Read the tests of plainly imported sheets; addresses are relative to each sheet."""
        found: list[SheetTest] = []
        for key, sheet in self.graph.sheets.sheets.items():
            if key not in self.graph.sheets.plain:
                continue
            settings = AddressResolver(self.graph, self.book, self.cells, key)
            for decl in sheet.tests:
                changes = self.changes(settings, decl.settings)
                figures = self.test_figures(key, decl)
                found.append(SheetTest(decl.name, changes, tuple(figures), decl.key.span))
        return found

    def test_figures(self, sheet: str, decl: CaseDecl) -> list[ExpectedValue]:
        """Read the expectations of a test."""
        figures: list[ExpectedValue] = []
        for address, expectation in decl.expects:
            name, keys = split_address(address)
            number = self.cell_number(sheet, name)
            cell = None if number is None else self.cells[number]
            if cell is not None:
                keys = keys or expectation.at
                self.keep(cell, expectation, keys, address, figures)
        return figures

    def outputs(self) -> list[int]:
        """Find the output cells."""
        root = self.graph.sheets.root
        numbers = [self.cell_number(root, node) for node in self.graph.sheets.sheets[root].outputs]
        return [number for number in numbers if number is not None]

    def cell_number(self, sheet: str, node: YamlScalar) -> int | None:
        """Resolve the cell that an output, a chart or a test names."""
        graph, name = self.graph, node.text.text.strip()
        target = graph.resolve(sheet, name.split("."))
        if isinstance(target, CellTarget | ColumnTarget):
            return target.number
        if isinstance(target, Unresolved):
            return None
        prefix = ".".join((*graph.sheets.paths[sheet], ""))
        known = [
            other.name.removeprefix(prefix)
            for other in graph.nodes
            if other.kind in {"input", "calc"}
        ]
        message, hint = f"there is no cell `{name}`", did_you_mean(name, known, "name a cell")
        if "[" in name:
            message, hint = f"`{name}` is an entry, not a cell", f"name `{name.partition('[')[0]}`"
        if isinstance(target, TableTarget | SheetTarget | DimTarget):
            what = {TableTarget: "a table", SheetTarget: "an imported sheet", DimTarget: "a dim"}
            message, hint = f"`{name}` is {what[type(target)]}, not a cell", "name a cell"
        self.findings.append(Diagnostic(UNKNOWN_CELL, message, Label(node.span), hint))
        return None


def _chain(
    decls: dict[str, ScenarioDecl], decl: ScenarioDecl
) -> tuple[list[str], Diagnostic | None]:
    """Follow ``extends`` to the root; return the chain from there on."""
    chain = [decl.name]
    current = decl
    while current.extends is not None:
        name, span = current.extends.text.text.strip(), current.extends.span
        if name not in decls and current is not decl:
            return [], None  # reported at `current`
        if name not in decls:
            known = ", ".join(other for other in decls if other != decl.name)
            hint = did_you_mean(name, decls, f"there are: {known}" if known else "leave it out")
            return [], Diagnostic(
                UNKNOWN_SCENARIO, f"there is no scenario `{name}`", Label(span), hint
            )
        if name in chain:
            circle = chain[chain.index(name) :]
            if decl.name != next(one for one in decls if one in circle):
                return [], None  # reported at the first of them
            message = f"scenarios extend each other in a circle: {' -> '.join([*circle, name])}"
            hint = "leave one `extends` out"
            return [], Diagnostic(UNKNOWN_SCENARIO, message, Label(span), hint)
        chain.append(name)
        current = decls[name]
    return chain[::-1], None
