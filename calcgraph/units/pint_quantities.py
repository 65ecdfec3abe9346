"""Our units to pint's, for Python users: a registry of floats made from the same texts."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.core import resources
from calcgraph.core.units import Product, Unit
from calcgraph.units.pint_definitions import shipped_vocabulary

if TYPE_CHECKING:
    import pint


@lru_cache(maxsize=1)
def float_registry() -> pint.UnitRegistry[float]:
    """Return the one registry of floats; importing pint takes longer than Python's start."""
    import pint

    registry: pint.UnitRegistry[float] = pint.UnitRegistry(None, on_redefinition="raise")
    for text in resources.unit_texts().values():
        for line in text.splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                registry.define(line)
    return registry


def to_pint(unit: Unit) -> tuple[float, pint.Unit]:
    """Return ``factor`` and pint's unit, so that ``number * factor`` of it is ``number`` of ours.

    The factor is 1 but for units whose size only the sheet knows, such as a year under a
    convention: they become base units. A count of the sheet's own is made known to pint.
    """
    factor = Fraction(1)
    powers: list[tuple[str, Fraction]] = []
    for atom, power in unit.atoms:
        if shipped_vocabulary().atom(atom.name) == atom:
            powers.append((atom.name, power))
        else:
            factor *= Unit(((atom, power),)).scale
            powers += atom.dimension.power(power).powers
    registry = float_registry()
    result = registry.Unit("")
    for name, power in Product.of(powers).powers:
        exponent = int(power) if power.denominator == 1 else float(power)
        result *= registry.Unit(_known_name(name, registry)) ** exponent
    return float(factor), result


def _known_name(name: str, registry: pint.UnitRegistry[float]) -> str:
    """Return the name under which the registry knows it; an own count is defined when first met.

    pint reads ``racks`` and ``krack`` into ``rack``; a count called so gets a name of its own.
    """
    if shipped_vocabulary().atom(name) is not None:
        return name
    dimension = f"[{name}]"
    while name in registry:
        if dict(registry.Unit(name).dimensionality) == {dimension: 1} and _is_base(name, registry):
            return name
        name = f"{name}_"
    registry.define(f"{name} = {dimension}")
    return name


def _is_base(name: str, registry: pint.UnitRegistry[float]) -> bool:
    root = registry.Quantity(1, name).to_root_units()
    return root.magnitude == 1 and dict(root.unit_items()) == {name: 1}
