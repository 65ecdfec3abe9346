"""What generated code calls for a line: values along one dim in, as many of them out.

All arguments are sequences of one length; what is not applicable is none.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context
from typing import TYPE_CHECKING

from calcgraph.functions.aggregates import total

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calcgraph.core.value import Scalar

RANKED = 12
"""The digits in which a rank tells numbers apart: less than what two engines may differ in."""
NOT_WHOLE = "a number of labels is whole"
NO_LABELS = "the last labels are at least one"
_SEEN = Context(prec=RANKED, rounding=ROUND_HALF_UP)


def cumsum(series: Sequence[float | None]) -> list[float | None]:
    """Add up from the first label; what is not applicable stays so, and is passed over.

    Sums beyond all numbers are infinite: who takes a line looks at each of its labels.
    """
    running, found = 0.0, list[float | None]()
    for value in series:
        if value is not None:
            running += value
        found.append(None if value is None else running)
    return found


def rolling_sum(
    series: Sequence[float | None], counts: Sequence[float | None]
) -> list[float | None]:
    """Add up the last ``n`` labels, this one included, or those that there are.

    What is not applicable is passed over; raises ``ValueError`` where ``n`` is not 1, 2, 3 …
    """
    return [rolling_sum_at(at, series, counts) for at in range(len(counts))]


def rolling_sum_at(
    at: int, series: Sequence[float | None], counts: Sequence[float | None]
) -> float | None:
    """Return the rolling sum at one position."""
    count = counts[at]
    if count is None:
        return None
    if whole(count) < 1:
        raise ValueError(NO_LABELS)
    return total(series[max(0, at + 1 - int(count)) : at + 1])


def lag(
    series: Sequence[Scalar], counts: Sequence[float | None], outside: Sequence[Scalar]
) -> list[Scalar]:
    """Return the value ``n`` labels before, or after if negative; ``outside`` beyond the ends."""
    return [lag_at(at, series, counts, outside) for at in range(len(counts))]


def lag_at(
    at: int, series: Sequence[Scalar], counts: Sequence[float | None], outside: Sequence[Scalar]
) -> Scalar:
    """Return the value of ``lag`` at one position."""
    count = counts[at]
    if count is None:
        return None
    source = at - whole(count)
    return series[source] if 0 <= source < len(series) else outside[at]


def rank(series: Sequence[float | None], *ties: Sequence[Scalar]) -> list[float | None]:
    """Rank from 1.0, smallest first; values equal at 12 digits by ascending ties, then order.

    A tie that is not applicable comes last; a value that is not has no rank, and takes none.
    """
    columns = [_ranked(column) for column in (series, *ties)]
    ranked = [at for at, value in enumerate(series) if value is not None]
    ranked.sort(key=lambda at: [column[at] for column in columns])
    found: list[float | None] = [None] * len(series)
    for place, at in enumerate(ranked, 1):
        found[at] = float(place)
    return found


def stock(
    opening: Sequence[float | None],
    inflow: Sequence[float | None],
    outflow: Sequence[float | None] = (),
) -> list[float | None]:
    """Return closing balances: the opening one at the first label, plus inflows, less outflows.

    A flow that is not applicable is none; with no opening balance there is no other. Balances
    beyond all numbers are infinite.
    """
    balance = opening[0] if opening else None
    if balance is None:
        return [None] * len(inflow)
    found: list[float | None] = []
    for at, came in enumerate(inflow):
        went = outflow[at] if outflow else None
        balance = balance + (came or 0.0) - (went or 0.0)
        found.append(balance)
    return found


def whole(count: float) -> int:
    """Convert to a number of labels; raises ``ValueError`` if it is not whole."""
    if count != int(count):
        raise ValueError(NOT_WHOLE)
    return int(count)


def seen(number: float) -> float:
    """Round to the 12 digits in which a rank sees a number, half away from zero."""
    return float(_SEEN.create_decimal(f"{number:.14e}"))


def _ranked(column: Sequence[Scalar]) -> list[tuple[bool, float | str]]:
    """Make values sortable: numbers at 12 digits, what is not applicable behind all."""
    return [
        (value is None, 0.0)
        if value is None
        else (False, value if isinstance(value, str) else seen(value))
        for value in column
    ]


AT_LABEL: dict[str, Callable[..., Scalar]] = {"lag": lag_at, "rolling_sum": rolling_sum_at}
"""Compute one label of a line, reading only the labels in its window."""
