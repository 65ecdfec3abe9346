"""The command line: ``COMMANDS`` maps each command to its module and its one-line help."""

from __future__ import annotations

import argparse
import importlib
import os
import sys

from calcgraph.cli.exits import BUG, INTERRUPTED, NO_FILE, CommandError, print_error, print_stderr

TYPE_CHECKING = False  # importing typing would take half of the time that `--version` takes
if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.cli.common import Command

COMMANDS = {
    "eval": ("eval_command", "compute a sheet and show its values"),
    "check": ("check_command", "find mistakes; verify checks, published figures and tests"),
    "explain": ("explain_command", "show where a number comes from, down to the inputs"),
    "graph": ("explain_command", "draw what depends on what"),
    "export": ("export_command", "write a workbook whose every number is a live formula"),
    "new": ("new_command", "create a sheet to start from"),
    "schema": ("new_command", "print the keys of a sheet as a JSON Schema, for editors"),
    "units": ("reference_commands", "list the units, or define one"),
    "functions": ("reference_commands", "list the functions, or show one with examples"),
    "errors": ("reference_commands", "list or explain the codes of errors and warnings"),
}
EXAMPLES = """\
examples:
  calcgraph eval sheets/llama70b.yaml --set gpus=512
  calcgraph eval sheets/llama70b.yaml --set gpus=512,1024,2048 --show train_time --show cost
  calcgraph explain sheets/llama70b.yaml train_time
  calcgraph check sheets/llama70b.yaml

Run `calcgraph COMMAND --help` for more examples and all options.
"""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Formats help so that neither command names nor examples are wrapped."""

    def __init__(self, prog: str) -> None:
        """Leave room for the longest name."""
        super().__init__(prog, max_help_position=20, width=100)

    def format_help(self) -> str:
        """Count the indent of commands too, which argparse forgets."""
        self._action_max_length += 2
        return super().format_help()


def make_parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """Make the command-line parser; import only the wanted command, with its arguments."""
    parser = argparse.ArgumentParser(
        prog="calcgraph",
        usage="calcgraph COMMAND …",
        description=EXAMPLES,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", prog="calcgraph"
    )
    for name, (_, text) in COMMANDS.items():
        if name != wanted:
            commands.add_parser(name, help=text, add_help=False)
            continue
        command = load_command(name)
        one = commands.add_parser(
            name,
            help=text,
            description=command.examples,
            formatter_class=HelpFormatter,
            allow_abbrev=False,
            usage=command.usage,
        )
        command.arguments(one)
        one.add_argument("--debug", action="store_true", help="show a traceback for a bug")
    return parser


def load_command(name: str) -> Command:
    """Import the module of one command and return the command, its name in capitals."""
    module = importlib.import_module(f"calcgraph.cli.{COMMANDS[name][0]}")
    command: Command = getattr(module, name.upper())
    return command


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a traceback appears only with ``--debug``."""
    if sys.stdout is None:
        print_stderr("calcgraph: there is no standard output to write to\n")
        return NO_FILE
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    arguments = list(sys.argv[1:] if argv is None else argv)
    wanted = next((text for text in arguments if not text.startswith("-")), None)
    parser = make_parser(wanted)
    options = parser.parse_args(arguments)
    if options.version:
        from calcgraph.core.resources import VERSION

        print(f"calcgraph {VERSION}")
        return 0
    if options.command is None:
        parser.print_help(sys.stderr)
        return 2
    return _run(load_command(options.command), options)


def _run(command: Command, options: argparse.Namespace) -> int:
    try:
        code = command.run(options)
        sys.stdout.flush()
    except CommandError as error:
        if error.message:
            print_error(error.message, error.hint)
        return error.code
    except KeyboardInterrupt:
        print_stderr("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return 0
    except OSError as error:
        if options.debug:
            raise
        _forget_output()
        place = f": {error.filename}" if error.filename else ""
        print_stderr(f"calcgraph: {error.strerror or error}{place}\n")
        return NO_FILE
    except Exception as error:
        if options.debug:
            raise
        print_stderr(
            f"calcgraph: a bug in calcgraph, sorry: {type(error).__name__}: {error}\n"
            "  run again with --debug for the traceback, and please report it with the sheet\n"
        )
        return BUG
    return code


def _forget_output() -> None:
    """Discard buffered output, which Python would flush again at exit, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
