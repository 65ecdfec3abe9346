"""Typed expressions, the helper cells they need, and unit conversions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.core.values import ANY, TEXT, TRUTH, Kind, Type
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Operand
from calcgraph.model import Apply, Cell, Const, Convert, LabelFact, Load, Op, Scan, Step, op_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.core.units import Atom, Unit
    from calcgraph.functions.spec import Function
    from calcgraph.graph import Node


@lru_cache(maxsize=4096)
def steps_between(given: Unit, wanted: Unit) -> tuple[Step, ...]:
    """Return the steps that convert a number in ``given`` to ``wanted``; none for equal scales.

    Atoms of equal dimension and power are converted one by one (``s_per_day``), the rest in one
    step (``J_per_kWh``).
    """
    if given.scale == wanted.scale:
        return ()
    have, want = _apart(given, wanted)
    steps: list[Step] = []
    left = given.scale / wanted.scale
    for atom, power in have:
        other = next((o for o, p in want if p == power and o.dimension == atom.dimension), None)
        if other is None or power.denominator != 1:
            continue
        want.remove((other, power))
        ratio = atom.scale / other.scale
        steps.extend(_atom_steps(atom, other, int(power)))
        left /= ratio ** int(power)
    if left != 1:
        steps.extend(_steps(str(given.symbol), str(wanted.symbol), left))
    return tuple(sorted(steps, key=lambda step: step.divides))


def _apart(
    given: Unit, wanted: Unit
) -> tuple[list[tuple[Atom, Fraction]], list[tuple[Atom, Fraction]]]:
    """Drop the atoms that both units have to the same power."""
    have = [pair for pair in given.atoms if pair not in wanted.atoms]
    want = [pair for pair in wanted.atoms if pair not in given.atoms]
    return have, want


def _atom_steps(given: Atom, wanted: Atom, power: int) -> list[Step]:
    """Convert via the base unit where neither is a multiple of the other: day to month."""
    ratio = given.scale / wanted.scale
    is_whole = 1 in {ratio.numerator, ratio.denominator}
    if is_whole or given.scale.denominator != 1 or wanted.scale.denominator != 1:
        return _steps(given.name, wanted.name, ratio, power)
    base = str(given.dimension)
    return [
        *_steps(given.name, base, given.scale, power),
        *_steps(base, wanted.name, 1 / wanted.scale, power),
    ]


def _steps(given: str, wanted: str, ratio: Fraction, power: int = 1) -> list[Step]:
    """Convert one ``given`` to ``ratio`` ``wanted``: one integer, or two for a fraction.

    A power repeats its steps; a negative one divides where a positive one multiplies.
    """
    steps: list[Step] = []
    above, below = f"{wanted}_per_{given}", f"{given}_per_{wanted}"
    if 1 not in {ratio.numerator, ratio.denominator}:
        above, below = f"{above}_numerator", f"{above}_denominator"
    if ratio.numerator != 1:
        steps.append(Step(above, ratio.numerator, power < 0))
    if ratio.denominator != 1:
        steps.append(Step(below, ratio.denominator, power > 0))
    return steps * abs(power)


@dataclass(frozen=True, slots=True)
class TypedExpr:
    """A typed part of a formula: its type, its operation, and whether it may be na."""

    operand: Operand
    op: Op
    may_be_na: bool


def convert_to(part: TypedExpr, wanted: Type) -> TypedExpr:
    """Insert the conversion that an argument needs."""
    type_ = part.operand.type
    if type_.kind is not Kind.NUMBER or wanted.kind is not Kind.NUMBER or part.operand.fits_all:
        return part
    steps = steps_between(type_.unit, wanted.unit)
    return replace(part, op=Convert(steps, (part.op,), part.may_be_na)) if steps else part


def all_dims(parts: Iterable[TypedExpr]) -> tuple[str, ...]:
    """Return the union of the dims of several parts, in order of appearance."""
    found: tuple[str, ...] = ()
    for part in parts:
        dims = part.operand.type.dims
        if dims and dims != found:  # fast path: most parts have no dims
            found = tuple(dict.fromkeys((*found, *dims)))
    return found


def apply(row: Function, args: list[TypedExpr], result: Type) -> TypedExpr:
    """Apply a function elementwise; a keyed one (``switch``) becomes comparisons."""
    constant = args[0].operand.constant if row.name == "neg" else None
    bare = row.name == "neg" and args[0].operand.bare
    if row.keyed:
        args = _as_conditions(args)
        row = FUNCTIONS["ifs"]
    flags = _na_flags(args) if row.name in {"if", "ifs"} else tuple(a.may_be_na for a in args)
    ops = [part.op for part in args]
    dims = all_dims(args)
    operand = Operand(
        result if result.dims == dims else replace(result, dims=dims),
        "",
        -constant if isinstance(constant, float) else None,
        bare,
    )
    return TypedExpr(operand, Apply(row, tuple(ops), flags), may_give_na(row, flags))


def may_give_na(row: Function, flags: Sequence[bool]) -> bool:
    """Whether a result may be na, given which arguments may be."""
    gives = {"always": True, "never": False, "any": any(flags), "all": bool(flags) and all(flags)}
    return gives[row.gives_na]


def expanded_size(op: Op) -> int:
    """Count the nodes of an expanded tree, where a shared part counts each time."""
    sizes: dict[int, int] = {}
    todo = [op]
    while todo:
        node = todo[-1]
        parts = op_parts(node)
        missing = [part for part in parts if id(part) not in sizes]
        todo.extend(missing)
        if not missing:
            sizes[id(node)] = 1 + sum(sizes[id(part)] for part in parts)
            todo.pop()
    return sizes[id(op)]


def number_as_text(part: TypedExpr, decimals: int | None) -> TypedExpr:
    """Format a number as a text, with its unit behind it."""
    unit = part.operand.type.unit
    tail = str(unit.symbol).removeprefix("1") if unit.percent else f" {unit}"
    shown = Const("" if tail == " 1" else tail)
    places = Const(None if decimals is None else float(decimals))
    flags = (part.may_be_na, False, False, False)
    row = FUNCTIONS["show number"]
    op = Apply(row, (part.op, places, shown, Const(unit.percent)), flags)
    type_ = replace(TEXT, dims=part.operand.type.dims)
    return TypedExpr(Operand(type_), op, part.may_be_na)


def _na_flags(args: list[TypedExpr]) -> tuple[bool, ...]:
    """Flag the arguments that may be na; a branch guarded by ``isblank(x)`` rules it out."""
    flags = [part.may_be_na for part in args]
    if len(args) != 3:  # noqa: PLR2004 - condition, value, otherwise
        return tuple(flags)
    condition, where = args[0].op, 2
    if isinstance(condition, Apply) and condition.function.name == "not":
        condition, where = condition.args[0], 1
    if isinstance(condition, Apply) and condition.function.name == "isblank":
        asked, used = condition.args[0], args[where].op
        flags[where] &= not (asked is used or (isinstance(asked, Load) and asked == used))
    return tuple(flags)


def _as_conditions(args: list[TypedExpr]) -> list[TypedExpr]:
    """Turn ``x, key, value, …, otherwise`` into ``x == key, value, …, otherwise``."""
    subject, rest = args[0], args[1:]
    is_text = subject.operand.type.kind in {Kind.TEXT, Kind.TRUTH}
    equals = FUNCTIONS["== text" if is_text else "=="]
    found: list[TypedExpr] = []
    for index in range(0, len(rest) - 1, 2):
        flags = (subject.may_be_na, rest[index].may_be_na)
        op = Apply(equals, (subject.op, rest[index].op), flags)
        type_ = replace(TRUTH, dims=all_dims([subject, rest[index]]))
        found += [TypedExpr(Operand(type_), op, any(flags)), rest[index + 1]]
    otherwise = rest[-1] if len(rest) % 2 else TypedExpr(Operand(ANY), Const(None), may_be_na=True)
    return [*found, otherwise]


@dataclass(slots=True)
class HelperCells:
    """Appends helper cells to the others; formulas with a part in common share one.

    ``texts`` maps each helper to the text of its part in the formula.
    """

    cells: list[Cell | None]
    nodes: list[Node] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    found: dict[tuple[Op, tuple[str, ...]], int] = field(default_factory=dict)
    owner: Node | None = None
    count: int = 0

    def enter(self, owner: Node) -> None:
        """Make helpers for this cell from now on."""
        self.owner, self.count = owner, 0

    def as_cell(self, part: TypedExpr, last: Sequence[str] = ()) -> TypedExpr:
        """Make a part readable as a cell; ``last`` dims vary fastest in its helper."""
        if isinstance(part.op, Load | LabelFact | Const):
            return part
        return self.add_cell(part, last)

    def add_cell(self, part: TypedExpr, last: Sequence[str] = ()) -> TypedExpr:
        """Move a part into a helper cell and load it from there."""
        dims = part.operand.type.dims
        dims = (*(dim for dim in dims if dim not in last), *(dim for dim in last if dim in dims))
        number = self.found.get((part.op, dims))
        if number is None:
            number = self._append_cell(part, dims)
        return replace(part, op=Load(number, dims))

    def _append_cell(self, part: TypedExpr, dims: tuple[str, ...]) -> int:
        assert self.owner is not None, "a formula was entered"
        owner, number = self.owner, len(self.cells)
        self.count += 1
        name = f"{owner.name}~{self.count}"
        type_ = replace(part.operand.type, dims=dims)
        cell = Cell(
            number, name, "helper", type_, part.op, may_be_na=part.may_be_na, owner=owner.number
        )
        self.cells.append(cell)
        self.nodes.append(replace(owner, number=number, name=name, kind="helper", dims=dims))
        self.texts[number] = part.operand.text
        self.found[part.op, dims] = number
        return number

    def cell_expr(self, part: TypedExpr, dims: tuple[str, ...]) -> TypedExpr:
        """Return the tree of a cell along dims; a scan that is the whole formula needs no helper.

        Only the last helper, and only if this formula made it, is removed again: other formulas
        read the helpers they made.
        """
        if not dims and not part.operand.type.dims:
            return part
        typed = replace(
            part, operand=replace(part.operand, type=replace(part.operand.type, dims=dims))
        )
        op, last = part.op, len(self.cells) - 1
        if not isinstance(op, Load) or op.cell != last or op.dims != dims:
            return typed
        helper = self.cells[last]
        if helper is None or helper.kind != "helper" or not isinstance(helper.op, Scan):
            return typed
        if self.owner is None or helper.owner != self.owner.number:
            return typed
        self.cells.pop()
        self.nodes.pop()
        del self.found[helper.op, helper.type.dims]
        return replace(typed, op=helper.op)

    def mark(self) -> int:
        """Return a mark to roll back to."""
        return len(self.cells)

    def roll_back(self, mark: int) -> None:
        """Remove the helpers made since a mark."""
        extra = len(self.cells) - mark
        if extra:
            del self.cells[mark:]
            del self.nodes[-extra:]
            self.found = {key: number for key, number in self.found.items() if number < mark}
