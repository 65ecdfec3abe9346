"""A model to a plan: order, chunks of generated code, and their private on-disk form."""

from __future__ import annotations

import copyreg
import io
import marshal
import pickle
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import chain
from operator import attrgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

from calcgraph.core.traversal import reachable
from calcgraph.core.values import Series
from calcgraph.engine import runtime
from calcgraph.engine.array_codegen import ArrayAccess, NoArray
from calcgraph.engine.statements import (
    ChunkWriter,
    group_dim,
    large_cells,
    write_part,
    write_single,
)
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import RUNTIME, Function
from calcgraph.model import Model, Op, Scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import CodeType

    from numpy.typing import NDArray

    from calcgraph.core.values import Scalar, Value


CHUNK = 200

Step: TypeAlias = tuple[int, ...]
"""Cells that are computed together: one, or the members of a recurrence."""
UnitCode: TypeAlias = "Callable[[Any], None]"
"""Computes units of a set of values, and puts the results in their places."""
CaseCode: TypeAlias = "Callable[[Any, int, Mapping[int, NDArray[Any]]], tuple[NDArray[Any], ...]]"
"""Takes checked values, the number of cases and the arrays of the cells that vary with them, cases
first; returns such arrays for the cells of a unit."""
ElementCode: TypeAlias = "Callable[..., Value]"
"""Takes checked values and the indices of the labels; returns one value."""


@dataclass(frozen=True, slots=True)
class LineCode:
    """A scan in two steps: collect the arguments of one line, then run the function on them."""

    gather: Callable[..., list[Callable[[], Sequence[Any]]]]
    run: Callable[..., Sequence[Scalar]]


@dataclass(slots=True)
class CompiledCode:
    """The code of a plan that is compiled at its first use.

    ``elements`` compute one element of a cell, guarded; ``units`` a unit for one case; ``cases`` a
    unit for many, given which cells have a leading dim of cases (none if numpy cannot do it).
    """

    elements: dict[int, ElementCode | LineCode] = field(default_factory=dict)
    units: dict[Step, UnitCode] = field(default_factory=dict)
    cases: dict[tuple[Step, frozenset[int]], CaseCode | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run, in order: ``users`` lists who reads a cell, ``places`` its rank in the order.

    All members of a recurrence have the place of its first; ``groups`` finds them by any of them.
    ``chunk_codes`` compute the units of ``chunks``.
    """

    model: Model
    order: tuple[int, ...]
    places: tuple[int, ...]
    users: tuple[tuple[int, ...], ...]
    needs: tuple[tuple[int, ...], ...]
    chunks: tuple[tuple[Step, ...], ...]
    constants: tuple[object, ...]
    chunk_codes: tuple[UnitCode, ...]
    large: frozenset[int]
    groups: dict[int, Step]
    group_dims: dict[Step, str]
    chunk_of: tuple[int, ...]
    compiled: CompiledCode = field(default_factory=CompiledCode, compare=False)

    def unit(self, cell: int) -> Step:
        """Return the cells that are computed with a cell."""
        return self.groups.get(cell) or (cell,)

    def reads(self, unit: Step) -> set[int]:
        """Return the cells outside a unit that its formulas read."""
        return {need for cell in unit for need in self.needs[cell]}.difference(unit)

    def reached_units(self, inputs: Iterable[int]) -> list[Step]:
        """Return the units that depend on inputs, in order."""
        stale = reachable(inputs, self.users.__getitem__)
        return list(dict.fromkeys(self.unit(cell) for cell in self.order if cell in stale))

    def element_code(self, cell: int) -> ElementCode | LineCode:
        """Return the code for one element of a cell; that of its whole chunk is compiled."""
        codes = self.compiled.elements
        if cell not in codes:
            cells = [number for unit in self.chunks[self.chunk_of[cell]] for number in unit]
            codes.update(_compile_elements(self.model, cells))
        return codes[cell]

    def unit_code(self, unit: Step) -> UnitCode:
        """Return the code that computes one unit as its chunk's does."""
        codes = self.compiled.units
        if unit not in codes:
            codes[unit] = _compile_chunk(self.model, (unit,), [], self.large)
        return codes[unit]

    def case_code(self, unit: Step, varied: Iterable[int]) -> CaseCode | None:
        """Return the code that computes a unit in many cases at once; none if numpy cannot.

        ``varied`` are the cells it reads that have a leading dim of cases. The caller lets numpy
        raise.
        """
        codes, key = self.compiled.cases, (unit, frozenset(varied))
        if key not in codes:
            codes[key] = _compile_cases(self, unit, key[1])
        return codes[key]


def make_plan(model: Model) -> Plan:
    """Generate and compile the code of a checked model."""
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
        chunk_codes=codes,
        large=large,
        groups=groups,
        group_dims={group: group_dim(model, group) for group in model.groups},
        chunk_of=tuple(chunk_of),
    )


