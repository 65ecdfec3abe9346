"""The only package that knows pint: texts of units to ``Unit``, exact, with words for mistakes."""

from calcgraph.units.pint_definitions import load_vocabulary
from calcgraph.units.pint_quantities import float_registry, to_pint
from calcgraph.units.registry import CONVENTIONS, UnitBook, make_unit_book
from calcgraph.units.unit_parser import UnitProblem
from calcgraph.units.vocabulary import Definition, Vocabulary, vocabulary_from_json

__all__ = [
    "CONVENTIONS",
    "Definition",
    "UnitBook",
    "UnitProblem",
    "Vocabulary",
    "float_registry",
    "load_vocabulary",
    "make_unit_book",
    "to_pint",
    "vocabulary_from_json",
]
