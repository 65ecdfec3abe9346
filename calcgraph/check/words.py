"""Texts for messages: argument counts, rows of a table, missing dimensions."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from calcgraph.core.dimension import Product

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calcgraph.core.dimension import Unit
    from calcgraph.functions.spec import Function

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
