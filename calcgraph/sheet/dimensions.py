"""Dimensions and series inputs as declared in a sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Diagnostic, Label, did_you_mean
from calcgraph.core.source import Span
from calcgraph.sheet import schema
from calcgraph.sheet.declarations import CsvData, DimDecl, GridColumn, InputDecl, SeriesEntry
from calcgraph.sheet.fields import is_empty
from calcgraph.sheet.schema import BAD_NAME, DUPLICATE_KEY, MISSING_KEY, SHAPE
from calcgraph.sheet.yaml_reader import (
    YamlMapping,
    YamlNode,
    YamlScalar,
    YamlSequence,
    difference_of_keys,
    fold_key,
)

if TYPE_CHECKING:
    from typing import Literal

    from calcgraph.sheet.fields import SheetReading

    Entries = dict[str, tuple[YamlScalar, YamlNode]]
    from collections.abc import Iterator


_KINDS: dict[str, Literal["count", "time", "like", "grid"]] = {
    "a count": "count",
    "a time axis": "time",
    "the labels of another dim": "like",
    "a grid": "grid",
}
ROW_KEY = "a key of a row"
_FORMS = "write [labels], {count: 64}, {from: 2026-01, to: 2028-12}, {like: dim} or {grid: …}"


def read_dims(reading: SheetReading, node: YamlNode) -> tuple[DimDecl, ...]:
    """Read the ``dims`` section."""
    mapping = reading.mapping(node, "`dims`")
    found: list[DimDecl] = []
    for key, value in mapping.entries if mapping else ():
        if mapping and reading.was_cut(key, value, mapping):
            continue
        name = reading.name(key, "a dim", callable_too=True)
        decl = _dim(reading, key, name, value) if name else None
        if decl:
            found.append(decl)
        else:
            reading.lose_key(key)
    return tuple(found)


def _dim(reading: SheetReading, key: YamlScalar, name: str, node: YamlNode) -> DimDecl | None:
    if isinstance(node, YamlSequence):
        labels = _labels(reading, name, node)
        return DimDecl(name, key, "labels", labels) if labels else None
    if isinstance(node, YamlScalar):
        if not is_empty(node):
            reading.say(SHAPE, f"the dim `{name}` is a single value", node.span, _FORMS)
        return None
    found = reading.entries(node, schema.DIM, "a dim")
    if any(inner.text.text not in schema.DIM for inner, _ in node.entries):
        return None  # what is missing may be what is misspelt
    kinds = [what for what, keys in schema.DIM_KINDS.items() if keys.keys() & found.keys()]
    if len(kinds) != 1:
        _not_one_kind(reading, name, node.span, found, kinds)
        return None
    missing = [one for one in _needed(kinds[0]) if one not in found]
    if missing:
        hint = f"add `{missing[0]}: …`"
        message = f"the dim `{name}` has no `{missing[0]}`"
        reading.say(MISSING_KEY, message, key.span, hint)
        return None
    return _one_kind(reading, DimDecl(name, key, _KINDS[kinds[0]]), found)


def _needed(what: str) -> list[str]:
    return [key for key in schema.DIM_KINDS[what] if key not in {"step", "where"}]


def _not_one_kind(
    reading: SheetReading, name: str, span: Span, found: Entries, kinds: list[str]
) -> None:
    """Report a dim with no definition, or with more than one."""
    if kinds:
        keys = [next(key for key in schema.DIM_KINDS[what] if key in found) for what in kinds]
        message = f"the dim `{name}` is both {kinds[0]} and {kinds[1]}"
        hint = f"keep `{keys[0]}` or `{keys[1]}`"
        reading.say(SHAPE, message, found[keys[1]][0].span, hint)
    else:
        reading.say(SHAPE, f"the dim `{name}` has no labels", span, _FORMS)


def _one_kind(reading: SheetReading, decl: DimDecl, found: Entries) -> DimDecl | None:
    single = {
        key: reading.scalar(found[key][1], f"`{key}`")
        for key in ("count", "from", "to", "step", "like")
        if key in found
    }
    if None in single.values():
        return None
    step = single.get("step")
    if step and step.text.text not in schema.STEPS:
        hint = did_you_mean(step.text.text, schema.STEPS, "leave it out for months")
        message = f"`step` is one of {', '.join(schema.STEPS)}"
        reading.say(SHAPE, message, step.span, hint)
        return None
    columns = _columns(reading, found["grid"][1]) if "grid" in found else ()
    if "grid" in found and not columns:
        return None
    where = reading.scalar(found["where"][1], "`where`") if "where" in found else None
    condition = reading.formula(where) if where else None
    if "where" in found and condition is None:
        return None  # without it there would be rows that nobody wants
    return DimDecl(
        decl.name,
        decl.key,
        decl.kind,
        count=single.get("count"),
        start=single.get("from"),
        end=single.get("to"),
        step=step,
        like=single.get("like"),
        columns=columns,
        where=condition,
        about=reading.about(found),
    )


def _labels(reading: SheetReading, name: str, node: YamlSequence) -> tuple[YamlScalar, ...]:
    """Read labels; give none where one is wrong: what it is used for would be called wrong too."""
    if not node.items:
        hint = "list them, as in `[us, eu]`"
        reading.say(SHAPE, f"the dim `{name}` has no labels", node.span, hint)
    items = [reading.scalar(item, "a label") for item in reading.items(node, f"`{name}`")]
    labels = [label for label in items if label is not None]
    legal = [label for label in labels if is_legal_label(reading, label, "a label")]
    kept = without_repeats(reading, legal, "label")
    return tuple(kept) if len(legal) == len(node.items) else ()


def is_legal_label(reading: SheetReading, label: YamlScalar, what: str) -> bool:
    """Report a text that cannot be a label or key: empty, or a pattern to spreadsheets."""
    text = label.text.text
    odd = next((char for char in text if char in "*?~"), None)
    if odd is None and text.strip():
        return True
    if odd is None:
        hint = "name the row" if what == ROW_KEY else "give it a text"
        reading.say(BAD_NAME, f"{what} is empty", label.span, hint)
    else:
        hint = f"leave `{odd}` out: spreadsheets read it as a pattern"
        reading.say(BAD_NAME, f"`{text}` is not {what}", label.span, hint)
    return False


def without_repeats(
    reading: SheetReading, texts: Iterable[YamlScalar], what: str
) -> list[YamlScalar]:
    """Drop repeated texts and report them; case does not count."""
    seen: dict[str, YamlScalar] = {}
    for text in texts:
        folded = fold_key(text.text.text.strip())
        if folded in seen:
            say_twice(reading, text, seen[folded], what)
        else:
            seen[folded] = text
    return list(seen.values())


def say_twice(reading: SheetReading, again: YamlScalar, first: YamlScalar, what: str) -> None:
    """Report a repeated text, with both places."""
    line = first.span.source.position(first.span.start)[0]
    why = difference_of_keys(first.text.text.strip(), again.text.text.strip())
    why = why or "; upper and lower case count as equal"
    reading.findings.append(
        Diagnostic(
            DUPLICATE_KEY,
            f"duplicate {what} '{again.text.text}', first in line {line}",
            Label(again.span, "again here"),
            f"keep one of them{why}",
            (Label(first.span, "first here"),),
        )
    )


def _columns(reading: SheetReading, node: YamlNode) -> tuple[GridColumn, ...]:
    """Read a grid's columns; give none where one is wrong: its rows would be others."""
    mapping = reading.mapping(node, "`grid`")
    if mapping and not mapping.entries:
        hint = "name columns with their values, as in `{tp: [1, 2, 4, 8]}`"
        reading.say(SHAPE, "the grid has no columns", mapping.span, hint)
    found: list[GridColumn] = []
    for key, value in mapping.entries if mapping else ():
        if mapping and reading.was_cut(key, value, mapping):
            return ()
        name = reading.name(key, "a column", callable_too=True)
        values = _column_values(reading, key, value)
        if name and values:
            found.append(GridColumn(name, key, values))
    return tuple(found) if mapping and len(found) == len(mapping.entries) else ()


