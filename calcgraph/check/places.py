"""Resolve the keys of a series entry to its flat index."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.check.series import UNKNOWN_LABEL, find_label, unknown_label
from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.graph import Graph
    from calcgraph.model import Cell
    from calcgraph.sheet.yaml_tree import Scalar


def resolve_labels(
    graph: Graph, cell: Cell, keys: Sequence[Scalar], place: Scalar
) -> int | Diagnostic:
    """Return the flat index of the entry at some keys, one for each dim, in any order."""
    dims = [graph.dims[name] for name in cell.type.dims]
    shown = ", ".join(dim.name for dim in dims)
    if len(dims) == 1 < len(keys):  # a label with a comma in it, or a key in its parts
        words = [unquoted(key.text.text) for key in keys]
        for sign in (",", ", ", "/"):
            at = find_label(dims[0], sign.join(words))
            if at is not None:
                return at
    if len(keys) != len(dims):
        example = ", ".join(dim.labels[0] for dim in dims)
        message = f"`{cell.name}` varies over {shown}: name one label"
        hint = f"write `{cell.name}[{example}]`, or `at: {example}` beside an expectation"
        if not dims:
            message, hint = f"`{cell.name}` is a single value", "leave the label out"
        elif len(dims) > 1:
            message += " of each"
        return Diagnostic(UNKNOWN_LABEL, message, Label(place.span), hint)
    found: dict[str, int] = {}
    for key in keys:
        text = unquoted(key.text.text)
        left = [dim for dim in dims if dim.name not in found]
        hits = [(dim, at) for dim in left if (at := find_label(dim, text)) is not None]
        if not hits:
            return unknown_label(left[0], key)
        found[hits[0][0].name] = hits[0][1]
    return Shape(tuple(dims)).ravel(found[dim.name] for dim in dims)


def unquoted(text: str) -> str:
    """Strip the quotes of a key, of either kind."""
    text = text.strip()
    for quote in "\"'":
        if len(text) > 1 and text[0] == text[-1] == quote:
            return text[1:-1]
    return text


def split_address(address: Scalar) -> tuple[Scalar, tuple[Scalar, ...]]:
    """Split ``cash[2026-12]`` into the name and its keys, each with its span."""
    text = address.text
    start = text.text.find("[")
    if start < 0 or not text.text.rstrip().endswith("]"):
        return address, ()
    keys: list[Scalar] = []
    begin = start + 1
    for piece in text.text[begin : text.text.rindex("]")].split(","):
        left = begin + len(piece) - len(piece.lstrip())
        keys.append(replace(address, text=text.part(left, begin + len(piece.rstrip()))))
        begin += len(piece) + 1
    return replace(address, text=text.part(0, start)), tuple(keys)
