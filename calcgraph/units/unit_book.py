"""The units of one model: its text of a unit to a ``Unit``, under its conventions and own units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from calcgraph.core.dimension import PERCENT, Atom, Product, Unit, exact_root
from calcgraph.units.grammar import (
    Factor,
    UnitProblem,
    is_measurable,
    is_too_high,
    parse_unit,
    shown,
    span_of,
    too_high,
)
from calcgraph.units.vocabulary import Definition, Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class UnitBook:
    """All units one model may use: the vocabulary, its years and months, its own."""

    vocabulary: Vocabulary
    own: Mapping[str, Atom] = field(default_factory=dict)
    broken: frozenset[str] = frozenset()
    _known: dict[str, Unit | UnitProblem] = field(default_factory=dict, repr=False)

    def unit(self, text: str) -> Unit | UnitProblem:
        """Read a unit's text; the same text gives the same object."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._read(text)
        return found

    def atom(self, word: str) -> Atom | None:
        """Return the unit of one accepted spelling, or none."""
        if word in self.broken:
            return None
        return self.own.get(word) or self.vocabulary.atom(word)

    def listing(self) -> Iterator[Definition]:
        """List all units as this model has them, its own last."""
        for name, unit in self.vocabulary.units.items():
            atom = self.own.get(name)
            yield replace(unit, dimension=atom.dimension, scale=atom.scale) if atom else unit
        for name, atom in self.own.items():
            if name not in self.vocabulary.units:
                yield Definition(name, atom.dimension, atom.scale, (), name, "the sheet's own")

    def _read(self, text: str) -> Unit | UnitProblem:
        factors = parse_unit(text)
        if isinstance(factors, UnitProblem):
            return factors
        return combine(text, factors, self)


def combine(text: str, factors: list[Factor], book: UnitBook) -> Unit | UnitProblem:
    """Look up the words of a text and multiply; numbers among the factors are left out."""
    atoms: dict[str, Atom] = {}
    for factor in factors:
        if factor.number is None and factor.word != PERCENT:
            atom = book.atom(factor.word)
            if atom is None:
                return _unknown(factor, book)
            atoms[factor.word] = atom
    totals = Product.of((f.word, f.power) for f in factors if f.word in atoms).powers
    for name, power in totals:
        if is_too_high(power):
            return too_high(*span_of(text))
        if power.denominator != 1 and _has_no_root(atoms[name], power):
            return _without_root(text, atoms[name], power)
    percent = factors[0].word == PERCENT
    unit = Unit(tuple((atoms[name], power) for name, power in totals), percent, _tidy(text))
    if not is_measurable(unit.scale):
        message = "this unit is too large or too small to be computed with"
        return UnitProblem(*span_of(text), message, "choose another prefix or power", "range")
    return unit


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _unknown(factor: Factor, book: UnitBook) -> UnitProblem:
    if factor.word in book.broken:
        message = f"the sheet's own unit `{factor.word}` is not well defined"
        return UnitProblem(factor.start, factor.end, message, kind="broken")
    from calcgraph.units.advice import advise  # only what is wrong needs it

    message = f"unknown or refused unit `{shown(factor.word)}`"
    hint = advise(factor.word, book.vocabulary, book.own)
    return UnitProblem(factor.start, factor.end, message, hint, "unknown")


def _has_no_root(atom: Atom, power: Fraction) -> bool:
    return exact_root(atom.scale ** abs(power.numerator), power.denominator) is None


def _without_root(text: str, atom: Atom, power: Fraction) -> UnitProblem:
    """Refuse ``kB^(1/2)``: the root of 1000 is no fraction, so no conversion would be exact."""
    message = f"`{atom.name}^({power})` has no exact size"
    hint = f"write it in `{atom.dimension.power(power)}`"
    return UnitProblem(*span_of(text), message, hint, "range")
