"""Cells to Python functions: one for a chunk of cells, or one for each value of a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.type import Kind
from calcgraph.functions.spec import spell
from calcgraph.model import Load, Prev, Scan, op_parts
from calcgraph.plan.along import called, free_dims, sequence
from calcgraph.plan.array_statements import ArrayStore
from calcgraph.plan.arrays import NoArray
from calcgraph.plan.places import place, span, weights
from calcgraph.plan.store import Careful, Quick
from calcgraph.plan.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calcgraph.model import Model, Op

IN_ONE_TEST = 50
MANY = 256
"""From so many values on, a cell or what it reads is computed by numpy."""
STRICT = 'with np.errstate(divide="raise", invalid="raise", over="raise"):'


def large_cells(model: Model) -> frozenset[int]:
    """Give the cells that have many values."""
    cells = (cell.number for cell in model.cells if cell.type.dims)
    return frozenset(number for number in cells if model.size(number) >= MANY)


def index_names(dims: Sequence[str]) -> dict[str, str]:
    """Give a variable for the current label of each dim."""
    return {name: f"i{at}" for at, name in enumerate(dims)}


class ChunkWriter:
    """Writes the function that computes a chunk of cells."""

    def __init__(self, model: Model, constants: list[object], large: frozenset[int]) -> None:
        """``constants`` takes what is referred to; ``large`` are cells of many values."""
        self.large = large
        self.model = model
        self.constants = constants
        self.groups = frozenset(model.groups)
        self.lines: list[str] = []
        self.store = Quick(self.lines)
        self.arrays = ArrayStore(model, constants, self.lines, frozenset())
        self.has_arrays = False
        self.numbers: list[str] = []

    def write(self, units: Sequence[tuple[int, ...]]) -> str:
        """Write all cells, then the tests that numbers are finite."""
        plain = Writer(self.model, self.constants, self.store, {})
        for unit in units:
            if self.large and self.is_large(unit) and self.in_arrays(unit):
                self.has_arrays = True
            elif unit in self.groups:
                self.group(unit)
            elif self.model.cells[unit[0]].type.dims:
                self.series(unit[0])
            else:
                self.scalar(unit[0], plain)
        self.lines.extend(
            f"fn.finite({' + '.join(self.numbers[start : start + IN_ONE_TEST])})"
            for start in range(0, len(self.numbers), IN_ONE_TEST)
        )
        if self.has_arrays:
            return "\n        ".join([f"def run(v):\n    {STRICT}", *self.lines])
        return "\n    ".join(["def run(v):", *(self.lines or ["pass"])])

    def is_large(self, unit: Sequence[int]) -> bool:
        """Whether numpy is worth its while."""
        model = self.model
        if unit in self.groups:
            steps = model.dim(group_dim(model, unit)).size
            return max(model.size(number) for number in unit) >= MANY * steps
        return unit[0] in self.large or not self.large.isdisjoint(model.needs[unit[0]])

    def in_arrays(self, unit: Sequence[int]) -> bool:
        """Write cells over arrays, if that can be."""
        model, before = self.model, self.arrays.state()
        try:
            if unit in self.groups:
                self.arrays.group(unit, group_dim(model, unit))
            else:
                self.arrays.cell(unit[0])
        except NoArray:
            self.arrays.back_to(before)
            return False
        for number in unit:
            dims = model.cells[number].type.dims
            is_truth = model.cells[number].type.kind is Kind.TRUTH
            made = f"ar.value(a{number}, {is_truth})"
            if dims:
                names = self.arrays.constant(dims)
                made = f"of_array({names}, a{number}, of_truths={is_truth})"
            self.lines.append(f"v[{number}] = {made}")
        return True

    def scalar(self, number: int, writer: Writer) -> None:
        """Write a cell that does not vary."""
        cell, self.store.names_scalars = self.model.cells[number], False
        text = writer.write(_op(self.model, number))
        self.store.scalars[number] = name = f"c{number}"
        self.lines.append(f"v[{number}] = {name} = {text}")
        if cell.type.kind is Kind.NUMBER:
            self.numbers.append(f"({name} or 0.0)" if cell.may_be_na else name)

    def series(self, number: int) -> None:
        """Write a cell along dims as one list."""
        op, dims = _op(self.model, number), self.model.cells[number].type.dims
        if isinstance(op, Scan):
            self.scan(number, op)
        else:
            text = self.writer(dims).write(op)
            if not free_dims(op):
                self.lines.append(f"d{number} = [{text}] * {self.model.size(number)}")
            else:
                self.lines.append(f"d{number} = [{text} {self.loops(dims)}]")
        self.finish(number)

    def writer(self, dims: Sequence[str]) -> Writer:
        """Make a writer for trees at current labels."""
        self.store.names_scalars = True
        return Writer(self.model, self.constants, self.store, index_names(dims))

    def loops(self, dims: Sequence[str]) -> str:
        """Write the loops of a list over dims."""
        sizes = ((name, self.model.dim(name).size) for name in dims)
        return " ".join(f"for i{at} in range({size})" for at, (_, size) in enumerate(sizes))

    def scan(self, number: int, op: Scan) -> None:
        """Write a cell line by line."""
        dims = self.model.cells[number].type.dims
        others = [name for name in dims if name != op.dim]
        size = self.model.dim(op.dim).size
        writer = self.writer(others)
        text, _ = called(writer, op, (), {op.dim: size})
        if not others:
            self.lines.append(f"d{number} = list({text})")
            return
        self.lines.append(f"d{number} = [None] * {self.model.size(number)}")
        steps = weights(self.model, number, dims)
        where = span(place({n: steps[n] for n in others}, writer.names), size, steps[op.dim])
        self.nested(others, f"d{number}{where} = {text}", "", 0)

    def nested(self, dims: Sequence[str], statement: str, indent: str, first: int) -> None:
        """Write a statement within loops over dims, whose variables count from ``first``."""
        for at, name in enumerate(dims, first):
            self.lines.append(f"{indent}for i{at} in range({self.model.dim(name).size}):")
            indent += "    "
        self.lines.append(f"{indent}{statement}")

    def finish(self, number: int) -> None:
        """Test the numbers of a list, and put it in its place."""
        cell = self.model.cells[number]
        self.store.series[number] = f"d{number}"
        if cell.type.kind is Kind.NUMBER:
            self.lines.append(f"rt.check_finite(d{number})")
        self.constants.append(cell.type.dims)
        self.lines.append(f"v[{number}] = sound(k[{len(self.constants) - 1}], d{number})")

    def group(self, members: Sequence[int]) -> None:
        """Write cells that need each other at the label before as one loop over their dim."""
        dim, store = group_dim(self.model, members), self.store
        store.open = set(members)
        for number in members:
            store.series[number] = f"d{number}"
            self.lines.append(f"d{number} = [None] * {self.model.size(number)}")
            if self.model.cells[number].type.dims == (dim,):
                store.held[number] = f"x{number}"
        before = self.lines
        self.lines = [f"for i0 in range({self.model.dim(dim).size}):"]
        for number in members:
            self.member(number, dim)
            store.written.add(number)
        before.extend(self.lines)
        self.lines = before
        store.held, store.written, store.open = {}, set(), set()
        for number in members:
            self.finish(number)

    def member(self, number: int, dim: str) -> None:
        """Write one cell of a group, at the label of the loop."""
        dims = self.model.cells[number].type.dims
        others = [name for name in dims if name != dim]
        writer = self.writer([dim, *others])
        text = writer.write(_op(self.model, number))
        held = self.store.held.get(number)
        where = place(weights(self.model, number, dims), writer.names)
        target = f"d{number}[{where}] = " + (f"{held} = " if held else "")
        self.nested(others, target + text, "    ", 1)


def write_single(model: Model, number: int, constants: list[object]) -> str:
    """Write the function that computes a cell at its labels; of a scan one that gives lines."""
    op, dims = _op(model, number), model.cells[number].type.dims
    if isinstance(op, Scan):
        return _write_scan(model, number, op, constants)
    return write_part(model, op, constants, dims, f"c{number}")


def _write_scan(model: Model, number: int, op: Scan, constants: list[object]) -> str:
    """Write a function that gives the arguments of a line, failures included; one that runs it.

    Each argument is computed when it is asked for, since what does not vary may fail as a whole.
    """
    others = [name for name in model.cells[number].type.dims if name != op.dim]
    over = {op.dim: model.dim(op.dim).size}
    lines = ", ".join(
        f"lambda: {sequence(_arg_writer(model, arg, constants, others), arg, over)}"
        for arg in op.args
    )
    names = [f"a{at}" for at in range(len(op.args))]
    return (
        f"{_head(f'c{number}', others)}\n    return [{lines}]\n"
        f"def f{number}({', '.join(names)}):\n    return {spell(op.function.python, names)}"
    )


def _arg_writer(model: Model, arg: Op, constants: list[object], others: Sequence[str]) -> Writer:
    """Write values as they are, or what is computed from them with care."""
    reading = "v.raw" if isinstance(arg, Load) else "v.entries"
    return Writer(model, constants, Careful(reading), index_names(others))


def write_part(
    model: Model, op: Op, constants: list[object], dims: Sequence[str], name: str
) -> str:
    """Write the function that computes a tree at labels of dims."""
    text = Writer(model, constants, Careful(), index_names(dims)).write(op)
    return f"{_head(name, dims)}\n    return {text}"


def group_dim(model: Model, members: Sequence[int]) -> str:
    """Give the dim along which cells need each other at the label before."""
    found = {dim for number in members for dim, cell in _prevs(model, number) if cell in members}
    assert len(found) == 1, "the check lets a group go along one dim only"
    return found.pop()


def _prevs(model: Model, number: int) -> Iterator[tuple[str, int]]:
    """Give the dims of all ``Prev`` of a cell's tree, and the cells they read."""
    waiting = [_op(model, number)]
    while waiting:
        op = waiting.pop()
        waiting.extend(op_parts(op))
        if isinstance(op, Prev) and isinstance(op.args[0], Load):
            yield op.dim, op.args[0].cell


def _op(model: Model, number: int) -> Op:
    op = model.cells[number].op
    assert op is not None, "only calculated cells are in the order"
    return op


def _head(name: str, dims: Sequence[str]) -> str:
    return f"def {name}({', '.join(['v', *index_names(dims).values()])}):"
