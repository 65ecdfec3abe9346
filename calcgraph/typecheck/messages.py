"""Wording and codes of unit and type diagnostics."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from calcgraph.core.diagnostics import Code, Diagnostic, Label, did_you_mean
from calcgraph.core.units import Product
from calcgraph.core.values import Kind
from calcgraph.functions import CALLABLE
from calcgraph.graph import CellTarget
from calcgraph.language.ast import Call, Name
from calcgraph.language.parser import BINARY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calcgraph.core.units import Unit
    from calcgraph.functions.spec import Clash, Function, Operand
    from calcgraph.graph import Graph, Target
    from calcgraph.language.ast import Expr


UNIT_CLASH = Code(
    "CG403",
    "units do not fit",
    "Only like is added to or compared with like. A bare number is not a quantity: write "
    "`1 [USD]`. A percentage of a quantity is `x * (1 + 10%)`.",
)
UNIT_OF_CELL = Code(
    "CG401",
    "formula has another dimension than its cell",
    "The unit after `->` is the unit of the cell, and the formula's own units must have the same "
    "dimension. The hint says what to multiply or divide by.",
)
WRONG_ARGUMENT = Code(
    "CG405",
    "argument does not fit",
    "A function is given an argument of another type than it takes; `calcgraph functions NAME` "
    "shows examples.",
)
WRONG_COUNT = Code("CG305", "wrong number of arguments", "A function is given too many or too few.")
UNKNOWN_FUNCTION = Code(
    "CG306",
    "unknown function",
    "`calcgraph functions` lists what there is; names are Excel's where the meaning is.",
)
UNKNOWN_KEY = Code("CG307", "unknown row", "A key written out must be one of the table's rows.")
NOT_A_CONDITION = Code(
    "CG406", "check is not true or false", "An `assert` is a comparison or a truth."
)
SERIES = Code(
    "CG407",
    "one value is needed",
    "A column holds a value for each row of its table. Take one entry, or aggregate it.",
)


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


SHOWN = 12


def rows_text(labels: Sequence[str]) -> str:
    """List the rows of a table."""
    shown = list(labels[:SHOWN]) + (["…"] if len(labels) > SHOWN else [])
    return f"its rows: {', '.join(shown)}"


def count_message(row: Function, given: int) -> str:
    """Write how many arguments a function takes."""
    most = row.most
    need = (
        f"{row.least}"
        if most == row.least
        else f"{row.least} to {most}"
        if most
        else f"at least {row.least}"
    )
    word = "argument" if need in {"1", "at least 1"} else "arguments"
    return f"`{row.name}` takes {need} {word}, got {given}"


def missing_hint(given: Unit, wanted: Unit) -> str:
    """Write what to multiply or divide by: ``divide by a time``."""
    ratio = Product.of((*given.dimension.powers, *((n, -p) for n, p in wanted.dimension.powers)))
    if {"year", "month"} & {name for name, _ in ratio.powers}:
        return "a year has no fixed length unless the sheet says `conventions: {year: 365 day}`"
    if all(power > 0 for _, power in ratio.powers):
        return f"divide by {_named(ratio)}"
    if all(power < 0 for _, power in ratio.powers):
        return f"multiply by {_named(ratio.power(Fraction(-1)))}"
    return f"multiply by something in {ratio.power(Fraction(-1))}"


def _named(product: Product) -> str:
    return "a time" if product.powers == (("s", Fraction(1)),) else f"something in {product}"


def dimension_message(name: str, given: Unit, wanted: Unit) -> str:
    """Write that a formula has another dimension than its cell."""
    shown = "a pure number" if given.is_pure else str(given)
    kept = "as a pure number" if wanted.is_pure else f"in {wanted}"
    return f"`{name}` is declared {kept}, but its formula gives {shown}"