def _column_values(
    reading: SheetReading, key: YamlScalar, node: YamlNode
) -> tuple[YamlScalar, ...]:
    if isinstance(node, YamlScalar):
        if not is_empty(node):
            hint = f"write `[{node.text.text}]`"
            message = f"the column `{key.text.text}` is a list of values"
            reading.say(SHAPE, message, node.span, hint)
        return ()
    if isinstance(node, YamlSequence) and not node.items:
        hint = "list its values; a grid holds each combination of them"
        reading.say(SHAPE, f"the column `{key.text.text}` is empty", node.span, hint)
    values = [reading.scalar(item, "a value") for item in reading.items(node, "a column")]
    if None in values:
        return ()
    return tuple(without_repeats(reading, [value for value in values if value], "value"))


_WHERE_FROM = ("value", "values", "from_csv")


def refuse_series(
    reading: SheetReading, name: str, found: dict[str, tuple[YamlScalar, YamlNode]]
) -> dict[str, tuple[YamlScalar, YamlNode]]:
    """Refuse the keys of a series for an input without dims; return the others."""
    keys = [found[key][0] for key in schema.SERIES_INPUT if key in found]
    if keys:
        key = min(keys, key=lambda key: key.span.start)
        message = f"`{key.text.text}` belongs to a series, but `{name}` names no dim"
        hint = f"name its dims, as in `{name}[month]`, or give one `value`"
        reading.say(SHAPE, message, key.span, hint)
    return {key: entry for key, entry in found.items() if key not in schema.SERIES_INPUT}


