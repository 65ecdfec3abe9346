"""Which cells can fail in Excel, and which are approximate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.values import visible_dim
from calcgraph.model import Apply, Const, LabelFact, Load, Lookup, Reduce, Scan, op_parts, walk_op

if TYPE_CHECKING:
    from collections.abc import Collection

    from calcgraph.model import Model, Op


SAFE = frozenset(
    {
        *("+", "-", "*", "neg", "==", "!=", "<", "<=", ">", ">=", "== in check", "!= in check"),
        *("== text", "!= text", "if", "ifs", "switch", "and", "or", "not", "na", "isblank"),
        *("abs", "sign", "pi", "min", "max", "sum", "product", "mean", "count", "count truth"),
        *("count text", "first", "last", "any", "all", "argmin", "argmax", "first_where"),
        *("cumsum", "stock", "join series", "concat", "show number", "show truth", "show date"),
        *("show period", "or na"),
    }
)
"""Functions that never fail; any other may."""
ROUNDED = frozenset({"round", "roundup", "rounddown"})
STEPS = frozenset({"/", "mod", "floor", "ceil", *(f"{name} to step" for name in ROUNDED)})


def fallible_cells(model: Model) -> frozenset[int]:
    """Find the cells that may fail, or read one that may."""
    found: set[int] = set()
    together = {number: group for group in model.groups for number in group}
    for number in model.order:
        op = model.cells[number].op
        if op is not None and may_fail(model, found, op):
            found.update(together.get(number, (number,)))
    return frozenset(found)


def may_fail(model: Model, failing: Collection[int], root: Op) -> bool:
    """Whether a tree may fail at any label, if the cells ``failing`` may."""
    todo = [root]
    while todo:
        op = todo.pop()
        if isinstance(op, Load | Lookup) and op.cell in failing:
            return True
        if isinstance(op, Lookup) and not _finds(model, op):
            return True
        if isinstance(op, Apply) and op.function.name == "iferror":
            todo.append(op.args[1])
            continue
        if isinstance(op, Apply | Reduce | Scan) and not _is_safe(model, op):
            return True
        todo.extend(op_parts(op))
    return False


def _is_safe(model: Model, op: Apply | Reduce | Scan) -> bool:
    name, last = op.function.name, op.args[-1] if op.args else None
    if name in SAFE or (name in ROUNDED and isinstance(last, Const)):
        return True
    if name in STEPS:
        return _is_positive(model, last)
    return name == "^" and (_is_positive(model, op.args[0]) or _is_whole(last))


def _is_positive(model: Model, op: Op | None) -> bool:
    """Whether a tree is a positive number, or an input whose bounds say so."""
    if isinstance(op, Load):
        cell = model.cells[op.cell]
        return cell.op is None and cell.bounds.least is not None and cell.bounds.least > 0
    return isinstance(op, Const) and isinstance(op.value, float) and op.value > 0


def _is_whole(op: Op | None) -> bool:
    value = op.value if isinstance(op, Const) else None
    return isinstance(value, float) and value > 0 and value == int(value)


def _finds(model: Model, op: Lookup) -> bool:
    """Whether the keys always exist: constants, the dim's own labels, or choices from it."""
    asked = [dim for dim, at in zip(model.cells[op.cell].type.dims, op.at, strict=True) if not at]
    return all(
        isinstance(arg, Const)
        or (isinstance(arg, LabelFact) and visible_dim(arg.dim) == visible_dim(dim))
        or (isinstance(arg, Load) and model.cells[arg.cell].type.table == visible_dim(dim))
        for arg, dim in zip(op.args, asked, strict=True)
    )


SEARCHED = {"irr"}
"""Excel finds these by iteration and stops at 1e-7."""


def approximate_cells(model: Model) -> set[int]:
    """Find the cells that depend on a result of iteration."""
    found = {cell.number for cell in model.cells if cell.op is not None and searched(cell.op)}
    if not found:
        return found
    for number in model.order:
        if any(need in found for need in model.needs[number]):
            found.add(number)
    return found


def searched(root: Op) -> list[Reduce]:
    """List the nodes of a tree that Excel computes by iteration."""
    return [op for op in walk_op(root) if isinstance(op, Reduce) and op.function.name in SEARCHED]
