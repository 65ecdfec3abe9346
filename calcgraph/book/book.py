"""A sheet opened: the façade over the stages, for Python and for the command line."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calcgraph.analysis.results import (
    CheckResult,
    FigureResult,
    check_results,
    figure_results,
    judge,
)
from calcgraph.book.errors import CellError, SettingError, SheetError, UnknownName
from calcgraph.book.files import Opener, model_root, read_source, real_path
from calcgraph.book.memory import paused_collection
from calcgraph.book.written import address_and_value, setting_text
from calcgraph.check.settings import Settings
from calcgraph.check.settle import settle
from calcgraph.core.diagnostic import Diagnostic, errors
from calcgraph.core.type import Kind
from calcgraph.core.value import Failure, Series
from calcgraph.evaluate import Evaluation, evaluate, recompute
from calcgraph.functions.scalar import to_date
from calcgraph.graph import build_graph, named_digraph
from calcgraph.plan import make_plan
from calcgraph.render.numbers import full_text
from calcgraph.render.results import change_texts
from calcgraph.sheet.imports import read_sheets
from calcgraph.units import load_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import networkx as nx
    import pint

    from calcgraph.analysis.explain import Explanation
    from calcgraph.core.value import Scalar
    from calcgraph.model import Case, Cell, Change, Model, Scenario


SHOWN = ("input", "column", "calc")


@dataclass(frozen=True)
class Book:
    """A checked sheet with its values; every change gives another book.

    ``settings`` are the addresses set, with their values as text; ``notes`` what a user should be
    told about them; ``warnings`` the findings that stop nothing.
    """

    name: str
    evaluation: Evaluation
    warnings: tuple[Diagnostic, ...] = ()
    scenarios: tuple[str, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def model(self) -> Model:
        """The checked model."""
        return self.evaluation.plan.model

    @property
    def title(self) -> str:
        """The sheet's title, or its name."""
        return self._root.title or self.name

    @property
    def _root(self) -> Any:  # noqa: ANN401 - a Sheet; its module is below the façade
        sheets = self.model.graph.sheets
        return sheets.sheets[sheets.root]

    def __iter__(self) -> Iterator[str]:
        """Go through the names of all cells."""
        return (cell.name for cell in self.cells())

    def __contains__(self, name: object) -> bool:
        """Whether there is a cell of this name."""
        cell = self.model.cell(name) if isinstance(name, str) else None
        return cell is not None and cell.kind in SHOWN

    def __getitem__(self, name: str) -> float | bool | str | date | tuple[object, ...] | None:
        """Give a cell's value: a number in the cell's unit, a truth, a text, a date, or none.

        Raises ``KeyError`` for an unknown name and ``CellError`` for a cell that failed.
        """
        cell = self.cell(name)
        value = self.evaluation.values[cell.number]
        if isinstance(value, Failure):
            raise CellError(name, value)
        if isinstance(value, Series):
            return tuple(_plain(item, cell) for item in value.data)
        return _plain(value, cell)

    def cell(self, name: str) -> Cell:
        """Find a cell by its name; raises ``KeyError`` with the nearest one."""
        cell = self.model.cell(name)
        if cell is None or cell.kind not in SHOWN:
            from calcgraph.core.nearest import did_you_mean

            hint = did_you_mean(name, [other.name for other in self.cells()])
            message = f"there is no cell `{name}`" + (f"; {hint}" if hint else "")
            raise UnknownName(message)
        return cell

    def cells(self) -> list[Cell]:
        """Give all cells: inputs, columns and calculated ones."""
        return [cell for cell in self.model.cells if cell.kind in SHOWN]

    def unit(self, name: str) -> str:
        """Give a cell's unit as its author wrote it."""
        return str(self.cell(name).type.unit)

    def text(self, name: str) -> str:
        """Give a cell's value and unit for people: ``11.61 day``."""
        cell = self.cell(name)
        return full_text(self.evaluation.values[cell.number], cell.type)

    def quantity(self, name: str) -> pint.Quantity[float]:
        """Give a number as a ``pint.Quantity`` of ``calcgraph.ureg``."""
        from calcgraph.units import float_registry, to_pint

        value = self[name]
        if isinstance(value, bool) or not isinstance(value, float):
            message = f"`{name}` is not a number"
            raise TypeError(message)
        factor, unit = to_pint(self.cell(name).type.unit)
        return float_registry().Quantity(value * factor, unit)

    @cached_property
    def graph(self) -> nx.DiGraph[str]:
        """The dependency graph over cell names: edges go from what is needed to who needs it.

        Each cell bears its ``kind`` (input, column, calc) and ``unit``.
        """
        facts = {
            cell.number: {"kind": cell.kind, "unit": str(cell.type.unit)} for cell in self.cells()
        }
        return named_digraph(self.model.graph, facts)

    def set(self, values: Mapping[str, object] | None = None, /, **more: object) -> Book:
        """Set inputs: numbers in the input's unit, texts as after ``--set``, pint quantities.

        Raises ``SettingError`` with every value that is refused.
        """
        given = {**(values or {}), **more}
        settings = self._settings
        return self.set_texts(
            [(name, setting_text(settings, name, value)) for name, value in given.items()]
        )

    def set_texts(self, pairs: Iterable[tuple[str, str]]) -> Book:
        """Set inputs from texts as written after ``--set``; all or none."""
        return self.after((), pairs)

    @property
    def set_changes(self) -> list[Change]:
        """The changes behind ``settings``: what was set beside the scenarios."""
        return self._read_changes(list(self.settings.items()))[0]

    @property
    def _settings(self) -> Settings:
        model = self.model
        return Settings(model.graph, model.book, model.cells, model.graph.sheets.root)

    def _read_changes(self, pairs: list[tuple[str, str]]) -> tuple[list[Change], list[str]]:
        changes: list[Change] = []
        notes: list[str] = []
        findings: list[Diagnostic] = []
        settings = self._settings
        for name, text in pairs:
            found = settings.change(*address_and_value(name, text))
            if isinstance(found, Diagnostic):
                findings.append(found)
                continue
            assert found is not None, "a checked model has no broken input"
            changes.append(found[0])
            if found[1]:
                notes.append(f"`{name}` is `{found[1]}`")
        if findings:
            raise SettingError(findings)
        return changes, notes

    def scenario(self, *names: str) -> Book:
        """Put scenarios on, one after the other; raises ``KeyError`` for an unknown one."""
        return self.after(names, ())

    def after(self, scenarios: Iterable[str], pairs: Iterable[tuple[str, str]]) -> Book:
        """Put scenarios on and then set inputs from texts, in one computation."""
        names, pairs = tuple(scenarios), list(pairs)
        if not names and not pairs:
            return self
        changes = [change for name in names for change in self._scenario(name).changes]
        moved = dict(change_texts(self.model, change) for change in changes)
        kept = {name: text for name, text in self.settings.items() if name not in moved}
        more, notes = self._read_changes(pairs)
        shown = dict(change_texts(self.model, change) for change in more)
        return Book(
            self.name,
            recompute(self.evaluation, [*changes, *more]),
            self.warnings,
            (*self.scenarios, *names),
            {**kept, **shown},
            (*self.notes, *notes),
        )

    def _scenario(self, name: str) -> Scenario:
        found = self.model.scenarios.get(name)
        if found is None:
            from calcgraph.core.nearest import did_you_mean

            known = ", ".join(self.model.scenarios) or "none"
            hint = did_you_mean(name, self.model.scenarios, f"there are: {known}")
            message = f"there is no scenario `{name}`; {hint}"
            raise UnknownName(message)
        return found

    @property
    def checks(self) -> list[CheckResult]:
        """What became of every check."""
        return check_results(self.evaluation)

    @property
    def expectations(self) -> list[FigureResult]:
        """What became of every expected figure."""
        return figure_results(self.evaluation)

    def explain(self, name: str, depth: int | None = None) -> Explanation:
        """Explain a cell: its formula, the numbers put in, and so on down to the inputs."""
        from calcgraph.analysis.explain import explain

        return explain(self.evaluation, self.cell(name).number, full_text, depth)

    def run_case(self, case: Case) -> list[FigureResult]:
        """Run one of the sheet's tests."""
        after = recompute(self.evaluation, case.changes)
        return [judge(after, figure) for figure in case.figures]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the model's files, by relative name, and of the input values in force."""
        digest = hashlib.sha256()
        sheets = self.model.graph.sheets
        folder = os.path.dirname(sheets.root)  # noqa: PTH120 - a name, not a file
        texts = {key: sheet.source for key, sheet in sheets.sheets.items()} | sheets.data
        for key in sorted(texts):
            text = texts[key].text.replace("\r\n", "\n")
            digest.update(f"{os.path.relpath(key, folder)}\0{text}\0".encode())
        for cell in self.model.cells:
            if cell.op is None:
                value = self.evaluation.values[cell.number]
                digest.update(f"{cell.name}\0{value!r}\0".encode())
        return digest.hexdigest()


def _plain(value: Scalar, cell: Cell) -> float | bool | str | date | None:
    if isinstance(value, float) and cell.type.kind is Kind.DATE:
        return to_date(value)
    return value


def open_book(
    path: str | os.PathLike[str], root: str | None = None, *, use_cache: bool = True
) -> Book:
    """Open, check and compute a sheet.

    Raises ``FileError`` where a file cannot be read, ``SheetError`` with all that is wrong.
    """
    with paused_collection():
        return _open(os.fspath(path), root, use_cache=use_cache)


def _open(name: str, root: str | None, *, use_cache: bool) -> Book:
    real = real_path(name)
    source = read_source(real, Path(name).as_posix())
    opener = Opener(real_path(root) if root else model_root(real))
    opener.names[str(real)] = source.name
    sheets, findings = read_sheets(str(real), source, opener, opener.data)
    graph, more = build_graph(sheets)
    findings += more
    model, more = settle(graph, load_vocabulary(use_cache=use_cache))
    findings += more
    if errors(findings):
        raise SheetError(findings)
    return Book(source.name, evaluate(make_plan(model)), tuple(findings))
