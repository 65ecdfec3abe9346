"""The closed vocabulary as plain facts: each accepted spelling, and why others are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from calcgraph.core.units import Atom, Product

FORMAT = 1
"""The version of the JSON below."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One unit: ``scale`` base units of ``dimension``; ``prefixes`` go on ``stem``, not its name.

    The stem is the name but for ``byte``, whose is ``B``: ``byte`` and ``GB`` are accepted.
    """

    name: str
    dimension: Product
    scale: Fraction
    prefixes: tuple[str, ...] = ()
    stem: str = ""
    meaning: str = ""

    @property
    def is_base(self) -> bool:
        """Whether it is a base unit: a dimension by itself."""
        return self.scale == 1 and self.dimension == Product(((self.name, Fraction(1)),))

    def spelling(self, prefix: str) -> str:
        """Write the unit with a prefix, or without if it is empty."""
        return f"{prefix}{self.stem}" if prefix else self.name


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """All units and prefixes by name, and spellings that are not accepted with advice on them.

    A ``refused`` spelling has a right one and nobody may take it; an ``unknown`` one is only
    explained, and a sheet may declare it. ``prefix_slips`` are wrong prefixes with the right ones.
    """

    units: Mapping[str, Definition]
    prefixes: Mapping[str, Fraction]
    refused: Mapping[str, str]
    unknown: Mapping[str, str]
    prefix_slips: Mapping[str, str]
    stems: Mapping[str, Definition] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index what prefixes go on."""
        stems = {unit.stem: unit for unit in self.units.values() if unit.prefixes}
        object.__setattr__(self, "stems", stems)

    def split(self, spelling: str) -> tuple[str, Definition] | None:
        """Take an accepted spelling apart into prefix and unit; none if it is not accepted."""
        unit = self.units.get(spelling)
        if unit is not None:
            return "", unit
        for length in (1, 2):
            prefixed = self.stems.get(spelling[length:])
            if prefixed is not None and spelling[:length] in prefixed.prefixes:
                return spelling[:length], prefixed
        return None

    def atom(self, spelling: str) -> Atom | None:
        """Return the unit of an accepted spelling, or none."""
        found = self.split(spelling)
        if found is None:
            return None
        prefix, unit = found
        scale = unit.scale * self.prefixes[prefix] if prefix else unit.scale
        return Atom(spelling, unit.dimension, scale)

    def spellings(self) -> Iterator[str]:
        """List every accepted spelling."""
        for unit in self.units.values():
            yield unit.name
            for prefix in unit.prefixes:
                yield unit.spelling(prefix)

    def to_json(self) -> dict[str, object]:
        """Return it in plain lists and texts, numbers as exact text."""
        return {
            "format": FORMAT,
            "units": [
                [
                    unit.name,
                    " ".join(f"{name} {power}" for name, power in unit.dimension.powers),
                    str(unit.scale),
                    " ".join(unit.prefixes),
                    unit.stem,
                    unit.meaning,
                ]
                for unit in self.units.values()
            ],
            "prefixes": {name: str(factor) for name, factor in self.prefixes.items()},
            "refused": dict(self.refused),
            "unknown": dict(self.unknown),
            "prefix_slips": dict(self.prefix_slips),
        }


def vocabulary_from_json(kept: object) -> Vocabulary | None:
    """Read what ``Vocabulary.to_json`` gave; none if it is anything else."""
    match kept:
        case {
            "format": version,
            "units": list(units),
            "prefixes": dict(prefixes),
            "refused": dict(refused),
            "unknown": dict(unknown),
            "prefix_slips": dict(slips),
        } if version == FORMAT:
            try:
                definitions = [_definition(row) for row in units]
                factors = {name: _fraction(text) for name, text in prefixes.items()}
            except (TypeError, ValueError, ZeroDivisionError, AttributeError):
                return None
            named = {unit.name: unit for unit in definitions}
            texts = [*refused.values(), *unknown.values(), *slips.values()]
            if not all(isinstance(text, str) for text in texts):
                return None
            if any(prefix not in factors for unit in definitions for prefix in unit.prefixes):
                return None
            return Vocabulary(named, factors, refused, unknown, slips)
        case _:
            return None


def _definition(row: list[str]) -> Definition:
    """Read one row; ``join`` refuses, at the speed of C, what holds anything but texts."""
    "".join(row)
    name, powers, scale, prefixes, stem, meaning = row
    accepted = tuple(prefixes.split())
    return Definition(name, _product(powers), _fraction(scale), accepted, stem, meaning)


@lru_cache(maxsize=256)
def _product(text: str) -> Product:
    words = text.split()
    return Product(tuple(zip(words[::2], map(_fraction, words[1::2]), strict=True)))


@lru_cache(maxsize=256)
def _fraction(text: str) -> Fraction:
    above, _, below = text.partition("/")  # several times faster than to let Fraction read it
    return Fraction(int(above), int(below or "1"))
