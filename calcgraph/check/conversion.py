"""Exact conversions between units, as named integer steps: multiply first, then divide."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.model import Step

if TYPE_CHECKING:
    from calcgraph.core.dimension import Atom, Unit


@lru_cache(maxsize=4096)
def steps_between(given: Unit, wanted: Unit) -> tuple[Step, ...]:
    """Return the steps that convert a number in ``given`` to ``wanted``; none for equal scales.

    Atoms of equal dimension and power are converted one by one (``s_per_day``), the rest in one
    step (``J_per_kWh``).
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
        steps.extend(_atom_steps(atom, other, int(power)))
        left /= ratio ** int(power)
    if left != 1:
        steps.extend(_steps(str(given.symbol), str(wanted.symbol), left))
    return tuple(sorted(steps, key=lambda step: step.divides))


def _apart(
    given: Unit, wanted: Unit
) -> tuple[list[tuple[Atom, Fraction]], list[tuple[Atom, Fraction]]]:
    """Drop the atoms that both units have to the same power."""
    have = [pair for pair in given.atoms if pair not in wanted.atoms]
    want = [pair for pair in wanted.atoms if pair not in given.atoms]
    return have, want


def _atom_steps(given: Atom, wanted: Atom, power: int) -> list[Step]:
    """Convert via the base unit where neither is a multiple of the other: day to month."""
    ratio = given.scale / wanted.scale
    is_whole = 1 in {ratio.numerator, ratio.denominator}
    if is_whole or given.scale.denominator != 1 or wanted.scale.denominator != 1:
        return _steps(given.name, wanted.name, ratio, power)
    base = str(given.dimension)
    return [
        *_steps(given.name, base, given.scale, power),
        *_steps(base, wanted.name, 1 / wanted.scale, power),
    ]


def _steps(given: str, wanted: str, ratio: Fraction, power: int = 1) -> list[Step]:
    """Convert one ``given`` to ``ratio`` ``wanted``: one integer, or two for a fraction.

    A power repeats its steps; a negative one divides where a positive one multiplies.
    """
    steps: list[Step] = []
    above, below = f"{wanted}_per_{given}", f"{given}_per_{wanted}"
    if 1 not in {ratio.numerator, ratio.denominator}:
        above, below = f"{above}_numerator", f"{above}_denominator"
    if ratio.numerator != 1:
        steps.append(Step(above, ratio.numerator, power < 0))
    if ratio.denominator != 1:
        steps.append(Step(below, ratio.denominator, power > 0))
    return steps * abs(power)
