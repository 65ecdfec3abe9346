"""An explanation as a tree or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from calcgraph.lang.tokens import printable

if TYPE_CHECKING:
    from calcgraph.analysis.explain import Explanation

BOLD, DIM, BLUE, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[34m", "\x1b[0m"


def explanation_tree(root: Explanation, *, color: bool = False) -> str:
    """Draw the tree: name = result, the formula, the numbers put in, then the parts."""
    lines: list[str] = []
    todo: list[tuple[Explanation, str, str]] = [(root, "", "")]
    while todo:
        node, first, rest = todo.pop()
        lines += _lines(node, first, rest, color=color)
        parts = node.parts
        for at in range(len(parts) - 1, -1, -1):
            last = at == len(parts) - 1
            todo.append(
                (parts[at], rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))
            )
    return "\n".join(lines) + "\n"


def _lines(node: Explanation, first: str, rest: str, *, color: bool) -> list[str]:
    name = f"{BOLD}{node.name}{PLAIN}" if color else node.name
    blue = color and node.kind in {"input", "entry"}
    result = f"{BLUE}{printable(node.result)}{PLAIN}" if blue else printable(node.result)
    label = f"  {printable(node.label)}" if node.label else ""
    told = "  (told above)" if node.seen else ""
    facts = [f"{first}{name} = {result}{_dim(label + told + f'  {node.place}', color=color)}"]
    if node.seen:
        return facts
    bar = rest + ("│  " if node.parts else "   ")
    if node.formula:
        facts.append(f"{bar}= {printable(node.formula)}")
    if node.numbers and node.numbers != node.formula.split(" -> ")[0]:
        facts.append(f"{bar}= {printable(node.numbers)}")
    if node.source:
        facts.append(f"{bar}{_dim(f'source: {printable(node.source)}', color=color)}")
    if node.note:
        facts.append(f"{bar}{_dim(f'note: {printable(node.note)}', color=color)}")
    return facts


def _dim(text: str, *, color: bool) -> str:
    return f"{DIM}{text}{PLAIN}" if color else text


def explanation_json(root: Explanation) -> str:
    """Write the tree as nested JSON."""
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
                "source",
            )
        }
        found: dict[str, Any] = {key: value for key, value in facts.items() if value}
        if node.seen:
            found["told_above"] = True
        found["parts"] = [built.pop(id(part)) for part in node.parts]
        built[id(node)] = found
    return json.dumps(built[id(root)], ensure_ascii=False, indent=1) + "\n"
