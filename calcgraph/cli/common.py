"""What commands share: opening sheets, settings, findings on stderr, colours."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calcgraph.book import Book, FileError, SettingError, SheetError, UnknownName, open_book
from calcgraph.book.open import freeze_heap
from calcgraph.cli.exits import NO_FILE, USAGE, WRONG_SHEET, CommandError, print_stderr
from calcgraph.report.text_page import Screen

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from calcgraph.analysis.addresses import CellAddress
    from calcgraph.core.diagnostics import Diagnostic

ONE_CASE = "this command takes one case"
LISTS = "`calcgraph eval` takes lists; write numbers without commas: `16_384`"
NOTICE_AFTER = 2.0


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its help, its arguments and its function; ``run`` returns the exit code."""

    usage: str
    examples: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def wants_color(stream: object) -> bool:
    """Whether a stream is a terminal that accepts colours."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(getattr(stream, "isatty", lambda: False)())


def screen() -> Screen:
    """Return the width, colours and character set of stdout."""
    if not sys.stdout.isatty():
        return Screen(ascii=wants_ascii())
    width = shutil.get_terminal_size((140, 40)).columns
    return Screen(wants_color(sys.stdout), width, wants_ascii())


def wants_ascii() -> bool:
    """Whether to draw in ASCII alone, because the locale is not UTF-8."""
    language = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "UTF-8")
    return "utf" not in language.lower()


def print_diagnostics(findings: Iterable[Diagnostic]) -> None:
    """Write findings to stderr."""
    found = list(findings)
    if found:
        from calcgraph.report.diagnostic_text import diagnostics_text

        print_stderr(diagnostics_text(found, color=wants_color(sys.stderr)))


def add_sheet_arguments(
    parser: argparse.ArgumentParser, *, settable: bool = True, lists: bool = False
) -> None:
    """Add the arguments that all commands on sheets share; ``lists`` if they take many cases."""
    each = "; {} makes a case of each" if lists else ""
    if settable:
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            dest="settings",
            help=f"set an input{each.format('NAME=A,B,C')}; may be repeated",
        )
        parser.add_argument(
            "--scenario",
            action="append",
            default=[],
            metavar="NAME",
            dest="scenarios",
            help=f"apply a scenario{each.format('A,B,base')}; may be repeated",
        )
    parser.add_argument("--root", metavar="DIR", help="directory that imports must stay inside")
    parser.add_argument("--no-cache", action="store_true", help="do not use the per-user cache")


def open_sheet(path: str, options: argparse.Namespace, names: Iterable[str] = ()) -> Book:
    """Open a sheet; ``names`` are the cells to show. Raises ``CommandError``."""
    asked = [*names, *(text.partition("=")[0] for text in getattr(options, "settings", ()))]
    try:
        with progress_notice(f"reading {path}"), freeze_heap():
            book = open_book(path, options.root, use_cache=not options.no_cache, asked=asked)
    except FileError as error:
        code = WRONG_SHEET if error.is_shape else NO_FILE
        raise CommandError(code, error.message, error.hint) from error
    except SheetError as error:
        print_diagnostics(error.diagnostics)
        raise CommandError(WRONG_SHEET) from error
    print_diagnostics(book.warnings)
    return book


def apply_settings(book: Book, options: argparse.Namespace) -> Book:
    """Apply scenarios and settings for a single run; raises ``CommandError``."""
    for text in options.scenarios:
        if "," in text:
            raise CommandError(USAGE, f"--scenario {text}: {ONE_CASE}", LISTS)
    settings = [split_setting(text) for text in options.settings]
    for name, value in settings:
        if "," in value and not value.startswith('"'):
            raise CommandError(USAGE, f"--set {name}={value}: {ONE_CASE}", LISTS)
    return next(apply_settings_each(book, [tuple(options.scenarios)], [settings]))


def apply_settings_each(
    book: Book, stacks: Sequence[tuple[str, ...]], cases: Sequence[Sequence[tuple[str, str]]]
) -> Iterator[Book]:
    """Apply each stack of scenarios with the settings of each case; raises ``CommandError``."""
    try:
        return book.after_each(stacks, cases)
    except UnknownName as error:
        raise CommandError(USAGE, str(error)) from error
    except SettingError as error:
        print_diagnostics(error.diagnostics)
        raise CommandError(USAGE) from error


def find_named(book: Book, name: str) -> CellAddress:
    """Find a cell or an entry by its address; raises ``CommandError`` with the nearest name."""
    try:
        return book.spot(name)
    except UnknownName as error:
        raise CommandError(USAGE, str(error)) from error


def split_setting(text: str) -> tuple[str, str]:
    """Split ``name=value``; an address in brackets may contain an equals sign."""
    is_entry = "[" in text.partition("=")[0]
    end = text.find("=", text.find("]") + 1 if is_entry else 0)
    name, value = text[:end], text[end + 1 :]
    if end < 0 or not name.strip():
        message = f"--set takes NAME=VALUE, not `{text}`"
        raise CommandError(USAGE, message, "write --set gpus=512")
    return name.strip(), value.strip()


@contextmanager
def progress_notice(what: str) -> Iterator[None]:
    """Print ``what`` on a terminal if the block takes more than two seconds."""
    timer = threading.Timer(NOTICE_AFTER, print_stderr, (f"calcgraph: {what} …\n",))
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
