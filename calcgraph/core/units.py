"""Units: exact dimensions and scales, without pint."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PERCENT = "%"


@dataclass(frozen=True, slots=True)
class Product:
    """Names with rational powers, such as ``gpu*hour`` or ``byte/s``, in written order."""

    powers: tuple[tuple[str, Fraction], ...] = ()

    @staticmethod
    def of(pairs: Iterable[tuple[str, Fraction]]) -> Product:
        """Add up the powers of equal names and drop those that cancel."""
        total: dict[str, Fraction] = {}
        for name, power in pairs:
            known = total.get(name)
            total[name] = power if known is None else known + power
        return Product(tuple((name, power) for name, power in total.items() if power))

    def times(self, other: Product) -> Product:
        """Multiply by another product."""
        return Product.of(self.powers + other.powers)

    def power(self, exponent: Fraction) -> Product:
        """Raise to a power."""
        return Product.of((name, power * exponent) for name, power in self.powers)

    def sorted(self) -> Product:
        """Return it with sorted names, so that equal products compare equal."""
        return Product(tuple(sorted(self.powers)))

    def __str__(self) -> str:
        """Write it in the syntax of units: ``USD/gpu/hour``, ``byte^2``, ``1/year``, ``1``."""
        above = [_factor(name, power) for name, power in self.powers if power > 0]
        below = [_factor(name, -power) for name, power in self.powers if power < 0]
        return "/".join(["*".join(above) or "1", *below])


def _factor(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    return f"{name}^{power}" if power.denominator == 1 else f"{name}^({power})"


@dataclass(frozen=True, slots=True)
class Atom:
    """A named unit: its dimension (names sorted) and its size in base units."""

    name: str
    dimension: Product
    scale: Fraction


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure: ``number * scale`` is a value in base units.

    ``atoms`` are the unit names with their powers, in written order. ``percent`` affects display
    only: 40% is stored as 0.4. ``written`` is the author's spelling.
    """

    atoms: tuple[tuple[Atom, Fraction], ...] = ()
    percent: bool = False
    written: str = ""
    dimension: Product = field(init=False, repr=False, compare=False)
    scale: Fraction = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute dimension, scale and hash once: they are read often."""
        dimension = Product.of(
            (name, power if outer == 1 else power * outer)
            for atom, outer in self.atoms
            for name, power in atom.dimension.powers
        ).sorted()
        scale = Fraction(1)
        for atom, power in self.atoms:
            if atom.scale != 1:
                scale *= atom.scale ** int(power) if power.denominator == 1 else _root(atom, power)
        object.__setattr__(self, "dimension", dimension)
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "_hash", hash((self.atoms, self.percent, self.written)))

    def __hash__(self) -> int:
        """Return the hash computed once: units are cache keys of the unit algebra."""
        return self._hash

    def __reduce__(self) -> tuple[type[Unit], tuple[object, ...]]:
        """Pickle the fields only: string hashes differ between processes."""
        return Unit, (self.atoms, self.percent, self.written)

    @property
    def symbol(self) -> Product:
        """The unit names and their powers."""
        return Product(tuple((atom.name, power) for atom, power in self.atoms))

    @property
    def is_pure(self) -> bool:
        """Whether it is the unit of pure numbers."""
        return not self.atoms

    def same_as(self, other: Unit) -> bool:
        """Whether a number means the same in both units."""
        return self.dimension == other.dimension and self.scale == other.scale

    def __str__(self) -> str:
        """Write it as its author did, else from its atoms."""
        return self.written or str(self.symbol)


def _root(atom: Atom, power: Fraction) -> Fraction:
    """Return the exact root of an atom's scale; the unit rules admit only perfect powers."""
    raised = atom.scale**power.numerator
    root = exact_root(raised, power.denominator)
    assert root is not None, "a root of a unit is taken only where it is exact"
    return root


def exact_root(value: Fraction, degree: int) -> Fraction | None:
    """Return the exact ``degree``-th root of a positive fraction; ``None`` if irrational."""
    parts = [_whole_root(part, degree) for part in (value.numerator, value.denominator)]
    if parts[0] is None or parts[1] is None:
        return None
    return Fraction(parts[0], parts[1])


def _whole_root(value: int, degree: int) -> int | None:
    low, high = 0, 1
    while high**degree < value:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        if middle**degree < value:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == value else None


PURE = Unit()
PER_CENT = Unit(percent=True, written=PERCENT)


def unit_of(pairs: Iterable[tuple[Atom, Fraction]], *, percent: bool = False) -> Unit:
    """Build a unit from atoms and powers: equal names add up, names that cancel go."""
    atoms: dict[str, Atom] = {}
    powers: list[tuple[str, Fraction]] = []
    for atom, power in pairs:
        atoms[atom.name] = atom
        powers.append((atom.name, power))
    kept = Product.of(powers)
    return Unit(tuple((atoms[name], power) for name, power in kept.powers), percent)
