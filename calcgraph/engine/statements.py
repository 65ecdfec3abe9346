"""Statements of generated code, cell by cell, and code for single cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.values import Kind
from calcgraph.engine.array_codegen import ArrayAccess, NoArray
from calcgraph.engine.fragments import GuardedAccess, UncheckedAccess, place, span, weights
from calcgraph.engine.scalar_codegen import Writer, called, sequence
from calcgraph.functions.spec import spell
from calcgraph.model import Load, Previous, Scan, free_dims, walk_op

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calcgraph.model import Model, Op


IN_ONE_TEST = 100
MANY = 256
"""Values from which a cell, or one that reads it, is computed by numpy."""
STRICT = 'with np.errstate(divide="raise", invalid="raise", over="raise"):'


def large_cells(model: Model) -> frozenset[int]:
    """Return the cells that have many values."""
    cells = (cell.number for cell in model.cells if cell.type.dims)
    return frozenset(number for number in cells if model.size(number) >= MANY)


def index_names(dims: Sequence[str]) -> dict[str, str]:
    """Return the loop variable of each dim."""
    return {name: f"i{at}" for at, name in enumerate(dims)}


class ChunkWriter:
    """Writes the function that computes a chunk of cells."""

    def __init__(self, model: Model, constants: list[object], large: frozenset[int]) -> None:
        """``constants`` collects the constants; ``large`` are the cells of many values."""
        self.large = large
        self.model = model
        self.constants = constants
        self.groups = frozenset(model.groups)
        self.lines: list[str] = []
        self.access = UncheckedAccess(self.lines)
        self.arrays = ArrayAccess(model, constants, self.lines, frozenset())
        self.has_arrays = False
        self.waiting: list[int] = []

    def write(self, units: Sequence[tuple[int, ...]]) -> str:
        """Write all units; adjacent scalar cells are stored together."""
        plain = self.writer(())
        for unit in units:
            if self.is_plain(unit):
                self.scalar(unit[0], plain)
                continue
            self.put_away()
            if self.large and self.is_large(unit) and self.in_arrays(unit):
                self.has_arrays = True
            elif unit in self.groups:
                self.group(unit)
            elif self.model.cells[unit[0]].type.dims:
                self.series(unit[0])
            else:  # from large cells, but by a function that numpy has not got
                self.scalar(unit[0], plain)
        self.put_away()
        if self.has_arrays:
            return "\n        ".join([f"def run(v):\n    {STRICT}", *self.lines])
        return "\n    ".join(["def run(v):", *(self.lines or ["pass"])])

    def is_plain(self, unit: Sequence[int]) -> bool:
        """Whether a unit is a scalar cell that reads no large cell."""
        number, large = unit[0], self.large
        if unit in self.groups or self.model.cells[number].type.dims:
            return False
        return not large or large.isdisjoint(self.model.needs[number])

    def is_large(self, unit: Sequence[int]) -> bool:
        """Whether numpy computes a unit faster."""
        model = self.model
        if unit in self.groups:
            steps = model.dim(group_dim(model, unit)).size
            return max(model.size(number) for number in unit) >= MANY * steps
        return unit[0] in self.large or not self.large.isdisjoint(model.needs[unit[0]])

    def in_arrays(self, unit: Sequence[int]) -> bool:
        """Write a unit over arrays; return whether that is possible."""
        model, before = self.model, self.arrays.snapshot()
        try:
            self.arrays.unit(unit, group_dim(model, unit) if unit in self.groups else None)
        except NoArray:
            self.arrays.restore(before)
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
        """Write a scalar cell."""
        text = writer.write(op_of(self.model, number))
        self.access.scalars[number] = name = f"c{number}"
        self.lines.append(f"{name} = {text}")
        self.waiting.append(number)

    def put_away(self) -> None:
        """Check that numbers are finite, and store adjacent values together."""
        for run in _side_by_side(self.waiting):
            if len(run) == 1:
                self.lines.append(f"v[{run[0]}] = c{run[0]}")
                self.check(run)
                continue
            names = ", ".join(f"c{number}" for number in run)
            self.lines.append(f"v[{run[0]}:{run[-1] + 1}] = s = ({names})")
            cells = [self.model.cells[number] for number in run]
            if any(cell.may_be_na or cell.type.kind is not Kind.NUMBER for cell in cells):
                self.check(run)
            else:
                self.lines.append("fn.finite(sum(s))")
        self.waiting = []

    def check(self, run: Sequence[int]) -> None:
        """Check the numbers among some cells."""
        cells = (self.model.cells[number] for number in run)
        names = [
            f"(c{cell.number} or 0.0)" if cell.may_be_na else f"c{cell.number}"
            for cell in cells
            if cell.type.kind is Kind.NUMBER
        ]
        if names:
            self.lines.append(f"fn.finite({' + '.join(names)})")

    def series(self, number: int) -> None:
        """Write a cell along dims as one list."""
        op, dims = op_of(self.model, number), self.model.cells[number].type.dims
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
        """Make a writer for trees at the current labels."""
        return Writer(self.model, self.constants, self.access, index_names(dims))

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
        """Check the numbers of a list, and store it."""
        cell = self.model.cells[number]
        self.access.series[number] = f"d{number}"
        if cell.type.kind is Kind.NUMBER:
            self.lines.append(f"rt.check_finite(d{number})")
        self.constants.append(cell.type.dims)
        self.lines.append(f"v[{number}] = sound(k[{len(self.constants) - 1}], d{number})")

    def group(self, members: Sequence[int]) -> None:
        """Write a recurrence as one loop over its dim."""
        dim, access = group_dim(self.model, members), self.access
        access.in_loop = set(members)
        for number in members:
            access.series[number] = f"d{number}"
            self.lines.append(f"d{number} = [None] * {self.model.size(number)}")
            if self.model.cells[number].type.dims == (dim,):
                access.loop_names[number] = f"x{number}"
        before = self.lines
        self.lines = [f"for i0 in range({self.model.dim(dim).size}):"]
        for number in members:
            self.member(number, dim)
            access.written.add(number)
        before.extend(self.lines)
        self.lines = before
        access.loop_names, access.written, access.in_loop = {}, set(), set()
        for number in members:
            self.finish(number)

    def member(self, number: int, dim: str) -> None:
        """Write one member of a recurrence, at the label of the loop."""
        dims = self.model.cells[number].type.dims
        others = [name for name in dims if name != dim]
        writer = self.writer([dim, *others])
        text = writer.write(op_of(self.model, number))
        held = self.access.loop_names.get(number)
        where = place(weights(self.model, number, dims), writer.names)
        target = f"d{number}[{where}] = " + (f"{held} = " if held else "")
        self.nested(others, target + text, "    ", 1)


def _side_by_side(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield runs of consecutive numbers, none longer than ``IN_ONE_TEST``."""
    run: list[int] = []
    for number in sorted(numbers):
        if run and (number != run[-1] + 1 or len(run) == IN_ONE_TEST):
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def group_dim(model: Model, members: Sequence[int]) -> str:
    """Return the dim along which the members of a recurrence read each other's previous label."""
    found = {dim for number in members for dim, cell in _prevs(model, number) if cell in members}
    assert len(found) == 1, "the check lets a group go along one dim only"
    return found.pop()


