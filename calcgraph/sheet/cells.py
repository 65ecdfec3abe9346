"""Inputs, formulas and expected values as declared in a sheet."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from calcgraph.core.diagnostics import nearest
from calcgraph.core.numbers import split_number
from calcgraph.sheet import schema
from calcgraph.sheet.declarations import CalcDecl, ExpectationDecl, InputDecl
from calcgraph.sheet.dimensions import (
    everywhere,
    read_csv_path,
    read_entries,
    read_fill,
    refuse_series,
)
from calcgraph.sheet.fields import NAME, is_empty
from calcgraph.sheet.schema import BAD_NAME, DUPLICATE_KEY, MISSING_KEY, SHAPE, UNKNOWN_KEY
from calcgraph.sheet.yaml_reader import YamlMapping, YamlNode, YamlScalar, YamlSequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from calcgraph.language.ast import Formula
    from calcgraph.sheet.fields import SheetReading


_DIM = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")


@dataclass(frozen=True, slots=True)
class CellKey:
    """The text before a cell's colon, and the heading above it."""

    name: str
    key: YamlScalar
    heading: str
    dims: tuple[YamlScalar, ...] = ()


def has_brackets(key: YamlScalar) -> bool:
    """Whether a key names dims."""
    return "[" in key.text.text


def read_cell_key(reading: SheetReading, key: YamlScalar, heading: str) -> CellKey | None:
    """Read a key; give none where its name or its dims are wrong."""
    text = key.text.text
    start = text.find("[")
    if start < 0:
        name = reading.name(key, "a cell")
        return CellKey(name, key, heading) if name else None
    name = reading.name(part(key, 0, start), "a cell")
    if name is None or not _is_closed(reading, key, start):
        reading.lose_key(key)
        return None
    dims = read_cell_dims(reading, name, list(_split(key, start + 1, len(text.rstrip()) - 1)))
    if not dims:
        reading.lose_key(key)
        return None
    return CellKey(name, key, heading, dims)


def part(key: YamlScalar, start: int, end: int) -> YamlScalar:
    """Return part of a scalar, without surrounding white space."""
    piece = key.text.text[start:end]
    start += len(piece) - len(piece.lstrip())
    end = max(start, end - (len(piece) - len(piece.rstrip())))
    return YamlScalar(key.text.part(start, end), key.text.span(start, end))


def read_cell_dims(
    reading: SheetReading, cell: str, names: list[YamlScalar]
) -> tuple[YamlScalar, ...]:
    """Read names of dims, each once; give none where one is wrong."""
    seen: set[str] = set()
    for name in names:
        text = name.text.text
        if not _DIM.fullmatch(text):
            hint = "name a dim, as in `month` or `hw.accelerators`"
            if text[:1].isdigit():
                hint += "; the value of one label goes under `values`"
            what = f"`{text}` is not the name of a dim" if text else "a dim is missing"
            reading.say(BAD_NAME, what, name.span, hint)
            return ()
        if text in seen:
            hint = f"leave one out; a second axis of the same labels is a dim `{{like: {text}}}`"
            message = f"`{cell}` names the dim `{text}` twice"
            reading.say(DUPLICATE_KEY, message, name.span, hint)
            return ()
        seen.add(text)
    return tuple(names)


def _is_closed(reading: SheetReading, key: YamlScalar, start: int) -> bool:
    """Report brackets that do not end the key, or hold nothing."""
    text = key.text.text.rstrip()
    end = text.find("]")
    if end < 0:
        message, hint = f"the bracket of `{text}` is not closed", f"write `{text}]`"
    elif "][" in text:
        message = f"`{text}` has several brackets"
        hint = f"name all dims in one, as in `{text.replace('][', ', ')}`"
    elif end < len(text) - 1:
        message, hint = f"there is text after the bracket of `{text}`", f"write `{text[: end + 1]}`"
    elif not text[start + 1 : end].strip():
        message = f"the bracket of `{text}` names no dim"
        hint = f"name one, as in `{text[:start]}[month]`, or write `{text[:start]}`"
    else:
        return True
    reading.say(BAD_NAME, message, key.text.span(start, len(text)), hint)
    return False


