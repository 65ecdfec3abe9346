"""``calcgraph schema``: the keys of a sheet for editors."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from calcgraph.cli.common import FINE, Command
from calcgraph.sheet.json_schema import json_schema

if TYPE_CHECKING:
    import argparse

EXAMPLES = """\
examples:
  calcgraph schema > calcgraph.schema.json
then, as the first line of a sheet, for editors with a YAML language server:
  # yaml-language-server: $schema=calcgraph.schema.json
"""


def add_arguments(_: argparse.ArgumentParser) -> None:
    """Add nothing: the schema is what it is."""


def run(_: argparse.Namespace) -> int:
    """Print the schema."""
    sys.stdout.write(json.dumps(json_schema(), ensure_ascii=False, indent=1) + "\n")
    return FINE


COMMAND = Command("calcgraph schema", EXAMPLES, add_arguments, run)
