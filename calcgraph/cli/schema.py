"""``calcgraph schema``: the keys of a sheet for editors."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from calcgraph.book.editor import schema_text
from calcgraph.cli.common import Command
from calcgraph.cli.exits import FINE

if TYPE_CHECKING:
    import argparse

SCHEMA_EXAMPLES = """\
examples:
  calcgraph schema > calcgraph.schema.json
then, as the first line of a sheet, for editors with a YAML language server
(`calcgraph new` does both):
  # yaml-language-server: $schema=calcgraph.schema.json
"""


def add_no_arguments(_: argparse.ArgumentParser) -> None:
    """Add nothing: the schema is what it is."""


def run_schema(_: argparse.Namespace) -> int:
    """Print the schema."""
    sys.stdout.write(schema_text())
    return FINE


SCHEMA = Command("calcgraph schema", SCHEMA_EXAMPLES, add_no_arguments, run_schema)
