"""Results of a run: cells, checks and expectations, what changed and what failed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import blame_name, coordinates_at, dim_names, entry_of, labels_at
from calcgraph.analysis.explain import Reading, place_name, value_at
from calcgraph.core.diagnostics import Code, Diagnostic, Label
from calcgraph.core.traversal import reachable
from calcgraph.core.values import Failure, Kind, Series
from calcgraph.functions.kernels.scalar import same
from calcgraph.graph import expressions
from calcgraph.model import Const, Load, Lookup, walk_op
from calcgraph.sheet.declarations import CheckDecl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from calcgraph.core.values import Type, Value
    from calcgraph.engine import Evaluation
    from calcgraph.model import Cell, ExpectedValue, Model


Place = tuple[int, ...]
"""The position of an entry along each dim of its cell."""


def affected_cells(evaluation: Evaluation) -> set[int]:
    """Find the cells that depend on an input whose value differs from the sheet's."""
    model, users = evaluation.plan.model, evaluation.plan.users
    readers: list[int] = []
    for cell in evaluation.touched:
        value, start = evaluation.values[cell], model.cells[cell].start
        if value == start:
            continue
        places = _changed(model, value, start)
        readers += [user for user in users[cell] if _reads(evaluation, user, cell, places)]
    return reachable(readers, users.__getitem__)


def _changed(model: Model, value: Value, start: Value) -> list[Place]:
    """List the coordinates at which a value differs from the sheet's; ``()`` for a scalar."""
    if not isinstance(value, Series) or not isinstance(start, Series):
        return [()]
    shape = model.shape(value.dims)
    pairs = enumerate(zip(value.data, start.data, strict=True))
    return [shape.unravel(at) for at, (now, before) in pairs if now != before]


def _reads(evaluation: Evaluation, user: int, cell: int, places: Sequence[Place]) -> bool:
    """Whether a cell may read one of some entries of another."""
    root = evaluation.plan.model.cells[user].op
    return root is not None and any(
        (isinstance(op, Load) and op.cell == cell)
        or (isinstance(op, Lookup) and op.cell == cell and _picks(evaluation, op, places))
        for op in walk_op(root)
    )


def _picks(evaluation: Evaluation, op: Lookup, places: Iterable[Place]) -> bool:
    """Whether a lookup may hit one of some entries: none differs in a key that is known."""
    model, keys = evaluation.plan.model, iter(op.args)
    known: dict[int, int] = {}
    for axis, (name, is_same) in enumerate(zip(model.cells[op.cell].type.dims, op.at, strict=True)):
        key = None if is_same else next(keys)
        if isinstance(key, Const):
            value: Value = key.value
        elif isinstance(key, Load) and not key.dims:
            value = evaluation.values[key.cell]
        else:
            continue
        if not isinstance(value, Series | Failure):
            known[axis] = model.dim(name).positions.get(value, -1)
    return any(all(place[axis] == at for axis, at in known.items()) for place in places)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What became of a check: ``ok`` is ``None`` if it was skipped as not applicable.

    ``message`` is its own, or why it could not be computed. A check over dims is given with the
    labels at which it fails, and the message of the first of them.
    """

    name: str
    ok: bool | None
    is_error: bool
    message: str
    cell: int
    failure: Failure | None = None
    failing: tuple[tuple[str, ...], ...] = ()
    dims: tuple[str, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether it fails the run."""
        return self.ok is False and self.is_error


@dataclass(frozen=True, slots=True)
class FigureResult:
    """What became of an expected figure: ``ok`` is ``None`` if it is only shown."""

    figure: ExpectedValue
    cell: Cell
    actual: Value
    ok: bool | None
    row: int | None = None

    @property
    def known_wrong(self) -> bool:
        """Whether the sheet documents the figure as wrong."""
        return self.figure.decl.verdict == "wrong"

    @property
    def fails(self) -> bool:
        """Whether it fails the run."""
        return self.ok is False


