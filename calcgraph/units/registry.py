"""The units of one model: the vocabulary and what its sheets declare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from calcgraph.core.units import PERCENT, Atom, Product, Unit, exact_root
from calcgraph.units.unit_parser import (
    UnitFactor,
    UnitProblem,
    is_measurable,
    is_too_high,
    parse_size,
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


def combine(text: str, factors: list[UnitFactor], book: UnitBook) -> Unit | UnitProblem:
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


def _unknown(factor: UnitFactor, book: UnitBook) -> UnitProblem:
    if factor.word in book.broken:
        message = f"the sheet's own unit `{factor.word}` is not well defined"
        return UnitProblem(factor.start, factor.end, message, kind="broken")
    from calcgraph.units.suggestions import advise  # only what is wrong needs it

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


COUNT = "count"
CONVENTIONS = ("year", "month")
_TIMES = tuple(Product(((name, Fraction(1)),)) for name in ("s", *CONVENTIONS))
_NAME = r"[A-Za-z][A-Za-z0-9_]*"
_DEEPEST = 32


def make_unit_book(
    vocabulary: Vocabulary, conventions: Mapping[str, str], own: Mapping[str, str]
) -> tuple[UnitBook, list[UnitProblem]]:
    """Settle a model's conventions and own units, in any order.

    Each problem says in ``section`` and ``name`` which text it is about.
    """
    declared = _Declared(vocabulary)
    for name, text in conventions.items():
        declared.add("conventions", name, text, _wrong_convention(name))
    for name, text in own.items():
        declared.add("units", name, text, _wrong_name(name, vocabulary))
    for name in declared.texts:
        declared.settle(name)
    return UnitBook(vocabulary, declared.atoms, frozenset(declared.broken)), declared.problems


def _wrong_convention(name: str) -> tuple[str, str] | None:
    if name in CONVENTIONS:
        return None
    known = " and ".join(f"`{convention}`" for convention in CONVENTIONS)
    return f"there is no convention `{shown(name)}`", f"only {known} follow a convention"


def _wrong_name(name: str, vocabulary: Vocabulary) -> tuple[str, str] | None:
    """Describe what is wrong with a declared unit's name and what to do; ``None`` if nothing is."""
    if not re.fullmatch(_NAME, name):
        rule = "a name is a letter, then letters, digits and `_`"
        return f"`{shown(name)}` cannot be the name of a unit", rule
    if name in CONVENTIONS:
        return f"`{name}` is no unit of a sheet's own", f"write `conventions: {{{name}: …}}`"
    from calcgraph.units.suggestions import reserved  # most sheets declare no unit

    hint = "" if vocabulary.split(name) else reserved(name, vocabulary)
    return (f"`{shown(name)}` is not accepted as a unit", hint) if hint else None


class _Declared:
    """Declarations on their way from texts to sizes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.texts: dict[str, tuple[str, str]] = {}
        self.atoms: dict[str, Atom] = {}
        self.broken: set[str] = set()
        self.problems: list[UnitProblem] = []
        self.open: list[str] = []

    def add(self, section: str, name: str, text: str, wrong: tuple[str, str] | None) -> None:
        """Note a declaration, or what is wrong with its name."""
        if wrong is None:
            self.texts[name] = (section, text)
            return
        problem = UnitProblem(0, len(name), *wrong, section=section, name=name, in_name=True)
        self.problems.append(problem)
        if section == "units" and self.vocabulary.split(name) is None:
            self.broken.add(name)

    def settle(self, name: str) -> None:
        """Find the size of one declared unit, and before it of those it is made of."""
        if name in self.atoms or name in self.broken:
            return
        section, text = self.texts[name]
        known = self.vocabulary.atom(name) if section == "units" else None
        measured = self._measure(name, text, known)
        if isinstance(measured, UnitProblem):
            if measured.kind != "broken":
                self.problems.append(replace(measured, section=section, name=name))
            if known is None:
                self.broken.add(name)
        elif known is None:
            self.atoms[name] = measured

    def _measure(self, name: str, text: str, known: Atom | None) -> Atom | UnitProblem:
        whole = span_of(text)
        itself = Atom(name, Product(((name, Fraction(1)),)), Fraction(1))
        if text.strip() == COUNT and name not in CONVENTIONS:
            measured: Atom | UnitProblem = itself
        else:
            measured = self._size(name, text)
        if isinstance(measured, UnitProblem):
            return measured
        if known is not None and measured != known:
            message = f"`{name}` is {known.scale} {known.dimension} already"
            return UnitProblem(*whole, message, "choose another name", "range")
        if name in CONVENTIONS and measured.dimension not in _TIMES:
            message = f"a {name} is a length of time"
            return UnitProblem(*whole, message, _CONVENTION_HINTS[name], "range")
        return measured

    def _size(self, name: str, text: str) -> Atom | UnitProblem:
        factors = parse_size(text)
        if isinstance(factors, UnitProblem):
            return factors
        self.open.append(name)
        problem = self._settle_parts(factors)
        self.open.pop()
        if problem is not None:
            return problem
        unit = combine(text, factors, UnitBook(self.vocabulary, self.atoms, frozenset(self.broken)))
        if isinstance(unit, UnitProblem):
            return unit
        scale = unit.scale
        for factor in factors:
            if factor.number is not None:
                scale *= factor.number ** int(factor.power)
        if not is_measurable(scale):
            message = f"`{name}` is too large or too small to be computed with"
            return UnitProblem(*span_of(text), message, kind="range")
        return Atom(name, unit.dimension, scale)

    def _settle_parts(self, factors: list[UnitFactor]) -> UnitProblem | None:
        for factor in factors:
            word = factor.word
            if word in self.open:
                circle = " -> ".join([*self.open[self.open.index(word) :], word])
                message = f"these units are defined by each other: {circle}"
                hint = "give one of them a size in other units"
                return UnitProblem(factor.start, factor.end, message, hint, "range")
            if word not in self.texts:
                continue
            if len(self.open) > _DEEPEST:
                message = f"more than {_DEEPEST} units are defined one through the other"
                return UnitProblem(factor.start, factor.end, message, kind="range")
            self.settle(word)
        return None


_CONVENTION_HINTS = {
    "year": "write, for instance, `365 day`",
    "month": "write, for instance, `year/12` or `30 day`",
}
