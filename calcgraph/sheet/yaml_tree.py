"""YAML text to a tree of places: the only module that knows PyYAML.

Nothing is guessed: every scalar stays the text it is, with the place of each of its characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import yaml

from calcgraph.core.diagnostic import Code, Diagnostic, Label
from calcgraph.core.source import Slice, Source, Span
from calcgraph.lang.tokens import describe_character
from calcgraph.sheet import codes
from calcgraph.sheet.yaml_text import align

if TYPE_CHECKING:
    from collections.abc import Iterator

DEPTH = 32
TEXT = 32_767
_BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value; ``style`` is YAML's quote, ``|`` or ``>``, or empty for a plain one."""

    text: Slice
    span: Span
    style: str = ""

    @property
    def quoted(self) -> bool:
        """Whether it is text whatever it looks like."""
        return self.style in {"'", '"'}


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values, in order."""

    span: Span
    entries: tuple[tuple[Scalar, Node], ...]
    flow: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """Values, in order."""

    span: Span
    items: tuple[Node, ...]


Node: TypeAlias = Scalar | Mapping | Sequence


def read_yaml(source: Source) -> tuple[Node | None, list[Diagnostic]]:
    """Read a whole file; where YAML itself fails, what stands before it is lost."""
    findings = [_forbidden(source, hit) for hit in _BAD.finditer(source.text)][:20]
    if findings:
        return None, findings
    reader = _Reader(source)
    try:
        return reader.document(), reader.findings
    except _Refused:
        return None, reader.findings
    except yaml.YAMLError as error:
        return None, [*reader.findings, _broken(source, error)]


def _forbidden(source: Source, hit: re.Match[str]) -> Diagnostic:
    char = hit.group()
    message = f"{describe_character(char)} may not stand in a sheet"
    return Diagnostic(
        codes.ENCODING, message, Label(Span(source, hit.start(), hit.end())), "delete it"
    )


class _Refused(Exception):
    """Stops reading where going on would only repeat one mistake."""


class _Reader:
    """Turns PyYAML's events into nodes, counting depth as it goes."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Diagnostic] = []
        self.events: Iterator[yaml.Event] = yaml.parse(source.text, Loader=yaml.CSafeLoader)
        self.depth = 0

    def document(self) -> Node | None:
        """Read the one document of a file."""
        node: Node | None = None
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.stop(
                        codes.YAML_FEATURE,
                        "a second document starts here",
                        event,
                        "one sheet a file",
                    )
                node = self.node(next(self.events))
        return node

    def node(self, event: yaml.Event) -> Node:
        """Read one value."""
        anchor = getattr(event, "anchor", None)
        if anchor or isinstance(event, yaml.AliasEvent):
            hint = "write the value out, or import a sheet that holds it"
            self.stop(codes.YAML_FEATURE, "anchors and aliases are not used in sheets", event, hint)
        tag = getattr(event, "tag", None)
        if tag:
            hint = "to read another file, use `imports:`"
            self.stop(codes.YAML_FEATURE, f"the tag `{tag}` is not used in sheets", event, hint)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        self.depth += 1
        if self.depth > DEPTH:
            self.stop(codes.LIMIT, f"nested deeper than {DEPTH} levels", event, "")
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        node: Node = self.mapping(event) if is_mapping else self.sequence(event)
        self.depth -= 1
        return node

    def scalar(self, event: yaml.ScalarEvent) -> Scalar:
        """Read a single value."""
        start, end = _start(event), _end(event)
        style = event.style or ""
        if len(event.value) > TEXT:
            message = f"text of {len(event.value):,} characters; {TEXT:,} is the most"
            self.say(codes.LIMIT, message, event, "shorten it")
        odd = _BAD.search(event.value)
        if odd:
            message = f"{describe_character(odd.group())} may not stand in a text"
            self.say(codes.ENCODING, message, event, "leave the escape out")
        text = align(self.source, start, end, event.value, style)
        return Scalar(
            text, Span(self.source, start, max(start, _trim(self.source.text, start, end))), style
        )

    def mapping(self, event: yaml.Event) -> Mapping:
        """Read keys and values; a key that stands twice is said once."""
        entries: list[tuple[Scalar, Node]] = []
        seen: dict[str, Scalar] = {}
        last = event
        for last in self.events:
            if isinstance(last, yaml.MappingEndEvent):
                break
            key = self.node(last)
            value = self.node(next(self.events))
            if not isinstance(key, Scalar):
                self.findings.append(
                    Diagnostic(codes.SHAPE, "a key is a single text", Label(key.span), "quote it")
                )
                continue
            if key.text.text == "<<" and not key.quoted:
                self.stop(
                    codes.YAML_FEATURE,
                    "merge keys are not used in sheets",
                    last,
                    "write the keys out",
                )
            folded = key.text.text.casefold()
            if folded in seen:
                self.duplicate(key, seen[folded])
                continue
            seen[folded] = key
            entries.append((key, value))
        span = Span(self.source, _start(event), _end(last))
        return Mapping(span, tuple(entries), bool(getattr(event, "flow_style", False)))

    def duplicate(self, key: Scalar, first: Scalar) -> None:
        """Say that a key stands twice, with both places."""
        line = first.span.source.position(first.span.start)[0]
        self.findings.append(
            Diagnostic(
                codes.DUPLICATE_KEY,
                f"duplicate key '{key.text.text}', first in line {line}",
                Label(key.span, "again here"),
                "keep one of them",
                (Label(first.span, "first here"),),
            )
        )

    def sequence(self, event: yaml.Event) -> Sequence:
        """Read a list."""
        items: list[Node] = []
        last = event
        for last in self.events:
            if isinstance(last, yaml.SequenceEndEvent):
                break
            items.append(self.node(last))
        return Sequence(Span(self.source, _start(event), _end(last)), tuple(items))

    def say(self, code: Code, message: str, event: yaml.Event, hint: str) -> None:
        """Note a finding at an event."""
        start = _start(event)
        end = min(max(_end(event), start + 1), len(self.source.text))
        span = Span(self.source, start, _trim(self.source.text, start, end))
        self.findings.append(Diagnostic(code, message, Label(span), hint))

    def stop(self, code: Code, message: str, event: yaml.Event, hint: str) -> None:
        """Note a finding and read no further."""
        self.say(code, message, event, hint)
        raise _Refused


