"""Reading tables: their columns, and their rows in order or by name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import did_you_mean
from calcgraph.core.source import Slice, Span
from calcgraph.sheet import schema
from calcgraph.sheet.declarations import ColumnDecl, RowDecl, TableDecl
from calcgraph.sheet.dimensions import ROW_KEY, is_legal_label, read_csv_path, without_repeats
from calcgraph.sheet.fields import SheetReading, counted, is_empty
from calcgraph.sheet.schema import DUPLICATE_KEY, MISSING_KEY, SHAPE, UNKNOWN_KEY
from calcgraph.sheet.yaml_reader import YamlMapping, YamlNode, YamlScalar, YamlSequence, fold_key

if TYPE_CHECKING:
    from calcgraph.core.diagnostics import Diagnostic


def read_tables(reading: SheetReading, node: YamlNode) -> tuple[TableDecl, ...]:
    """Read the ``tables`` section."""
    mapping = reading.mapping(node, "`tables`")
    found = []
    for key, value in mapping.entries if mapping else ():
        name = reading.name(key, "a table", callable_too=True)
        inner = reading.mapping(value, "a table")
        if name and inner:
            found.append(_table(reading, key, name, inner))
        else:
            reading.lose_key(key)
    return tuple(found)


def _table(reading: SheetReading, key: YamlScalar, name: str, node: YamlMapping) -> TableDecl:
    found = reading.entries(node, schema.TABLE, "a table")
    _needs_parts(reading, key, name, found)
    columns = _columns(reading, found["columns"][1]) if "columns" in found else ()
    keys = _keys(reading, name, found["key"][1], columns) if "key" in found and columns else ()
    is_broken = ("key" in found and not keys) or not found.keys() & {"rows", "from_csv"}
    is_broken |= "columns" in found and _repeats(reading, found["columns"][1], node)
    rows: tuple[RowDecl, ...] = ()
    if "rows" in found and columns and not is_broken:
        read = _keyed_rows if "key" in found else _rows
        rows = read(reading, found["rows"][1], TableDecl(name, key, columns, (), keys=keys))
        is_broken = not rows
    csv = read_csv_path(reading, found)
    if is_broken or ("from_csv" in found and not csv):
        columns = ()  # what is lost, and has been said to be
    return TableDecl(name, key, columns, rows, reading.about(found), keys, csv)


def _repeats(reading: SheetReading, columns: YamlNode, table: YamlMapping) -> bool:
    """Whether columns have one name, which rows that are keyed by names then repeat unsaid."""
    repeats = columns.repeats if isinstance(columns, YamlMapping) else ()
    names = {fold_key(key.text.text) for key in repeats}

    def follows(finding: Diagnostic) -> bool:
        span = finding.label.span
        is_here = table.span.start <= span.start < table.span.end
        is_said = any(span == key.span for key in repeats)
        is_repeat = finding.code is DUPLICATE_KEY and fold_key(span.text) in names
        return is_repeat and is_here and not is_said

    if names:
        reading.findings = [one for one in reading.findings if not follows(one)]
    return bool(names)


def _needs_parts(
    reading: SheetReading, key: YamlScalar, name: str, found: dict[str, tuple[YamlScalar, YamlNode]]
) -> None:
    """Report missing columns or rows, and rows given in two places."""
    if "rows" in found and "from_csv" in found:
        message = f"the table `{name}` has both `rows` and `from_csv`"
        reading.say(SHAPE, message, found["from_csv"][0].span, "keep one of them")
    missing = "" if found.keys() & {"rows", "from_csv"} else "rows"
    missing = missing if "columns" in found else "columns"
    if missing:
        hint = "write " + (
            "`rows: {key: [1, 2]}`" if missing == "rows" else "`columns: {price: USD}`"
        )
        reading.say(MISSING_KEY, f"the table `{name}` has no `{missing}`", key.span, hint)


def _keys(
    reading: SheetReading, table: str, node: YamlNode, columns: tuple[ColumnDecl, ...]
) -> tuple[YamlScalar, ...]:
    """Read which columns make the keys of the rows; give none where one is wrong."""
    nodes = reading.items(node, "`key`") if isinstance(node, YamlSequence) else (node,)
    if isinstance(node, YamlSequence) and not node.items:
        reading.say(SHAPE, "`key` is empty", node.span, "name columns, or leave it out")
    found = [reading.scalar(item, "a column of `key`") for item in nodes]
    names = [name for name in found if name]
    known = [column.name for column in columns]
    for name in names:
        if name.text.text not in known:
            text = name.text.text
            hint = did_you_mean(text, known, f"its columns are {', '.join(known)}")
            reading.say(UNKNOWN_KEY, f"`{text}` is no column of `{table}`", name.span, hint)
            return ()
    return tuple(without_repeats(reading, names, "column"))


def _columns(reading: SheetReading, node: YamlNode) -> tuple[ColumnDecl, ...]:
    mapping = reading.mapping(node, "`columns`")
    found: list[ColumnDecl] = []
    for key, value in mapping.entries if mapping else ():
        name = reading.name(key, "a column", callable_too=True)
        if name is None:
            found.append(ColumnDecl(key.text.text, key, None))
            continue
        if isinstance(value, YamlMapping):
            inner = reading.entries(value, schema.COLUMN, "a column")
            if "unit" not in inner:
                hint = "write `unit: …`: a unit, `text`, `truth`, `date`, or `1` for pure numbers"
                reading.say(MISSING_KEY, f"the column `{name}` has no `unit`", key.span, hint)
            unit = reading.scalar(inner["unit"][1], "`unit`") if "unit" in inner else None
            found.append(ColumnDecl(name, key, unit, reading.about(inner)))
        else:
            found.append(ColumnDecl(name, key, reading.scalar(value, "a column's unit")))
    return tuple(found)


def _rows(reading: SheetReading, node: YamlNode, table: TableDecl) -> tuple[RowDecl, ...]:
    mapping = reading.mapping(node, "`rows`")
    if mapping and not mapping.entries:
        _say_no_rows(reading, node, table)
    found: list[RowDecl] = []
    for key, value in mapping.entries if mapping else ():
        is_legal_label(reading, key, ROW_KEY)
        if isinstance(value, YamlScalar):
            message = f"the row `{key.text.text}` is a single value"
            if not is_empty(value):
                hint = "write [a, b, …] in the order of the columns, or {column: value, …}"
                reading.say(SHAPE, message, value.span, hint)
            found.append(RowDecl(key.text.text, key, (None,) * len(table.columns)))
        else:
            called = f"the row `{key.text.text}`"
            found.append(_row(reading, RowDecl(key.text.text, key, ()), called, value, table))
    return tuple(found)


def _keyed_rows(reading: SheetReading, node: YamlNode, table: TableDecl) -> tuple[RowDecl, ...]:
    """Read a list of rows whose keys are columns; empty if any row is wrong."""
    if isinstance(node, YamlMapping):
        hint = "start each row with `- `: its key is made of its columns"
        message = f"the rows of `{table.name}` are a list, as it has a `key`"
        reading.say(SHAPE, message, node.span, hint)
        return ()
    before = len(reading.findings)
    if isinstance(node, YamlSequence) and not node.items:
        _say_no_rows(reading, node, table)
    found: list[RowDecl] = []
    for at, item in enumerate(reading.items(node, "`rows`"), 1):
        if isinstance(item, YamlScalar):
            hint = "write [a, b, …] in the order of the columns, or {column: value, …}"
            reading.say(SHAPE, f"row {at} is a single value", item.span, hint)
            continue
        blank = RowDecl("", table.key, ())
        row = _row(reading, blank, f"row {at}", item, table)
        key = joined_key(reading, table, row.entries, item.span)
        if key:
            found.append(replace(row, label=key.text.text, key=key))
    rows = unlike_rows(reading, found)
    return rows if len(reading.findings) == before else ()


def _say_no_rows(reading: SheetReading, node: YamlNode, table: TableDecl) -> None:
    hint = "write one, or leave the table out"
    reading.say(SHAPE, f"the table `{table.name}` has no rows", node.span, hint)


def joined_key(
    reading: SheetReading, table: TableDecl, entries: tuple[YamlScalar | None, ...], span: Span
) -> YamlScalar | None:
    """Join the values of a row's key columns by ``/``; none where one is missing."""
    names = [column.name for column in table.columns]
    parts = [entries[names.index(key.text.text)] for key in table.keys]
    for key, one in zip(table.keys, parts, strict=True):
        if one is None or _is_nothing(one):
            message = f"the column `{key.text.text}` is part of the row's key, and is empty here"
            reading.say(SHAPE, message, one.span if one else span, "give it a value")
            return None
        if not is_legal_label(reading, one, ROW_KEY):
            return None
    found = [one for one in parts if one]
    offsets: list[int] = []
    for one in found:
        offsets += [one.text.at(index) for index in range(len(one.text.text) + 1)]
    text = "/".join(one.text.text for one in found)
    source = found[0].text.source
    place = Span(source, min(one.span.start for one in found), max(one.span.end for one in found))
    return YamlScalar(Slice(source, text, offsets[0], tuple(offsets)), place)


