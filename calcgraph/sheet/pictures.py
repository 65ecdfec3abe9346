"""Sensitivities: their keys are read, and nothing else as yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.sheet import codes, schema
from calcgraph.sheet.reading import is_empty
from calcgraph.sheet.yaml_tree import Mapping, Node, Scalar

if TYPE_CHECKING:
    from collections.abc import Mapping as Keys

    from calcgraph.sheet.reading import Reading


def check_pictures(reading: Reading, found: dict[str, tuple[Scalar, Node]]) -> None:
    """Say which keys of sensitivities are wrong, or missing."""
    for section, keys, what, needed in (
        ("sensitivity", schema.SENSITIVITY, "a sensitivity", ("of",)),
    ):
        if section not in found or is_empty(found[section][1]):
            continue
        for item in reading.items(found[section][1], f"`{section}`"):
            mapping = reading.mapping(item, what)
            if mapping:
                _check(reading, mapping, keys, what, needed)


def _check(
    reading: Reading, node: Mapping, keys: Keys[str, str], what: str, needed: tuple[str, ...]
) -> None:
    found = reading.entries(node, keys, what)
    missing = next((key for key in needed if key not in found), None)
    if missing:
        hint = f"add `{missing}: …`"
        reading.say(codes.MISSING_KEY, f"{what} has no `{missing}`", node.span, hint)
    for key in {"rows", "columns"} & found.keys():
        reading.mapping(found[key][1], f"`{key}`")