def _start(event: yaml.Event) -> int:
    assert event.start_mark is not None, "the parser marks every event"
    return event.start_mark.index


def _end(event: yaml.Event) -> int:
    assert event.end_mark is not None, "the parser marks every event"
    return event.end_mark.index


def _trim(text: str, start: int, end: int) -> int:
    """Leave out the white space and line ends behind a value."""
    return start + len(text[start:end].rstrip())


def _broken(source: Source, error: yaml.YAMLError) -> Diagnostic:
    """Say what PyYAML could not read, in the words of a sheet's author."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    start = min(mark.index if mark else 0, max(len(source.text) - 1, 0))
    problem = getattr(error, "problem", None) or "this is not YAML"
    line, column = source.position(start)
    text = source.line(line)
    message, hint = f"YAML cannot be read here: {problem}", ""
    if "\t" in text[: len(text) - len(text.lstrip())] or "\\t" in problem:
        message, hint = f"tab used for indentation at line {line}", "indent by spaces"
        column = text.find("\t") + 1
        start = source.starts[line - 1] + max(column - 1, 0)
    elif text[column - 1 : column] in {"%", "@", "`"}:
        hint = "quote the value: a plain one cannot start with this character"
    elif "{" in text or "[" in text:
        hint = (
            'inside of { } and [ ] quote what holds `, : [ ] { } #`, as in {formula: "= max(a, b)"}'
        )
    elif "mapping values are not allowed" in problem:
        hint = "quote a text that holds `: `, or indent by two spaces under its key"
    label = Label(Span(source, start, min(start + 1, len(source.text))))
    return Diagnostic(codes.YAML, message, label, hint)