def _is_nothing(one: YamlScalar) -> bool:
    return not one.text.text.strip() or (one.text.text == "null" and not one.quoted)


def unlike_rows(reading: SheetReading, rows: list[RowDecl]) -> tuple[RowDecl, ...]:
    """Drop rows with a repeated key and report them; case does not count."""
    kept = {id(key) for key in without_repeats(reading, [row.key for row in rows], "key")}
    return tuple(row for row in rows if id(row.key) in kept)


def _row(
    reading: SheetReading,
    row: RowDecl,
    called: str,
    node: YamlSequence | YamlMapping,
    table: TableDecl,
) -> RowDecl:
    if isinstance(node, YamlMapping):
        return _row_by_name(reading, row, node, table.columns)
    columns = table.columns
    if len(node.items) != len(columns):
        entries_text = counted(len(node.items), "entry", "entries")
        columns_text = counted(len(columns), "column", "columns")
        message = f"{called} has {entries_text} for {columns_text}"
        hint = "give `null` where there is nothing; a comma inside of a text needs quotes"
        reading.say(SHAPE, message, node.span, hint)
    entries = [reading.scalar(item, "an entry") for item in node.items[: len(columns)]]
    entries += [None] * (len(columns) - len(entries))
    return replace(row, entries=tuple(entries))


def _row_by_name(
    reading: SheetReading, row: RowDecl, node: YamlMapping, columns: tuple[ColumnDecl, ...]
) -> RowDecl:
    names = [column.name for column in columns]
    found = reading.entries(node, (*names, *schema.ROW), "a row")
    entries = [
        reading.scalar(found[name][1], "an entry") if name in found else None for name in names
    ]
    about = {name: found[name] for name in schema.ROW if name in found and name not in names}
    described = reading.about(about) if about else row.about
    return replace(row, entries=tuple(entries), about=described)
