"""``calcgraph new``: a sheet to start from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from calcgraph.book.disk import OutputError
from calcgraph.book.new import new_sheet
from calcgraph.cli.common import FINE, NO_FILE, Command, Refused

if TYPE_CHECKING:
    import argparse

EXAMPLES = """\
examples:
  calcgraph new budget                      budget.yaml: a small sheet that runs
  calcgraph new mine --from llama70b        a copy of a sheet we ship, with its catalogues
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("name", metavar="NAME", help="the new sheet, with or without .yaml")
    parser.add_argument(
        "--from", metavar="SHEET", default="", dest="shipped", help="a shipped sheet"
    )
    parser.add_argument("--force", action="store_true", help="overwrite what is there")


def run(options: argparse.Namespace) -> int:
    """Write the new sheet, and say what to do next."""
    target = Path(options.name if options.name.endswith(".yaml") else f"{options.name}.yaml")
    try:
        written = new_sheet(target, options.shipped.removesuffix(".yaml"), force=options.force)
    except (OutputError, OSError) as error:
        raise Refused(f"calcgraph: {error}\n", NO_FILE) from error
    for path in written:
        sys.stdout.write(f"wrote {path}\n")
    sys.stdout.write(f"next: calcgraph eval {target}\n")
    return FINE


COMMAND = Command(
    "calcgraph new NAME [--from SHEET] [--force]",
    EXAMPLES,
    add_arguments,
    run,
)
