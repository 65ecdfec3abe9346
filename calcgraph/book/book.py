"""A sheet opened: the façade over the stages, for Python and for the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import product
from typing import TYPE_CHECKING, Any

from calcgraph.analysis.addresses import (
    Unknown,
    change_texts,
    dim_names,
    dims_of,
    entry_of,
    find_address,
    is_shown,
    value_formatter,
)
from calcgraph.analysis.descriptions import is_drawn
from calcgraph.analysis.results import (
    CheckResult,
    FigureResult,
    check_results,
    compare_with_published,
    figure_results,
)
from calcgraph.book.errors import CellError, UnknownName
from calcgraph.book.fingerprint import Fingerprints
from calcgraph.book.node_attributes import as_quantity, by_label, node_attributes, plain_value
from calcgraph.book.settings import SettingReader
from calcgraph.core.diagnostics import Diagnostic
from calcgraph.core.values import Failure, Series
from calcgraph.engine import Evaluation, evaluate_cases
from calcgraph.language.tokens import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pint

    from calcgraph.analysis.addresses import CellAddress
    from calcgraph.analysis.explain import Explanation
    from calcgraph.book.node_attributes import Plain
    from calcgraph.book.settings import NamedValue, Read
    from calcgraph.core.values import Value
    from calcgraph.graph.digraph import QuantityGraph
    from calcgraph.model import Cell, Change, Model, Scenario, SheetTest


LONGEST_REPR = 100


@dataclass(frozen=True, repr=False)
class Book:
    """A checked sheet with its values; every change gives another book.

    ``settings`` are the addresses set, with their values as text; ``notes`` what a user should
    know about them; ``warnings`` the findings that stop nothing.
    """

    name: str
    evaluation: Evaluation
    warnings: tuple[Diagnostic, ...] = ()
    scenarios: tuple[str, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    prints: Fingerprints | None = field(default=None, repr=False, compare=False)

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

    def __repr__(self) -> str:
        changed = [*self.scenarios, *(f"{name}={text}" for name, text in self.settings.items())]
        more = f" with {', '.join(changed)}" if changed else ""
        text = printable(f"<Book {self.name}: {len(self.cells()):,} cells{more}>")
        return text if len(text) <= LONGEST_REPR else f"{text[: LONGEST_REPR - 2]}…>"

    def _repr_html_(self) -> str:
        """Return the outputs as a small HTML table, for notebooks."""
        names = [self.model.cells[number].name for number in dict.fromkeys(self.model.outputs)]
        rows = [
            f"<tr><th>{escape(name)}</th><td>{escape(self.text(name))}</td></tr>" for name in names
        ]
        return f"<table><caption>{escape(self.title)}</caption>{''.join(rows)}</table>"

    def __iter__(self) -> Iterator[str]:
        """Go through the names of all cells."""
        return (cell.name for cell in self.cells())

    def __contains__(self, name: object) -> bool:
        """Whether there is a cell of this name."""
        return isinstance(name, str) and not isinstance(find_address(self.model, name), Unknown)

    def __getitem__(self, name: str) -> Plain | tuple[Any, ...]:
        """Return a value: a number in the cell's unit, a truth, a text, a date, or none.

        Of a cell along a dim a tuple, along several tuples in tuples, the last dim innermost; of
        an entry, ``book["cash[2026-03]"]``, one value. Keys of periods are their first days.
        Raises ``KeyError`` for an unknown name and ``CellError`` for what failed.
        """
        spot = self.spot(name)
        return plain_value(self.model, spot.cell, name, self._value(spot))

    def spot(self, name: str) -> CellAddress:
        """Find a cell, or an entry, by its address; raises ``KeyError`` with the nearest one."""
        found = find_address(self.model, name)
        if isinstance(found, Unknown):
            raise UnknownName(f"{found.message}; {found.hint}" if found.hint else found.message)
        return found

    def cell(self, name: str) -> Cell:
        """Find a cell by its name; raises ``KeyError`` with the nearest one."""
        return self.spot(name).cell

    def cells(self) -> list[Cell]:
        """Return all cells: inputs, columns and calculated ones; those in variants are left out."""
        return [cell for cell in self.model.cells if is_shown(cell)]

    def dims(self, name: str) -> dict[str, tuple[str, ...]]:
        """Return the dims a cell varies over, with their labels; empty for a single value."""
        cell = self.cell(name)
        names = dim_names(cell)
        return {n: dim.labels for n, dim in zip(names, dims_of(self.model, cell), strict=True)}

    def series(self, name: str) -> dict[str | tuple[str, ...], Plain | CellError]:
        """Return the values of a cell along dims by their labels: ``{"2026-01": 1.08, …}``.

        Along several dims the keys are tuples of labels. A failed value is its
        ``CellError``; raises ``TypeError`` for a single value.
        """
        return by_label(self.model, self.cell(name), self._series(name))

    def array(self, name: str) -> Any:  # noqa: ANN401 - numpy.ndarray, which we need not import
        """Return the values of a cell along dims as a ``numpy.ndarray``, an axis for each dim.

        Numbers are in the cell's unit, ``nan`` where not applicable; days are Excel's numbers.
        Raises ``CellError`` where a value has failed, ``TypeError`` for a single value.
        """
        series = self._series(name)
        if series.failure is not None:
            raise CellError(name, series.failure)
        return series.array(tuple(map(len, self.dims(name).values()))).copy()

    def _series(self, name: str) -> Series:
        value = self._value(self.spot(name))
        if isinstance(value, Failure):
            raise CellError(name, value)
        if not isinstance(value, Series):
            message = f"`{name}` is a single value"
            raise TypeError(message)
        return value

    def _value(self, spot: CellAddress) -> Value:
        return entry_of(self.evaluation.values[spot.cell.number], spot.row)

    def unit(self, name: str) -> str:
        """Return a cell's unit as its author wrote it."""
        return str(self.cell(name).type.unit)

    def text(self, name: str) -> str:
        """Return a value and its unit for people: ``11.61 day``."""
        spot = self.spot(name)
        return value_formatter(self.model)(self._value(spot), spot.cell.type)

    def quantity(self, name: str) -> pint.Quantity[Any]:
        """Convert a number, or all numbers of a cell along dims, to a ``pint.Quantity``.

        The registry is ``calcgraph.ureg``; a series gives an array with an axis for each dim.
        Raises ``TypeError`` for what is not a number, ``CellError`` for what failed.
        """
        spot = self.spot(name)
        return as_quantity(self.model, spot.cell, name, self._value(spot))

    @cached_property
    def graph(self) -> QuantityGraph:
        """The dependency graph: a node for each quantity, edges from a cell to those that read it.

        A ``networkx.DiGraph`` over names. Each node has a ``value`` (a ``pint.Quantity``, an array
        where it has dims), ``unit``, ``formula``, ``label``, ``source`` and ``kind``, computed when
        they are read. The graph is frozen; ``graph.copy()`` can be changed.
        """
        model, computed = self.model, set(self.model.order)
        names = model.graph.names
        shown = [
            cell.number
            for cell in model.cells
            if is_drawn(cell, computed) and names[cell.name] == cell.number
        ]
        return model.graph.networkx(shown, node_attributes(self.evaluation))

    def set(self, values: Mapping[str, object] | None = None, /, **more: object) -> Book:
        """Set inputs: numbers in the input's unit, texts as after ``--set``, pint quantities.

        Raises ``SettingError`` with every value that is refused.
        """
        return self.after((), {**(values or {}), **more}.items())

    def each(self, cases: Iterable[Mapping[str, object]]) -> Iterator[Book]:
        """Set inputs case by case, and give a book for each: many are computed together.

        Values are as for ``set``; all are read before the first case is given.
        """
        return self.after_each([()], [list(case.items()) for case in cases])

    def set_texts(self, pairs: Iterable[tuple[str, str]]) -> Book:
        """Set inputs from texts as written after ``--set``; all or none."""
        return self.after((), pairs)

    @property
    def set_changes(self) -> list[Change]:
        """The changes behind ``settings``: what was set beside the scenarios."""
        return self._read_changes(list(self.settings.items()))[0]

    def _read_changes(self, pairs: Sequence[NamedValue]) -> Read:
        return SettingReader(self.model).read(pairs)

    def scenario(self, *names: str) -> Book:
        """Apply scenarios in order; raises ``KeyError`` for an unknown one."""
        return self.after(names, ())

    def after(self, scenarios: Iterable[str], pairs: Iterable[NamedValue]) -> Book:
        """Apply scenarios, then settings, in one computation."""
        return next(self.after_each([tuple(scenarios)], [list(pairs)]))

    def after_each(
        self, stacks: Sequence[tuple[str, ...]], cases: Sequence[Sequence[NamedValue]]
    ) -> Iterator[Book]:
        """Apply each stack of scenarios, then the settings of each case: every combination.

        All are computed together; the first stack comes with all cases before the second does.
        """
        changes = [[c for name in names for c in self._scenario(name).changes] for names in stacks]
        read = SettingReader(self.model).each(cases)
        return self._computed(list(product(zip(stacks, changes, strict=True), read)))

    def _computed(
        self, each: Sequence[tuple[tuple[tuple[str, ...], list[Change]], Read]]
    ) -> Iterator[Book]:
        cases = [[*changes, *more] for (_, changes), (more, _) in each]
        found = evaluate_cases(self.evaluation, cases)
        prints = self.prints or Fingerprints(self.model)
        for evaluation, ((names, changes), (more, notes)) in zip(found, each, strict=True):
            if not names and not more:
                yield self
                continue
            moved = dict(change_texts(self.model, change) for change in changes)
            kept = {name: text for name, text in self.settings.items() if name not in moved}
            shown = dict(change_texts(self.model, change) for change in more)
            yield Book(
                self.name,
                evaluation,
                self.warnings,
                (*self.scenarios, *names),
                {**kept, **shown},
                (*self.notes, *notes),
                prints,
            )

    def _scenario(self, name: str) -> Scenario:
        found = self.model.scenarios.get(name)
        if found is None:
            from calcgraph.core.diagnostics import did_you_mean

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
        """Explain a cell or an entry: its formula, the numbers put in, down to the inputs."""
        from calcgraph.analysis.explain import explain

        return explain(self.evaluation, self.spot(name), value_formatter(self.model), depth)

    @property
    def cases(self) -> list[SheetTest]:
        """The tests of the sheets that are reached without passing a variant."""
        sheets = self.model.graph.sheets
        names = {sheets.sheets[key].source.name for key in sheets.plain}
        return [case for case in self.model.cases if case.place.source.name in names]

    def run_cases(self, cases: Sequence[SheetTest]) -> Iterator[list[FigureResult]]:
        """Run some of the sheet's tests, together where there are many."""
        found = evaluate_cases(self.evaluation, [case.changes for case in cases])
        for after, case in zip(found, cases, strict=True):
            yield [compare_with_published(after, figure) for figure in case.figures]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the model's files, by relative name, and of the input values in force."""
        return (self.prints or Fingerprints(self.model)).of(self.evaluation.values)
