"""Small models made by hand, so that tests of the plan test nothing else."""

from dataclasses import dataclass, field
from typing import Any, cast

from calcgraph.core.values import Dim, DimKind, Failure, Kind, Scalar, Series, Type, Value
from calcgraph.engine import Evaluation
from calcgraph.functions import FUNCTIONS
from calcgraph.model import Apply, Cell, Load, Lookup, Model, Op, Previous, Reduce, Scan, op_parts

MONTHS = ("2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06")
STARTS = (46023.0, 46054.0, 46082.0, 46113.0, 46143.0, 46174.0)
END = 46204.0


def dim(name: str, kind: DimKind, keys: tuple[Scalar, ...], labels: tuple[str, ...] = ()) -> Dim:
    ends = (*cast("tuple[float, ...]", keys[1:]), END) if kind == "time" else ()
    texts = labels or tuple(str(key) for key in keys)
    return Dim(name, kind, keys, texts, {key: at for at, key in enumerate(keys)}, ends)


def count(name: str, size: int) -> Dim:
    keys = tuple(float(at) for at in range(size))
    return dim(name, "count", keys, tuple(str(at) for at in range(size)))


MONTH = dim("month", "time", STARTS, MONTHS)
REGION = dim("region", "labels", ("us", "eu"))
STAGE = count("stage", 4)


@dataclass
class Stub:
    """As much of a graph as a plan asks for."""

    dims: dict[str, Dim]


@dataclass
class Sheet:
    """Takes cells one by one and makes a model of them; each is given back by its number."""

    dims: tuple[Dim, ...] = (MONTH, REGION, STAGE)
    cells: list[Cell] = field(default_factory=list)
    groups: tuple[tuple[int, ...], ...] = ()

    def put(  # noqa: PLR0913
        self,
        over: tuple[str, ...] = (),
        op: Op | None = None,
        start: Value | list[Scalar] = None,
        kind: Kind = Kind.NUMBER,
        *,
        may_be_na: bool = False,
        fill: str = "",
        given: list[Scalar] | None = None,
    ) -> int:
        number = len(self.cells)
        value = Series(over, tuple(start)) if isinstance(start, list) else start
        self.cells.append(
            Cell(
                number,
                f"c{number}",
                "calc" if op else "input",
                Type(kind, dims=over),
                op,
                value,
                may_be_na=may_be_na,
                fill=fill,
                given=None if given is None else Series(over, tuple(given)),
            )
        )
        return number

    def model(self, order: tuple[int, ...] = ()) -> Model:
        needs = [tuple(reads(cell.op)) if cell.op else () for cell in self.cells]
        graph = Stub({one.name: one for one in self.dims})
        return Model(
            cast("Any", graph),
            cast("Any", None),
            tuple(self.cells),
            order=order or tuple(range(len(self.cells))),
            needs=tuple(needs),
            groups=self.groups,
        )


def reads(op: Op) -> list[int]:
    found: dict[int, None] = {}
    waiting = [op]
    while waiting:
        part = waiting.pop()
        waiting.extend(op_parts(part))
        if isinstance(part, Load | Lookup):
            found[part.cell] = None
    return list(found)


def apply(name: str, *args: Op, na: bool = False) -> Apply:
    return Apply(FUNCTIONS[name], args, (na,) * len(args))


def reduce(name: str, dims: tuple[str, ...], *args: Op) -> Reduce:
    return Reduce(FUNCTIONS[name], dims, args, (False,) * len(args))


def scan(name: str, along: str, *args: Op) -> Scan:
    return Scan(FUNCTIONS[name], along, args, (False,) * len(args))


def prev(along: str, cell: int, dims: tuple[str, ...], initial: Op) -> Previous:
    return Previous(along, (Load(cell, dims), initial))


def data_of(evaluation: Evaluation, cell: int) -> list[Scalar | Failure]:
    value = evaluation.values[cell]
    assert isinstance(value, Series)
    return list(value.data)


def failures_in(evaluation: Evaluation, cell: int) -> list[tuple[int, str] | None]:
    """Say of each label whom its failure blames, and where."""
    return [
        (value.cell, value.at) if isinstance(value, Failure) else None
        for value in data_of(evaluation, cell)
    ]