def _split(key: YamlScalar, start: int, end: int) -> Iterator[YamlScalar]:
    """Go through what commas part."""
    for piece in key.text.text[start:end].split(","):
        yield part(key, start, start + len(piece))
        start += len(piece) + 1


def read_expectations(reading: SheetReading, node: YamlNode) -> tuple[ExpectationDecl, ...]:
    """Read one figure or a list of them."""
    nodes = node.items if isinstance(node, YamlSequence) else (node,)
    found = [_expectation(reading, item) for item in nodes]
    return tuple(item for item in found if item is not None)


def _expectation(reading: SheetReading, node: YamlNode) -> ExpectationDecl | None:
    if isinstance(node, YamlScalar):
        return ExpectationDecl(node)
    if isinstance(node, YamlSequence):
        hint = "write `- value` for each of several"
        reading.say(SHAPE, "an expectation is one value, not a list", node.span, hint)
        return None
    found = reading.entries(node, schema.EXPECT, "an expectation")
    value = reading.scalar(found["value"][1], "`value`") if "value" in found else None
    if value is None and "value" not in found:
        reading.say(MISSING_KEY, "an expectation has no `value`", node.span, "add `value: …`")
    if value is None:
        return None
    verdict = reading.text(found["verdict"][1], "`verdict`") if "verdict" in found else ""
    why = reading.text(found["why"][1], "`why`") if "why" in found else ""
    if verdict not in {"", "wrong"}:
        hint = "leave it out for a figure that should agree"
        reading.say(SHAPE, "the only verdict is `wrong`", found["verdict"][1].span, hint)
    if verdict == "wrong" and not why:
        reading.say(
            MISSING_KEY,
            "a verdict needs a `why`",
            found["verdict"][0].span,
            "say why it is wrong",
        )
    within = reading.scalar(found["within"][1], "`within`") if "within" in found else None
    source = reading.provenance(found["source"][1]) if "source" in found else None
    at = _labels(reading, found["at"][1]) if "at" in found else ()
    return ExpectationDecl(value, within, source, verdict, why, at)


def _labels(reading: SheetReading, node: YamlNode) -> tuple[YamlScalar, ...]:
    """Read one label, or one for each dim."""
    nodes = reading.items(node, "`at`") if isinstance(node, YamlSequence) else (node,)
    if isinstance(node, YamlSequence) and not node.items:
        hint = "name the label, or leave it out"
        reading.say(SHAPE, "`at` is empty", node.span, hint)
    found = [reading.scalar(item, "`at`") for item in nodes]
    return tuple(item for item in found if item is not None)


D = TypeVar("D")
_KEYS = {*schema.INPUT, *schema.CALC, *schema.SERIES_INPUT}


def read_inputs(reading: SheetReading, node: YamlNode) -> tuple[InputDecl, ...]:
    """Read the ``inputs`` section."""
    return tuple(_cells(reading, node, "`inputs`", _input))


def read_calcs(reading: SheetReading, node: YamlNode) -> tuple[CalcDecl, ...]:
    """Read the ``calc`` section."""
    return tuple(_cells(reading, node, "`calc`", _calc))


def _cells(
    reading: SheetReading,
    node: YamlNode,
    what: str,
    read: Callable[[SheetReading, CellKey, YamlNode], D],
    heading: str = "",
) -> Iterator[D]:
    """Go through cells and headings; a heading starts with a capital letter."""
    mapping = reading.mapping(node, what)
    before: YamlNode | None = None
    for key, value in mapping.entries if mapping else ():
        word = key.text.text
        if mapping and reading.was_cut(key, value, mapping):
            continue
        if _is_misindented(key, before):
            above = next(k.text.text for k, v in mapping.entries if v is before) if mapping else ""
            hint = f"indent it under `{above}`; a cell cannot be called `{word}` here"
            message = f"`{word}` is where a cell's name belongs"
            reading.say(UNKNOWN_KEY, message, key.span, hint)
            reading.lose_key(key)
        elif word[:1].isupper() or (not has_brackets(key) and _is_lower_heading(value)):
            if not _is_heading(reading, key, value, heading):
                continue
            yield from _cells(reading, value, f"the heading `{word}`", read, word)
        elif cell := read_cell_key(reading, key, heading):
            yield read(reading, cell, value)
        before = value


