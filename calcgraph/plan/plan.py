"""A checked model to generated Python: the only place of the project that compiles code.

Each cell's tree is written over ``v``, the values by cell number, from numbers, cell numbers and
constants by reference; no text of a sheet gets into it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

from calcgraph.core.value import Series
from calcgraph.functions.runtime import RUNTIME
from calcgraph.model import Model, Op, Scan
from calcgraph.plan import runtime
from calcgraph.plan.singles import write_part, write_single
from calcgraph.plan.statements import ChunkWriter, group_dim, large_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import CodeType

    from numpy.typing import NDArray

    from calcgraph.core.value import Scalar, Value

CHUNK = 200

Unit: TypeAlias = tuple[int, ...]
"""Cells that are computed together: one, or a recurrent group."""
Chunk: TypeAlias = "Callable[[Any], None]"
CaseCode: TypeAlias = "Callable[[Any, int, Mapping[int, NDArray[Any]]], tuple[NDArray[Any], ...]]"
"""From guarded values, a number of cases and cells that vary to others that do, cases first."""
Single: TypeAlias = "Callable[..., Value]"
"""Over guarded values and the positions of the labels."""


@dataclass(frozen=True, slots=True)
class LineCode:
    """A scan in two steps: what gives the sequences of a line, and what makes one of them."""

    gather: Callable[..., list[Callable[[], Sequence[Any]]]]
    run: Callable[..., Sequence[Scalar]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run, in order; ``users`` say who needs a cell, ``places`` where a cell stands.

    All cells of a group stand at the place of the first; ``groups`` find them by any of them.
    """

    model: Model
    order: tuple[int, ...]
    places: tuple[int, ...]
    users: tuple[tuple[int, ...], ...]
    needs: tuple[tuple[int, ...], ...]
    chunks: tuple[tuple[Unit, ...], ...]
    constants: tuple[object, ...]
    codes: tuple[Chunk, ...]
    large: frozenset[int]
    groups: dict[int, Unit]
    group_dims: dict[Unit, str]
    chunk_of: tuple[int, ...]
    singles: dict[int, Single | LineCode] = field(default_factory=dict)
    alone: dict[Unit, Chunk] = field(default_factory=dict)
    gapped: dict[Unit, Chunk | None] = field(default_factory=dict)
    read: dict[Unit, frozenset[int]] = field(default_factory=dict)
    varying: dict[frozenset[int], dict[Unit, CaseCode | None]] = field(default_factory=dict)

    def chunk(self, index: int) -> Chunk:
        """Give the code that computes the cells of a chunk."""
        return self.codes[index]

    def single(self, cell: int) -> Single | LineCode:
        """Give the code that computes one cell; its chunk's are compiled at the first need."""
        if cell not in self.singles:
            cells = [number for unit in self.chunks[self.chunk_of[cell]] for number in unit]
            self.singles.update(_compile_singles(self.model, cells))
        return self.singles[cell]

    def unit(self, cell: int) -> Unit:
        """Give the cells that are computed with a cell."""
        return self.groups.get(cell) or (cell,)

    def reads(self, unit: Unit) -> frozenset[int]:
        """Give the cells outside of a unit that its trees read."""
        if unit not in self.read:
            needs = {need for cell in unit for need in self.needs[cell]}
            self.read[unit] = frozenset(needs.difference(unit))
        return self.read[unit]

    def quick(self, unit: Unit) -> Chunk:
        """Give the code that computes one unit as its chunk's does, compiled at the first need."""
        if unit not in self.alone:
            self.alone[unit] = _compile_chunk(self.model, (unit,), [], self.large)
        return self.alone[unit]

    def with_gaps(self, unit: Unit) -> Chunk | None:
        """Give the code that computes a large unit from series with gaps for what failed."""
        if unit not in self.gapped:
            constants: list[object] = []
            writer = ChunkWriter(self.model, constants, self.large)
            writer.arrays.has_gaps = True
            text = writer.write([unit])
            code = compile_text(text, constants, has_arrays=True)["run"]
            self.gapped[unit] = code if writer.has_arrays else None
        return self.gapped[unit]


