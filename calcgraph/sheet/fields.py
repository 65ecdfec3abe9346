"""Small steps that all parts of a sheet are read by; each says what it found wrong."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.language.parser import parse_formula, parse_template
from calcgraph.language.tokens import describe_character
from calcgraph.sheet import schema
from calcgraph.sheet.declarations import Metadata, Provenance
from calcgraph.sheet.schema import BAD_NAME, FLOW_VALUE, SHAPE, UNKNOWN_KEY
from calcgraph.sheet.yaml_reader import YamlMapping, YamlNode, YamlScalar, YamlSequence

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from calcgraph.core.source import Span
    from calcgraph.language.ast import Formula, Text

NAME = re.compile(r"[a-z][a-z0-9_]*")
RESERVED = {"true", "false", "and", "or", "not", "base", "cg"}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}(-[0-9]{2})?")


def is_empty(node: YamlNode) -> bool:
    """Whether a value is missing."""
    return isinstance(node, YamlScalar) and not node.style and not node.text.text


def _known_hint(name: str, known: Collection[str], hint: str) -> str:
    place = next((what for what, keys in schema.PLACES.items() if name in keys), "")
    if place and not set(schema.PLACES[place]) <= set(known):
        return f"`{name}` belongs to {place}"
    return hint or f"known here: {', '.join(known)}"


def _better(name: str) -> str:
    """Write a name as names are written."""
    better = re.sub(r"[^a-z0-9_]+", "_", name.lower()).strip("_")
    return better if NAME.fullmatch(better) else f"x_{better}".rstrip("_")


def kind(node: YamlNode) -> str:
    """Name the kind of a node, for a message."""
    return {YamlMapping: "keys with values", YamlSequence: "a list"}.get(type(node), "one value")


def counted(number: int, one: str, many: str) -> str:
    """Write ``1 entry``, ``2 entries``."""
    return f"{number} {one if number == 1 else many}"


def _is_day(text: str) -> bool:
    if not _DAY.fullmatch(text):
        return False
    try:
        date.fromisoformat(text if text.count("-") == 2 else f"{text}-01")  # noqa: PLR2004
    except ValueError:
        return False
    return True


class SheetReading:
    """Collects findings while a sheet is read."""

    def __init__(self, functions: Collection[str]) -> None:
        """Know the names that cells may not take."""
        self.findings: list[Diagnostic] = []
        self.lost: set[str] = set()
        self.functions = functions
        self._emptied: set[int] = set()
        self._cut: set[int] = set()

    def say(self, code: Code, message: str, span: Span, hint: str = "") -> None:
        """Note a finding."""
        self.findings.append(Diagnostic(code, message, Label(span), hint))

    def lose(self, node: YamlNode) -> None:
        """Remember the names in what is not read, so that their uses are not called unknown."""
        if isinstance(node, YamlMapping):
            for key, value in node.entries:
                self.lose_key(key)
                self.lose(value)
        elif isinstance(node, YamlSequence):
            for item in node.items:
                self.lose_key(item) if isinstance(item, YamlScalar) else self.lose(item)

    def lose_key(self, key: YamlScalar) -> None:
        """Remember a key that is not read as the name it may have been meant for."""
        name = key.text.text.partition("[")[0].strip()
        self.lost |= {name, name.lower(), _better(name)}

    def mapping(self, node: YamlNode, what: str) -> YamlMapping | None:
        """Return a mapping, or report that one is needed."""
        if isinstance(node, YamlMapping):
            self.empty_values(node)
            return node
        if not is_empty(node):
            is_list = isinstance(node, YamlSequence)
            hint = "write `key: value`, " + ("without `- `" if is_list else "each on its own line")
            self.say(SHAPE, f"{what} holds keys with values, not {kind(node)}", node.span, hint)
        self.lose(node)
        return None

    def empty_values(self, node: YamlMapping) -> None:
        """Find keys that YAML's comma made: ``{value: 2,75}``, ``{formula: =max(a, b)}``."""
        if id(node) in self._emptied:
            return
        self._emptied.add(id(node))
        before: YamlScalar | None = None
        pieces: list[YamlScalar] = []
        for key, value in node.entries:
            if before is not None and self.was_cut(key, value, node):
                pieces.append(key)
                continue
            self.cut(pieces, before)
            pieces = []
            if is_empty(value):
                hint = "write what it holds behind it or indented below it, or `null` for nothing"
                self.say(SHAPE, f"`{key.text.text}` has no value", key.span, hint)
            before = value if isinstance(value, YamlScalar) else None
        self.cut(pieces, before)

    def cut(self, pieces: list[YamlScalar], before: YamlScalar | None) -> None:
        """Report a value that commas cut into pieces."""
        if before is None or not pieces:
            return
        self._cut.add(id(before))
        start, key = before.text.text, pieces[0]
        rest = ", ".join(piece.text.text for piece in pieces)
        if re.fullmatch(r"[-+]?[0-9_]+", start) and re.match(r"[0-9]", rest):
            hint = f"use {start}.{rest}"
            if re.match(r"[0-9]{3}(?![0-9])", rest):
                hint = f"use {start}_{rest}, or {hint} for a decimal point"
        else:
            hint = f'quote the value: "{start}, {rest}"'
        what = f"unexpected key '{key.text.text}'"
        message = f"{what}: inside of {{ }} a comma ends the value before it"
        self.say(FLOW_VALUE, message, key.span, hint)

    def entries(
        self, node: YamlMapping, keys: Iterable[str], what: str, cell: str = ""
    ) -> dict[str, tuple[YamlScalar, YamlNode]]:
        """Return the entries under known keys and report unknown keys.

        ``cell`` is the cell they are the keys of: another one may have slipped under it.
        """
        self.empty_values(node)
        known = list(keys)
        found: dict[str, tuple[YamlScalar, YamlNode]] = {}
        for key, value in node.entries:
            name = key.text.text
            if name in known:
                found[name] = (key, value)
            elif not self.was_cut(key, value, node):
                slipped = cell and not node.flow and NAME.fullmatch(name)
                hint = f"for a cell of its own, indent it like `{cell}`" if slipped else ""
                hint = schema.NOT_YET.get(name) or did_you_mean(
                    name, known, _known_hint(name, known, hint)
                )
                self.say(UNKNOWN_KEY, f"unknown key '{name}' in {what}", key.span, hint)
                self.lose_key(key)
                self.lose(value)
        return found

    @staticmethod
    def was_cut(key: YamlScalar, value: YamlNode, node: YamlMapping) -> bool:
        """Whether ``empty_values`` has spoken of this key."""
        first = node.entries[0][0] is key
        if first or not node.flow or not is_empty(value) or key.quoted:
            return False
        return not key.span.source.text[key.span.end :][:40].lstrip().startswith(":")

    def scalar(self, node: YamlNode | None, what: str) -> YamlScalar | None:
        """Return a scalar, or report that one is needed."""
        if node is None:
            return None
        if isinstance(node, YamlScalar):
            return None if is_empty(node) or id(node) in self._cut else node
        message = f"{what} is a single value, not {kind(node)}"
        self.say(SHAPE, message, node.span, "write one value")
        self.lose(node)
        return None

    def text(self, node: YamlNode | None, what: str) -> str:
        """Return free text, taken literally."""
        found = self.scalar(node, what)
        return found.text.text.strip() if found else ""

    def items(self, node: YamlNode | None, what: str) -> tuple[YamlNode, ...]:
        """Return the items of a list, or report that one is needed."""
        if node is None:
            return ()
        if isinstance(node, YamlSequence):
            for item in node.items:
                if is_empty(item):
                    hint = "write it, or delete the `-`"
                    self.say(SHAPE, f"an item of {what} is empty", item.span, hint)
            return tuple(item for item in node.items if not is_empty(item))
        if not is_empty(node):
            message = f"{what} is a list, not {kind(node)}"
            self.say(SHAPE, message, node.span, "start each item with `- `")
        return ()

    def name(self, key: YamlScalar, what: str, *, callable_too: bool = False) -> str | None:
        """Return a legal name, or report what is wrong with it."""
        name = key.text.text
        if not NAME.fullmatch(name):
            self.bad_name(key, what)
            self.lose_key(key)
            return None
        if name in RESERVED or (name in self.functions and not callable_too):
            kind = "a word of the language" if name in RESERVED else "a function"
            hint = f"add to it, as in `{name}_`"
            self.say(BAD_NAME, f"`{name}` is {kind}, not a name for {what}", key.span, hint)
            self.lose_key(key)
            return None
        return name

    def bad_name(self, key: YamlScalar, what: str) -> None:
        """Describe the wrong character, or the form of a name."""
        name = key.text.text
        odd = next((char for char in name if not char.isascii()), None)
        if odd:
            message = f"{describe_character(odd)} is not allowed in the name of {what}"
            self.say(BAD_NAME, message, key.span, "names are a-z, 0-9 and _")
            return
        hint = f"write `{_better(name)}`"
        hint += "; the label can be any text" if what in {"a cell", "a column"} else ""
        self.say(BAD_NAME, f"`{name}` is not a name for {what}", key.span, hint)

    def formula(self, text: YamlScalar) -> Formula | None:
        """Read a formula behind its ``=``; one that a comma has cut is passed over."""
        if id(text) in self._cut:
            return None
        raw = text.text.text
        start = len(raw) - len(raw.lstrip())
        if not raw.startswith("=", start):
            self.say(SHAPE, "a formula starts with `=`", text.span, f"write `= {raw.strip()}`")
            return None
        end = len(raw.rstrip())
        found = parse_formula(text.text.part(start + 1, end))
        if isinstance(found, Diagnostic):
            self.findings.append(found)
            return None
        return found

    def template(self, text: YamlScalar) -> Text | None:
        """Read a message with holes."""
        found = parse_template(text.text)
        if isinstance(found, Diagnostic):
            self.findings.append(found)
            return None
        return found

    def provenance(self, node: YamlNode | None) -> Provenance | None:
        """Read a source: a text, or title, url, day and owner."""
        if node is None:
            return None
        if isinstance(node, YamlScalar):
            return Provenance(node.text.text.strip(), place=node)
        mapping = self.mapping(node, "`source`")
        if mapping is None:
            return None
        found = self.entries(mapping, schema.SOURCE, "a source")
        texts = {key: self.text(value, f"`{key}`") for key, (_, value) in found.items()}
        place = (
            found["title"][1] if "title" in found else next(iter(found.values()), (None, None))[1]
        )
        if texts.get("checked") and not _is_day(texts["checked"]):
            hint = "write a day as 2026-09-01"
            message = f"`{texts['checked']}` is no day"
            self.say(SHAPE, message, found["checked"][1].span, hint)
            texts["checked"] = ""
        return Provenance(
            texts.get("title", ""),
            texts.get("url", ""),
            texts.get("checked", ""),
            texts.get("owner", ""),
            place if isinstance(place, YamlScalar) else None,
        )

    def about(self, found: dict[str, tuple[YamlScalar, YamlNode]]) -> Metadata:
        """Read label, note and source."""
        texts = {
            key: self.text(found[key][1], f"`{key}`") for key in ("label", "note") if key in found
        }
        source = self.provenance(found["source"][1]) if "source" in found else None
        return Metadata(texts.get("label", ""), texts.get("note", ""), source)
