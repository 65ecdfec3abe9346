"""What functions mean at one label, for the interpreter of ``labels``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from math import isfinite
from typing import Any


@dataclass(frozen=True)
class Fail:
    """A value that fails in one of some ways, of which ``na`` may be one."""

    kinds: frozenset[str]

    @classmethod
    def of(cls, *kinds: str) -> Fail:
        return cls(frozenset(kinds))


OPEN = Fail.of("anything", "na")


def blocked(values: Sequence[Any]) -> tuple[bool, Any]:
    """Say whether one of several values is missing or failed, and what it makes of a result."""
    kinds = frozenset[str]().union(*(v.kinds for v in values if isinstance(v, Fail)))
    is_na = None in values
    if "anything" in kinds:
        return True, OPEN
    if kinds:
        return True, Fail(kinds | ({"na"} if is_na else set()))
    return is_na, None


def passing(failing: Sequence[Fail]) -> Fail:
    """Say what failed values make of a result that passes over what is not applicable."""
    return OPEN if any("na" in one.kinds for one in failing) else blocked(failing)[1]


def called(name: str, given: Sequence[Any], meaning: Callable[..., Any] | None = None) -> Any:  # noqa: ANN401
    """Call a meaning; an operator needs all of its arguments."""
    run = meaning or MEANING[name]
    if meaning is None and name not in PASSES:
        stopped, why = blocked(given)
        if stopped:
            return why
    try:
        found = run(*given)
    except ZeroDivisionError:
        return Fail.of("div0")
    except ValueError:
        return Fail.of("domain")
    return Fail.of("overflow") if isinstance(found, float) and not isfinite(found) else found


def is_blank(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, Fail):
        return OPEN if "na" in value.kinds else value
    return value is None


def both(a: Any, b: Any, decides: bool) -> Any:  # noqa: ANN401, FBT001
    """Join truths; whether one that decides alone hides a failure is left open."""
    stopped, why = blocked([a, b])
    if stopped:
        return OPEN if why is not None and decides in (a, b) else why
    return (a or b) if decides else (a and b)


def digits(number: float, count: int) -> Decimal:
    return Decimal(f"{number:.{count - 1}e}")


SEEN: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def compared(mark: str, a: Any, b: Any) -> Any:  # noqa: ANN401
    """Compare numbers at 15 digits, anything else as it is."""
    stopped, why = blocked([a, b])
    if stopped:
        return why
    if type(a) is float:
        return SEEN[mark](digits(a, 15), digits(b, 15))
    return SEEN[mark](a, b)


def least_of(choose: Callable[[list[Any]], Any]) -> Callable[..., Any]:
    def found(*values: Any) -> Any:  # noqa: ANN401
        failing = [value for value in values if isinstance(value, Fail)]
        known = applicable(values)
        return passing(failing) if failing else choose(known) if known else None

    return found


def applicable(values: Sequence[Any]) -> list[Any]:
    return [value for value in values if value is not None]


def some(choose: Callable[[list[Any]], Any]) -> Callable[[Sequence[Any]], Any]:
    """Aggregate what is applicable; of nothing: nothing."""
    return lambda line: choose(applicable(line)) if applicable(line) else None


def product(values: Sequence[float]) -> float:
    found = 1.0
    for value in values:
        found *= value
    return found


def added(values: Sequence[float]) -> float:
    found = 0.0
    for value in values:
        found += value
    return found


def key_of(choose: Callable[[list[Any]], Any]) -> Callable[[Sequence[Any], Sequence[Any]], Any]:
    return lambda line, keys: (
        keys[line.index(choose(applicable(line)))] if applicable(line) else None
    )


def first_where(line: Sequence[Any], keys: Sequence[Any]) -> Any:  # noqa: ANN401
    return next((key for value, key in zip(line, keys, strict=True) if value is True), None)


def lookup(x: float, thresholds: Sequence[float | None], line: Sequence[Any]) -> Any:  # noqa: ANN401
    known = [
        (step, value) for step, value in zip(thresholds, line, strict=True) if step is not None
    ]
    steps = [step for step, _ in known]
    if sorted(set(steps)) != steps:
        raise ValueError
    below = [value for step, value in known if digits(step, 15) <= digits(x, 15)]
    return below[-1] if below else None


def npv(rate: float, flow: Sequence[float | None]) -> float:
    return added([(value or 0.0) / (1 + rate) ** at for at, value in enumerate(flow)])


PASSES = {"isblank", "min", "max", "na", "and", "or"}
MEANING: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda a: -a,
    "abs": abs,
    "round": lambda a: float(digits(a, 15).quantize(Decimal(1), ROUND_HALF_UP)),
    "not": lambda a: not a,
    "and": lambda a, b: both(a, b, False),  # noqa: FBT003
    "or": lambda a, b: both(a, b, True),  # noqa: FBT003
    "date": lambda *parts: float((date(*map(int, parts)) - date(1899, 12, 30)).days),
    "na": lambda: None,
    "isblank": is_blank,
    "min": least_of(min),
    "max": least_of(max),
    "sum of a series": lambda line: added(applicable(line)),
    "count of a series": lambda line: float(sum(v is not None and v is not False for v in line)),
    "mean of a series": some(lambda known: added(known) / len(known)),
    "product of a series": some(product),
    "first of a series": some(lambda known: known[0]),
    "last of a series": some(lambda known: known[-1]),
    "min of a series": some(min),
    "max of a series": some(max),
    "any of a series": some(any),
    "all of a series": some(all),
    "argmin of a series": key_of(min),
    "argmax of a series": key_of(max),
    "first_where of a series": first_where,
    "npv of a series": npv,
    "lookup of a series": lookup,
}


def cumsum(at: int, line: Sequence[Any]) -> Any:  # noqa: ANN401
    failing = [value for value in line[: at + 1] if isinstance(value, Fail)]
    if failing or line[at] is None:
        return blocked([*([passing(failing)] if failing else []), line[at]])[1]
    return added(applicable(line[: at + 1]))


def rolling_sum(at: int, line: Sequence[Any], counts: Sequence[Any]) -> Any:  # noqa: ANN401
    stopped, why = blocked([counts[at]])
    if stopped:
        return why
    if counts[at] < 1 or counts[at] % 1:
        return Fail.of("domain")
    window = [line[place] for place in range(at + 1) if at - place < counts[at]]
    failing = [value for value in window if isinstance(value, Fail)]
    return passing(failing) if failing else added(applicable(window))


def lag(at: int, line: Sequence[Any], counts: Sequence[Any], outside: Sequence[Any]) -> Any:  # noqa: ANN401
    stopped, why = blocked([counts[at]])
    if stopped:
        return why
    if counts[at] % 1:
        return Fail.of("domain")
    before = dict(enumerate(line)).get(int(at - counts[at]), outside[at])
    return before  # noqa: RET504


def stock(at: int, opening: Sequence[Any], *flows: Sequence[Any]) -> Any:  # noqa: ANN401
    failing = [value for flow in flows for value in flow[: at + 1] if isinstance(value, Fail)]
    stopped, why = blocked([opening[0], *([passing(failing)] if failing else [])])
    if stopped:
        return why
    balance = opening[0]
    for moved in zip(*flows, range(at + 1), strict=False):
        for sign, flow in zip((1, -1), moved[:-1], strict=False):
            balance += sign * (flow or 0.0)
    return balance


def rank(at: int, *columns: Sequence[Any]) -> Any:  # noqa: ANN401
    """Count who comes before: pair by pair, ties only where all before them are equal."""
    own = [column[at] for column in columns]
    others = [value for column in columns for value in column if isinstance(value, Fail)]
    stopped, why = blocked([*([passing(others)] if others else []), own[0]])
    if stopped:
        return why
    there = [at for at, value in enumerate(columns[0]) if value is not None]
    before = [precedes([column[other] for column in columns], own, other < at) for other in there]
    return 1.0 + sum(before[: there.index(at)]) + sum(before[there.index(at) + 1 :])


def precedes(one: Sequence[Any], other: Sequence[Any], is_first: bool) -> bool:  # noqa: FBT001
    for a, b in zip(one, other, strict=True):
        if a is None or b is None:
            if a is not b:
                return b is None
            continue
        first, second = (a, b) if isinstance(a, str) else (twelve(a), twelve(b))
        if first != second:
            return first < second
    return is_first


def twelve(number: float) -> Decimal:
    """Round to 12 digits, of the 15 that a number surely has."""
    seen = digits(number, 15)
    return seen.quantize(Decimal((0, (1,), seen.adjusted() - 11)), ROUND_HALF_UP) if seen else seen


SCANS: dict[str, Callable[..., Any]] = {
    "cumsum": cumsum,
    "rolling_sum": rolling_sum,
    "lag": lag,
    "stock": stock,
    "rank": rank,
}
