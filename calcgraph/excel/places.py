"""Where things stand in the YAML, and how sources are called."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from calcgraph.sheet.declarations import CalcDecl, InputDecl

if TYPE_CHECKING:
    from calcgraph.core.source import Span
    from calcgraph.model import Cell, Model
    from calcgraph.sheet.declarations import Provenance


def place_text(span: Span) -> str:
    """Give file and line: ``llama70b:91``."""
    line = span.source.position(span.start)[0]
    return f"{PurePosixPath(span.source.name).stem}:{line}"


def yaml_path(model: Model, cell: Cell) -> str:
    """Give the path of a cell in its file: ``inputs.Cluster.gpus``."""
    decl = model.graph.nodes[cell.number].decl
    if not isinstance(decl, InputDecl | CalcDecl):
        return ""
    section = "inputs" if isinstance(decl, InputDecl) else "calc"
    return ".".join(part for part in (section, decl.heading, decl.name) if part)


def source_key(source: Provenance) -> str:
    """Give a source on one line."""
    checked = f", checked {source.checked}" if source.checked else ""
    return f"{source.title}{checked}"


def note_text(decl: CalcDecl) -> str:
    """Give a result's note and source on one line."""
    source = decl.about.source.title if decl.about.source else ""
    return "; ".join(part for part in (decl.about.note, source and f"source: {source}") if part)
