"""YAML events to nodes with exact spans: no tags, aliases or guessed types."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import yaml

from calcgraph.core.diagnostics import Code, Diagnostic, Label
from calcgraph.core.source import Slice, Source, Span
from calcgraph.language.tokens import describe_character, printable
from calcgraph.sheet.schema import DUPLICATE_KEY, ENCODING, LIMIT, SHAPE, YAML_FEATURE
from calcgraph.sheet.yaml_errors import DEPTH, Trouble, yaml_problem

if TYPE_CHECKING:
    from collections.abc import Iterator


_MOST = 20

_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
_UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\U000e0000-\U000e007f"
)
FORBIDDEN = re.compile(f"[{_CONTROLS}{_UNSEEN}]|\r(?!\n)")
"""Controls, line ends that editors do not show, marks that turn or hide text, lone surrogates."""


def forbidden_characters(source: Source, where: str) -> list[Diagnostic]:
    """Find the characters of a file that are refused: the first twenty."""
    findings = []
    for hit in FORBIDDEN.finditer(source.text):
        label = Label(Span(source, hit.start(), hit.end()))
        message = forbidden_message(hit.group(), where)
        findings.append(Diagnostic(ENCODING, message, label, "delete it"))
        if len(findings) == _MOST:
            break
    return findings


def forbidden_message(char: str, where: str) -> str:
    """Word the refusal of a character in ``where``: a sheet, a text, a value."""
    return f"{describe_character(char)} is not allowed in {where}"


def fold_key(text: str) -> str:
    """Reduce a key to what makes it unique: neither case nor the encoding of accents counts."""
    return unicodedata.normalize("NFC", text).casefold()


def difference_of_keys(first: str, second: str) -> str:
    """Explain why two keys that are spelled differently are one key; empty if they are equal."""
    if first == second:
        return ""
    if unicodedata.normalize("NFC", first) == unicodedata.normalize("NFC", second):
        return "; both spell the same letters, with accents encoded in two ways"
    return "; upper and lower case count as equal"


_LONG = {"x": 4, "u": 6, "U": 10}


def align(source: Source, start: int, end: int, value: str, style: str) -> Slice:
    """Map the value to a slice of its source.

    ``value`` is what YAML reads between ``start`` and ``end``; ``style`` its quote or block mark.
    """
    raw = source.text
    if not style and raw.startswith(value, start):
        return Slice(source, value, start)
    if style in {"'", '"'}:
        start, end = start + 1, end - 1
        if raw.startswith(value, start) and start + len(value) == end:
            return Slice(source, value, start)
    elif style:
        newline = raw.find("\n", start)
        start = newline + 1 if newline >= 0 else end
    return Slice(source, value, start, tuple(_offsets(raw, start, end, value, style)))


def _offsets(raw: str, start: int, end: int, value: str, style: str) -> list[int]:
    """Walk both texts in step: white space matches white space, an escape its character."""
    offsets: list[int] = []
    at = start
    for char in value:
        if style == '"':
            while raw.startswith(("\\\n", "\\\r\n"), at):  # an escaped line end reads as nothing
                at = raw.index("\n", at) + 1
                while at < end and raw[at] in " \t":
                    at += 1
        if char.isspace():
            while at < end and not raw[at].isspace() and raw[at] != "\\":
                at += 1
            offsets.append(min(at, end))
            at = _past(raw, at, end, style)
            continue
        while at < end and raw[at].isspace():
            at += 1
        offsets.append(min(at, end))
        at = _past(raw, at, end, style)
    offsets.append(min(at, end))
    return offsets


def _past(raw: str, at: int, end: int, style: str) -> int:
    """Go past one written character: an escape or a doubled quote is one."""
    if at >= end:
        return end
    if style == '"' and raw[at] == "\\" and at + 1 < end:
        return at + _LONG.get(raw[at + 1], 2)
    if style == "'" and raw.startswith("''", at):
        return at + 2
    return at + 1


TEXT = 32_767


@dataclass(frozen=True, slots=True)
class YamlScalar:
    """A single value; ``style`` is YAML's quote, ``|`` or ``>``, or empty for a plain one."""

    text: Slice
    span: Span
    style: str = ""

    @property
    def quoted(self) -> bool:
        """Whether it is text whatever it looks like."""
        return self.style in {"'", '"'}


@dataclass(frozen=True, slots=True)
class YamlMapping:
    """Keys and values, in order; ``repeats`` are keys that stood there before, and are left out."""

    span: Span
    entries: tuple[tuple[YamlScalar, YamlNode], ...]
    flow: bool = False
    repeats: tuple[YamlScalar, ...] = ()


@dataclass(frozen=True, slots=True)
class YamlSequence:
    """Values, in order."""

    span: Span
    items: tuple[YamlNode, ...]


YamlNode: TypeAlias = YamlScalar | YamlMapping | YamlSequence


def read_yaml(source: Source) -> tuple[YamlNode | None, list[Diagnostic]]:
    """Read a whole file; a YAML syntax error discards everything before it."""
    findings = forbidden_characters(source, "a sheet")
    if findings:
        return None, findings
    reader = _YamlReader(source)
    try:
        return reader.document(), reader.findings
    except _Refused:
        return None, reader.findings
    except yaml.YAMLError as error:
        return None, [*reader.findings, _broken(source, error)]


class _Refused(Exception):
    """Stops reading where going on would only repeat one mistake."""


