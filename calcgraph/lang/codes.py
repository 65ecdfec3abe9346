"""The mistakes a formula's text can hold."""

from __future__ import annotations

from calcgraph.core.diagnostic import Code

SYNTAX = Code(
    "CG201",
    "formula cannot be read",
    "The text after `=` is not a formula of the language: something is missing, or stands where it "
    "has no meaning. Formulas are made of numbers, names, `+ - * / ^`, comparisons, `and or not`, "
    'texts in double quotes, function calls and entries such as `table["key"].column`.',
)
AMBIGUOUS = Code(
    "CG202",
    "formula can be read in two ways",
    "Spreadsheets and programming languages disagree about `-a^b`, `a^b^c` and `a < b < c`. "
    "Parentheses say which is meant, so that Python and Excel compute the same.",
)
NUMBER_FORM = Code(
    "CG203",
    "number is not written as numbers are",
    "A number is digits with `_` and `.`, an exponent, and perhaps one of the scales k M B T Ki Mi "
    "Gi: 16_000, 2.5, 6.3e24, 70.6B, 40%. Neither a comma nor a space may stand inside it, and its "
    "size must fit a double (about 1.8e308).",
)
TOO_BIG = Code(
    "CG204",
    "formula is too long or too deep",
    "A formula holds at most 32,768 characters, 10,000 parts and 64 levels of nesting. Split it "
    "into cells with names of their own; they also explain themselves better.",
)
UNIT_PLACE = Code(
    "CG205",
    "unit stands in the wrong place",
    "A constant's unit stands in brackets behind the number, `6 [FLOP/param/token]`; the unit a "
    "cell is kept in stands once, at the end, behind an arrow: `-> day`.",
)
FORBIDDEN_CHARACTER = Code(
    "CG206",
    "character is not allowed in a formula",
    "Formulas are written in plain ASCII outside of texts, so that no two names only look alike.",
)