def _is_misindented(key: YamlScalar, before: YamlNode | None) -> bool:
    """Whether a key of the cell above has slipped to the left, where it would pass for a cell."""
    if not isinstance(before, YamlMapping) or before.flow or key.text.text not in _KEYS:
        return False
    keys = {inner.text.text for inner, _ in before.entries}
    return key.text.text not in keys and bool(keys & _KEYS)


def _is_lower_heading(node: YamlNode) -> bool:
    """Whether what should be the keys of a cell are cells themselves."""
    if not isinstance(node, YamlMapping) or node.flow or not node.entries:
        return False
    keys = [key.text.text for key, _ in node.entries]
    return any(map(NAME.fullmatch, keys)) and not any(nearest(key, _KEYS) for key in keys)


def _is_heading(reading: SheetReading, key: YamlScalar, node: YamlNode, outer: str) -> bool:
    """Report what is wrong with a heading; its cells, if it has any, are still read."""
    word = key.text.text
    if outer:
        hint = f"move `{word}` out of `{outer}`"
        reading.say(SHAPE, "a heading holds cells, no other heading", key.span, hint)
    elif not word[:1].isupper():
        hint = f"write `{word[:1].upper()}{word[1:]}`"
        message = f"`{word}` holds cells, and a heading starts with a capital letter"
        reading.say(BAD_NAME, message, key.span, hint)
    elif has_brackets(key) and isinstance(node, YamlMapping) and not _holds_cell_keys(node):
        name, dims = word[: word.index("[")].strip(), word[word.index("[") :]
        hint = f"write `{name}`, and `{dims}` behind the names of its cells"
        reading.say(BAD_NAME, "a heading names no dims", key.span, hint)
    elif (isinstance(node, YamlScalar) and not is_empty(node)) or has_brackets(key):
        reading.lose_key(key)
        message = f"`{word}` starts with a capital letter, so it is a heading over cells"
        reading.say(BAD_NAME, message, key.span, f"write `{word.lower()}` for a cell")
        return False
    return True


def _holds_cell_keys(node: YamlMapping) -> bool:
    return any(key.text.text in _KEYS for key, _ in node.entries)


def _input(reading: SheetReading, cell: CellKey, node: YamlNode) -> InputDecl:
    decl = InputDecl(cell.name, cell.key, cell.heading, None, dims=cell.dims)
    if isinstance(node, YamlMapping):
        return _full_input(reading, decl, node)
    if isinstance(node, YamlScalar):
        return _with_value(reading, decl, reading.scalar(node, f"the input `{cell.name}`"))
    hint = "give the usual one; others are tried with `--set` or in scenarios"
    if cell.dims:
        hint = f"write `{{values: {node.span.text}}}` for the values of all labels in order"
    reading.say(SHAPE, f"the input `{cell.name}` is a single value", node.span, hint)
    return decl


def _with_value(reading: SheetReading, decl: InputDecl, node: YamlScalar | None) -> InputDecl:
    value = _value(reading, decl.name, node)
    return replace(decl, entries=everywhere(value)) if decl.dims else replace(decl, value=value)


def _full_input(reading: SheetReading, decl: InputDecl, node: YamlMapping) -> InputDecl:
    if decl.dims and not _names_a_key(node):
        hint = "write `values:` above them, and indent them below it"
        message = f"the labels of `{decl.name}` belong under `values`"
        reading.say(SHAPE, message, decl.key.span, hint)
        reading.lose(node)
        return decl
    found = reading.entries(node, (*schema.INPUT, *schema.SERIES_INPUT), "an input", decl.name)
    if not decl.dims:
        _needs_value(reading, decl, node, found)
        found = refuse_series(reading, decl.name, found)
    single = {
        k: reading.scalar(v, f"`{k}`")
        for k, (_, v) in found.items()
        if k in schema.INPUT and k not in {*schema.ABOUT, "choices"}
    }
    full = replace(
        decl,
        unit=single.get("unit"),
        least=single.get("min"),
        most=single.get("max"),
        choices=_choices(reading, found["choices"][1]) if "choices" in found else None,
        uncertain=single.get("uncertain"),
        about=reading.about(found),
    )
    if not decl.dims:
        return _with_value(reading, full, single.get("value"))
    value = _value(reading, decl.name, single.get("value"))
    entries = read_entries(reading, decl, found, value)
    fill = read_fill(reading, found)
    if "fill" in found and fill is None:
        return full  # broken: the labels left out would be called empty
    return replace(full, entries=entries, fill=fill, csv=read_csv_path(reading, found))


