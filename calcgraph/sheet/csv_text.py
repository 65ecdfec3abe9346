"""CSV text to lines of fields with their places; the rules are those of RFC 4180."""

from __future__ import annotations

import re
from dataclasses import dataclass

from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.source import Slice, Source, Span
from calcgraph.sheet import codes
from calcgraph.sheet.characters import forbidden_characters
from calcgraph.sheet.yaml_tree import TEXT, Scalar

_QUOTED = re.compile(r'[ \t]*"((?:[^"]|"")*)"[ \t]*')
_PLAIN = re.compile(r"[^,\r\n]*")
_FIRST_QUOTE = re.compile(r'[ \t]*"')
_END = re.compile(r"\r?\n|\Z")


@dataclass(frozen=True, slots=True)
class CsvLine:
    """The fields of a line, without white space around them; quotes only hold them together."""

    span: Span
    fields: tuple[Scalar, ...]


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
        return [], [_finding(codes.CSV, "the file is empty", Span(source, 0, 0), hint)]
    return _only_commas(lines)


def _finding(code: Code, message: str, span: Span, hint: str) -> Diagnostic:
    return Diagnostic(code, message, Label(span), hint)


def _line(source: Source, start: int) -> tuple[CsvLine, int]:
    """Read the fields up to the end of a line; give where the next one starts."""
    fields: list[Scalar] = []
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
            message = "text stands behind the closing quote of a field"
            hint = 'double a quote inside of a field: `""`'
            raise _Stop(_finding(codes.CSV, message, span, hint))
        return CsvLine(Span(source, start, at), tuple(fields)), end.end()


def _field(source: Source, start: int) -> tuple[Scalar, int]:
    quote = _FIRST_QUOTE.match(source.text, start)
    if quote:
        hit = _QUOTED.match(source.text, start)
        if hit is None:
            span = Span(source, quote.end() - 1, quote.end())
            raise _Stop(_finding(codes.CSV, "this text has no end", span, 'close it with `"`'))
        field = _quoted(source, hit.start(1), hit.group(1))
    else:
        hit = _PLAIN.match(source.text, start)
        assert hit is not None, "nothing is plain text too"
        text = hit.group().strip()
        begin = start + len(hit.group()) - len(hit.group().lstrip()) if text else start
        field = _scalar(Slice(source, text, begin))
    if len(field.text.text) > TEXT:
        message = f"text of {len(field.text.text):,} characters; {TEXT:,} is the most"
        raise _Stop(_finding(codes.LIMIT, message, field.span, "shorten it"))
    return field, hit.end()


def _quoted(source: Source, start: int, raw: str) -> Scalar:
    """Read a text whose quotes are doubled; each character keeps its place."""
    if '""' not in raw:
        return _scalar(Slice(source, raw, start))
    offsets: list[int] = []
    at = start
    for piece in re.findall(r'""|[^"]', raw):
        offsets.append(at)
        at += len(piece)
    return _scalar(Slice(source, raw.replace('""', '"'), start, (*offsets, at)))


def _scalar(text: Slice) -> Scalar:
    return Scalar(text, text.whole)


def _only_commas(lines: list[CsvLine]) -> tuple[list[CsvLine], list[Diagnostic]]:
    """Say where something else separates the fields."""
    head = lines[0]
    if len(head.fields) > 1:
        return lines, []
    for char, name in ((";", "semicolons"), ("\t", "tabs")):
        if char in head.span.text:
            message = f"the fields of this file are separated by {name}"
            hint = "separate them by commas, and write decimal points"
            return [], [_finding(codes.CSV, message, head.span, hint)]
    return lines, []
