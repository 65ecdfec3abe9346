"""Typed expressions, and how they combine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.check.conversion import steps_between
from calcgraph.core.type import ANY, TEXT, TRUTH, Kind, Type
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Operand
from calcgraph.model import Apply, Const, Convert, Load, Op, op_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from calcgraph.functions.spec import Function


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