def check_results(evaluation: Evaluation) -> list[CheckResult]:
    """Return the results of all checks, in the order of the sheets."""
    model = evaluation.plan.model
    return [
        _check_result(evaluation, node.number, node.decl)
        for node in model.graph.nodes
        if node.kind == "check"
        and isinstance(node.decl, CheckDecl)
        and model.cells[node.number].is_listed
    ]


def _check_result(evaluation: Evaluation, number: int, decl: CheckDecl) -> CheckResult:
    model = evaluation.plan.model
    cell, value = model.cells[number], evaluation.values[number]
    name = cell.name.removeprefix("check: ")
    if not isinstance(value, Series):
        failure = value if isinstance(value, Failure) else None
        ok = None if value is None else value is True
        message = _message(evaluation, number, failure, {})
        return CheckResult(name, ok, decl.is_error, message, number, failure)
    broken = [row for row, item in enumerate(value.data) if item is not None and item is not True]
    failing = tuple(labels_at(model, cell, row) for row in broken)
    dims = dim_names(cell)
    if not broken:
        ok = None if all(item is None for item in value.data) else True
        return CheckResult(name, ok, decl.is_error, "", number, None, (), dims)
    first = value.data[broken[0]]
    failure = first if isinstance(first, Failure) else None
    message = _message(
        evaluation, number, failure, dict(zip(cell.type.dims, failing[0], strict=True))
    )
    return CheckResult(name, False, decl.is_error, message, number, failure, failing, dims)  # noqa: FBT003 - not ok


def _message(
    evaluation: Evaluation, check: int, failure: Failure | None, at: Mapping[str, str]
) -> str:
    """Return the message of a check at given labels, or why it could not be computed."""
    model = evaluation.plan.model
    if failure is not None:
        where = f" in `{blame_name(model, failure)}`" if failure.cell != check else ""
        return f"could not be computed: {failure.message}{where}"
    following = check + 1
    if following >= len(model.cells) or model.cells[following].kind != "message":
        return ""
    value = evaluation.values[following]
    if isinstance(value, Series):
        shape = model.shape(value.dims)
        pairs = zip(value.dims, shape.dims, strict=True)
        value = value.data[
            shape.ravel(dim.labels.index(at[name]) if name in at else 0 for name, dim in pairs)
        ]
    return value if isinstance(value, str) else ""


def figure_results(evaluation: Evaluation) -> list[FigureResult]:
    """Return all figures; those that depend on an overridden input are only shown."""
    model = evaluation.plan.model
    moved = affected_cells(evaluation)
    found: list[FigureResult] = []
    for figure in model.figures:
        if not model.cells[figure.cell].is_listed:
            continue
        if figure.cell in moved:
            found.append(_shown(evaluation, figure))
        else:
            found.append(compare_with_published(evaluation, figure))
    return found


def _shown(evaluation: Evaluation, figure: ExpectedValue) -> FigureResult:
    """Pair a figure with its cell without comparing them."""
    cell = evaluation.plan.model.cells[figure.cell]
    actual = entry_of(evaluation.values[figure.cell], figure.row)
    return FigureResult(figure, cell, actual, None, figure.row)


def compare_with_published(evaluation: Evaluation, figure: ExpectedValue) -> FigureResult:
    """Compare a figure with its cell; one documented as wrong must not agree."""
    result = _shown(evaluation, figure)
    actual = result.actual
    items = actual.data if isinstance(actual, Series) else (actual,)
    if any(isinstance(item, Failure) for item in items):
        return replace(result, ok=False)
    agrees = all(_agrees(item, figure, result.cell.type.kind) for item in items)
    return replace(result, ok=agrees != result.known_wrong)


def _agrees(actual: Value, figure: ExpectedValue, kind: Kind) -> bool:
    expected = figure.expected
    if isinstance(actual, float) and isinstance(expected, float) and kind is Kind.NUMBER:
        gap = abs(actual - expected)
        return gap <= figure.tolerance or same(gap, figure.tolerance) or same(actual, expected)
    return actual == expected


