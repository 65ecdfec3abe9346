"""``calcgraph errors``: what the codes of findings mean."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from typing import TYPE_CHECKING

import calcgraph
from calcgraph.cli.common import Command
from calcgraph.cli.exits import FINE, USAGE, CommandError
from calcgraph.core.diagnostic import Code

if TYPE_CHECKING:
    import argparse

ERRORS_EXAMPLES = """\
examples:
  calcgraph errors                     all codes
  calcgraph errors CG403               what one means
"""
SILENT = "CG000"


def add_errors_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="the code to explain, such as CG403"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", metavar="FORMAT", help="text or json"
    )


def all_codes() -> dict[str, Code]:
    """Collect the codes where they are defined, each beside the check that uses it."""
    found: dict[str, Code] = {}
    for module in pkgutil.walk_packages(calcgraph.__path__, "calcgraph."):
        if module.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Code) and value.id != SILENT:
                found[value.id] = value
    return dict(sorted(found.items()))


def run_errors(options: argparse.Namespace) -> int:
    """List all codes, or explain one."""
    codes = all_codes()
    if options.code is not None:
        wanted = options.code.upper()
        if wanted not in codes:
            message = f"there is no code `{options.code}`"
            raise CommandError(USAGE, message, "`calcgraph errors` lists them")
        codes = {wanted: codes[wanted]}
    if options.format == "json":
        facts = [
            {
                "code": code.id,
                "severity": code.severity.value,
                "title": code.title,
                "meaning": code.meaning,
            }
            for code in codes.values()
        ]
        sys.stdout.write(json.dumps(facts, ensure_ascii=False, indent=1) + "\n")
    elif options.code is not None:
        code = next(iter(codes.values()))
        sys.stdout.write(f"{code.id}: {code.title} ({code.severity.value})\n\n{code.meaning}\n")
    else:
        sys.stdout.write(
            "".join(
                f"{code.id}  {code.severity.value:<7}  {code.title}\n" for code in codes.values()
            )
        )
    return FINE


ERRORS = Command(
    "calcgraph errors [CODE] [--format text|json]",
    ERRORS_EXAMPLES,
    add_errors_arguments,
    run_errors,
)
