"""Evaluate cells one element at a time and record why each element failed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from calcgraph.core.values import Failure, Series, UpstreamFailure
from calcgraph.engine.plan import LineCode
from calcgraph.engine.value_stores import CheckedSeries, CheckedValues
from calcgraph.functions.kernels.scalar import KeyNotFound, NonFinite, finite, plain, show_date
from calcgraph.functions.kernels.series import AT_LABEL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from calcgraph.core.values import Dim, Scalar
    from calcgraph.engine.plan import Plan, Step
    from calcgraph.functions.spec import Function
    from calcgraph.model import Model

FAILURES = (ArithmeticError, ValueError, LookupError)


def compute_unit(plan: Plan, values: CheckedValues, unit: Step) -> None:
    """Compute a cell, or the members of a recurrence, and store values and failures."""
    dims = plan.model.cells[unit[0]].type.dims
    if not dims:
        code = plan.element_code(unit[0])
        assert not isinstance(code, LineCode), "a scan has a dim"
        values[unit[0]] = run(code, values, visible_cell(plan.model, unit[0]))
        return
    try:
        plan.unit_code(unit)(values)
    except FAILURES:
        values.results = {}
        if unit in plan.group_dims:
            _compute_group(plan, values, unit)
        else:
            values[unit[0]] = Series(dims, _compute_series(plan, values, unit[0]))


def run(
    code: Callable[..., Any],
    values: CheckedValues,
    cell: int,
    at: Sequence[int] = (),
    where: Callable[[], str] = str,
) -> Any:  # noqa: ANN401 - a value, or the values of a line
    """Run code for a cell at a label; return its value or failure."""
    try:
        value = code(values, *at)
        if isinstance(value, float):
            finite(value)
    except FAILURES as error:
        return failure_of(error, cell, where)
    return value


def visible_cell(model: Model, cell: int) -> int:
    """Return the cell that users know: a helper cell is a part of its owner."""
    while model.cells[cell].owner >= 0:
        cell = model.cells[cell].owner
    return cell


def failure_of(error: Exception, cell: int, where: Callable[[], str]) -> Failure:
    """Describe why a cell failed; a failure that came from another cell is passed on."""
    match error:
        case UpstreamFailure():
            return error.failure
        case ZeroDivisionError():
            return Failure("div0", cell, "division by zero", where())
        case OverflowError() | NonFinite():
            message = "the result is beyond all numbers (about 1.8e308)"
            return Failure("overflow", cell, message, where())
        case KeyNotFound():
            return Failure("key", cell, _no_entry(*error.args), where())
        case _:
            return Failure("domain", cell, _domain(str(error)), where())


def _no_entry(key: Scalar, dim: Dim | None = None) -> str:
    if dim is None or dim.kind == "table":
        return f"the table has no row `{key}`"
    text = str(key)
    if isinstance(key, float):
        text = show_date(key) if dim.kind == "time" else plain(key)
    return f"`{dim.name}` has no label `{text}`"


def _domain(text: str) -> str:
    if "math domain" in text or "positive input" in text or "nonnegative" in text:
        return "a logarithm or root of a number that has none"
    return text or "the function has no value here"


def label_text(model: Model, cell: int, at: Sequence[int]) -> str:
    """Return the labels of an element of a cell: ``us, 2026-03``."""
    dims = model.shape(model.cells[cell].type.dims).dims
    return ", ".join(dim.labels[index] for dim, index in zip(dims, at, strict=True))


def _compute_series(plan: Plan, values: CheckedValues, cell: int) -> list[Scalar | Failure]:
    code = plan.element_code(cell)
    if isinstance(code, LineCode):
        return _compute_lines(plan, values, cell, code)
    return [compute_element(plan, values, cell, at) for at in _coordinates(plan.model, cell)]


def compute_element(
    plan: Plan, values: CheckedValues, cell: int, at: Sequence[int]
) -> Scalar | Failure:
    """Compute one element of a cell."""
    code = plan.element_code(cell)
    assert not isinstance(code, LineCode), "a scan is computed line by line"
    model = plan.model
    found: Scalar | Failure = run(
        code, values, visible_cell(model, cell), at, lambda: label_text(model, cell, at)
    )
    return found


def _coordinates(model: Model, cell: int) -> Iterable[tuple[int, ...]]:
    return model.shape(model.cells[cell].type.dims).all_coordinates()


def _compute_group(plan: Plan, values: CheckedValues, unit: Step) -> None:
    """Compute a recurrence label by label; a failure passes to the elements that read it."""
    model, along = plan.model, plan.group_dims[unit]
    values.in_progress = {cell: [None] * model.size(cell) for cell in unit}
    elements: dict[int, list[list[tuple[int, tuple[int, ...]]]]] = {}
    for cell in unit:
        axis = model.cells[cell].type.dims.index(along)
        elements[cell] = [[] for _ in range(model.dim(along).size)]
        for flat, at in enumerate(_coordinates(model, cell)):
            elements[cell][at[axis]].append((flat, at))
    for label in range(model.dim(along).size):
        for cell in unit:
            values.results = {}
            for flat, at in elements[cell][label]:
                values.in_progress[cell][flat] = compute_element(plan, values, cell, at)
    found, values.in_progress = values.in_progress, {}
    for cell, data in found.items():
        values[cell] = Series(model.cells[cell].type.dims, data)


def _compute_lines(
    plan: Plan, values: CheckedValues, cell: int, code: LineCode
) -> list[Scalar | Failure]:
    """Compute a scan line by line."""
    model, dims = plan.model, plan.model.cells[cell].type.dims
    scan = model.cells[cell].op
    axis = dims.index(scan.dim)  # type: ignore[union-attr]
    sizes = [model.dim(name).size for name in dims]
    found: dict[tuple[int, ...], Sequence[Scalar | Failure]] = {}
    others = product(*(range(size) for at, size in enumerate(sizes) if at != axis))
    for at in others:
        where = [
            partial(label_text, model, cell, (*at[:axis], here, *at[axis:]))
            for here in range(sizes[axis])
        ]
        own = visible_cell(model, cell)
        parts = [_part(compute, own, where) for compute in code.gather(values, *at)]
        found[at] = ScanLine(scan.function, code, parts, own, where).values()  # type: ignore[union-attr]
    return [found[(*at[:axis], *at[axis + 1 :])][at[axis]] for at in _coordinates(model, cell)]


def _part(
    compute: Callable[[], Sequence[Any]], cell: int, where: Sequence[Callable[[], str]]
) -> Sequence[Any]:
    """Compute an argument of a line; one that does not vary along it fails at every label."""
    try:
        return compute()
    except FAILURES as error:
        return [failure_of(error, cell, text) for text in where]


@dataclass(frozen=True, slots=True)
class ScanLine:
    """One line of a scan: its arguments, with failures among them, and the texts of its labels."""

    function: Function
    code: LineCode
    parts: Sequence[Sequence[Any]]
    cell: int
    where: Sequence[Callable[[], str]]

    def values(self) -> Sequence[Scalar | Failure]:
        """Compute each label; the function's row says which labels a failed one blocks."""
        if self.function.failure_reach == "window":
            entries = [CheckedSeries(part) for part in self.parts]
            at_label = AT_LABEL[self.function.name]
            return self.each(lambda at: at_label(at, *entries), len(self.where))
        parts = [
            [part[0]] * len(part) if number in self.function.reads_first else part
            for number, part in enumerate(self.parts)
        ]
        failures = (
            (at, value)
            for at, values in enumerate(zip(*parts, strict=True))
            for value in values
            if isinstance(value, Failure)
        )
        start, failure = next(failures, (len(self.where), None))
        if failure is not None and self.function.failure_reach == "line":
            start = 0
        found = self.code.run(*(part[:start] for part in parts)) if start else ()
        sound = self.each(lambda at: found[at], start)
        return [*sound, *(None if value is None else failure for value in parts[0][start:])]

    def each(self, code: Callable[[int], Scalar], count: int) -> list[Scalar | Failure]:
        """Compute the first labels one by one."""
        nothing = CheckedValues([])
        return [
            run(lambda _, at: code(at), nothing, self.cell, (at,), text)
            for at, text in enumerate(self.where[:count])
        ]