def _prevs(model: Model, number: int) -> Iterator[tuple[str, int]]:
    """Yield the dim of each ``Previous`` of a cell's tree, and the cell it reads."""
    for op in walk_op(op_of(model, number)):
        if isinstance(op, Previous) and isinstance(op.args[0], Load):
            yield op.dim, op.args[0].cell


def op_of(model: Model, number: int) -> Op:
    """Return the tree of a calculated cell."""
    op = model.cells[number].op
    assert op is not None, "only calculated cells are in the order"
    return op


def write_single(model: Model, number: int, constants: list[object]) -> str:
    """Write the function that computes one element of a cell, or the lines of a scan."""
    op, dims = op_of(model, number), model.cells[number].type.dims
    if isinstance(op, Scan):
        return _write_scan(model, number, op, constants)
    return write_part(model, op, constants, dims, f"c{number}")


def _write_scan(model: Model, number: int, op: Scan, constants: list[object]) -> str:
    """Write a function that returns the arguments of a line, and one that runs the scan on it.

    Arguments are lambdas, since one that does not vary along the line may fail as a whole.
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
    """Make a writer of values as they are, failures included, or of guarded computations."""
    reading = "v.with_failures" if isinstance(arg, Load) else "v.entries"
    return Writer(model, constants, GuardedAccess(reading), index_names(others))


def write_part(
    model: Model, op: Op, constants: list[object], dims: Sequence[str], name: str
) -> str:
    """Write the guarded function that computes a tree at labels of dims."""
    text = Writer(model, constants, GuardedAccess(), index_names(dims)).write(op)
    return f"{_head(name, dims)}\n    return {text}"


def _head(name: str, dims: Sequence[str]) -> str:
    return f"def {name}({', '.join(['v', *index_names(dims).values()])}):"
