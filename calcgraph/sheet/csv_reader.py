"""CSV text to the rows of a table or the entries of a series."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean, nearest
from calcgraph.core.source import Slice, Source, Span
from calcgraph.sheet.declarations import InputDecl, RowDecl, SeriesEntry, TableDecl
from calcgraph.sheet.dimensions import ROW_KEY, is_legal_label, say_twice
from calcgraph.sheet.fields import SheetReading, counted
from calcgraph.sheet.schema import CSV, LIMIT
from calcgraph.sheet.tables import joined_key, unlike_rows
from calcgraph.sheet.yaml_reader import TEXT, YamlScalar, fold_key, forbidden_characters

if TYPE_CHECKING:
    from collections.abc import Iterator


_QUOTED = re.compile(r'[ \t]*"((?:[^"]|"")*)"[ \t]*')
_PLAIN = re.compile(r"[^,\r\n]*")
_FIRST_QUOTE = re.compile(r'[ \t]*"')
_END = re.compile(r"\r?\n|\Z")


@dataclass(frozen=True, slots=True)
class CsvLine:
    """The fields of a line, without white space around them; quotes only hold them together."""

    span: Span
    fields: tuple[YamlScalar, ...]


@dataclass(frozen=True, slots=True)
class _Stop(Exception):
    """What cannot be read past."""

    finding: Diagnostic


def read_csv(source: Source) -> tuple[list[CsvLine], list[Diagnostic]]:
    """Read all lines that are not empty; none if the line structure is broken."""
    findings = forbidden_characters(source, "a CSV file")
    if findings:
        return [], findings
    lines: list[CsvLine] = []
    at = 0
    try:
        while at < len(source.text):
            line, at = _line(source, at)
            if any(field.text.text for field in line.fields):
                lines.append(line)
    except _Stop as stop:
        return [], [stop.finding]
    if not lines:
        hint = "start with a line of column names"
        return [], [_finding(CSV, "the file is empty", Span(source, 0, 0), hint)]
    return _only_commas(lines)


def _finding(code: Code, message: str, span: Span, hint: str) -> Diagnostic:
    return Diagnostic(code, message, Label(span), hint)


def _line(source: Source, start: int) -> tuple[CsvLine, int]:
    """Read the fields up to the end of a line; give where the next one starts."""
    fields: list[YamlScalar] = []
    at = start
    while True:
        field, at = _field(source, at)
        fields.append(field)
        if source.text.startswith(",", at):
            at += 1
            continue
        end = _END.match(source.text, at)
        if end is None:
            span = Span(source, at, at + 1)
            message = "there is text after the closing quote of a field"
            hint = 'double a quote inside of a field: `""`'
            raise _Stop(_finding(CSV, message, span, hint))
        return CsvLine(Span(source, start, at), tuple(fields)), end.end()


def _field(source: Source, start: int) -> tuple[YamlScalar, int]:
    quote = _FIRST_QUOTE.match(source.text, start)
    if quote:
        hit = _QUOTED.match(source.text, start)
        if hit is None:
            span = Span(source, quote.end() - 1, quote.end())
            raise _Stop(_finding(CSV, "this text has no end", span, 'close it with `"`'))
        field = _quoted(source, hit.start(1), hit.group(1))
    else:
        hit = _PLAIN.match(source.text, start)
        assert hit is not None, "nothing is plain text too"
        text = hit.group().strip()
        begin = start + len(hit.group()) - len(hit.group().lstrip()) if text else start
        field = _scalar(Slice(source, text, begin))
    if len(field.text.text) > TEXT:
        message = f"text of {len(field.text.text):,} characters; {TEXT:,} is the most"
        raise _Stop(_finding(LIMIT, message, field.span, "shorten it"))
    return field, hit.end()


def _quoted(source: Source, start: int, raw: str) -> YamlScalar:
    """Read a text whose quotes are doubled; each character keeps its place."""
    if '""' not in raw:
        return _scalar(Slice(source, raw, start))
    offsets: list[int] = []
    at = start
    for piece in re.findall(r'""|[^"]', raw):
        offsets.append(at)
        at += len(piece)
    return _scalar(Slice(source, raw.replace('""', '"'), start, (*offsets, at)))


def _scalar(text: Slice) -> YamlScalar:
    return YamlScalar(text, text.whole)


def _only_commas(lines: list[CsvLine]) -> tuple[list[CsvLine], list[Diagnostic]]:
    """Report a separator other than the comma."""
    head = lines[0]
    if len(head.fields) > 1:
        return lines, []
    for char, name in ((";", "semicolons"), ("\t", "tabs")):
        if char in head.span.text:
            message = f"the fields of this file are separated by {name}"
            hint = "separate them by commas, and write decimal points"
            return [], [_finding(CSV, message, head.span, hint)]
    return lines, []


VALUE = "value"
ROWS = 200_000


def table_rows(
    reading: SheetReading, table: TableDecl, source: Source
) -> tuple[RowDecl, ...] | None:
    """Read a table's rows; give none where something in the file is wrong."""
    if source.text.count("\n") > ROWS + 1:
        hint = "leave out what the model does not use"
        message = f"more than {ROWS:,} rows"
        reading.say(LIMIT, message, Span(source, 0, 1), hint)
        return None
    lines = _lines(reading, source)
    names = [column.name for column in table.columns]
    places = _places(reading, lines, names, f"`{table.name}`", has_key=not table.keys)
    if places is None:
        return None
    rows: list[RowDecl] = []
    for line in _whole_lines(reading, lines):
        entries = tuple(_entry(line.fields[places[name]]) for name in names)
        key: YamlScalar | None
        if table.keys:
            key = joined_key(reading, table, entries, line.span)
        else:
            key = line.fields[0] if is_legal_label(reading, line.fields[0], ROW_KEY) else None
        if key:
            rows.append(RowDecl(key.text.text, key, entries))
    kept = unlike_rows(reading, rows)
    if not kept and not reading.findings:
        hint = "write a line for each row below the names of the columns"
        reading.say(CSV, "the file holds no rows", lines[0].span, hint)
    return None if reading.findings else kept