def make_plan(model: Model) -> Plan:
    """Write and compile the code of a model that the check let through."""
    order = tuple(number for number in model.order if model.cells[number].op is not None)
    users: list[list[int]] = [[] for _ in model.cells]
    for number in order:
        for need in model.needs[number]:
            users[need].append(number)
    groups = {number: group for group in model.groups for number in group}
    places = [0] * len(model.cells)
    for place, number in enumerate(order):
        leader = groups[number][0] if number in groups else number
        places[number] = place if number == leader else places[leader]
    chunks = tuple(_chunks(order, groups))
    chunk_of = [0] * len(model.cells)
    for at, units in enumerate(chunks):
        for number in chain.from_iterable(units):
            chunk_of[number] = at
    constants: list[object] = []
    large = large_cells(model)
    codes = tuple(_compile_chunk(model, units, constants, large) for units in chunks)
    return Plan(
        model=model,
        order=order,
        places=tuple(places),
        users=tuple(map(tuple, users)),
        needs=model.needs,
        chunks=chunks,
        constants=tuple(constants),
        codes=codes,
        large=large,
        groups=groups,
        group_dims={group: group_dim(model, group) for group in model.groups},
        chunk_of=tuple(chunk_of),
    )


def _chunks(order: Sequence[int], groups: dict[int, Unit]) -> Iterable[tuple[Unit, ...]]:
    """Cut the order into pieces, of which none parts a group."""
    units: list[Unit] = []
    count = 0
    for number in order:
        unit = groups.get(number, (number,))
        if number != unit[0]:
            continue
        units.append(unit)
        count += len(unit)
        if count >= CHUNK:
            yield tuple(units)
            units, count = [], 0
    if units:
        yield tuple(units)


def _compile_chunk(
    model: Model, units: Sequence[Unit], constants: list[object], large: frozenset[int]
) -> Chunk:
    writer = ChunkWriter(model, constants, large)
    text = writer.write(units)
    code: Chunk = compile_text(text, constants, has_arrays=writer.has_arrays)["run"]
    return code


def compile_part(model: Model, op: Op, dims: Sequence[str] = ()) -> Single:
    """Write and compile a part of a cell's tree on its own, at labels of dims."""
    constants: list[object] = []
    code: Single = compile_text(write_part(model, op, constants, dims, "part"), constants)["part"]
    return code


def _compile_singles(model: Model, cells: Sequence[int]) -> dict[int, Single | LineCode]:
    constants: list[object] = []
    text = "\n".join(write_single(model, number, constants) for number in cells)
    names = compile_text(text, constants)
    return {
        number: LineCode(names[f"c{number}"], names[f"f{number}"])
        if isinstance(model.cells[number].op, Scan)
        else names[f"c{number}"]
        for number in cells
    }


def compile_text(
    text: str, constants: Sequence[object], *, has_arrays: bool = False
) -> dict[str, Any]:
    """Compile what was written: the only place where that is done."""
    names = _names(constants, has_arrays=has_arrays)
    exec(compile(text, "<plan>", "exec"), names)  # noqa: S102 - numbers and cell numbers only
    return names


def chunk_of_code(code: CodeType, constants: Sequence[object], *, has_arrays: bool) -> Chunk:
    """Give a chunk's function from its code, as compiled before for an equal plan."""
    return FunctionType(code, _names(constants, has_arrays=has_arrays))


def _names(constants: Sequence[object], *, has_arrays: bool) -> dict[str, Any]:
    names: dict[str, Any] = {**RUNTIME, "rt": runtime, "sound": Series.sound, "k": constants}
    if has_arrays:
        import numpy as np  # a small sheet needs none of it

        from calcgraph.functions import arrays
        from calcgraph.plan import array_runtime

        names |= {"np": np, "vec": arrays, "ar": array_runtime, "of_array": Series.of_array}
    return names
