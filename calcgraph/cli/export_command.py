"""The command `export`: a sheet to a workbook whose every number is a live formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.cli.common import (
    Command,
    add_sheet_arguments,
    apply_settings,
    open_sheet,
    print_diagnostics,
    progress_notice,
)
from calcgraph.cli.exits import FINE, NO_FILE, READ_BACK, USAGE, WRONG_SHEET, CommandError

if TYPE_CHECKING:
    import argparse

    from calcgraph.book import Book

EXAMPLES = """\
examples:
  calcgraph export sheets/llama70b.yaml -o exports/llama70b.xlsx
  calcgraph export sheets/llama70b.yaml -o what_if.xlsx --set gpus=512 --scenario blackwell
  calcgraph export sheets/llama70b.yaml -o book.xlsx --refs cells      without defined names
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("sheet", metavar="SHEET", help="a sheet, NAME.yaml")
    parser.add_argument(
        "-o", "--output", metavar="BOOK", required=True, help="the workbook to write"
    )
    add_sheet_arguments(parser)
    parser.add_argument(
        "--refs",
        choices=("names", "cells"),
        default="names",
        metavar="KIND",
        help="refer to cells by names (default) or by addresses",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="overwrite the workbook, even with edits not yet pulled",
    )
    parser.add_argument(
        "--follow-symlinks", action="store_true", help="write through a symbolic link"
    )


def run(options: argparse.Namespace) -> int:
    """Export a sheet."""
    from calcgraph.analysis.addresses import value_formatter
    from calcgraph.analysis.results import failure_finding, unhandled_failures

    if not options.output.lower().endswith(".xlsx"):
        raise CommandError(USAGE, f"a workbook's name ends in .xlsx, not `{options.output}`")
    base = open_sheet(options.sheet, options)
    book = apply_settings(base, options)
    failed = unhandled_failures(book.evaluation)
    if failed:
        print_diagnostics(
            failure_finding(book.evaluation, cell, value_formatter(book.model)) for cell in failed
        )
        raise CommandError(WRONG_SHEET, "no workbook is written")
    with progress_notice(f"writing {options.output}"):
        _write(book, options)
    return FINE


def _write(book: Book, options: argparse.Namespace) -> None:
    """Write the workbook; raises ``CommandError``."""
    from calcgraph.book.files import OutputError
    from calcgraph.book.workbook_export import UnsavedEdits, export_book
    from calcgraph.excel import ExportError

    facts = {"force": options.force, "follow_symlinks": options.follow_symlinks}
    try:
        export_book(book, options.output, as_names=options.refs == "names", **facts)
    except UnsavedEdits as held:
        raise CommandError(READ_BACK, str(held), "pull them first, or pass --force") from held
    except OutputError as error:
        raise CommandError(NO_FILE, str(error)) from error
    except ExportError as error:
        print_diagnostics(error.diagnostics)
        raise CommandError(WRONG_SHEET) from error


EXPORT = Command(
    "calcgraph export SHEET -o BOOK.xlsx [--set NAME=VALUE]… [--scenario NAME]… "
    "[--refs names|cells]",
    EXAMPLES,
    add_arguments,
    run,
)
