"""The only package that knows pint: texts of units to ``Unit``, exact, with words for mistakes."""

from calcgraph.units.declared import CONVENTIONS, make_unit_book
from calcgraph.units.grammar import UnitProblem
from calcgraph.units.loading import load_vocabulary
from calcgraph.units.quantities import float_registry, to_pint
from calcgraph.units.unit_book import UnitBook
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
