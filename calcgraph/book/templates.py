"""New sheets, and what editors need beside them."""

from __future__ import annotations

import json
import os
import os.path
from pathlib import Path
from typing import TYPE_CHECKING

from calcgraph.book.files import OutputError, read_source, replace_file
from calcgraph.core import resources
from calcgraph.core.diagnostics import did_you_mean
from calcgraph.sheet.json_schema import json_schema
from calcgraph.sheet.reader import read_sheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calcgraph.core.source import Span
    from calcgraph.sheet.yaml_reader import YamlScalar


SCHEMA_NAME = "calcgraph.schema.json"
_MARK = "# yaml-language-server:"


def schema_text() -> str:
    """Return the JSON Schema of a sheet as it is kept in a file."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=1) + "\n"


def with_modeline(text: str, sheet: Path, schema: Path) -> str:
    """Make a sheet's first line name its schema, replacing a line that names another."""
    way = Path(os.path.relpath(schema, sheet.parent)).as_posix()
    first, _, rest = text.partition("\n")
    body = rest if first.startswith(_MARK) else text
    return f"{_MARK} $schema={way}\n{body}"


SKELETON = """\
calcgraph: 1
title: {title} - what it answers
description: In a line or two, what a reader learns from this sheet.
conventions: {{year: 365 day, month: year/12}}

inputs:
  Cluster:                                     # a heading starts with a capital letter
    gpus:      {{value: 8 gpu, min: 1 gpu, label: GPUs in the job, source: our cluster}}
    price:     {{value: 2.50 USD/gpu/hour, min: 0 USD/gpu/hour, source: our contract}}
  Run:
    run_time:  {{value: 12 hour, min: 0 hour, source: an assumption}}

calc:
  Cost:
    gpu_hours: = gpus * run_time -> gpu*hour   # the arrow says which unit the cell is kept in
    cost:      {{formula: = gpu_hours * price -> USD, label: Cost of the run}}

checks:
  - name: within the budget
    assert: = cost <= 1_000 [USD]
    message: the run costs {{cost, 2}}
    severity: warning

outputs: [cost]
"""


def new_sheet(target: Path, shipped: str = "", *, force: bool = False) -> list[Path]:
    """Write a new sheet, the sheets it imports, and the schema for editors beside it.

    Identical files are left alone. Returns the paths of the files that were written.
    Raises ``OutputError`` if another file is in the way, or no such sheet is shipped.
    """
    texts = _shipped(target, shipped) if shipped else {target: _skeleton(target.stem)}
    schema = target.parent / SCHEMA_NAME
    files = {path: with_modeline(text, path, schema).encode() for path, text in texts.items()}
    files[schema] = schema_text().encode()
    files = {path: content for path, content in files.items() if _held(path) != content}
    in_the_way = [path for path in (target, *files) if path.exists() and not _is_schema(path)]
    if in_the_way and not force:
        message = f"{in_the_way[0]} already exists; --force overwrites it"
        raise OutputError(message)
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content)
    return list(files)


def _skeleton(stem: str) -> str:
    return SKELETON.format(title=stem.replace("_", " ").replace("-", " "))


def _held(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _is_schema(path: Path) -> bool:
    """Whether a file is a schema of ours, of any version: nobody edits those."""
    return path.name == SCHEMA_NAME and b'"title": "calcgraph sheet"' in (_held(path) or b"")


def _shipped(target: Path, name: str) -> dict[Path, str]:
    """Collect a shipped sheet and what it imports, which keep their places below the new one's."""
    known = resources.sheet_paths()
    if name not in known:
        hint = did_you_mean(name, known, f"there are: {', '.join(known)}")
        message = f"no sheet `{name}` is shipped; {hint}"
        raise OutputError(message)
    first = f"{name}.yaml"
    root = Path(known[name]).parents[first.count("/")]
    found: dict[Path, str] = {}
    waiting = [first]
    while waiting:
        here = waiting.pop()
        source = read_source(root / here, here)
        imports = [
            (decl.path.span, _beside(here, decl.path)) for decl in read_sheet(source)[0].imports
        ]
        is_first = not found
        copy = target if is_first else target.parent / here
        found[copy] = _with_paths(source.text, imports) if is_first else source.text
        waiting += [path for _, path in imports if target.parent / path not in found]
    return found


def _beside(here: str, path: YamlScalar) -> str:
    """Return an import's path among the shipped sheets: `training/../catalog` is `catalog`."""
    return os.path.normpath(Path(here).parent / path.text.text.strip())


def _with_paths(text: str, imports: Iterable[tuple[Span, str]]) -> str:
    """Rewrite the imports of a copied sheet, whose original may lie in a folder."""
    for span, path in sorted(imports, key=lambda one: one[0].start, reverse=True):
        text = f"{text[: span.start]}{path}{text[span.end :]}"
    return text
