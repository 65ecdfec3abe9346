"""Write Python for label facts, lookups by key, the previous label and aggregations."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from calcgraph.core.tree import fold_tree
from calcgraph.functions.spec import spell
from calcgraph.model import (
    Apply,
    Const,
    Labels,
    Load,
    Pick,
    Prev,
    Reduce,
    Scan,
    free_dims,
    walk_op,
)
from calcgraph.plan.piece import Fragment, as_expression, with_finite_check
from calcgraph.plan.places import line, place, strides, term, weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.value import Scalar
    from calcgraph.model import Model, Op
    from calcgraph.plan.writer import Writer


def inner_parts(op: Op) -> tuple[Op, ...]:
    """Return the operands of a node that are evaluated at the current labels."""
    match op:  # the most frequent first
        case Apply():
            return op.args
        case Const() | Load() | Labels() | Scan():
            return ()
        case Reduce():
            return tuple(op.args[at] for at in sorted(op.function.singles) if at < len(op.args))
        case Prev():
            return op.args[1:]
        case _:
            return op.args


def labels(model: Model, name: str, what: str) -> tuple[Scalar, ...]:
    """Return the value of a ``Labels`` node at each label of a dim."""
    dim = model.dim(name)
    match what:
        case "index":
            return tuple(float(at) for at in range(dim.size))
        case "end":
            return dim.ends
        case "length":
            starts = (float(key) for key in dim.keys if key is not None)
            return tuple(end - start for start, end in zip(starts, dim.ends, strict=True))
        case _:
            return dim.keys


def cells_in(op: Op) -> set[int]:
    """Return the cells that a tree reads."""
    return {part.cell for part in walk_op(op) if isinstance(part, Load | Pick)}


def pick(writer: Writer, op: Pick, parts: Sequence[Fragment]) -> Fragment:
    """Write a lookup by key: a key known at load becomes an index, any other is searched for."""
    model, constant = writer.model, 0
    dims = model.cells[op.cell].type.dims
    keys = iter(zip(op.args, parts, strict=True))
    terms: list[str] = []
    tests: list[str] = []
    prelude: list[str] = []
    asked: dict[str, str] = {}
    for name, own, stride in zip(op.at, dims, strides(model, op.cell), strict=True):
        if name:
            terms.append(term(writer.names[name], stride))
            continue
        arg, part = next(keys)
        dim = model.dim(own)
        if isinstance(arg, Const) and arg.value in dim.positions:
            constant += dim.positions[arg.value] * stride
            continue
        flag = writer.may_be_na(arg)
        part = with_finite_check(part, flag)
        if flag:
            key, assignments = writer.named(part)
            prelude.extend(assignments)
            tests.append(f"{key} is None")
            asked[key] = as_expression(part)
        else:
            key = as_expression(part)
        reference = writer.constant(dim).text
        terms.append(term(f"rt.position({reference}, {key})", stride))
    where = " + ".join([*terms, *([str(constant)] if constant or not terms else [])])
    text = f"{writer.access.entries(op.cell)}[{where}]"
    size = sum(part.size for part in parts) + 1
    if asked and writer.access.tests_na_first:
        return Fragment(asking(asked, text), is_atom=True, size=size)
    if tests:
        text = f"(None if {' or '.join(tests)} else {text})"
    return Fragment(text, is_atom=True, size=size, prelude=tuple(prelude))


def asking(asked: Mapping[str, str], text: str) -> str:
    """Write a call of named arguments that tests all of them for na first."""
    parts = ", ".join(f"lambda: {part}" for part in asked.values())
    return f"v.unless_na(lambda {', '.join(asked)}: {text}, {parts})"


def prev(writer: Writer, op: Prev, parts: Sequence[Fragment]) -> Fragment:
    """Write a cell's value at the previous label, or the initial value at the first label."""
    load = op.args[0]
    assert isinstance(load, Load), "only a cell has a label before"
    text = writer.access.before(load.cell)
    if text is None and not load.dims:
        text = writer.access.scalar(load.cell)
    elif text is None:
        steps = weights(writer.model, load.cell, load.dims)
        where = place(steps, writer.names, -steps.get(op.dim, 0))
        text = f"{writer.access.entries(load.cell)}[{where}]"
    whole = f"({text} if {writer.names[op.dim]} else {as_expression(parts[0])})"
    return Fragment(whole, is_atom=True, size=parts[0].size + 1, may_overflow=parts[0].may_overflow)


def reduce(writer: Writer, op: Reduce, parts: Sequence[Fragment]) -> Fragment:
    """Write an aggregation, outside the loops if it does not vary with all of them."""
    over = {name: writer.model.dim(name).size for name in op.dims}
    text, prelude = called(writer, op, parts, over)
    free = free_dims(op)
    if writer.names and not free >= writer.names.keys():
        inner = [name for name in writer.names if name in free]
        sizes = [writer.model.dim(name).size for name in inner]
        steps = {name: prod(sizes[at + 1 :]) for at, name in enumerate(inner)}
        loops = {writer.names[name]: size for name, size in zip(inner, sizes, strict=True)}
        text = as_expression(Fragment(text, is_atom=True, prelude=prelude))
        text = writer.access.once(text, cells_in(op), loops, place(steps, writer.names))
        return Fragment(text, is_atom=True)
    size = sum(part.size for part in parts) + 1
    return Fragment(text, is_atom=True, size=size, prelude=prelude)


def called(
    writer: Writer, op: Reduce | Scan, parts: Sequence[Fragment], over: Mapping[str, int]
) -> tuple[str, tuple[str, ...]]:
    """Write the call of a function over sequences; also return its prelude."""
    row, singles = op.function, iter(parts)
    texts: list[str] = []
    tests: list[str] = []
    prelude: list[str] = []
    for at, arg in enumerate(op.args):
        if at not in row.singles:
            texts.append(sequence(writer, arg, over))
            continue
        flag = bool(op.may_be_na) and op.may_be_na[at]
        part = with_finite_check(next(singles), flag)
        if not flag or row.takes_na:
            texts.append(as_expression(part))
            continue
        name, assignments = writer.named(part)
        prelude.extend(assignments)
        tests.append(f"{name} is None")
        texts.append(name)
    if row.wants_labels:
        texts.append(writer.constant(writer.model.dim(next(iter(over))).keys).text)
    text = spell(row.python, texts)
    text = f"(None if {' or '.join(tests)} else {text})" if tests else f"({text})"
    return text, tuple(prelude)


def sequence(writer: Writer, arg: Op, over: Mapping[str, int]) -> str:
    """Write the values of an argument along dims; the last dim varies fastest."""
    count = prod(over.values())
    match arg:
        case Load(cell, dims) if not over.keys().isdisjoint(dims):
            return line(
                writer.access.entries(cell), weights(writer.model, cell, dims), over, writer.names
            )
        case Labels(dim, what) if dim in over:
            column = labels(writer.model, dim, what)
            before = prod(list(over.values())[: list(over).index(dim)])
            times = count // max(before * len(column), 1)
            every = tuple(value for value in column for _ in range(times)) * before
            return writer.constant(every).text
        case _:
            single = fold_tree(arg, inner_parts, writer.visit)
            return f"[{as_expression(single)}] * {count}"