def _names_a_key(node: YamlMapping) -> bool:
    """Whether there is a key of an input, or what looks like one, or nothing at all."""
    names = [key.text.text for key, _ in node.entries]
    known = (*schema.INPUT, *schema.SERIES_INPUT)
    return not names or any(nearest(name, known) for name in names)


def _needs_value(
    reading: SheetReading,
    decl: InputDecl,
    node: YamlMapping,
    found: dict[str, tuple[YamlScalar, YamlNode]],
) -> None:
    """Report a missing value, unless another finding explains it."""
    is_whole = bool(node.entries) or not node.span.text.strip("{} \n")
    was_cut = any(reading.was_cut(key, value, node) for key, value in node.entries)
    others = {entry.text.text for entry, _ in node.entries} - set(schema.INPUT)
    if "value" not in found and is_whole and not was_cut and not others:
        hint = "write `value: …`, or `value: null` for an optional input"
        message = f"the input `{decl.name}` has no `value`"
        reading.say(MISSING_KEY, message, decl.key.span, hint)


def _value(reading: SheetReading, name: str, node: YamlScalar | None) -> YamlScalar | None:
    """Return an input's value; a formula is refused."""
    if node is None or is_empty(node):
        return None
    if not _is_formula(node):
        return node
    hint = "move it under `calc`"
    reading.say(SHAPE, f"the input `{name}` is a formula", node.span, hint)
    return None


def _choices(reading: SheetReading, node: YamlNode) -> tuple[YamlScalar, ...] | YamlScalar | None:
    if isinstance(node, YamlScalar):
        return node
    items = reading.items(node, "`choices`")
    if isinstance(node, YamlSequence) and not node.items:
        hint = "list the values allowed, or leave it out"
        reading.say(SHAPE, "`choices` is empty", node.span, hint)
    found = [reading.scalar(item, "a choice") for item in items]
    return tuple(item for item in found if item is not None) or None


def _is_formula(node: YamlScalar) -> bool:
    return node.text.text.lstrip().startswith("=")


def _calc(reading: SheetReading, cell: CellKey, node: YamlNode) -> CalcDecl:
    decl = CalcDecl(cell.name, cell.key, cell.heading, None, None, dims=cell.dims)
    if isinstance(node, YamlScalar):
        return replace(decl, formula=_formula(reading, node), text=node)
    if isinstance(node, YamlSequence):
        message = "a calculated cell is a formula and starts with `=`"
        reading.say(SHAPE, message, node.span, "write one formula, `= …`")
        return decl
    found = reading.entries(node, schema.CALC, "a calculated cell", cell.name)
    text = reading.scalar(found["formula"][1], "`formula`") if "formula" in found else None
    if "formula" not in found:
        hint = 'write `formula: "= …"`; a value that somebody sets belongs under `inputs`'
        reading.say(MISSING_KEY, f"`{cell.name}` has no `formula`", cell.key.span, hint)
    return replace(
        decl,
        expects=read_expectations(reading, found["expect"][1]) if "expect" in found else (),
        formula=_formula(reading, text) if text else None,
        text=text,
        about=reading.about(found),
    )


def _formula(reading: SheetReading, node: YamlScalar) -> Formula | None:
    if _is_formula(node):
        return reading.formula(node)
    if is_empty(node):
        return None
    text = node.text.text.strip()
    number, unit = split_number(text)
    if number and unit.strip():
        text = f"{number} [{unit.strip()}]"
    hint = f"write `= {text}`, or move it under `inputs` if somebody sets it"
    reading.say(SHAPE, "a calculated cell is a formula and starts with `=`", node.span, hint)
    return None
