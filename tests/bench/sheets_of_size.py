"""Generated models of any size, as a sheet, as plain Python and as formulas over pint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SHAPES = (  # sheet, Python (numbers in GB), pint (quantities): 3 to 5 operations each
    ("({a} + {b}) / 2 * 0.999 -> GB", "({a} + {b}) / 2 * 0.999", "({a} + {b}) / 2 * 0.999"),
    (
        "{a} * 0.5 + {b} / 3 + 1 [MB] -> GB",
        "{a} * 0.5 + {b} / 3 + 1 / 1000",
        "{a} * 0.5 + {b} / 3 + mb",
    ),
    (
        "{a} / {b} * 3 [GB] + {a} * 0.25 - {b} * 0.1 -> GB",
        "{a} / {b} * 3 + {a} * 0.25 - {b} * 0.1",
        "{a} / {b} * three + {a} * 0.25 - {b} * 0.1",
    ),
)
INPUTS = 10


@dataclass(frozen=True)
class Sized:
    """A model of ``count`` formulas over ten inputs."""

    count: int

    def pair(self, at: int) -> tuple[int, int]:
        """Give the two cells that formula ``at`` reads; every tenth cell starts afresh."""
        number = at + INPUTS
        return (number % INPUTS if at % 10 == 0 else number - 1), (number * 7919) % INPUTS

    def lines(self, shape: int, prefix: str) -> list[str]:
        """Write all formulas in one of the three languages."""
        return [
            SHAPES[at % len(SHAPES)][shape].format(a=f"{prefix}{a}", b=f"{prefix}{b}")
            for at, (a, b) in enumerate(map(self.pair, range(self.count)))
        ]

    @property
    def sheet(self) -> str:
        inputs = "".join(f"  c{n}: {n + 2} GB\n" for n in range(INPUTS))
        calcs = "".join(
            f"  c{at + INPUTS}: = {line}\n" for at, line in enumerate(self.lines(0, "c"))
        )
        return f"inputs:\n{inputs}calc:\n{calcs}"

    @property
    def starts(self) -> list[float]:
        return [float(n + 2) for n in range(INPUTS)]

    def by_hand(self) -> Callable[[list[float]], list[float]]:
        """Write one function as a person would: a local name for each cell."""
        names = [f"c{n}" for n in range(self.count + INPUTS)]
        head = f"def run(v):\n    {', '.join(names[:INPUTS])} = v\n"
        body = "".join(
            f"    c{at + INPUTS} = {line}\n" for at, line in enumerate(self.lines(1, "c"))
        )
        made: dict[str, Any] = {}
        exec(f"{head}{body}    return [{', '.join(names)}]", made)  # noqa: S102
        run: Callable[[list[float]], list[float]] = made["run"]
        return run

    def with_pint(self, ureg: Any) -> Callable[[list[float]], list[Any]]:  # noqa: ANN401
        """Write the same formulas over pint quantities, one function a cell."""
        names = {"mb": ureg.Quantity(1.0, "MB"), "three": ureg.Quantity(3.0, "GB")}
        made = [
            eval(f"lambda v: {line}", names)  # noqa: S307
            for line in (
                SHAPES[at % len(SHAPES)][2].format(a=f"v[{a}]", b=f"v[{b}]")
                for at, (a, b) in enumerate(map(self.pair, range(self.count)))
            )
        ]

        def run(starts: list[float]) -> list[Any]:
            values = [ureg.Quantity(start, "GB") for start in starts]
            for formula in made:
                values.append(formula(values).to("GB"))
            return values

        return run
