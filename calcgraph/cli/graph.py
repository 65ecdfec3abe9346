"""``calcgraph graph``: the dependency graph as a drawing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from calcgraph.cli.common import (
    Command,
    add_sheet_arguments,
    apply_settings,
    find_named,
    open_sheet,
)
from calcgraph.cli.exits import FINE
from calcgraph.render.graph_format import GRAPHS, render_graph

if TYPE_CHECKING:
    import argparse

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
    """Draw a sheet, or what one cell depends on."""
    base = open_sheet(options.sheet, options, filter(None, [options.name]))
    book = apply_settings(base, options)
    graph = book.model.graph
    wanted = set(range(len(graph.nodes)))
    if options.name:
        number = find_named(book, options.name).cell.number
        wanted = graph.ancestors(number) | {number}
    sys.stdout.write(render_graph(options.format, book.model, book.evaluation.values, wanted))
    return FINE


GRAPH = Command(
    "calcgraph graph SHEET [NAME] [--format dot|mermaid]",
    GRAPH_EXAMPLES,
    add_graph_arguments,
    run_graph,
)
