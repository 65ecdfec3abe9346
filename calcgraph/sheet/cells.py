"""Reading inputs, formulas and expectations."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from calcgraph.core.nearest import nearest
from calcgraph.lang.numbers import split_number
from calcgraph.sheet import codes, schema
from calcgraph.sheet.declarations import (
    CalcDecl,
    Expectation,
    InputDecl,
)
from calcgraph.sheet.reading import NAME, is_empty
from calcgraph.sheet.yaml_tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from calcgraph.lang.expr import Formula
    from calcgraph.sheet.reading import Reading

D = TypeVar("D")
_KEYS = {*schema.INPUT, *schema.CALC, *schema.SERIES_INPUT}


def read_inputs(reading: Reading, node: Node) -> tuple[InputDecl, ...]:
    """Read what stands under ``inputs``."""
    return tuple(_cells(reading, node, "`inputs`", _input))


def read_calcs(reading: Reading, node: Node) -> tuple[CalcDecl, ...]:
    """Read what stands under ``calc``."""
    return tuple(_cells(reading, node, "`calc`", _calc))


def _cells(
    reading: Reading,
    node: Node,
    what: str,
    read: Callable[[Reading, Scalar, str, str, Node], D],
    heading: str = "",
) -> Iterator[D]:
    """Go through cells and headings; a heading starts with a capital letter."""
    mapping = reading.mapping(node, what)
    before: Node | None = None
    for key, value in mapping.entries if mapping else ():
        word = key.text.text
        if mapping and reading.was_cut(key, value, mapping):
            continue
        if _is_misindented(key, before):
            above = next(k.text.text for k, v in mapping.entries if v is before) if mapping else ""
            hint = f"indent it under `{above}`; a cell cannot be called `{word}` here"
            message = f"`{word}` stands where a cell's name stands"
            reading.say(codes.UNKNOWN_KEY, message, key.span, hint)
            reading.lose_key(key)
        elif word[:1].isupper() or _is_lower_heading(value):
            if not _is_heading(reading, key, value, heading):
                continue
            yield from _cells(reading, value, f"the heading `{word}`", read, word)
        elif name := reading.name(key, "a cell"):
            yield read(reading, key, name, heading, value)
        before = value


def _is_misindented(key: Scalar, before: Node | None) -> bool:
    """Whether a key of the cell above has slipped to the left, where it would pass for a cell."""
    if not isinstance(before, Mapping) or before.flow or key.text.text not in _KEYS:
        return False
    keys = {inner.text.text for inner, _ in before.entries}
    return key.text.text not in keys and bool(keys & _KEYS)


def _is_lower_heading(node: Node) -> bool:
    """Whether what should be the keys of a cell are cells themselves."""
    if not isinstance(node, Mapping) or node.flow or not node.entries:
        return False
    keys = [key.text.text for key, _ in node.entries]
    return any(map(NAME.fullmatch, keys)) and not any(nearest(key, _KEYS) for key in keys)


def _is_heading(reading: Reading, key: Scalar, node: Node, outer: str) -> bool:
    """Say what is wrong with a heading; what it holds is read all the same, if it holds cells."""
    word = key.text.text
    if outer:
        hint = f"move `{word}` out of `{outer}`"
        reading.say(codes.SHAPE, "a heading holds cells, no other heading", key.span, hint)
    elif not word[:1].isupper():
        hint = f"write `{word[:1].upper()}{word[1:]}`"
        message = f"`{word}` holds cells, and a heading starts with a capital letter"
        reading.say(codes.BAD_NAME, message, key.span, hint)
    elif isinstance(node, Scalar) and not is_empty(node):
        reading.lose_key(key)
        message = f"`{word}` starts with a capital letter, so it is a heading over cells"
        reading.say(codes.BAD_NAME, message, key.span, f"write `{word.lower()}` for a cell")
        return False
    return True


def _input(reading: Reading, key: Scalar, name: str, heading: str, node: Node) -> InputDecl:
    if isinstance(node, Scalar):
        value = reading.scalar(node, f"the input `{name}`")
        return InputDecl(name, key, heading, _value(reading, name, value))
    if isinstance(node, Sequence):
        hint = "give the usual one; others are tried with `--set` or in scenarios"
        reading.say(codes.SHAPE, f"the input `{name}` is a single value", node.span, hint)
        return InputDecl(name, key, heading, None)
    found = _without_series(
        reading, reading.entries(node, (*schema.INPUT, *schema.SERIES_INPUT), "an input", name)
    )
    is_whole = bool(node.entries) or not node.span.text.strip("{} \n")
    if (
        "value" not in found
        and is_whole
        and not any(reading.was_cut(k, v, node) for k, v in node.entries)
    ):
        others = {entry.text.text for entry, _ in node.entries} - set(schema.INPUT)
        if not others:
            hint = "write `value: …`, or `value: null` for an optional input"
            reading.say(codes.MISSING_KEY, f"the input `{name}` has no `value`", key.span, hint)
    single = {
        k: reading.scalar(v, f"`{k}`")
        for k, (_, v) in found.items()
        if k in schema.INPUT and k not in {*schema.ABOUT, "choices"}
    }
    return InputDecl(
        name,
        key,
        heading,
        _value(reading, name, single.get("value")),
        single.get("unit"),
        single.get("min"),
        single.get("max"),
        _choices(reading, found["choices"][1]) if "choices" in found else None,
        single.get("uncertain"),
        reading.about(found),
    )


def _value(reading: Reading, name: str, node: Scalar | None) -> Scalar | None:
    """Give an input's value; a formula is no value."""
    if node is None or is_empty(node):
        return None
    if not _is_formula(node):
        return node
    hint = "move it under `calc`"
    reading.say(codes.SHAPE, f"the input `{name}` is a formula", node.span, hint)
    return None


