"""Messages about arguments that do not fit: where they are declared, what to write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calcgraph.check.codes import UNIT_CLASH, UNKNOWN_FUNCTION, WRONG_ARGUMENT
from calcgraph.core.diagnostic import Diagnostic, Label
from calcgraph.core.nearest import did_you_mean
from calcgraph.core.type import Kind
from calcgraph.functions import CALLABLE
from calcgraph.graph import CellTarget
from calcgraph.lang.expr import Call, Name
from calcgraph.lang.parser import BINARY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.functions.spec import Clash, Function, Operand
    from calcgraph.graph import Graph, Target
    from calcgraph.lang.expr import Expr


ELSEWHERE = {
    "log": "write `ln(x)`, `log10(x)` or `log2(x)`",
    "average": "write `mean(series)`",
    "ceiling": "write `ceil(x, step)`",
    "power": "write `a ^ b`",
    "pow": "write `a ^ b`",
    "int": "write `floor(x)`",
    "trunc": "write `rounddown(x, 0)`",
    "text": 'write a text with its values in braces, as in "{x, 1}"',
    "iserror": "write `iferror(x, otherwise)`",
    "isna": "write `isblank(x)`",
    **dict.fromkeys(
        ("vlookup", "hlookup", "xlookup", "match"),
        "write `table[key].column` for an entry of a table",
    ),
    **dict.fromkeys(
        ("concat", "concatenate", "textjoin"), 'write "{a} {b}" or `join(separator, a, …)`'
    ),
    **dict.fromkeys(
        ("today", "now", "rand", "randbetween"),
        "make it an input: a sheet gives the same results every time",
    ),
}
"""Names of functions in other tools, and what to write here."""


def unknown_function(graph: Graph, node: Call) -> Diagnostic:
    """Report an unknown function."""
    hint = ELSEWHERE.get(node.function.lower()) or did_you_mean(
        node.function, CALLABLE, "`calcgraph functions` lists them"
    )
    if node.mark.text in graph.names:
        hint = f"`{node.mark.text}` is a cell: write `{node.mark.text} * (…)` for a product"
    message = f"there is no function `{node.function}`"
    return Diagnostic(UNKNOWN_FUNCTION, message, Label(node.mark), hint)


def clash_finding(
    graph: Graph,
    targets: Mapping[int, Target],
    node: Call,
    row: Function,
    found: Clash,
    operands: Sequence[Operand],
) -> Diagnostic:
    """Report arguments that do not fit, at the operator or at the argument."""
    is_pair = row.name in BINARY and found.message.startswith("cannot")
    arg = node.args[min(found.index, len(node.args) - 1)]
    span = node.mark if is_pair else arg.span
    code = UNIT_CLASH if is_pair else WRONG_ARGUMENT
    others: tuple[Label, ...] = ()
    if found.message.startswith("cannot"):
        others = _declared(graph, targets, node.args, operands)
    return Diagnostic(code, found.message, Label(span), found.hint, others)


def _declared(
    graph: Graph, targets: Mapping[int, Target], args: Sequence[Expr], operands: Sequence[Operand]
) -> tuple[Label, ...]:
    """Point to the declarations of the cells that do not fit, with their types."""
    found: list[Label] = []
    for arg, operand in zip(args, operands, strict=True):
        target = targets.get(arg.span.start)
        is_fact = isinstance(arg, Name) and operand.type.kind is not Kind.TRUTH
        if is_fact and isinstance(target, CellTarget):
            key = graph.nodes[target.number].decl.key
            found.append(Label(key.span, f"`{operand.text}` is {operand.type}"))
    return tuple(found)
