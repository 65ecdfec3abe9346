"""The exact steps from one unit to another: integers with names, multiplied before divided."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.model import Step

if TYPE_CHECKING:
    from calcgraph.core.dimension import Atom, Unit


@lru_cache(maxsize=4096)
def steps_between(given: Unit, wanted: Unit) -> tuple[Step, ...]:
    """Give the steps that turn a number in ``given`` into one in ``wanted``; none if alike.

    Atoms alike in dimension and power are converted one by one (``s_per_day``), what is left as a
    whole (``J_per_kWh``).
    """
    if given.scale == wanted.scale:
        return ()
    have, want = _apart(given, wanted)
    steps: list[Step] = []
    left = given.scale / wanted.scale
    for atom, power in have:
        other = next((o for o, p in want if p == power and o.dimension == atom.dimension), None)
        if other is None or power.denominator != 1:
            continue
        want.remove((other, power))
        ratio = atom.scale / other.scale
        steps.extend(_steps(atom.name, other.name, ratio, int(power)))
        left /= ratio ** int(power)
    if left != 1:
        steps.extend(_steps(str(given.symbol), str(wanted.symbol), left))
    return tuple(sorted(steps, key=lambda step: step.divides))


def _apart(
    given: Unit, wanted: Unit
) -> tuple[list[tuple[Atom, Fraction]], list[tuple[Atom, Fraction]]]:
    """Leave out the atoms that stand in both with the same power."""
    have = [pair for pair in given.atoms if pair not in wanted.atoms]
    want = [pair for pair in wanted.atoms if pair not in given.atoms]
    return have, want


def _steps(given: str, wanted: str, ratio: Fraction, power: int = 1) -> list[Step]:
    """Turn one ``given`` into ``ratio`` ``wanted``: one integer, or two where it is a fraction.

    A power repeats its steps; a negative one divides where a positive one multiplies.
    """
    steps: list[Step] = []
    if ratio.numerator != 1:
        steps.append(Step(f"{wanted}_per_{given}", ratio.numerator, power < 0))
    if ratio.denominator != 1:
        steps.append(Step(f"{given}_per_{wanted}", ratio.denominator, power > 0))
    return steps * abs(power)
