"""The dependency graph as DOT (Graphviz) or Mermaid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.analysis.addresses import value_formatter
from calcgraph.analysis.descriptions import heading_of, label_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from calcgraph.core.values import Value
    from calcgraph.graph.digraph import QuantityGraph
    from calcgraph.model import Cell, Model

GRAPHS = ("dot", "mermaid")


def render_graph(
    kind: str, model: Model, values: Sequence[Value], graph: QuantityGraph, wanted: Collection[str]
) -> str:
    """Draw the wanted nodes of ``Book.graph``, grouped by sheet and heading.

    Arrows run from a cell to the cells that read it, directly or through cells without a name.
    """
    numbers = {model.graph.names[name]: name for name in wanted}
    cells = [model.cells[number] for number in sorted(numbers)]
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        prefix = cell.name.rpartition(".")[0]
        heading = heading_of(model, cell)
        groups.setdefault(": ".join(part for part in (prefix, heading) if part), []).append(cell)
    edges = [
        (model.graph.names[need], number)
        for number, name in sorted(numbers.items())
        for need in graph.pred[name]
        if need in wanted
    ]
    draw = _dot if kind == "dot" else _mermaid
    return draw(model, values, groups, edges)


def _words(model: Model, cell: Cell, values: Sequence[Value]) -> tuple[str, str]:
    return label_of(model, cell), value_formatter(model)(values[cell.number], cell.type)


def _dot(
    model: Model,
    values: Sequence[Value],
    groups: dict[str, list[Cell]],
    edges: list[tuple[int, int]],
) -> str:
    lines = [
        "digraph calcgraph {",
        "  rankdir=LR;",
        '  node [shape=box, style="rounded,filled", fontname=Helvetica];',
    ]
    for at, (name, cells) in enumerate(groups.items()):
        lines.append(f"  subgraph cluster_{at} {{")
        lines.append(f"    label={_quoted(name)}; color=gray; fontname=Helvetica;")
        for cell in cells:
            label, value = _words(model, cell, values)
            fill = "#FFFFFF" if cell.kind == "calc" else "#FFF9DC"
            text = _quoted(f"{label}\n{value}")
            facts = f'label={text}, tooltip={_quoted(cell.name)}, fillcolor="{fill}"'
            lines.append(f"    n{cell.number} [{facts}];")
        lines.append("  }")
    lines += [f"  n{need} -> n{user};" for need, user in edges]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", " ").replace("\n", "\\n")
    return f'"{escaped}"'


def _mermaid(
    model: Model,
    values: Sequence[Value],
    groups: dict[str, list[Cell]],
    edges: list[tuple[int, int]],
) -> str:
    lines = ["flowchart LR"]
    inputs: list[str] = []
    for at, (name, cells) in enumerate(groups.items()):
        lines.append(f'  subgraph g{at} ["{_entities(name) or " "}"]')
        for cell in cells:
            label, value = _words(model, cell, values)
            lines.append(f'    n{cell.number}["{_entities(label)}<br/>{_entities(value)}"]')
            if cell.kind != "calc":
                inputs.append(f"n{cell.number}")
        lines.append("  end")
    lines += [f"  n{need} --> n{user}" for need, user in edges]
    if inputs:
        lines += [
            "  classDef input fill:#FFF9DC,stroke:#E3D08C",
            f"  class {','.join(inputs)} input",
        ]
    return "\n".join(lines) + "\n"


def _entities(text: str) -> str:
    """Write what Mermaid or HTML would read as markup as entities."""
    return "".join(
        char if char.isalnum() or char in " .,:-_%()" else f"#{ord(char)};" for char in text
    )