def series_entries(
    reading: SheetReading, decl: InputDecl, source: Source
) -> tuple[SeriesEntry, ...] | None:
    """Read a series' values; give none where something in the file is wrong."""
    lines = _lines(reading, source)
    dims = [dim.text.text for dim in decl.dims]
    places = _places(reading, lines, [*dims, VALUE], f"`{decl.name}`", has_key=False)
    if places is None:
        return None
    found: dict[tuple[str, ...], SeriesEntry] = {}
    for line in _whole_lines(reading, lines):
        keys = tuple(line.fields[places[dim]] for dim in dims)
        if not all(is_legal_label(reading, key, "a label") for key in keys):
            continue
        folded = tuple(fold_key(key.text.text) for key in keys)
        if folded in found:
            say_twice(reading, _together(keys), _together(found[folded].keys), "label")
            continue
        found[folded] = SeriesEntry(keys, line.fields[places[VALUE]])
    if not found and not reading.findings:
        hint = "write a line for each value, or `value: 0` in the sheet for the same everywhere"
        reading.say(CSV, "the file holds no values", lines[0].span, hint)
    if reading.findings:
        return None
    # A value that is not there is a gap: a forgotten month is not one without cost.
    return tuple(entry for entry in found.values() if entry.value.text.text)


def _lines(reading: SheetReading, source: Source) -> list[CsvLine]:
    lines, findings = read_csv(source)
    reading.findings.extend(findings)
    return lines


def _places(
    reading: SheetReading, lines: list[CsvLine], names: list[str], owner: str, *, has_key: bool
) -> dict[str, int] | None:
    """Find the columns by their names in the first line; say what is missing or too much."""
    if not lines:
        return None
    before = len(reading.findings)
    head = lines[0]
    found: dict[str, int] = {}
    first = 1 if has_key else 0
    if has_key and head.fields[0].text.text in names:
        hint = "put a column with the keys of the rows before it"
        message = f"`{head.fields[0].text.text}` is the first column, which holds the keys"
        reading.say(CSV, message, head.fields[0].span, hint)
        first = 0
    extra: list[YamlScalar] = []
    for at, field in enumerate(head.fields[first:], first):
        name = field.text.text
        if name in found:
            say_twice(reading, field, head.fields[found[name]], "column")
        elif name in names:
            found[name] = at
        else:
            extra.append(field)
    is_known = any(nearest(field.text.text.casefold(), names) for field in head.fields)
    if not is_known and len(reading.findings) == before:
        hint = f"start it with {', '.join([*(['a column of keys'] if has_key else []), *names])}"
        message = f"the first line names no column of {owner}"
        reading.say(CSV, message, head.span, hint)
    else:
        _say_columns(reading, head, [name for name in names if name not in found], extra, owner)
    return found if len(reading.findings) == before else None


def _say_columns(
    reading: SheetReading, head: CsvLine, missing: list[str], extra: list[YamlScalar], owner: str
) -> None:
    is_meant = any(nearest(field.text.text, missing) for field in extra)
    if VALUE in missing and len(extra) > 1 and not is_meant:
        hint = f"write a line for each value, its labels before it, and call it `{VALUE}`"
        reading.say(CSV, f"the file has no column `{VALUE}`", head.span, hint)
        return
    otherwise = "delete the column, or declare it in the sheet"
    if len(extra) == len(missing) == 1:
        otherwise = f"did you mean `{missing[0]}`?"
    for field in extra:
        name = field.text.text
        hint = did_you_mean(name, missing, otherwise)
        what = f"`{name}` is no column of {owner}" if name else "a column has no name"
        reading.say(CSV, what, field.span, hint)
        missing = [one for one in missing if hint != f"did you mean `{one}`?"]
    for name in missing:
        hint = "add it to the first line, and its values below"
        reading.say(CSV, f"the file has no column `{name}`", head.span, hint)


def _whole_lines(reading: SheetReading, lines: list[CsvLine]) -> Iterator[CsvLine]:
    """Go through the lines below the first; say which have too many fields or too few."""
    head = lines[0]
    for line in lines[1:]:
        if len(line.fields) == len(head.fields):
            yield line
            continue
        fields = counted(len(line.fields), "field", "fields")
        columns = counted(len(head.fields), "column", "columns")
        hint = "leave a field empty where there is nothing: `a,,c`"
        if len(line.fields) > len(head.fields):
            hint = _cut_number(line) or "put a text with a comma in double quotes"
        reading.say(CSV, f"this line has {fields} for {columns}", line.span, hint)


def _cut_number(line: CsvLine) -> str:
    """Find a number that its own comma cut: ``1,000``."""
    texts = [field.text.text for field in line.fields]
    for start, rest in pairwise(texts):
        if re.fullmatch(r"[-+]?[0-9]{1,3}", start) and re.match(r"[0-9]{3}(?![0-9])", rest):
            return f"write {start}{rest} for {start},{rest}"
    return ""


def _entry(field: YamlScalar) -> YamlScalar | None:
    return field if field.text.text else None


def _together(keys: tuple[YamlScalar, ...]) -> YamlScalar:
    """Join the labels of a value for display."""
    text = ", ".join(key.text.text for key in keys)
    start = keys[0].span.start
    return YamlScalar(
        Slice(keys[0].text.source, text, start, (start,) * (len(text) + 1)), keys[0].span
    )
