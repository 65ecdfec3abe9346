"""Every unit means what this table, written by hand, says; there is no other."""

from fractions import Fraction

import pytest

from calcgraph.core.units import Product
from calcgraph.units import UnitBook, UnitProblem, Vocabulary, make_unit_book

DECIMAL = "k M G T P E Z Y"
BINARY = "Ki Mi Gi Ti Pi"
CURRENCIES = (
    "USD EUR GBP CHF JPY CNY HKD TWD KRW SGD INR IDR MYR PHP THB VND AUD NZD CAD BRL MXN ARS CLP "
    "COP ZAR EGP AED SAR QAR KWD ILS TRY SEK NOK DKK ISK PLN CZK HUF RON"
)
COUNTS = "seq gpu node layer step replica person"
ENERGY = "g*m^2/s^2"
POWER = "g*m^2/s^3"

# Name: dimension, how many base units it is, prefixes it takes.
FACTS: dict[str, tuple[str, Fraction | int, str]] = {
    "s": ("s", 1, "n u m"),
    "min": ("s", 60, ""),
    "hour": ("s", 3_600, ""),
    "day": ("s", 86_400, ""),
    "week": ("s", 604_800, ""),
    "year": ("year", 1, ""),
    "month": ("month", 1, ""),
    "m": ("m", 1, "n u m c k"),
    "g": ("g", 1, "m k"),
    "t": ("g", 1_000_000, "k M G"),
    "J": (ENERGY, 1_000, "k M G T P E"),
    "W": (POWER, 1_000, "k M G T"),
    "Wh": (ENERGY, 3_600_000, "k M G T P"),
    "byte": ("byte", 1, f"{DECIMAL} {BINARY}"),
    "bit": ("byte", Fraction(1, 8), f"{DECIMAL} {BINARY}"),
    "FLOP": ("FLOP", 1, DECIMAL),
    "token": ("token", 1, "k M G T P"),
    "param": ("param", 1, "k M G T"),
    **{name: (name, 1, "") for name in COUNTS.split()},
    **{name: (name, 1, "k M G T") for name in CURRENCIES.split()},
}

PREFIXES = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "c": Fraction(1, 100),
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "P": 10**15,
    "E": 10**18,
    "Z": 10**21,
    "Y": 10**24,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
    "Ti": 2**40,
    "Pi": 2**50,
}

# Spelt out: how many base units one of them is, from outside knowledge.
PREFIXED = {
    "ms": Fraction(1, 1000),
    "us": Fraction(1, 10**6),
    "km": 1000,
    "cm": Fraction(1, 100),
    "kg": 1000,
    "kt": 10**9,
    "kWh": 3_600_000_000,
    "MWh": 3_600_000_000_000,
    "kB": 1000,
    "GB": 10**9,
    "KiB": 1024,
    "GiB": 1_073_741_824,
    "TiB": 1_099_511_627_776,
    "kbit": 125,
    "Gbit": 125_000_000,
    "Kibit": 128,
    "YFLOP": 10**24,
    "TFLOP": 10**12,
    "Ttoken": 10**12,
    "Gparam": 10**9,
    "kUSD": 1000,
    "MEUR": 10**6,
    "GJPY": 10**9,
}


def test_the_table_names_every_unit_and_no_other(vocabulary: Vocabulary) -> None:
    assert set(vocabulary.units) == set(FACTS)


@pytest.mark.parametrize("name", FACTS)
def test_a_unit_has_the_size_dimension_and_prefixes_of_the_table(
    vocabulary: Vocabulary, name: str
) -> None:
    dimension, scale, prefixes = FACTS[name]

    unit = vocabulary.units[name]

    assert (str(unit.dimension), unit.scale) == (dimension, scale)
    assert " ".join(unit.prefixes) == prefixes
    assert unit.meaning


def test_prefixes_are_the_powers_of_1000_and_1024(vocabulary: Vocabulary) -> None:
    assert vocabulary.prefixes == PREFIXES


@pytest.mark.parametrize("spelling", PREFIXED)
def test_a_prefix_multiplies_exactly(vocabulary: Vocabulary, spelling: str) -> None:
    atom = vocabulary.atom(spelling)

    assert atom is not None
    assert atom.scale == PREFIXED[spelling]


def test_no_spelling_has_two_meanings_and_none_is_refused(vocabulary: Vocabulary) -> None:
    spellings = list(vocabulary.spellings())

    assert len(spellings) == len(set(spellings))
    assert not set(spellings) & {*vocabulary.refused, *vocabulary.unknown}


def test_currencies_are_dimensions_of_their_own(vocabulary: Vocabulary) -> None:
    dimensions = {vocabulary.units[name].dimension for name in CURRENCIES.split()}

    assert len(dimensions) == len(CURRENCIES.split())


@pytest.mark.parametrize(
    "spelling", ["Gs", "khour", "kgpu", "mB", "mUSD", "KiFLOP", "Gbyte", "kt2"]
)
def test_a_prefix_goes_only_where_the_unit_lists_it(vocabulary: Vocabulary, spelling: str) -> None:
    assert vocabulary.atom(spelling) is None


def test_what_advice_tells_to_write_is_accepted(vocabulary: Vocabulary, book: UnitBook) -> None:
    example = {"`turn/min`", "`units: {turn: count}`", "`units: {rack: count}`"}
    told = {
        f"`{quoted}`"
        for hint in (*vocabulary.refused.values(), *vocabulary.unknown.values())
        for quoted in hint.split("`")[1::2]
    }

    refused = [
        text
        for text in told - example - {"`/`", "`units: {quarter: 3 month}`"}
        if isinstance(book.unit(text.strip("`")), UnitProblem)
    ]

    assert refused == []


def test_the_listing_shows_each_unit_once(book: UnitBook) -> None:
    listing = {line.name: line for line in book.listing()}

    assert list(listing) == list(book.vocabulary.units)
    assert listing["byte"].spelling("Gi") == "GiB"


def test_the_listing_shows_units_as_the_model_has_them(vocabulary: Vocabulary) -> None:
    book, _ = make_unit_book(vocabulary, {"year": "365 day"}, {"pod": "8 gpu", "gpu": "count"})

    listing = {line.name: line for line in book.listing()}

    assert str(listing["year"].dimension) == "s"
    assert listing["year"].scale == 31_536_000
    assert [*listing][-1] == "pod"
    assert listing["pod"].scale == 8


def test_dimensions_are_in_alphabetical_order(vocabulary: Vocabulary) -> None:
    for unit in vocabulary.units.values():
        assert unit.dimension == unit.dimension.sorted() != Product()
