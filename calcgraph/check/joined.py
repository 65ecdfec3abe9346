"""Join keys of several parts: ``plan[8, 4]`` becomes the one key ``8/4``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.check.codes import WRONG_ARGUMENT, WRONG_COUNT
from calcgraph.check.keys import Key, takes
from calcgraph.check.lowered import TypedExpr, all_dims
from calcgraph.check.values import key_word
from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.source import Span
from calcgraph.core.type import TEXT, Kind
from calcgraph.functions import FUNCTIONS
from calcgraph.functions.spec import Operand
from calcgraph.lang.expr import Period
from calcgraph.model import Apply, Const

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.check.names import NameChecker
    from calcgraph.core.dim import Dim
    from calcgraph.core.type import Type
    from calcgraph.lang.expr import Entry


@dataclass(frozen=True, slots=True)
class KeyParts:
    """The columns whose joined values are the keys of a dim."""

    dim: Dim
    columns: tuple[str, ...]
    types: tuple[Type, ...]

    def fit(self, keys: Sequence[Key]) -> bool:
        """Whether each key is of the kind of its column."""
        return all(_fits(key, type_) for key, type_ in zip(keys, self.types, strict=True))


def joined_keys(
    names: NameChecker, node: Entry, keys: list[Key], dims: Sequence[str]
) -> list[Key] | None:
    """Join keys that are parts of one; ``None`` if they do not fit, which is reported."""
    known = [names.graph.dims[dim] for dim in dims if dim in names.graph.dims]
    found = [parts for dim in known if (parts := _parts(names, dim))]
    if not found or len(known) < len(dims):
        return keys
    whole = all(any(takes(dim, key, names.roots) for dim in known) for key in keys)
    if whole and len(keys) <= len(known):
        return keys
    if len(known) == 1 and len(keys) not in {1, len(found[0].columns)}:
        names.findings.append(_parts_misfit(node, found[0], keys))
        return None
    for parts in found:
        size = len(parts.columns)
        for at in range(len(keys) - size + 1):
            run = keys[at : at + size]
            if parts.fit(run):
                one = _joined(names, node, parts, run)
                return None if one is None else [*keys[:at], one, *keys[at + size :]]
    if len(known) > 1:
        return keys
    names.findings.append(_parts_misfit(node, found[0], keys))
    return None


def _parts(names: NameChecker, dim: Dim) -> KeyParts | None:
    """Find the columns that a dim's keys consist of; ``None`` if its keys are single."""
    table = names.graph.tables.get(names.roots.get(dim.name, dim.name))
    if table is None:
        return None
    columns = tuple(table.columns) if table.is_grid else tuple(k.text.text for k in table.decl.keys)
    cells = [names.cells[table.columns[name]] for name in columns if name in table.columns]
    types = tuple(cell.type for cell in cells if cell is not None)
    return KeyParts(dim, columns, types) if columns and len(types) == len(columns) else None


def _fits(key: Key, wanted: Type) -> bool:
    type_ = key.part.operand.type
    if isinstance(key.arg, Period):
        return wanted.kind is Kind.DATE
    if type_.kind is Kind.NUMBER and wanted.kind is Kind.NUMBER:
        return key.part.operand.bare or type_.unit.dimension == wanted.unit.dimension
    return type_.kind is wanted.kind


def _joined(names: NameChecker, node: Entry, parts: KeyParts, run: Sequence[Key]) -> Key | None:
    """Join the parts of a key by ``/``; numbers and dates must be literals."""
    pieces: list[TypedExpr] = []
    for key, type_ in zip(run, parts.types, strict=True):
        word = _word(key, type_)
        if word is not None:
            pieces.append(TypedExpr(Operand(TEXT, constant=word), Const(word), may_be_na=False))
        elif type_.kind is Kind.TEXT:
            pieces.append(key.part)
        else:
            message = "a number in a key of several parts is written out"
            column = parts.columns[list(run).index(key)]
            hint = f"compare columns: `sum(if({node.base.text}.{column} == …, …))`"
            names.findings.append(Diagnostic(WRONG_ARGUMENT, message, Label(key.arg.span), hint))
            return None
    words = [piece.operand.constant for piece in pieces]
    span = Span(run[0].arg.span.source, run[0].arg.span.start, run[-1].arg.span.end)
    text = "/".join(str(word) for word in words) if None not in words else None
    type_ = replace(TEXT, dims=all_dims(pieces))
    flags = tuple(flag for piece in pieces for flag in (piece.may_be_na, False))[:-1]
    ops = tuple(op for piece in pieces for op in (piece.op, Const("/")))[:-1]
    op = Const(text) if text is not None else Apply(FUNCTIONS["concat"], ops, flags)
    part = TypedExpr(Operand(type_, span.text, text), op, any(flags))
    return Key(run[0].arg, part, span)


def _word(key: Key, wanted: Type) -> str | None:
    """Write a literal as part of a key: a number in its column's unit."""
    constant, type_ = key.part.operand.constant, key.part.operand.type
    if isinstance(key.arg, Period):
        return key.arg.text if key.arg.text.count("-") > 1 else f"{key.arg.text}-01"
    if isinstance(constant, float) and not key.part.operand.bare:
        constant = float(constant * type_.unit.scale / wanted.unit.scale)
    return None if constant is None else key_word(constant, wanted)


def _parts_misfit(node: Entry, parts: KeyParts, keys: Sequence[Key]) -> Diagnostic:
    base, size = node.base.text, len(parts.columns)
    listed, first = ", ".join(parts.columns), parts.dim.labels[0]
    hint = f'write `{base}[{listed}]` with its values, or `{base}["{first}"]`'
    if len(keys) != size:
        message = f"a key of `{parts.dim.name}` has {size} parts, got {len(keys)}"
        span = Span(node.span.source, keys[0].arg.span.start, keys[-1].arg.span.end)
        return Diagnostic(WRONG_COUNT, message, Label(span), hint)
    at = next(i for i, (k, t) in enumerate(zip(keys, parts.types, strict=True)) if not _fits(k, t))
    wanted, given = replace(parts.types[at], dims=()), keys[at].part.operand.type
    message = f"`{parts.columns[at]}` of a key of `{parts.dim.name}` is {wanted}, this is {given}"
    return Diagnostic(WRONG_ARGUMENT, message, Label(keys[at].arg.span), hint)
