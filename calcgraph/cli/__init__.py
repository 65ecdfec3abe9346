"""The command line: ``COMMANDS`` is the table of commands, one a file."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from calcgraph.cli import check, errors, evaluate, explain, functions, graph, units
from calcgraph.cli.common import BUG, INTERRUPTED, Refused, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.cli.common import Command

COMMANDS: tuple[Command, ...] = (
    evaluate.COMMAND,
    check.COMMAND,
    explain.COMMAND,
    graph.COMMAND,
    units.COMMAND,
    functions.COMMAND,
    errors.COMMAND,
)
EXAMPLES = """\
examples:
  calcgraph eval sheets/llama70b.yaml --set gpus=512
  calcgraph eval sheets/llama70b.yaml --set gpus=512,1024,2048 --show train_time --show cost
  calcgraph explain sheets/llama70b.yaml train_time
  calcgraph check sheets/llama70b.yaml
"""


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="calcgraph",
        usage="calcgraph COMMAND …",
        description=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in COMMANDS:
        one = commands.add_parser(
            command.name,
            help=command.help,
            description=command.examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            usage=command.usage,
        )
        command.arguments(one)
        one.add_argument(
            "--debug", action="store_true", help="show a traceback for a bug in calcgraph"
        )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit code and never a traceback without ``--debug``."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    parser = make_parser()
    arguments = list(sys.argv[1:] if argv is None else argv)
    options = parser.parse_args(arguments)
    if options.version:
        from calcgraph.version import VERSION

        print(f"calcgraph {VERSION}")
        return 0
    if options.command is None:
        parser.print_help(sys.stderr)
        return 2
    command = next(command for command in COMMANDS if command.name == options.command)
    return _run(command, options)


def _run(command: Command, options: argparse.Namespace) -> int:
    try:
        code = command.run(options)
        sys.stdout.flush()
    except Refused as refused:
        say(refused.text)
        return refused.code
    except KeyboardInterrupt:
        say("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if options.debug:
            raise
        say(
            f"calcgraph: a bug in calcgraph, sorry: {type(error).__name__}: {error}\n"
            "  run again with --debug for the traceback, and please report it with the sheet\n"
        )
        return BUG
    return code
