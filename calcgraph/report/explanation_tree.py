"""An explanation to a text tree or to JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from calcgraph.language.tokens import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.analysis.explain import Explanation

LONG = 40
BOLD, DIM, BLUE, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[34m", "\x1b[0m"


def explanation_tree(root: Explanation, *, color: bool = False) -> str:
    """Draw the tree: name = result, the formula, the numbers put in, then the parts."""
    lines: list[str] = []
    told = _Printed()
    todo: list[tuple[Explanation, str, str]] = [(root, "", "")]
    while todo:
        node, first, rest = todo.pop()
        seen = told.before(node)
        lines.append(_head(node, first, seen=seen, color=color))
        if not seen:
            bar = rest + ("│  " if node.parts else "   ")
            lines += [f"{bar}{line}" for line in _body(node, told, color=color)]
        parts = node.parts
        for at in range(len(parts) - 1, -1, -1):
            last = at == len(parts) - 1
            todo.append(
                (parts[at], rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))
            )
    return "\n".join(lines) + "\n"


class _Printed:
    """Remembers printed entries, sources and notes, so that each is printed once."""

    def __init__(self) -> None:
        self.entries: set[str] = set()
        self.notes: set[str] = set()
        self.sources: dict[str, str] = {}

    def before(self, node: Explanation) -> bool:
        """Whether a cell or an entry was printed further up."""
        if node.seen or node.name in self.entries:
            return True
        if node.kind == "entry":
            self.entries.add(node.name)
        return False

    def source(self, node: Explanation) -> str:
        """Return a source; if a long one was printed before, refer to the cell that has it."""
        first = self.sources.setdefault(node.source, node.name)
        if first == node.name or len(node.source) < LONG:
            return node.source
        return f"as for {first}"

    def variant(self, node: Explanation) -> str:
        """Return the variants a cell is computed in, once."""
        fresh = "" if node.variant in self.notes else node.variant
        self.notes.add(node.variant)
        return fresh

    def row_note(self, node: Explanation) -> str:
        """Return the note on a row the first time, then nothing."""
        fresh = "" if node.row_note in self.notes else node.row_note
        self.notes.add(node.row_note)
        return fresh


def _head(node: Explanation, first: str, *, seen: bool, color: bool) -> str:
    name = f"{BOLD}{node.name}{PLAIN}" if color else node.name
    blue = color and node.kind in {"input", "entry"}
    result = f"{BLUE}{printable(node.result)}{PLAIN}" if blue else printable(node.result)
    label = f"  {printable(node.label)}" if node.label else ""
    tail = "(told above)" if seen else node.place
    return f"{first}{name} = {result}{_dim(f'{label}  {tail}', color=color)}"


def _body(node: Explanation, told: _Printed, *, color: bool) -> list[str]:
    lines = []
    if node.formula:
        lines.append(f"= {printable(node.formula)}")
    if node.numbers and node.numbers not in {node.formula.split(" -> ")[0], node.result}:
        lines.append(f"= {printable(node.numbers)}")
    facts = (
        ("in variant", told.variant(node)),
        ("source", told.source(node)),
        ("note", node.note),
        ("note on the row", told.row_note(node)),
    )
    lines += [_dim(f"{word}: {printable(text)}", color=color) for word, text in facts if text]
    return lines


def _dim(text: str, *, color: bool) -> str:
    return f"{DIM}{text}{PLAIN}" if color else text


def explanation_json(root: Explanation, inputs: Sequence[str] = ()) -> str:
    """Write the tree as nested JSON; ``inputs`` are the names of all inputs that can move it."""
    built: dict[int, dict[str, Any]] = {}
    todo: list[tuple[Explanation, bool]] = [(root, False)]
    while todo:
        node, ready = todo.pop()
        if not ready:
            todo.append((node, True))
            todo.extend((part, False) for part in node.parts)
            continue
        facts = {
            key: getattr(node, key)
            for key in (
                "name",
                "label",
                "result",
                "kind",
                "place",
                "formula",
                "numbers",
                "note",
                "row_note",
                "source",
                "variant",
            )
        }
        found: dict[str, Any] = {key: value for key, value in facts.items() if value}
        if node.seen:
            found["told_above"] = True
        found["parts"] = [built.pop(id(part)) for part in node.parts]
        built[id(node)] = found
    whole = built[id(root)]
    if inputs:
        whole["inputs"] = list(inputs)
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
