"""A checked model to generated Python: the only place of the project that compiles code.

Each cell's tree is written over ``v``, the values by cell number, from numbers, cell numbers and
constants by reference; no text of a sheet gets into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from calcgraph.core.type import Kind
from calcgraph.functions.runtime import RUNTIME
from calcgraph.model import Model, Op
from calcgraph.plan.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.core.value import Value

CHUNK = 200

Chunk: TypeAlias = "Callable[[Any], None]"
Single: TypeAlias = "Callable[[Any], Value]"


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run, in order; ``users`` say who needs a cell, ``places`` where a cell stands."""

    model: Model
    order: tuple[int, ...]
    places: tuple[int, ...]
    users: tuple[tuple[int, ...], ...]
    chunks: tuple[tuple[int, ...], ...]
    constants: tuple[object, ...]
    codes: tuple[Chunk | None, ...]
    singles: dict[int, Single]

    def chunk(self, index: int) -> Chunk:
        """Give the code that computes the cells of a chunk."""
        code = self.codes[index]
        assert code is not None, "every chunk is compiled with the plan"
        return code

    def single(self, cell: int) -> Single:
        """Give the code that computes one cell; its chunk's are compiled at the first need."""
        if cell not in self.singles:
            self.singles.update(_compile_singles(self, self.chunks[self.places[cell] // CHUNK]))
        return self.singles[cell]


def make_plan(model: Model) -> Plan:
    """Write and compile the code of a model that the check let through."""
    order = tuple(number for number in model.graph.order if model.cells[number].op is not None)
    users: list[list[int]] = [[] for _ in model.cells]
    for number in order:
        for need in model.graph.nodes[number].needs:
            users[need].append(number)
    places = [0] * len(model.cells)
    for place, number in enumerate(order):
        places[number] = place
    chunks = tuple(order[start : start + CHUNK] for start in range(0, len(order), CHUNK))
    constants: list[object] = []
    codes = tuple(_compile_chunk(model, cells, constants) for cells in chunks)
    return Plan(
        model,
        order,
        tuple(places),
        tuple(map(tuple, users)),
        chunks,
        tuple(constants),
        codes,
        {},
    )


def _is_checked(model: Model, number: int) -> bool:
    """Whether a cell holds a number that must be finite."""
    return model.cells[number].type.kind is Kind.NUMBER


def _compile_chunk(model: Model, cells: Sequence[int], constants: list[object]) -> Chunk:
    local: dict[int, str] = {}
    writer = Writer(model, constants, local)
    lines = ["def run(v):"]
    numbers: list[str] = []
    for number in cells:
        op = model.cells[number].op
        assert op is not None, "only calculated cells are in the order"
        text = writer.write(op)
        local[number] = f"c{number}"
        lines.append(f"    v[{number}] = c{number} = {text}")
        if _is_checked(model, number):
            may_be_na = model.cells[number].may_be_na
            numbers.append(f"(c{number} or 0.0)" if may_be_na else f"c{number}")
    lines.extend(
        f"    fn.finite({' + '.join(numbers[start : start + 50])})"
        for start in range(0, len(numbers), 50)
    )
    return _compile("\n".join(lines), constants)["run"]  # type: ignore[no-any-return]


def compile_part(model: Model, op: Op) -> Single:
    """Write and compile a part of a cell's tree on its own."""
    constants: list[object] = []
    text = Writer(model, constants, {}).write(op)
    code: Single = _compile(f"def part(v):\n    return {text}", constants)["part"]
    return code


def _compile_singles(plan: Plan, cells: Sequence[int]) -> dict[int, Single]:
    constants: list[object] = []
    writer = Writer(plan.model, constants, {})
    lines: list[str] = []
    for number in cells:
        op = plan.model.cells[number].op
        assert op is not None, "only calculated cells are in the order"
        lines.append(f"def c{number}(v):\n    return {writer.write(op)}")
    names = _compile("\n".join(lines), constants)
    return {number: names[f"c{number}"] for number in cells}


def _compile(text: str, constants: Sequence[object]) -> dict[str, Any]:
    names: dict[str, Any] = {**RUNTIME, "k": constants}
    exec(compile(text, "<plan>", "exec"), names)  # noqa: S102 - numbers and cell numbers only
    return names