def _without_series(
    reading: Reading, found: dict[str, tuple[Scalar, Node]]
) -> dict[str, tuple[Scalar, Node]]:
    keys = [found.pop(name)[0] for name in schema.SERIES_INPUT & found.keys()]
    if keys:
        key = min(keys, key=lambda key: key.span.start)
        message = f"`{key.text.text}`: series are not part of this version"
        reading.say(codes.NOT_YET, message, key.span, "give one `value`")
    return found


def _choices(reading: Reading, node: Node) -> tuple[Scalar, ...] | Scalar | None:
    if isinstance(node, Scalar):
        return node
    items = reading.items(node, "`choices`")
    if isinstance(node, Sequence) and not node.items:
        hint = "list the values allowed, or leave it out"
        reading.say(codes.SHAPE, "`choices` is empty", node.span, hint)
    found = [reading.scalar(item, "a choice") for item in items]
    return tuple(item for item in found if item is not None) or None


def _is_formula(node: Scalar) -> bool:
    return node.text.text.lstrip().startswith("=")


def _calc(reading: Reading, key: Scalar, name: str, heading: str, node: Node) -> CalcDecl:
    if isinstance(node, Scalar):
        return CalcDecl(name, key, heading, _formula(reading, node), node)
    if isinstance(node, Sequence):
        message = "a calculated cell is a formula and starts with `=`"
        reading.say(codes.SHAPE, message, node.span, "write one formula, `= …`")
        return CalcDecl(name, key, heading, None, None)
    found = reading.entries(node, schema.CALC, "a calculated cell", name)
    text = reading.scalar(found["formula"][1], "`formula`") if "formula" in found else None
    if "formula" not in found:
        hint = 'write `formula: "= …"`; a value that somebody sets stands under `inputs`'
        reading.say(codes.MISSING_KEY, f"`{name}` has no `formula`", key.span, hint)
    expects = read_expectations(reading, found["expect"][1]) if "expect" in found else ()
    formula = _formula(reading, text) if text else None
    return CalcDecl(name, key, heading, formula, text, expects, reading.about(found))


def _formula(reading: Reading, node: Scalar) -> Formula | None:
    if _is_formula(node):
        return reading.formula(node)
    if is_empty(node):
        return None
    text = node.text.text.strip()
    number, unit = split_number(text)
    if number and unit.strip():
        text = f"{number} [{unit.strip()}]"
    hint = f"write `= {text}`, or move it under `inputs` if somebody sets it"
    reading.say(codes.SHAPE, "a calculated cell is a formula and starts with `=`", node.span, hint)
    return None


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
    if "at" in found:
        message = "`at`: series are not part of this version"
        reading.say(codes.NOT_YET, message, found["at"][0].span, "leave it out for now")
    if value is None and "value" not in found:
        reading.say(codes.MISSING_KEY, "an expectation has no `value`", node.span, "add `value: …`")
    if value is None:
        return None
    verdict = reading.text(found["verdict"][1], "`verdict`") if "verdict" in found else ""
    why = reading.text(found["why"][1], "`why`") if "why" in found else ""
    if verdict not in {"", "wrong"}:
        hint = "leave it out for a figure that should agree"
        reading.say(codes.SHAPE, "the only verdict is `wrong`", found["verdict"][1].span, hint)
    if verdict and not why:
        reading.say(
            codes.MISSING_KEY,
            "a verdict needs a `why`",
            found["verdict"][0].span,
            "say why it is wrong",
        )
    within = reading.scalar(found["within"][1], "`within`") if "within" in found else None
    source = reading.provenance(found["source"][1]) if "source" in found else None
    return Expectation(value, within, source, verdict, why)