def everywhere(value: YamlScalar | None) -> tuple[SeriesEntry, ...]:
    """Assign one value to all labels."""
    return () if value is None else (SeriesEntry((), value),)


def read_entries(
    reading: SheetReading,
    decl: InputDecl,
    found: dict[str, tuple[YamlScalar, YamlNode]],
    value: YamlScalar | None,
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
        reading.say(SHAPE, message, found[second][0].span, hint)
    if not given:
        hint = "write `values: {label: …}`, or `value: …` for the same one everywhere"
        message = f"the input `{decl.name}` has no `values`"
        reading.say(MISSING_KEY, message, decl.key.span, hint)
    if "values" in found:
        entries = _values(reading, decl, found["values"][1])
        return entries if len(reading.findings) == before else ()
    return everywhere(value)


def read_fill(
    reading: SheetReading, found: dict[str, tuple[YamlScalar, YamlNode]]
) -> YamlScalar | None:
    """Read what labels left out hold."""
    fill = reading.scalar(found["fill"][1], "`fill`") if "fill" in found else None
    if fill is None or fill.text.text in schema.FILLS:
        return fill
    hint = did_you_mean(fill.text.text, schema.FILLS, "write `zero`, or leave it out")
    message = f"`fill` is one of {', '.join(schema.FILLS)}"
    reading.say(SHAPE, message, fill.span, hint)
    return None


def read_csv_path(
    reading: SheetReading, found: dict[str, tuple[YamlScalar, YamlNode]]
) -> CsvData | None:
    """Read the path of a file with values."""
    path = reading.scalar(found["from_csv"][1], "`from_csv`") if "from_csv" in found else None
    return CsvData(path) if path else None


def _values(reading: SheetReading, decl: InputDecl, node: YamlNode) -> tuple[SeriesEntry, ...]:
    if isinstance(node, YamlScalar):
        if value := reading.scalar(node, "`values`"):
            hint = f"write `value: {value.text.text}` for the same value everywhere"
            reading.say(SHAPE, "`values` is a single value", node.span, hint)
        return ()
    if not (node.entries if isinstance(node, YamlMapping) else node.items):
        hint = "give one, or write `value: 0` for the same value everywhere"
        reading.say(SHAPE, "`values` is empty", node.span, hint)
    return tuple(_level(reading, decl, node, ()))


def _level(
    reading: SheetReading, decl: InputDecl, node: YamlNode, keys: tuple[YamlScalar, ...]
) -> Iterator[SeriesEntry]:
    """Read the entries under ``keys``, the labels of the first dims."""
    rest = [dim.text.text for dim in decl.dims[len(keys) :]]
    if isinstance(node, YamlScalar):
        value = reading.scalar(node, "a value")
        if value is not None and not rest:
            yield SeriesEntry(keys, value)
        elif value is not None:
            message = f"`{keys[-1].text.text}` has one value, but `{decl.name}` varies over "
            message += f"`{rest[0]}` too"
            hint = f"write {{label of {rest[0]}: value, …}}, or a list of all of them"
            reading.say(SHAPE, message, value.span, hint)
    elif not rest:
        hint = f"give one value to a label of `{decl.dims[-1].text.text}`"
        message = f"`{decl.name}` names no dim for what is below `{keys[-1].text.text}`"
        reading.say(SHAPE, message, node.span, hint)
    elif isinstance(node, YamlSequence):
        yield from _list(reading, node, keys, rest)
    else:
        reading.empty_values(node)
        for key, inner in node.entries:
            if not reading.was_cut(key, inner, node):
                yield from _level(reading, decl, inner, (*keys, key))


def _list(
    reading: SheetReading, node: YamlSequence, keys: tuple[YamlScalar, ...], rest: list[str]
) -> Iterator[SeriesEntry]:
    if len(rest) > 1:
        hint = f"write {{label of {rest[0]}: [values along {rest[-1]}]}}"
        message = f"a list holds the values along `{rest[-1]}`; these are the labels of `{rest[0]}`"
        reading.say(SHAPE, message, node.span, hint)
        return
    for position, item in enumerate(reading.items(node, "`values`")):
        value = reading.scalar(item, "a value")
        if value is not None:
            yield SeriesEntry(keys, value, position)
