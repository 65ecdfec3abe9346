"""The commands `units`, `functions` and `errors`."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from typing import TYPE_CHECKING, Any

import calcgraph
from calcgraph.analysis.number_format import number_text
from calcgraph.cli.common import Command
from calcgraph.cli.exits import FINE, USAGE, CommandError
from calcgraph.core.diagnostics import Code, did_you_mean
from calcgraph.functions import ROWS
from calcgraph.units import UnitProblem, load_vocabulary, make_unit_book

if TYPE_CHECKING:
    import argparse

    from calcgraph.core.units import Unit
    from calcgraph.functions.spec import Function
    from calcgraph.units.vocabulary import Definition


UNITS_EXAMPLES = """\
examples:
  calcgraph units                      all units, with their prefixes
  calcgraph units GiB                  the definition of one unit
  calcgraph units USD/gpu/hour
"""


def add_units_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("unit", metavar="UNIT", nargs="?", help="the unit to explain, such as GB/s")
    parser.add_argument("--no-cache", action="store_true", help="do not use the per-user cache")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", metavar="FORMAT", help="text or json"
    )


def run_units(options: argparse.Namespace) -> int:
    """List all units, or define one."""
    book, _ = make_unit_book(load_vocabulary(use_cache=not options.no_cache), {}, {})
    if options.unit is None:
        units = list(book.listing())
        sys.stdout.write(
            _json([_unit_facts(unit) for unit in units])
            if options.format == "json"
            else _unit_list(units)
        )
        return FINE
    unit = book.unit(options.unit)
    if isinstance(unit, UnitProblem):
        raise CommandError(USAGE, unit.message, unit.hint)
    if options.format == "json":
        facts = {"unit": str(unit), "dimension": str(unit.dimension), "scale": str(unit.scale)}
        sys.stdout.write(_json(facts))
    else:
        meanings = {known.name: known.meaning for known in book.listing()}
        sys.stdout.write(_unit_text(unit, meanings.get(str(unit), "")))
    return FINE


def _unit_text(unit: Unit, meaning: str) -> str:
    tail = f" ({meaning})" if meaning else ""
    if unit.percent:
        return f"{unit}: a way of showing a number: 40% is 0.4\n"
    if unit.scale == 1 and str(unit) == str(unit.dimension):
        kind = "a base unit" if len(unit.atoms) == 1 and str(unit).isalpha() else "of base units"
        return f"{unit}: {kind}{tail}\n"
    scale = unit.scale
    exact = (
        f"{scale.numerator:,}"
        if scale.denominator == 1
        else f"{scale} (about {number_text(float(scale))})"
    )
    return f"1 {unit} = {exact} {unit.dimension}{tail}\n"


def _unit_facts(unit: Definition) -> dict[str, Any]:
    return {
        "unit": unit.name,
        "dimension": str(unit.dimension),
        "scale": str(unit.scale),
        "prefixes": [unit.spelling(prefix) for prefix in unit.prefixes],
        "meaning": unit.meaning,
    }


def _unit_list(units: list[Definition]) -> str:
    width = max(len(unit.name) for unit in units)
    lines = []
    for unit in units:
        size = "base unit" if unit.is_base else f"{unit.scale} {unit.dimension}"
        prefixed = ", ".join(unit.spelling(prefix) for prefix in unit.prefixes)
        tail = f"  ({prefixed})" if prefixed else ""
        lines.append(f"{unit.name:<{width}}  {size:<28}  {unit.meaning}{tail}")
    lines.append(
        "%: a way of showing a number (40% is 0.4). A sheet may add its own under `units:`."
    )
    return "\n".join(lines) + "\n"


def _json(facts: object) -> str:
    return json.dumps(facts, ensure_ascii=False, indent=1) + "\n"


UNITS = Command(
    "calcgraph units [UNIT] [--format text|json]",
    UNITS_EXAMPLES,
    add_units_arguments,
    run_units,
)


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
    """Collect the codes from the modules that define them, sorted."""
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