def unhandled_failures(evaluation: Evaluation) -> list[int]:
    """List the cells where a failure started that no formula handles, in order.

    A failed part of a formula is listed by itself, before the cell it belongs to.
    """
    plan, failures = evaluation.plan, evaluation.failures
    if not failures:
        return []
    computed = {"calc", "helper"}
    open_: set[int] = set()
    for cell in reversed(plan.order):
        if cell in failures and plan.model.cells[cell].kind in computed:
            users = [user for user in plan.users[cell] if plan.model.cells[user].kind in computed]
            if not users or any(user in open_ for user in users):
                open_.add(cell)
    return [cell for cell in plan.order if cell in open_ and own_failure(evaluation, cell)]


def own_failure(evaluation: Evaluation, cell: int) -> Failure | None:
    """Return the first failure that started in the cell itself."""
    value = evaluation.values[cell]
    items = value.data if isinstance(value, Series) else (value,)
    own = (item for item in items if isinstance(item, Failure) and item.cell == cell)
    return next(own, None)


FAILED = Code(
    "CG508",
    "cell cannot be computed",
    "The numbers of a formula have no result: a division by zero, the logarithm or root of a "
    "negative number, a number beyond all doubles. What needs the cell is not computed either, "
    "unless `iferror(x, otherwise)` catches it or a branch is not taken.",
)
SHOWN = 6


def failure_finding(
    evaluation: Evaluation, cell: int, show: Callable[[Value, Type], str]
) -> Diagnostic:
    """Report which cell failed and the numbers in its formula."""
    model = evaluation.plan.model
    failure = own_failure(evaluation, cell)
    assert failure is not None, "called for failed cells only"
    number = model.cells[cell].owner if model.cells[cell].kind == "helper" else cell
    node = model.graph.nodes[number]
    parts = expressions(node)
    span = parts[0].span if parts else node.decl.key.span
    facts = _facts(evaluation, number, cell, show)
    blocked = sum(
        1
        for other, found in evaluation.failures.items()
        if found.cell == cell and other not in {cell, number} and model.cells[other].kind == "calc"
    )
    where = f" at {failure.at}" if failure.at else ""
    message = f"`{node.name}` cannot be computed{where}: {failure.message}"
    if blocked:
        message += f"; {blocked} {'cell needs' if blocked == 1 else 'cells need'} it"
    address = f"'{node.name}[{failure.at}]'" if failure.at and number == cell else node.name
    shows = f"`calcgraph explain SHEET {address}` shows where its numbers come from"
    hint = shows if facts or failure.at else "change the numbers written in it"
    return Diagnostic(FAILED, message, Label(span, ", ".join(facts)), hint)


def _facts(
    evaluation: Evaluation, number: int, failed: int, show: Callable[[Value, Type], str]
) -> list[str]:
    """List the scalars that a formula reads, at the label where it failed."""
    model = evaluation.plan.model
    cell, value = model.cells[number], evaluation.values[number]
    at: dict[str, int] = {}
    if isinstance(value, Series) and number == failed:
        rows = (row for row, item in enumerate(value.data) if isinstance(item, Failure))
        row = next(row for row in rows if value.data[row] == own_failure(evaluation, cell.number))
        at = dict(zip(cell.type.dims, coordinates_at(model, cell, row), strict=True))
    reading = Reading(model, model.graph.nodes[number], evaluation.values, at)
    for expr in expressions(model.graph.nodes[number]):
        reading.read(expr)
    facts = [
        f"{place_name(model, place)} = {show(found, model.cells[place.cell].type)}"
        for place in dict.fromkeys(reading.places.values())
        if not isinstance(found := value_at(model, evaluation.values, place), Series)
    ]
    return facts[:SHOWN]
