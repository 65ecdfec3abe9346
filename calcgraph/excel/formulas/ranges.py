"""References from the cells of one block to those of another: an address, else an INDEX."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Literal

from calcgraph.excel.layout.blocks import NOWHERE
from calcgraph.excel.xlsx.expressions import (
    ONE,
    ZERO,
    BlockRef,
    Constant,
    ExcelExpr,
    HeaderRef,
    NameRef,
    Operation,
    call,
    closed,
    fill,
    operation,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.excel.layout.blocks import Block
    from calcgraph.model import Model


@dataclass(frozen=True, slots=True)
class DimSelection:
    """Selects labels of a dim.

    ``same`` is the current label of ``dim``, ``before`` the previous one, ``at`` the one at the
    position ``text`` from 1, ``fixed`` the one at the index ``place``, ``all`` every one.
    """

    kind: Literal["same", "before", "at", "fixed", "all"]
    dim: str = ""
    text: ExcelExpr | None = None
    place: int = 0


EVERY = DimSelection("all")


@dataclass(frozen=True, slots=True)
class _Side:
    """Rows or columns: those of a code of ``BlockRef``, or a part of them by positions from 1.

    ``first`` is a position; ``last`` too, for a run of labels.
    """

    code: str
    first: ExcelExpr | None = None
    last: ExcelExpr | None = None


@dataclass(frozen=True, slots=True)
class RangeBuilder:
    """Refers to blocks from the block ``here``, or from a single cell where it is none.

    ``opening`` is the dim whose initial value the formula computes, or empty.
    """

    model: Model
    here: Block | None
    names: Callable[[int], str]
    opening: str = ""

    def position(self, dim: str) -> ExcelExpr:
        """Write the position from 1 of the current label."""
        return ONE if dim == self.opening else Operation("+", self.index(dim), ONE)

    def index(self, dim: str) -> ExcelExpr:
        """Write the position from 0 of the current label."""
        if dim == self.opening:
            return ZERO
        assert self.here is not None, "a single cell has no current labels"
        self.here.needs[dim, "index"] = None
        return HeaderRef(self.here.number, dim, "index")

    def cells(self, there: Block, axes: Sequence[DimSelection]) -> ExcelExpr | None:
        """Refer to cells of a block; none where they are not one range."""
        if all(axis.kind == "all" for axis in axes):
            return self.whole(there)
        by_dim = dict(zip(there.dims, axes, strict=True))
        rows = self._rows(there, [by_dim[dim] for dim in there.frame.rows])
        if rows is None:
            return None
        column = by_dim.get(there.frame.column)
        across = _Side("#0") if column is None else self._across(column)
        return self._spelled(there, rows, across)

    def whole(self, there: Block) -> ExcelExpr:
        """Refer to all values of a block, by name where it has one."""
        name = self.names(there.number)
        return NameRef(name) if name else BlockRef(NOWHERE, there.number, "*", "*")

    def _spelled(self, there: Block, rows: _Side, across: _Side) -> ExcelExpr:
        number = NOWHERE if self.here is None else self.here.number
        base: ExcelExpr = BlockRef(number, there.number, rows.code, across.code)
        is_all = rows.code in {"*", "#0"} and across.code in {"*", "#0"}
        if is_all and (rows.code == "*" or there.height == 1) and there.width > 0:
            base = self.whole(there) if _is_whole(there, rows, across) else base
        if rows.first is None and across.first is None:
            return base
        if rows.first is not None and rows.last is not None:
            first = _index(base, rows.first, across.first, across.code)
            last = _index(base, rows.last, across.last or across.first, across.code)
            if across.code == "*" and across.first is None:
                first = call("INDEX", base, rows.first, ONE)
                last = call("INDEX", base, rows.last, Constant(str(there.width)))
            return Operation(":", first, last)
        return _index(base, rows.first, across.first, across.code, rows.code)

    def _across(self, axis: DimSelection) -> _Side:
        return self._one(axis, is_aligned=self._is_current(axis, "column"))

    def _is_current(self, axis: DimSelection, side: str) -> bool:
        if self.here is None or axis.kind not in {"same", "before"}:
            return False
        frame = self.here.frame
        return (frame.column if side == "column" else frame.line) == axis.dim

    def _one(self, axis: DimSelection, *, is_aligned: bool) -> _Side:
        """Refer along one dim."""
        match axis.kind:
            case "all":
                return _Side("*")
            case "fixed":
                return _Side(f"#{axis.place}")
            case "at":
                return _Side("*", axis.text)
            case "same" if axis.dim == self.opening:
                return _Side("#0")
            case "same":
                return _Side("=") if is_aligned else _Side("*", self.position(axis.dim))
            case _:
                return _Side("=-1") if is_aligned else _Side("<", self.position(axis.dim))

    def _rows(self, there: Block, axes: Sequence[DimSelection]) -> _Side | None:
        """Refer along the dims that go down."""
        if not axes:
            return _Side("#0")
        mine = self.here.frame.rows if self.here is not None else ()
        wanted = tuple(axis.dim for axis in axes)
        if len(axes) == 1:
            is_aligned = self.here is not None and wanted == mine
            return self._one(axes[0], is_aligned=is_aligned)
        if all(axis.kind == "all" for axis in axes):
            return _Side("*")
        is_same = all(axis.kind == "same" for axis in axes)
        if is_same and wanted == mine and self.opening not in mine:
            return _Side("=")
        return self._among(there, axes)

    def _among(self, there: Block, axes: Sequence[DimSelection]) -> _Side | None:
        """Refer to a row, or a run of rows, among the combinations of several dims."""
        sizes = [self.model.dim(dim).size for dim in there.frame.rows]
        count = next((at for at, axis in enumerate(axes) if axis.kind == "all"), len(axes))
        if count == 0 or any(a.kind != "all" for a in axes[count:]):
            return None
        if any(axis.kind == "before" for axis in axes):
            return None
        run = prod(sizes[count:])
        before = self._offset(axes[:count], sizes[:count])
        if run == 1:
            return _Side("*", Operation("+", before, ONE))
        start, length = closed(before), Constant(str(run))
        first, last = (fill("{0}*{1}+{2}", start, length, end) for end in (ONE, length))
        return _Side("*", first, last)

    def _offset(self, axes: Sequence[DimSelection], sizes: Sequence[int]) -> ExcelExpr:
        """Count the combinations of the first dims that precede the selected one."""
        found: ExcelExpr | None = None
        for axis, size in zip(axes, sizes, strict=True):
            if found is not None:
                found = operation("*", closed(found), Constant(str(size)))
            found = self._plus_index(found, axis)
        assert found is not None, "a row is one of some dims"
        return found

    def _plus_index(self, before: ExcelExpr | None, axis: DimSelection) -> ExcelExpr:
        """Add a position from 0."""
        if axis.kind == "fixed":
            more: ExcelExpr = Constant(str(axis.place))
        elif axis.kind == "same":
            more = self.index(axis.dim)
        else:
            assert axis.text is not None, "a position is given"
            more = axis.text
        found = more if before is None else Operation("+", before, more)
        return Operation("-", found, ONE) if axis.kind not in {"fixed", "same"} else found


def _is_whole(there: Block, rows: _Side, across: _Side) -> bool:
    is_all_down = rows.code == "*" or there.height == 1
    return is_all_down and (across.code == "*" or there.width == 1)


def _index(
    base: ExcelExpr, row: ExcelExpr | None, column: ExcelExpr | None, across: str, down: str = "*"
) -> ExcelExpr:
    """Refer to the entry of a range at positions, or to a row or column where one is left out."""
    if row is not None and column is not None:
        return call("INDEX", base, row, column)
    if row is not None:
        return call("INDEX", base, row, ZERO) if across == "*" else call("INDEX", base, row)
    assert column is not None, "one position is given"
    is_block = down in {"*", "<"}
    return call("INDEX", base, ZERO, column) if is_block else call("INDEX", base, column)
