"""Reading inputs, formulas, expectations and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from calcgraph.sheet import codes, schema
from calcgraph.sheet.declarations import (
    CalcDecl,
    ColumnDecl,
    Described,
    Expectation,
    InputDecl,
    RowDecl,
    TableDecl,
)
from calcgraph.sheet.yaml_tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from calcgraph.lang.expr import Formula
    from calcgraph.sheet.reading import Reading

D = TypeVar("D")


def read_inputs(reading: Reading, node: Node) -> tuple[InputDecl, ...]:
    """Read what stands under ``inputs``."""
    return tuple(_cells(reading, node, "`inputs`", _input))


def read_calcs(reading: Reading, node: Node) -> tuple[CalcDecl, ...]:
    """Read what stands under ``calc``."""
    return tuple(_cells(reading, node, "`calc`", _calc))


def _cells(
    reading: Reading, node: Node, what: str, read: Callable[[Reading, Scalar, str, str, Node], D]
) -> Iterator[D]:
    """Go through cells and headings; a heading starts with a capital letter."""
    mapping = reading.mapping(node, what)
    for key, value in mapping.entries if mapping else ():
        if not key.text.text[:1].isupper():
            name = reading.name(key, "a cell")
            if name:
                yield read(reading, key, name, "", value)
            continue
        heading = key.text.text
        inner = reading.mapping(value, f"the heading `{heading}`")
        for inner_key, inner_value in inner.entries if inner else ():
            name = reading.name(inner_key, "a cell")
            if name:
                yield read(reading, inner_key, name, heading, inner_value)


def _input(reading: Reading, key: Scalar, name: str, heading: str, node: Node) -> InputDecl:
    if isinstance(node, Scalar):
        if _is_formula(node):
            hint = "move it under `calc`"
            reading.say(codes.SHAPE, f"the input `{name}` is a formula", node.span, hint)
        return InputDecl(name, key, heading, node)
    if isinstance(node, Sequence):
        reading.say(codes.SHAPE, f"the input `{name}` is a single value", node.span)
        return InputDecl(name, key, heading, None)
    reading.empty_values(node)
    found = _without_series(
        reading, reading.entries(node, (*schema.INPUT, *schema.SERIES_INPUT), "an input")
    )
    if "value" not in found and not any(reading.was_cut(k, v, node) for k, v in node.entries):
        others = {entry.text.text for entry, _ in node.entries} - set(schema.INPUT)
        if not others:
            hint = "write `value: …`, or `value: null` for an optional input"
            reading.say(codes.MISSING_KEY, f"the input `{name}` has no `value`", key.span, hint)
    single = {
        k: reading.scalar(v, f"`{k}`")
        for k, (_, v) in found.items()
        if k not in {"source", "choices"}
    }
    return InputDecl(
        name,
        key,
        heading,
        single.get("value"),
        single.get("unit"),
        single.get("min"),
        single.get("max"),
        _choices(reading, found["choices"][1]) if "choices" in found else None,
        single.get("uncertain"),
        reading.about(found),
    )


def _without_series(
    reading: Reading, found: dict[str, tuple[Scalar, Node]]
) -> dict[str, tuple[Scalar, Node]]:
    for name in schema.SERIES_INPUT & found.keys():
        key, _ = found.pop(name)
        reading.say(codes.NOT_YET, f"`{name}`: series are not part of this version", key.span)
    return found


def _choices(reading: Reading, node: Node) -> tuple[Scalar, ...] | Scalar | None:
    if isinstance(node, Scalar):
        return node
    found = [reading.scalar(item, "a choice") for item in reading.items(node, "`choices`")]
    return tuple(item for item in found if item is not None)


def _is_formula(node: Scalar) -> bool:
    return node.text.text.lstrip().startswith("=")


def _calc(reading: Reading, key: Scalar, name: str, heading: str, node: Node) -> CalcDecl:
    if isinstance(node, Scalar):
        return CalcDecl(name, key, heading, _formula(reading, node), node)
    if isinstance(node, Sequence):
        reading.say(codes.SHAPE, f"`{name}` is a formula", node.span, "write `= …`")
        return CalcDecl(name, key, heading, None, None)
    reading.empty_values(node)
    found = reading.entries(node, schema.CALC, "a calculated cell")
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
    text = node.text.text.strip()
    hint = f"write `= {text}` for a constant, or move it to `inputs` if somebody sets it"
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
        reading.say(codes.SHAPE, "an expectation is a value or a mapping", node.span)
        return None
    found = reading.entries(node, schema.EXPECT, "an expectation")
    reading.empty_values(node)
    value = reading.scalar(found["value"][1], "`value`") if "value" in found else None
    if value is None:
        reading.say(codes.MISSING_KEY, "an expectation has no `value`", node.span, "add `value: …`")
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


def read_tables(reading: Reading, node: Node) -> tuple[TableDecl, ...]:
    """Read what stands under ``tables``."""
    mapping = reading.mapping(node, "`tables`")
    found = []
    for key, value in mapping.entries if mapping else ():
        name = reading.name(key, "a table", callable_too=True)
        inner = reading.mapping(value, "a table")
        if name and inner:
            found.append(_table(reading, key, name, inner))
    return tuple(found)


def _table(reading: Reading, key: Scalar, name: str, node: Mapping) -> TableDecl:
    found = reading.entries(node, schema.TABLE, "a table")
    if "from_csv" in found:
        reading.say(
            codes.NOT_YET, "`from_csv` is not part of this version", found["from_csv"][0].span
        )
    elif "rows" not in found or "columns" not in found:
        missing = "rows" if "columns" in found else "columns"
        reading.say(codes.MISSING_KEY, f"the table `{name}` has no `{missing}`", key.span)
    columns = _columns(reading, found["columns"][1]) if "columns" in found else ()
    rows = _rows(reading, found["rows"][1], columns) if "rows" in found and columns else ()
    return TableDecl(name, key, columns, rows, reading.about(found))


def _columns(reading: Reading, node: Node) -> tuple[ColumnDecl, ...]:
    mapping = reading.mapping(node, "`columns`")
    found: list[ColumnDecl] = []
    for key, value in mapping.entries if mapping else ():
        name = reading.name(key, "a column", callable_too=True)
        if name is None:
            continue
        if isinstance(value, Mapping):
            inner = reading.entries(value, schema.COLUMN, "a column")
            unit = reading.scalar(inner["unit"][1], "`unit`") if "unit" in inner else None
            found.append(ColumnDecl(name, key, unit, reading.about(inner)))
        else:
            found.append(ColumnDecl(name, key, reading.scalar(value, "a column's unit")))
    return tuple(found)


def _rows(reading: Reading, node: Node, columns: tuple[ColumnDecl, ...]) -> tuple[RowDecl, ...]:
    mapping = reading.mapping(node, "`rows`")
    found: list[RowDecl] = []
    for key, value in mapping.entries if mapping else ():
        label = key.text.text
        odd = next((char for char in label if char in "*?~"), None)
        if odd or not label.strip():
            hint = "spreadsheets read `*`, `?` and `~` as patterns"
            reading.say(codes.BAD_NAME, f"`{label}` is not a key of a row", key.span, hint)
            continue
        if isinstance(value, Sequence):
            found.append(_row_in_order(reading, key, value, columns))
        elif isinstance(value, Mapping):
            found.append(_row_by_name(reading, key, value, columns))
        else:
            hint = "write [a, b, …] in the order of the columns, or {column: value, …}"
            reading.say(codes.SHAPE, f"the row `{label}` is a list or a mapping", value.span, hint)
    return tuple(found)


def _row_in_order(
    reading: Reading, key: Scalar, node: Sequence, columns: tuple[ColumnDecl, ...]
) -> RowDecl:
    if len(node.items) != len(columns):
        message = (
            f"the row `{key.text.text}` has {len(node.items)} entries for {len(columns)} columns"
        )
        hint = "give `null` where there is nothing; a comma inside of a text needs quotes"
        reading.say(codes.SHAPE, message, node.span, hint)
    entries = [reading.scalar(item, "an entry") for item in node.items[: len(columns)]]
    entries += [None] * (len(columns) - len(entries))
    return RowDecl(key.text.text, key, tuple(entries))


def _row_by_name(
    reading: Reading, key: Scalar, node: Mapping, columns: tuple[ColumnDecl, ...]
) -> RowDecl:
    names = [column.name for column in columns]
    reading.empty_values(node)
    found = reading.entries(node, (*names, *schema.ROW), "a row")
    entries = [
        reading.scalar(found[name][1], "an entry") if name in found else None for name in names
    ]
    about = {name: found[name] for name in schema.ROW if name in found and name not in names}
    described = reading.about(about) if about else Described()
    return RowDecl(key.text.text, key, tuple(entries), described)
