"""``calcgraph functions``: the function table for people."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from calcgraph.cli.common import Command
from calcgraph.cli.exits import FINE, USAGE, CommandError
from calcgraph.core.nearest import did_you_mean
from calcgraph.functions import ROWS

if TYPE_CHECKING:
    import argparse

    from calcgraph.functions.spec import Function

FUNCTIONS_EXAMPLES = """\
examples:
  calcgraph functions                  all functions and operators
  calcgraph functions ceil             one of them, with examples
"""


def add_functions_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="the function to show")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", metavar="FORMAT", help="text or json"
    )


def run_functions(options: argparse.Namespace) -> int:
    """List all functions, or show one with its examples."""
    rows = [row for row in ROWS if not row.hidden]
    if options.name is not None:
        rows = [row for row in rows if row.name == options.name.lower()]
        if not rows:
            names = [row.name for row in ROWS if not row.hidden]
            hint = did_you_mean(options.name, names, "`calcgraph functions` lists them")
            raise CommandError(USAGE, f"there is no function `{options.name}`", hint)
    if options.format == "json":
        sys.stdout.write(
            json.dumps([_function_facts(row) for row in rows], ensure_ascii=False, indent=1) + "\n"
        )
    elif options.name is not None:
        sys.stdout.write(_function_text(rows[0]))
    else:
        width = max(len(_usage(row)) for row in rows)
        sys.stdout.write("".join(f"{_usage(row):<{width}}  {row.doc}\n" for row in rows))
    return FINE


def _usage(row: Function) -> str:
    if not row.name[0].isalpha() or row.name in {"and", "or"}:
        return f"a {row.name} b"
    return "not a" if row.name == "not" else row.usage


def _function_text(row: Function) -> str:
    lines = [_usage(row), f"  {row.doc}", ""]
    lines += [f"  = {example.formula}   gives {example.gives}" for example in row.examples]
    lines += [f"  refused: {text}" for text in row.rejects]
    return "\n".join(lines) + "\n"


def _function_facts(row: Function) -> dict[str, Any]:
    return {
        "name": row.name,
        "usage": _usage(row),
        "doc": row.doc,
        "examples": [
            {"formula": example.formula, "gives": example.gives} for example in row.examples
        ],
    }


FUNCTIONS = Command(
    "calcgraph functions [NAME] [--format text|json]",
    FUNCTIONS_EXAMPLES,
    add_functions_arguments,
    run_functions,
)
