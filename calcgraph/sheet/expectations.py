"""Reading published and budgeted figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.sheet import codes, schema
from calcgraph.sheet.declarations import Expectation
from calcgraph.sheet.yaml_tree import Node, Scalar, Sequence

if TYPE_CHECKING:
    from calcgraph.sheet.reading import Reading


def read_expectations(reading: Reading, node: Node) -> tuple[Expectation, ...]:
    """Read one figure or a list of them."""
    nodes = node.items if isinstance(node, Sequence) else (node,)
    found = [_expectation(reading, item) for item in nodes]
    return tuple(item for item in found if item is not None)


def _expectation(reading: Reading, node: Node) -> Expectation | None:
    if isinstance(node, Scalar):
        return Expectation(node)
    if isinstance(node, Sequence):
        hint = "write `- value` for each of several"
        reading.say(codes.SHAPE, "an expectation is one value, not a list", node.span, hint)
        return None
    found = reading.entries(node, schema.EXPECT, "an expectation")
    value = reading.scalar(found["value"][1], "`value`") if "value" in found else None
    if value is None and "value" not in found:
        reading.say(codes.MISSING_KEY, "an expectation has no `value`", node.span, "add `value: …`")
    if value is None:
        return None
    verdict = reading.text(found["verdict"][1], "`verdict`") if "verdict" in found else ""
    why = reading.text(found["why"][1], "`why`") if "why" in found else ""
    if verdict not in {"", "wrong"}:
        hint = "leave it out for a figure that should agree"
        reading.say(codes.SHAPE, "the only verdict is `wrong`", found["verdict"][1].span, hint)
    if verdict == "wrong" and not why:
        reading.say(
            codes.MISSING_KEY,
            "a verdict needs a `why`",
            found["verdict"][0].span,
            "say why it is wrong",
        )
    within = reading.scalar(found["within"][1], "`within`") if "within" in found else None
    source = reading.provenance(found["source"][1]) if "source" in found else None
    at = _labels(reading, found["at"][1]) if "at" in found else ()
    return Expectation(value, within, source, verdict, why, at)


def _labels(reading: Reading, node: Node) -> tuple[Scalar, ...]:
    """Read one label, or one for each dim."""
    nodes = reading.items(node, "`at`") if isinstance(node, Sequence) else (node,)
    if isinstance(node, Sequence) and not node.items:
        hint = "name the label, or leave it out"
        reading.say(codes.SHAPE, "`at` is empty", node.span, hint)
    found = [reading.scalar(item, "`at`") for item in nodes]
    return tuple(item for item in found if item is not None)
