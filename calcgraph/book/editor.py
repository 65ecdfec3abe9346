"""What an editor's YAML language server needs: the schema's text, and the line that leads to it."""

from __future__ import annotations

import json
import os.path
from pathlib import Path

from calcgraph.sheet.json_schema import json_schema

SCHEMA_NAME = "calcgraph.schema.json"
_MARK = "# yaml-language-server:"


def schema_text() -> str:
    """Return the JSON Schema of a sheet as it is kept in a file."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=1) + "\n"


def with_modeline(text: str, sheet: Path, schema: Path) -> str:
    """Let a sheet's first line name its schema, in place of one that named another."""
    way = Path(os.path.relpath(schema, sheet.parent)).as_posix()
    first, _, rest = text.partition("\n")
    body = rest if first.startswith(_MARK) else text
    return f"{_MARK} $schema={way}\n{body}"
