"""Keys in brackets: which dim a key fits, and its form for that dim."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calcgraph.check.codes import UNKNOWN_KEY, WRONG_ARGUMENT
from calcgraph.check.words import rows_text
from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.nearest import did_you_mean
from calcgraph.core.type import Kind
from calcgraph.lang.expr import Entry, Expr, Name, Period, Text
from calcgraph.model import Const

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calcgraph.check.lowered import TypedExpr
    from calcgraph.core.dim import Dim
    from calcgraph.core.source import Span


@dataclass(frozen=True, slots=True)
class Key:
    """A key as written, and typed."""

    arg: Expr
    part: TypedExpr
    joined_span: Span | None = None

    @property
    def span(self) -> Span:
        """Its source span, with all its parts."""
        return self.joined_span or self.arg.span


def takes(dim: Dim, key: Key, roots: Mapping[str, str]) -> bool:
    """Whether a key fits a dim: by its kind, and by the dim or table it is a key of."""
    type_ = key.part.operand.type
    if isinstance(key.arg, Period) and key.joined_span is None:
        return dim.kind == "time"
    if type_.kind is Kind.ANY:
        return True
    if type_.table:
        return roots.get(type_.table, type_.table) == roots.get(dim.name, dim.name)
    if type_.kind is Kind.NUMBER:
        return dim.kind == "count" and type_.unit.is_pure
    return type_.kind is dim.type.kind


def key_op(dim: Dim, key: Key, node: Entry, *, is_only: bool, fits: bool) -> TypedExpr | Diagnostic:
    """Type a key for a dim; a literal must be one of the dim's labels."""
    type_, constant = key.part.operand.type, key.part.operand.constant
    span = key.span
    if not fits:
        return _key_misfit(dim, key, node, is_only=is_only)
    if constant is None:
        return key.part
    if isinstance(key.arg, Period) and key.joined_span is None:
        label = key.arg.text
        if label.count("-") == 2 and dim.step != "day":  # noqa: PLR2004 - a day, not a month
            label = label[:7] if label.endswith("-01") else label
    elif type_.kind is Kind.NUMBER:
        label = f"{constant:.15g}"
    else:
        label = str(constant)
    if label not in dim.labels:
        what = "row" if dim.kind in {"table", "grid"} else "label"
        whose = "table" if dim.kind == "table" else "dim"
        message = f"the {whose} `{dim.name}` has no {what} `{label}`"
        hint = _labels_text(dim)
        if dim.kind not in {"time", "count"}:
            hint = did_you_mean(label, dim.labels, hint)
        return Diagnostic(UNKNOWN_KEY, message, Label(span), hint)
    value = dim.keys[dim.labels.index(label)]
    operand = replace(key.part.operand, type=dim.type, constant=value)
    return replace(key.part, operand=operand, op=Const(value))


def _labels_text(dim: Dim) -> str:
    if dim.kind in {"time", "count"}:
        return f"it goes from {dim.labels[0]} to {dim.labels[-1]}"
    return (
        rows_text(dim.labels)
        if dim.kind == "table"
        else rows_text(dim.labels).replace("its rows", "its labels")
    )


def _key_misfit(dim: Dim, key: Key, node: Entry, *, is_only: bool) -> Diagnostic:
    """Explain why a key fits none of the remaining dims."""
    type_, span = key.part.operand.type, key.span
    if type_.table and type_.table != dim.name:
        hint = f"use an input with `choices: {dim.name}`"
        hint = hint if dim.kind == "table" else f"use a key of `{dim.name}`"
        message = f"this is {type_}, not a key of `{dim.name}`"
        return Diagnostic(WRONG_ARGUMENT, message, Label(span), hint)
    need = {"time": "a period, such as " + dim.labels[0], "count": "a position, from 0"}.get(
        dim.kind, "a text"
    )
    given = str(type_)
    if isinstance(key.arg, Period):
        given = "a period"
    constant = key.part.operand.constant
    text = f"{constant:.15g}" if isinstance(constant, float) else str(constant)
    is_word = type_.kind is Kind.NUMBER and key.part.operand.bare
    hint = _labels_text(dim)
    if need == "a text" and span.text in dim.labels:
        hint = f'write `{node.base.text}["{span.text}"]`' if is_only else f'write `"{span.text}"`'
    elif need != "a text" and text in dim.labels and isinstance(key.arg, Text):
        hint = f"leave the quotes out: `{node.base.text}[{text}]`" if is_only else f"write `{text}`"
    elif dim.kind == "time" and is_word and any(one.startswith(text) for one in dim.labels):
        label = next(one for one in dim.labels if one.startswith(text))
        hint = f"write `{label}`"
    elif need == "a text" and isinstance(key.arg, Name):
        hint = "use a text, or an input with `choices: " + f"{dim.name}`"
    whose = f" of `{dim.name}`" if dim.kind != "table" else ""
    return Diagnostic(WRONG_ARGUMENT, f"a key{whose} is {need}, this is {given}", Label(span), hint)
