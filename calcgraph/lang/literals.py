"""Constants with their units, and the unit behind an arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from calcgraph.core.numbers import read_number
from calcgraph.lang import codes
from calcgraph.lang.expr import Number, UnitText

if TYPE_CHECKING:
    from calcgraph.lang.cursor import Cursor
    from calcgraph.lang.tokens import Token


def read_constant(cursor: Cursor, token: Token) -> Number:
    """Read a constant and the unit in brackets behind it."""
    value = read_number(token.text)
    if value is None:
        cursor.fail(
            f"{token.text} is out of the range of numbers",
            token,
            "a double holds up to about 1.8e308",
            code=codes.NUMBER_FORM,
        )
    span, unit = cursor.span(token), None
    if cursor.next.text == "[":
        unit = _bracket_unit(cursor)
        span = span.until(cursor.text.at(cursor.tokens[cursor.position - 1].end - 1) + 1)
    return Number(span, value, token.text, unit)


def _bracket_unit(cursor: Cursor) -> UnitText:
    """Read ``[USD/gpu/hour]``; the unit's own text is not cut into tokens."""
    opening = cursor.take()
    depth, index = 1, cursor.position
    while depth and cursor.tokens[index].kind != "end":
        depth += {"[": 1, "]": -1}.get(cursor.tokens[index].text, 0)
        index += 1
    if depth:
        cursor.fail("this bracket has no end", opening, "close the unit with `]`")
    closing = cursor.tokens[index - 1]
    cursor.position = index
    inner = cursor.text.part(opening.end, closing.start)
    if not inner.text.strip():
        cursor.fail("the unit is empty", opening, "write a unit, or leave the brackets out")
    return UnitText(inner.whole, inner.text.strip())


def read_arrow(cursor: Cursor) -> UnitText:
    """Read the unit behind ``->``: all that follows."""
    arrow = cursor.take()
    start = cursor.next
    index = cursor.position
    while cursor.tokens[index].kind != "end":
        if cursor.tokens[index].text == "->":
            cursor.fail(
                "a second `->`", cursor.tokens[index], "one unit, at the end", codes.UNIT_PLACE
            )
        index += 1
    if start.kind == "end":
        cursor.fail("no unit after `->`", arrow, "write a unit, such as `-> day`", codes.UNIT_PLACE)
    cursor.position = index
    inner = cursor.text.part(start.start, cursor.tokens[index - 1].end)
    return UnitText(inner.whole, inner.text)


def refuse_period(cursor: Cursor, token: Token) -> NoReturn:
    """Refuse a date outside of a key: it would read as a subtraction."""
    parts = token.text.split("-")
    day = parts[2] if len(parts) > 2 else "1"  # noqa: PLR2004 - year, month, day
    plain = [part.lstrip("0") for part in (*parts[:2], day)]
    cursor.fail(
        f"`{token.text}` reads as a date and as a subtraction",
        token,
        f"write `date({', '.join(plain)})`, or put spaces around `-`",
        code=codes.AMBIGUOUS,
    )
