"""Reading what an input along dims holds: values by label, in a list, or in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.core.nearest import did_you_mean
from calcgraph.sheet import codes, schema
from calcgraph.sheet.declarations import CsvData, InputDecl, SeriesEntry
from calcgraph.sheet.yaml_tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calcgraph.sheet.reading import Reading

_WHERE_FROM = ("value", "values", "from_csv")


def refuse_series(
    reading: Reading, name: str, found: dict[str, tuple[Scalar, Node]]
) -> dict[str, tuple[Scalar, Node]]:
    """Refuse the keys of a series for an input without dims; return the others."""
    keys = [found[key][0] for key in schema.SERIES_INPUT if key in found]
    if keys:
        key = min(keys, key=lambda key: key.span.start)
        message = f"`{key.text.text}` belongs to a series, but `{name}` names no dim"
        hint = f"name its dims, as in `{name}[month]`, or give one `value`"
        reading.say(codes.SHAPE, message, key.span, hint)
    return {key: entry for key, entry in found.items() if key not in schema.SERIES_INPUT}


def everywhere(value: Scalar | None) -> tuple[SeriesEntry, ...]:
    """Assign one value to all labels."""
    return () if value is None else (SeriesEntry((), value),)


def read_entries(
    reading: Reading, decl: InputDecl, found: dict[str, tuple[Scalar, Node]], value: Scalar | None
) -> tuple[SeriesEntry, ...]:
    """Read the values of a series, of which ``value`` is the one given for all labels.

    Where one is wrong there are none, lest the labels it was for be called empty.
    """
    before = len(reading.findings)
    given = [key for key in _WHERE_FROM if key in found]
    if len(given) > 1:
        first, second = given[:2]
        message = f"`{decl.name}` has both `{first}` and `{second}`"
        hint = "keep one of them; `fill` says what labels left out hold"
        reading.say(codes.SHAPE, message, found[second][0].span, hint)
    if not given:
        hint = "write `values: {label: …}`, or `value: …` for the same one everywhere"
        message = f"the input `{decl.name}` has no `values`"
        reading.say(codes.MISSING_KEY, message, decl.key.span, hint)
    if "values" in found:
        entries = _values(reading, decl, found["values"][1])
        return entries if len(reading.findings) == before else ()
    return everywhere(value)


def read_fill(reading: Reading, found: dict[str, tuple[Scalar, Node]]) -> Scalar | None:
    """Read what labels left out hold."""
    fill = reading.scalar(found["fill"][1], "`fill`") if "fill" in found else None
    if fill is None or fill.text.text in schema.FILLS:
        return fill
    hint = did_you_mean(fill.text.text, schema.FILLS, "write `zero`, or leave it out")
    message = f"`fill` is one of {', '.join(schema.FILLS)}"
    reading.say(codes.SHAPE, message, fill.span, hint)
    return None


def read_csv_path(reading: Reading, found: dict[str, tuple[Scalar, Node]]) -> CsvData | None:
    """Read the path of a file with values."""
    path = reading.scalar(found["from_csv"][1], "`from_csv`") if "from_csv" in found else None
    return CsvData(path) if path else None


def _values(reading: Reading, decl: InputDecl, node: Node) -> tuple[SeriesEntry, ...]:
    if isinstance(node, Scalar):
        if value := reading.scalar(node, "`values`"):
            hint = f"write `value: {value.text.text}` for the same value everywhere"
            reading.say(codes.SHAPE, "`values` is a single value", node.span, hint)
        return ()
    if not (node.entries if isinstance(node, Mapping) else node.items):
        hint = "give one, or write `value: 0` for the same value everywhere"
        reading.say(codes.SHAPE, "`values` is empty", node.span, hint)
    return tuple(_level(reading, decl, node, ()))


def _level(
    reading: Reading, decl: InputDecl, node: Node, keys: tuple[Scalar, ...]
) -> Iterator[SeriesEntry]:
    """Read the entries under ``keys``, the labels of the first dims."""
    rest = [dim.text.text for dim in decl.dims[len(keys) :]]
    if isinstance(node, Scalar):
        value = reading.scalar(node, "a value")
        if value is not None and not rest:
            yield SeriesEntry(keys, value)
        elif value is not None:
            message = f"`{keys[-1].text.text}` has one value, but `{decl.name}` varies over "
            message += f"`{rest[0]}` too"
            hint = f"write {{label of {rest[0]}: value, …}}, or a list of all of them"
            reading.say(codes.SHAPE, message, value.span, hint)
    elif not rest:
        hint = f"give one value to a label of `{decl.dims[-1].text.text}`"
        message = f"`{decl.name}` names no dim for what stands below `{keys[-1].text.text}`"
        reading.say(codes.SHAPE, message, node.span, hint)
    elif isinstance(node, Sequence):
        yield from _list(reading, node, keys, rest)
    else:
        reading.empty_values(node)
        for key, inner in node.entries:
            if not reading.was_cut(key, inner, node):
                yield from _level(reading, decl, inner, (*keys, key))


def _list(
    reading: Reading, node: Sequence, keys: tuple[Scalar, ...], rest: list[str]
) -> Iterator[SeriesEntry]:
    if len(rest) > 1:
        hint = f"write {{label of {rest[0]}: [values along {rest[-1]}]}}"
        message = (
            f"a list holds the values along `{rest[-1]}`; here stand the labels of `{rest[0]}`"
        )
        reading.say(codes.SHAPE, message, node.span, hint)
        return
    for position, item in enumerate(reading.items(node, "`values`")):
        value = reading.scalar(item, "a value")
        if value is not None:
            yield SeriesEntry(keys, value, position)