class _YamlReader:
    """Turns PyYAML's events into nodes, counting depth as it goes."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Diagnostic] = []
        self.events: Iterator[yaml.Event] = yaml.parse(source.text, Loader=yaml.CSafeLoader)
        self.depth = 0

    def document(self) -> YamlNode | None:
        """Read the one document of a file."""
        node: YamlNode | None = None
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.stop(
                        YAML_FEATURE,
                        "a second document starts here",
                        event,
                        "put it into a file of its own",
                    )
                node = self.node(next(self.events))
        return node

    def node(self, event: yaml.Event) -> YamlNode:
        """Read one value."""
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            self.feature(event)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        self.depth += 1
        if self.depth > DEPTH:
            message = f"nested deeper than {DEPTH} levels"
            self.stop(LIMIT, message, event, "write it flat: a sheet needs few levels")
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        node: YamlNode = self.mapping(event) if is_mapping else self.sequence(event)
        self.depth -= 1
        return node

    def feature(self, event: yaml.Event) -> NoReturn:
        """Refuse an anchor, an alias or a tag: the word in front of a value."""
        start = _start(event)
        text = self.source.text
        found = re.compile(r"[^\s,\]}]*").match(text, start)
        word = found.group() if found else ""
        if word.startswith("!"):
            message = f"the tag `{printable(word)}` is not used in sheets"
            hint = "delete it"
            if "include" in word or "import" in word:
                hint = "to read another sheet, use `imports:`"
        else:
            message = "anchors (`&`) and aliases (`*`) are not used in sheets"
            hint = "write the value out"
            if isinstance(event, yaml.AliasEvent):
                hint += f', or quote a text: "{printable(word)}"'
        label = Label(Span(self.source, start, start + max(len(word), 1)))
        self.findings.append(Diagnostic(YAML_FEATURE, message, label, hint))
        raise _Refused

    def scalar(self, event: yaml.ScalarEvent) -> YamlScalar:
        """Read a single value."""
        start, end = _start(event), _end(event)
        style = event.style or ""
        if len(event.value) > TEXT:
            message = f"text of {len(event.value):,} characters; {TEXT:,} is the most"
            self.say(LIMIT, message, event, "shorten it")
        text = align(self.source, start, end, event.value, style)
        odd = FORBIDDEN.search(event.value) if style == '"' else None  # others have no escapes
        if odd:
            message = forbidden_message(odd.group(), "a text")
            label = Label(Span(self.source, text.at(odd.start()), text.at(odd.end())))
            self.findings.append(Diagnostic(ENCODING, message, label, "leave the escape out"))
        return YamlScalar(
            text, Span(self.source, start, max(start, _trim(self.source.text, start, end))), style
        )

    def mapping(self, event: yaml.Event) -> YamlMapping:
        """Read keys and values; a repeated key is reported once."""
        entries: list[tuple[YamlScalar, YamlNode]] = []
        seen: dict[str, YamlScalar] = {}
        repeats: list[YamlScalar] = []
        last = event
        for last in self.events:
            if isinstance(last, yaml.MappingEndEvent):
                break
            key = self.node(last)
            value = self.node(next(self.events))
            if not isinstance(key, YamlScalar):
                self.composed_key(key)
                continue
            if key.text.text == "<<" and not key.quoted:
                self.stop(
                    YAML_FEATURE,
                    "merge keys are not used in sheets",
                    last,
                    "write the keys out",
                )
            folded = fold_key(key.text.text)
            if folded in seen:
                self.duplicate(key, seen[folded])
                repeats.append(key)
                continue
            seen[folded] = key
            entries.append((key, value))
        span = Span(self.source, _start(event), _end(last))
        is_flow = bool(getattr(event, "flow_style", False))
        return YamlMapping(span, tuple(entries), is_flow, tuple(repeats))

    def composed_key(self, key: YamlNode) -> None:
        """Refuse a list or mapping used as a key: ``{{month}: 5}``."""
        hint = "quote it if it is a text, or leave out the inner brackets"
        self.findings.append(Diagnostic(SHAPE, "a key is a single text", Label(key.span), hint))

    def duplicate(self, key: YamlScalar, first: YamlScalar) -> None:
        """Report a repeated key, with both places."""
        line = first.span.source.position(first.span.start)[0]
        self.findings.append(
            Diagnostic(
                DUPLICATE_KEY,
                f"duplicate key '{key.text.text}', first in line {line}",
                Label(key.span, "again here"),
                "keep one of them" + difference_of_keys(key.text.text, first.text.text),
                (Label(first.span, "first here"),),
            )
        )

    def sequence(self, event: yaml.Event) -> YamlSequence:
        """Read a list."""
        items: list[YamlNode] = []
        last = event
        for last in self.events:
            if isinstance(last, yaml.SequenceEndEvent):
                break
            items.append(self.node(last))
        return YamlSequence(Span(self.source, _start(event), _end(last)), tuple(items))

    def say(self, code: Code, message: str, event: yaml.Event, hint: str) -> None:
        """Note a finding at an event."""
        start = _start(event)
        end = min(max(_end(event), start + 1), len(self.source.text))
        span = Span(self.source, start, _trim(self.source.text, start, end))
        self.findings.append(Diagnostic(code, message, Label(span), hint))

    def stop(self, code: Code, message: str, event: yaml.Event, hint: str) -> NoReturn:
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
    """Describe what PyYAML could not read, in the words of a sheet's author."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    opened = getattr(error, "context_mark", None) or mark
    last = max(len(source.text) - 1, 0)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    return yaml_problem(
        Trouble(
            source,
            problem,
            getattr(error, "context", None) or "",
            min(mark.index if mark else getattr(error, "position", 0), last),
            min(opened.index if opened else 0, last),
        )
    )
