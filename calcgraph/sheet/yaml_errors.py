"""What YAML cannot read, to a finding in the words of a sheet's author."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from calcgraph.core.diagnostics import Code, Diagnostic, Label
from calcgraph.core.source import Source, Span
from calcgraph.language.tokens import describe_character
from calcgraph.sheet.schema import LIMIT, YAML, YAML_FEATURE

DEPTH = 32
QUOTE = "quote the whole value"


@dataclass(frozen=True, slots=True)
class Trouble:
    """Where and why the YAML parser stopped; ``opened`` is where the part began that it was in."""

    source: Source
    problem: str
    context: str
    at: int
    opened: int

    @property
    def char(self) -> str:
        """The character it stopped at; empty at the end of the file."""
        return self.source.text[self.at : self.at + 1]

    @property
    def before(self) -> str:
        """The text before it on its line."""
        return self.source.line(self.source.position(self.at)[0])[: self._column]

    @property
    def _column(self) -> int:
        return self.source.position(self.at)[1] - 1


Words: TypeAlias = tuple[int, str, str] | tuple[int, str, str, Code]
"""A place, what is wrong there, what to do, and perhaps another code than "not YAML"."""


def yaml_problem(trouble: Trouble) -> Diagnostic:
    """Describe what is wrong, pointing at the cause where it is known."""
    found = _tab(trouble) or _quote(trouble) or _flow(trouble) or _by_problem(trouble)
    at, message, hint = found[:3]
    code = found[3] if len(found) > 3 else YAML  # noqa: PLR2004 - the fourth, if given
    end = min(at + 1, len(trouble.source.text))
    return Diagnostic(code, message, Label(Span(trouble.source, at, end)), hint)


def _tab(trouble: Trouble) -> Words | None:
    line = trouble.source.position(trouble.at)[0]
    text = trouble.source.line(line)
    tab = text[: len(text) - len(text.lstrip())].find("\t")
    if tab < 0:
        return None
    at = trouble.source.starts[line - 1] + tab
    return at, f"tab used for indentation at line {line}", "indent by spaces"


def _quote(trouble: Trouble) -> Words | None:
    """Find a text that never ends, or an escape that means nothing."""
    if "quoted scalar" not in trouble.context:
        return None
    quote = trouble.source.text[trouble.opened : trouble.opened + 1]
    if "escape character" in trouble.problem:
        escape = trouble.source.text[trouble.at : trouble.at + 2]
        hint = "write `\\\\` for a backslash, or use single quotes"
        return trouble.at, f"`{escape}` means nothing in double quotes", hint
    if "escape code" in trouble.problem or "hexdecimal" in trouble.problem:
        at = trouble.source.text.rfind("\\", 0, trouble.at + 1)
        return at, "this escape names no character", "write the character itself"
    if "unexpected" in trouble.problem:
        return trouble.opened, "this text has no end", f"close it with `{quote}`"
    return None


def _flow(trouble: Trouble) -> Words | None:
    """Find what breaks inside of ``{ }`` and ``[ ]``."""
    if "while parsing a flow" not in trouble.context or "expected ','" not in trouble.problem:
        return None
    opening = trouble.source.text[trouble.opened]
    closing = {"{": "}", "[": "]"}.get(opening, "")
    is_end = trouble.at >= len(trouble.source.text.rstrip())
    if is_end or _indent(trouble, trouble.at) <= _indent(trouble, trouble.opened) < _infinite(
        trouble
    ):
        return trouble.opened, f"`{opening}` is not closed", f"add `{closing}`"
    if trouble.char == "[" and (key := _key_with_dims(trouble)):
        message = f"inside of {{ }} and [ ] YAML takes the `[` of `{key}` for its own"
        return trouble.at, message, f'quote it: "{key}"'
    if trouble.char in {"[", "{", ":"}:
        message = f"inside of {{ }} and [ ] YAML takes this `{trouble.char}` for its own"
        return trouble.at, message, 'quote the value, as in "= params * 2 [byte/param]"'
    return trouble.at, "the value before this has ended already", "add a comma, or " + QUOTE


def _key_with_dims(trouble: Trouble) -> str:
    """Find ``fx[month]`` where a key or an item starts: behind a brace or a comma."""
    name = re.search(r"(?:^|[{,\[])\s*([a-z][a-z0-9_.]*)$", trouble.before)
    rest = re.compile(r"\[[^\[\]{}\n]*\]").match(trouble.source.text, trouble.at)
    return name.group(1) + rest.group() if name and rest else ""


def _indent(trouble: Trouble, at: int) -> int:
    text = trouble.source.line(trouble.source.position(at)[0])
    return len(text) - len(text.lstrip())


def _infinite(trouble: Trouble) -> int:
    """Return an indentation that a line cannot have; 0 if both places share a line."""
    position = trouble.source.position
    same = position(trouble.at)[0] == position(trouble.opened)[0]
    return 0 if same else len(trouble.source.text) + 1


def _by_problem(trouble: Trouble) -> Words:
    problem, at, char = trouble.problem, trouble.at, trouble.char
    if "mapping values" in problem:
        return _second_colon(trouble)
    if "expected key" in problem:
        return _stray(trouble)
    if "cannot start any token" in problem or "alphabetic or numeric" in problem:
        start = at if "cannot start" in problem else trouble.opened
        return _bad_start(trouble, start)
    if "could not find expected ':'" in problem:
        return trouble.opened, "this line has no `: `", "write `key: value`"
    if "node content" in problem:
        what = f"a value is missing before this `{char}`" if char == "," else "a value is missing"
        closes = char in {"]", "}"}
        hint = "delete it" if closes else "write one, or `null` for none"
        return at, f"`{char}` closes nothing" if closes else what, hint
    if "'-' indicator" in problem:
        return at, "there is a key among the items of a list", "indent it under the item above"
    if "sequence entries" in problem:
        return at, "a list starts behind its key", "start it on a line of its own"
    return _feature(trouble)


def _feature(trouble: Trouble) -> Words:
    """Find what YAML has and sheets have not."""
    problem, at, char = trouble.problem, trouble.at, trouble.char
    if "document" in problem:
        message = "text behind the end of the document"
        return at, message, "one sheet a file", YAML_FEATURE
    if "tag" in trouble.context or "tag handle" in problem:
        message = "tags, which start with `!`, are not used in sheets"
        return trouble.opened, message, "quote it if it is a text", YAML_FEATURE
    if "nesting depth" in problem:  # YAML's own limit is met while it looks ahead
        hint = "write it flat: a sheet needs few levels"
        return at, f"nested deeper than {DEPTH} levels", hint, LIMIT
    if "directive" in trouble.context:
        message = "directives, which start with `%`, are not used in sheets"
        return trouble.opened, message, "delete the line", YAML_FEATURE
    if "control characters" in problem and char:
        return at, f"{describe_character(char)} is not allowed in a sheet", "delete it"
    hint = "quote a name or value that holds other signs than letters, digits and `_`"
    return at, f"YAML cannot be read here: {problem}", hint


def _second_colon(trouble: Trouble) -> Words:
    """Distinguish a second colon on a line from a key nested under a value."""
    before = trouble.before
    if ": " in before.lstrip():
        message = "a second `:` in this line: YAML takes it for another key"
        return trouble.at, message, "quote the text behind the first `: `"
    key = trouble.at - len(before.lstrip())
    above = trouble.source.text[:key].rstrip()
    line = above[above.rfind("\n") + 1 :]
    if ":" not in line:
        start = len(above) - len(line.lstrip())
        return start, "this line has no `: `", "write `key: value`"
    message = "this key is indented below one that has a value already"
    return key, message, "indent it like the key above"


def _stray(trouble: Trouble) -> Words:
    """Distinguish a wrong indentation from text after the end of a value."""
    if trouble.before.strip():
        hint = f"{QUOTE}, with double quotes around it"
        return trouble.at, "the text before this has ended already", hint
    if trouble.source.text.startswith("- ", trouble.at):
        return trouble.at, "there is a list item among keys", "leave out `- `, or indent it"
    message = "this line is indented like none of the keys above it"
    return trouble.at, message, "indent it like the keys it belongs to"


def _bad_start(trouble: Trouble, start: int) -> Words:
    text = trouble.source.text
    found = re.compile(r"[^,\]}\n]*").match(text, start)
    value = found.group().rstrip() if found else ""
    return start, f"a value cannot start with `{text[start : start + 1]}`", f'quote it: "{value}"'
