"""The meaning of lowered trees a second time, written to be plain and not to be fast."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from calcgraph.core.values import Failure, Series
from calcgraph.model import Apply, Const, Convert, Load, Lookup, Model, Op, Reduce


def fifteen(number: float) -> Decimal:
    return Decimal(f"{number:.14e}")


def rounded(number: float, digits: float = 0) -> float:
    return float(fifteen(number).quantize(Decimal((0, (1,), -int(digits))), ROUND_HALF_UP))


def applicable(series: tuple[Any, ...]) -> list[Any]:
    return [value for value in series if value is not None]


MEANING: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda a: -a,
    "abs": abs,
    "round": rounded,
    "==": lambda a, b: fifteen(a) == fifteen(b),
    "!=": lambda a, b: fifteen(a) != fifteen(b),
    "<": lambda a, b: fifteen(a) < fifteen(b),
    "<=": lambda a, b: fifteen(a) <= fifteen(b),
    ">": lambda a, b: fifteen(a) > fifteen(b),
    "not": lambda a: not a,
    "isblank": lambda a: a is None,
    "sum": lambda series: sum(applicable(series)),
    "mean": lambda series: sum(found) / len(found) if (found := applicable(series)) else None,
    "first": lambda series: next(iter(applicable(series)), None),
    "na": lambda: None,
}
for _name, _choose in (("min", min), ("max", max)):
    MEANING[_name] = lambda *values, choose=_choose: choose(applicable(values), default=None)


class Interpreter:
    """Computes cells in order; failures are values here, and flow on as such."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.values: list[Any] = [cell.start for cell in model.cells]
        self.cell = 0

    def run(self) -> list[Any]:
        for number in self.model.graph.order:
            op = self.model.cells[number].op
            if op is not None:
                self.cell = number
                self.values[number] = self.value(op)
        return self.values

    def value(self, op: Op) -> Any:  # noqa: ANN401
        match op:
            case Const(value):
                return value
            case Load(cell):
                value = self.values[cell]
                return value.data if isinstance(value, Series) else value
            case Lookup(cell, ("",), (key,)):
                (dim,) = self.model.cells[cell].type.dims
                return self.values[cell].data[self.model.dim(dim).positions[self.value(key)]]
            case Reduce(function, _, args):
                return self.checked(MEANING[function.name](*(self.value(arg) for arg in args)))
            case Convert(steps, (arg,)):
                value = self.value(arg)
                if value is None or isinstance(value, Failure):
                    return value
                for step in steps:
                    value = value / step.factor if step.divides else value * step.factor
                return self.checked(value)
            case Apply(function, args):
                return self.applied(function.name, args, takes_na=function.takes_na)
            case _:
                raise AssertionError(op)

    def applied(self, name: str, args: tuple[Op, ...], *, takes_na: bool) -> Any:  # noqa: ANN401
        if name == "if":
            condition = self.value(args[0])
            if condition is None or isinstance(condition, Failure):
                return condition
            return self.value(args[1] if condition else args[2])
        if name == "iferror":
            first = self.value(args[0])
            return self.value(args[1]) if isinstance(first, Failure) else first
        values = [self.value(arg) for arg in args]
        if None in values and not takes_na:
            return None
        for value in values:
            if isinstance(value, Failure):
                return value
        try:
            return self.checked(MEANING[name](*values))
        except ZeroDivisionError:
            return Failure("div0", self.cell, "division by zero")

    def checked(self, value: Any) -> Any:  # noqa: ANN401
        if isinstance(value, float) and not math.isfinite(value):
            return Failure("overflow", self.cell, "")
        return value
