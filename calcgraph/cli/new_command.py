"""The commands `new` and `schema`."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from calcgraph.book.files import OutputError
from calcgraph.book.templates import new_sheet, schema_text
from calcgraph.cli.common import Command
from calcgraph.cli.exits import FINE, NO_FILE, USAGE, CommandError

if TYPE_CHECKING:
    import argparse


NAME = re.compile(r"\w[\w .-]*")  # becomes the title, which must be plain YAML
EXAMPLES = """\
examples:
  calcgraph new budget                      budget.yaml: a small sheet that runs
  calcgraph new mine --from llama70b        a copy of a sheet we ship, with its catalogues
calcgraph.schema.json is written next to it, so that editors complete, explain and check the keys
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("name", metavar="NAME", help="the new sheet, with or without .yaml")
    parser.add_argument(
        "--from",
        metavar="SHEET",
        default="",
        dest="shipped",
        help="a shipped sheet, such as llama70b",
    )
    parser.add_argument("--force", action="store_true", help="overwrite existing files")


def run(options: argparse.Namespace) -> int:
    """Write the new sheet and print the next command to run."""
    target = _target(options.name)
    shipped = options.shipped.removeprefix("sheets/").removesuffix(".yaml")
    try:
        written = new_sheet(target, shipped, force=options.force)
    except (OutputError, OSError) as error:
        raise CommandError(NO_FILE, str(error)) from error
    for path in written:
        sys.stdout.write(f"wrote {path}\n")
    sys.stdout.write(f"next: calcgraph eval {shlex.quote(str(target))}\n")
    return FINE


def _target(name: str) -> Path:
    """Return the path of the new sheet; raises ``CommandError`` if the name is not valid."""
    named = name if name.endswith((".yaml", ".yml")) else f"{name}.yaml"
    stem = named.rpartition("/")[2].rpartition(".")[0]
    if NAME.fullmatch(stem):
        return Path(named)
    message = f"`{name}` does not name a sheet: write letters, digits, `_` or `-`, such as `budget`"
    raise CommandError(USAGE, message)


NEW = Command(
    "calcgraph new NAME [--from SHEET] [--force]",
    EXAMPLES,
    add_arguments,
    run,
)


SCHEMA_EXAMPLES = """\
examples:
  calcgraph schema > calcgraph.schema.json
then, as the first line of a sheet, for editors with a YAML language server
(`calcgraph new` does both):
  # yaml-language-server: $schema=calcgraph.schema.json
"""


def add_no_arguments(_: argparse.ArgumentParser) -> None:
    """Add nothing: `schema` takes no arguments."""


def run_schema(_: argparse.Namespace) -> int:
    """Print the schema."""
    sys.stdout.write(schema_text())
    return FINE


SCHEMA = Command("calcgraph schema", SCHEMA_EXAMPLES, add_no_arguments, run_schema)
