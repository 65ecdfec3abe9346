"""The commands `explain` and `graph`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from calcgraph.cli.common import (
    Command,
    add_sheet_arguments,
    apply_settings,
    find_named,
    open_sheet,
    wants_color,
)
from calcgraph.cli.exits import FINE, USAGE, CommandError
from calcgraph.report.explanation_tree import explanation_json, explanation_tree
from calcgraph.report.graph_text import GRAPHS, render_graph

if TYPE_CHECKING:
    import argparse

    from calcgraph.book import Book


EXAMPLES = """\
examples:
  calcgraph explain sheets/llama70b.yaml train_time
  calcgraph explain sheets/llama70b.yaml cost --set gpus=512 --depth 2
  calcgraph explain sheets/llama70b.yaml cost --format json
  calcgraph explain sheets/plan.yaml 'cash[2026-03]'
"""
DEEPEST = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("sheet", metavar="SHEET", help="a sheet, NAME.yaml")
    parser.add_argument(
        "name", metavar="NAME", help="the cell to explain, or an entry: 'cash[2026-03]'"
    )
    add_sheet_arguments(parser)
    parser.add_argument("--depth", type=int, default=DEEPEST, metavar="N", help="levels to go down")
    parser.add_argument(
        "--format", choices=("tree", "json"), default="tree", metavar="FORMAT", help="tree or json"
    )


def run(options: argparse.Namespace) -> int:
    """Explain one cell."""
    if not 0 <= options.depth <= DEEPEST:
        raise CommandError(USAGE, f"--depth goes from 0 to {DEEPEST}")
    base = open_sheet(options.sheet, options, [options.name])
    book = apply_settings(base, options)
    name = find_named(book, options.name).cell.name
    found = book.explain(options.name, options.depth)
    if options.format == "json":
        sys.stdout.write(explanation_json(found, _inputs_of(book, name)))
    else:
        sys.stdout.write(explanation_tree(found, color=wants_color(sys.stdout)))
    return FINE


def _inputs_of(book: Book, name: str) -> list[str]:
    """List the inputs that can move a cell, in the order of the sheet, however deep they are."""
    graph = book.graph
    wanted = graph.ancestors(name)
    return [node for node in graph if node in wanted and graph.nodes[node]["kind"] == "input"]


EXPLAIN = Command(
    "calcgraph explain SHEET NAME [--set NAME=VALUE]… [--depth N] [--format FORMAT]",
    EXAMPLES,
    add_arguments,
    run,
)


GRAPH_EXAMPLES = """\
examples:
  calcgraph graph sheets/llama70b.yaml train_time | dot -Tsvg > train_time.svg
  calcgraph graph sheets/llama70b.yaml cost --format mermaid
"""


def add_graph_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("sheet", metavar="SHEET", help="a sheet, NAME.yaml")
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="draw only what this cell depends on"
    )
    add_sheet_arguments(parser)
    parser.add_argument(
        "--format", choices=GRAPHS, default="dot", metavar="FORMAT", help="dot or mermaid"
    )


def run_graph(options: argparse.Namespace) -> int:
    """Draw the graph of a sheet, or of one cell and its ancestors."""
    base = open_sheet(options.sheet, options, filter(None, [options.name]))
    book = apply_settings(base, options)
    wanted = set(book.graph)
    if options.name:
        name = find_named(book, options.name).cell.name
        wanted = book.graph.ancestors(name) | {name}
    values = book.evaluation.values
    sys.stdout.write(render_graph(options.format, book.model, values, book.graph, wanted))
    return FINE


GRAPH = Command(
    "calcgraph graph SHEET [NAME] [--format dot|mermaid]",
    GRAPH_EXAMPLES,
    add_graph_arguments,
    run_graph,
)
