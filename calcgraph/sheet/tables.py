"""Reading tables: their columns, and their rows in order or by name."""

from __future__ import annotations

from calcgraph.sheet import codes, schema
from calcgraph.sheet.declarations import ColumnDecl, Described, RowDecl, TableDecl
from calcgraph.sheet.reading import Reading, counted, is_empty
from calcgraph.sheet.yaml_tree import Mapping, Node, Scalar, Sequence


def read_tables(reading: Reading, node: Node) -> tuple[TableDecl, ...]:
    """Read what stands under ``tables``."""
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


def _table(reading: Reading, key: Scalar, name: str, node: Mapping) -> TableDecl:
    found = reading.entries(node, schema.TABLE, "a table")
    if "from_csv" in found:
        message = "`from_csv` is not part of this version"
        hint = "write the rows under `rows`"
        reading.say(codes.NOT_YET, message, found["from_csv"][0].span, hint)
    elif "rows" not in found or "columns" not in found:
        missing = "rows" if "columns" in found else "columns"
        hint = "write " + (
            "`rows: {key: [1, 2]}`" if missing == "rows" else "`columns: {price: USD}`"
        )
        reading.say(codes.MISSING_KEY, f"the table `{name}` has no `{missing}`", key.span, hint)
    columns = _columns(reading, found["columns"][1]) if "columns" in found else ()
    rows = _rows(reading, found["rows"][1], columns) if "rows" in found and columns else ()
    if not rows and not isinstance(found.get("rows", (key, key))[1], Mapping):
        columns = ()  # what is lost, and has been said to be
    return TableDecl(name, key, columns, rows, reading.about(found))


def _columns(reading: Reading, node: Node) -> tuple[ColumnDecl, ...]:
    mapping = reading.mapping(node, "`columns`")
    found: list[ColumnDecl] = []
    for key, value in mapping.entries if mapping else ():
        name = reading.name(key, "a column", callable_too=True)
        if name is None:
            found.append(ColumnDecl(key.text.text, key, None))
            continue
        if isinstance(value, Mapping):
            inner = reading.entries(value, schema.COLUMN, "a column")
            if "unit" not in inner:
                hint = "write `unit: …`: a unit, `text`, `truth`, `date`, or `1` for pure numbers"
                reading.say(codes.MISSING_KEY, f"the column `{name}` has no `unit`", key.span, hint)
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
            hint = (
                f"leave `{odd}` out: spreadsheets read it as a pattern" if odd else "name the row"
            )
            reading.say(codes.BAD_NAME, f"`{label}` is not a key of a row", key.span, hint)
        if isinstance(value, Sequence):
            found.append(_row_in_order(reading, key, value, columns))
        elif isinstance(value, Mapping):
            found.append(_row_by_name(reading, key, value, columns))
        else:
            message = f"the row `{label}` is a single value"
            if not is_empty(value):
                hint = "write [a, b, …] in the order of the columns, or {column: value, …}"
                reading.say(codes.SHAPE, message, value.span, hint)
            found.append(RowDecl(label, key, (None,) * len(columns)))
    return tuple(found)


def _row_in_order(
    reading: Reading, key: Scalar, node: Sequence, columns: tuple[ColumnDecl, ...]
) -> RowDecl:
    if len(node.items) != len(columns):
        entries_text = counted(len(node.items), "entry", "entries")
        columns_text = counted(len(columns), "column", "columns")
        message = f"the row `{key.text.text}` has {entries_text} for {columns_text}"
        hint = "give `null` where there is nothing; a comma inside of a text needs quotes"
        reading.say(codes.SHAPE, message, node.span, hint)
    entries = [reading.scalar(item, "an entry") for item in node.items[: len(columns)]]
    entries += [None] * (len(columns) - len(entries))
    return RowDecl(key.text.text, key, tuple(entries))


def _row_by_name(
    reading: Reading, key: Scalar, node: Mapping, columns: tuple[ColumnDecl, ...]
) -> RowDecl:
    names = [column.name for column in columns]
    found = reading.entries(node, (*names, *schema.ROW), "a row")
    entries = [
        reading.scalar(found[name][1], "an entry") if name in found else None for name in names
    ]
    about = {name: found[name] for name in schema.ROW if name in found and name not in names}
    described = reading.about(about) if about else Described()
    return RowDecl(key.text.text, key, tuple(entries), described)
