"""Write cells as numpy statements, for large cells and for many cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from calcgraph.core.type import Kind
from calcgraph.core.value import array_of
from calcgraph.model import Apply, Const, Convert, Load, walk_op
from calcgraph.plan.arrays import ArrayWriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.value import Scalar
    from calcgraph.model import Model, Op

Snapshot: TypeAlias = "tuple[int, set[int], set[int], dict[str, str]]"
"""A snapshot of the writing: the number of lines, and what has a name."""


class ArrayAccess:
    """What array writers share: the names of cells and of common parts, and the constants.

    ``lines`` are the statements so far, ``body`` those of the loop being written. ``varied`` are
    the cells with a leading dim of cases.
    """

    def __init__(
        self, model: Model, constants: list[object], lines: list[str], varied: frozenset[int]
    ) -> None:
        """Write the statements that come before any loop to ``lines``."""
        self.model = model
        self.constants = constants
        self.lines = lines
        self.body = lines
        self.varied = varied
        self.arrays: set[int] = set()
        self.wholes: set[int] = set()
        self.known: dict[str, str] = {}

    def snapshot(self) -> Snapshot:
        """Take a snapshot."""
        return len(self.lines), set(self.arrays), set(self.wholes), dict(self.known)

    def restore(self, snapshot: Snapshot) -> None:
        """Undo what was written since a snapshot."""
        count, self.arrays, self.wholes, self.known = snapshot
        del self.lines[count:]
        self.body = self.lines

    def constant(self, value: object) -> str:
        """Refer to a constant."""
        self.constants.append(value)
        return f"k[{len(self.constants) - 1}]"

    def number(self, value: Scalar) -> str:
        """Refer to a number as a numpy scalar."""
        import numpy as np

        return self.constant(np.float64(np.nan if value is None else value))

    def array(self, values: Sequence[Scalar], shape: tuple[int, ...]) -> str:
        """Refer to a constant array."""
        return self.constant(array_of(values).reshape(shape))

    def positions(self, size: int, behind: int) -> str:
        """Refer to the indices along an axis that ``behind`` axes follow."""
        import numpy as np

        return self.constant(np.arange(size).reshape((size,) + (1,) * behind))

    def shape(self, cell: int) -> str:
        """Write the shape of a cell."""
        sizes = [str(self.model.dim(name).size) for name in self.model.cells[cell].type.dims]
        sizes = ["n", *sizes] if cell in self.varied else sizes
        return f"({', '.join(sizes)},)" if sizes else "()"

    def has_cases(self, cell: int) -> bool:
        """Whether a cell has a leading dim of cases."""
        return cell in self.varied

    def single(self, cell: int, rank: int) -> str:
        """Write a cell without dims so that it broadcasts with arrays of a rank."""
        if cell not in self.varied:
            return self.once(f"ar.single(v[{cell}])")
        return self.once(f"{self.series(cell)}[:{', None' * rank}]") if rank else self.series(cell)

    def series(self, cell: int) -> str:
        """Write the name of a cell's array."""
        if cell not in self.arrays:
            self.arrays.add(cell)
            varied = cell in self.varied
            text = f"given[{cell}]" if varied else f"v[{cell}].array({self.shape(cell)})"
            self.lines.append(f"a{cell} = {text}")
        return f"a{cell}"

    def whole(self, cell: int) -> str:
        """Write a name for a cell's array that branches use whole: they index it themselves."""
        name = self.series(cell)
        if cell not in self.wholes:
            self.wholes.add(cell)
            self.lines.append(f"w{cell} = {name}")
        return f"w{cell}"

    def once(self, text: str) -> str:
        """Name a part that is computed before all loops."""
        if text.isidentifier():
            return text
        if text not in self.known:
            self.known[text] = f"e{len(self.known)}"
            self.lines.append(f"{self.known[text]} = {text}")
        return self.known[text]

    def named(self, text: str) -> str:
        """Name a part that is computed right before its use."""
        name = f"e{len(self.known)}"
        self.known[name] = name
        self.body.append(f"{name} = {text}")
        return name

    def unit(self, members: Sequence[int], dim: str | None) -> None:
        """Write a cell, or a recurrence along ``dim``; raises ``NoArray`` where that cannot be."""
        if dim is None:
            self.cell(members[0])
        else:
            self.group(members, dim)

    def cell(self, number: int) -> None:
        """Write a cell; raises ``NoArray`` where that cannot be."""
        text = ArrayWriter(self.model, self, self.model.cells[number].type.dims, {}).write(
            self.op(number)
        )
        self.arrays.add(number)
        self.lines.append(f"a{number} = {self.settled(number, self.checked(number, text))}")

    def settled(self, number: int, text: str) -> str:
        """Write the choice of memory layout for a cell with cases and dims."""
        has_both = number in self.varied and self.model.cells[number].type.dims
        return f"ar.settled({text})" if has_both else text

    def op(self, number: int) -> Op:
        """Return the tree of a cell."""
        op = self.model.cells[number].op
        assert op is not None, "only calculated cells are in the order"
        return op

    def checked(self, number: int, text: str) -> str:
        """Write the check of a cell's result, unless the result cannot be invalid.

        Plain arithmetic raises by itself at a result that is not finite.
        """
        cell = self.model.cells[number]
        if cell.type.kind is Kind.NUMBER and self.is_plain(number):
            return text
        kind = cell.type.kind.value
        return f"ar.checked({text}, {self.shape(number)}, {kind!r}, {cell.may_be_na})"

    def is_plain(self, number: int) -> bool:
        """Whether a tree is arithmetic of the cell's full shape, and na only if the cell may be."""
        cell, is_full = self.model.cells[number], False
        for op in walk_op(self.op(number)):
            match op:
                case Apply(row) if isinstance(row.array, str) and "vec." not in row.array:
                    if row.lazy or row.takes_na:
                        return False
                case Load(part, dims):
                    has_all = set(dims) == set(cell.type.dims)
                    is_full |= has_all and self.has_cases(part) == self.has_cases(number)
                    if self.model.cells[part].may_be_na and not cell.may_be_na:
                        return False
                case Convert() | Const():
                    continue
                case _:
                    return False
        return is_full

    def group(self, members: Sequence[int], dim: str) -> None:
        """Write a recurrence: a loop over its dim, arrays over all other dims."""
        self.arrays.update(members)
        self.body = []
        for number in members:
            dims = self.model.cells[number].type.dims
            scope = [name for name in dims if name != dim]
            text = ArrayWriter(self.model, self, scope, {dim: "i0"}).write(self.op(number))
            marks = ["i0" if name == dim else ":" for name in dims]
            marks = [":", *marks] if number in self.varied else marks
            self.lines.append(f"a{number} = {self.empty(number, marks.index('i0'))}")
            self.body.append(f"a{number}[{', '.join(marks)}] = {text}")
        self.lines.append(f"for i0 in range({self.model.dim(dim).size}):")
        self.lines.extend(f"    {line}" for line in self.body)
        self.body = self.lines
        self.wholes.difference_update(members)
        self.lines.extend(f"a{n} = {self.settled(n, self.checked(n, f'a{n}'))}" for n in members)

    def empty(self, number: int, axis: int) -> str:
        """Write the allocation of a cell that is computed label by label along an axis."""
        cell = self.model.cells[number]
        kind, shape = cell.type.kind.value, self.shape(number)
        return f"ar.empty({shape}, {axis}, {kind!r}, {cell.may_be_na})"
