"""``calcgraph units``: the vocabulary of units."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from calcgraph.analysis.numbers import number_text
from calcgraph.cli.common import Command
from calcgraph.cli.exits import FINE, USAGE, CommandError
from calcgraph.units import UnitProblem, load_vocabulary, make_unit_book

if TYPE_CHECKING:
    import argparse

    from calcgraph.core.dimension import Unit
    from calcgraph.units.vocabulary import Definition

UNITS_EXAMPLES = """\
examples:
  calcgraph units                      all units, with their prefixes
  calcgraph units GiB                  what one unit is
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
    """List all units, or say what one is."""
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