def _chunks(order: Sequence[int], groups: dict[int, Step]) -> Iterable[tuple[Step, ...]]:
    """Split the order into chunks of whole units."""
    units: list[Step] = []
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
    model: Model, units: Sequence[Step], constants: list[object], large: frozenset[int]
) -> UnitCode:
    writer = ChunkWriter(model, constants, large)
    text = writer.write(units)
    code: UnitCode = compile_text(text, constants, has_arrays=writer.has_arrays)["run"]
    return code


def _compile_cases(plan: Plan, unit: Step, varied: frozenset[int]) -> CaseCode | None:
    lines: list[str] = []
    constants: list[object] = []
    access = ArrayAccess(plan.model, constants, lines, varied.union(unit))
    try:
        access.unit(unit, plan.group_dims.get(unit))
    except NoArray:
        return None
    results = "".join(f"a{cell}, " for cell in unit)
    text = "\n    ".join(["def run(v, n, given):", *lines, f"return ({results})"])
    code: CaseCode = compile_text(text, constants, has_arrays=True)["run"]
    return code


def compile_part(model: Model, op: Op, dims: Sequence[str] = ()) -> ElementCode:
    """Generate and compile the code of a part of a cell's tree, at labels of dims."""
    constants: list[object] = []
    code: ElementCode = compile_text(write_part(model, op, constants, dims, "part"), constants)[
        "part"
    ]
    return code


def _compile_elements(model: Model, cells: Sequence[int]) -> dict[int, ElementCode | LineCode]:
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
    """Compile generated code: the only function that does."""
    names = _names(constants, has_arrays=has_arrays)
    exec(compile(text, "<plan>", "exec"), names)  # noqa: S102 - numbers and cell numbers only
    return names


def chunk_of_code(code: CodeType, constants: Sequence[object], *, has_arrays: bool) -> UnitCode:
    """Make a chunk's function of code that was compiled for an equal plan."""
    return FunctionType(code, _names(constants, has_arrays=has_arrays))


def _names(constants: Sequence[object], *, has_arrays: bool) -> dict[str, Any]:
    names: dict[str, Any] = {**RUNTIME, "rt": runtime, "sound": Series.sound, "k": constants}
    if has_arrays:
        import numpy as np  # a small sheet needs none of it

        from calcgraph.engine import array_runtime
        from calcgraph.functions.kernels import arrays

        names |= {"np": np, "vec": arrays, "ar": array_runtime, "of_array": Series.of_array}
    return names


def plan_bytes(plan: Plan, beside: object) -> bytes | None:
    """Serialise a plan with its model and another object; ``None`` if the trees are too deep."""
    codes = [_code(chunk) for chunk in plan.chunk_codes]
    bare = replace(plan, chunk_codes=(), compiled=CompiledCode())
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _Reducers({**copyreg.dispatch_table, Function: _by_name})
    try:
        pickler.dump((bare, codes, beside))
    except RecursionError:
        return None
    return buffer.getvalue()


def plan_from(content: bytes) -> tuple[Plan, Any]:
    """Read a plan and what was put beside it; the bytes are ours, and of this very program."""
    bare, codes, beside = pickle.loads(content)  # noqa: S301 - the caller knows whose they are
    chunks = tuple(
        chunk_of_code(marshal.loads(code), bare.constants, has_arrays=has_arrays)  # noqa: S302
        for code, has_arrays in codes
    )
    return replace(bare, chunk_codes=chunks), beside


def _code(chunk: Any) -> tuple[bytes, bool]:  # noqa: ANN401 - a function, of which mypy knows no code
    code: CodeType = chunk.__code__
    return marshal.dumps(code), "np" in chunk.__globals__


class _Reducers(dict[type, Any]):
    """Reducers by class: a dataclass is pickled as its constructor and fields.

    The default for dataclasses takes three times as long to load.
    """

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]]:
        """Make the reducer of a class; raise ``KeyError`` to leave it to pickle."""
        if not is_dataclass(kind) or "__reduce__" in vars(kind):
            raise KeyError(kind)
        names = [part.name for part in fields(kind)]
        if not names or not all(part.init and not part.kw_only for part in fields(kind)):
            raise KeyError(kind)
        take = attrgetter(*names)
        self[kind] = reducer = (
            (lambda whole: (kind, take(whole)))
            if len(names) > 1
            else (lambda whole: (kind, (take(whole),)))
        )
        return reducer


def _by_name(row: Function) -> tuple[Any, tuple[str]]:
    return _row, (row.name,)


def _row(name: str) -> Function:
    return FUNCTIONS[name]
