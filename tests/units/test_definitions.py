"""A broken units text is refused with file and line; none of pint's own errors comes through."""

from fractions import Fraction

import pytest

from calcgraph.units.pint_definitions import read_vocabulary

BASE = "k- = 1e3\ns = [time]\n"

BROKEN = {
    "hour": "units.txt:3: `hour` is no definition",
    "@import /etc/passwd": "units.txt:3: `@import /etc/passwd` is no definition",
    "degC = s; offset: 273.15": "units.txt:3: ",
    "hour = 60 * mint": "units.txt:3: pint cannot resolve `hour = 60 * mint`",
    "s = [time]": "units.txt:3: pint cannot read `s = [time]`",
    "a = b\nb = a": "units.txt:3: pint cannot resolve `a = b`",
    "a = (s": "units.txt:3: pint cannot read `a = (s`",
    "a = s + 1": "units.txt:3: pint cannot read `a = s + 1`",
    "a = 2**0.5 * s": "units.txt:3: pint cannot resolve `a = 2**0.5 * s`",
    "M- = s": "units.txt:3: pint cannot ",
    "a = 2 * s\n    # prefixes: Q": "units.txt:3: there is no prefix `Q`",
    "a = 2 * s\n    # prefix: k": "units.txt:4: a line below a unit is one of",
    "a = 2 * s\n    # refused: b c": "units.txt:4: write `wrong words = right`",
    "a = 2 * s\n    # refused: b = a\n    # refused: b = s": "units.txt:5: `b` has advice already",
    "a = 2 * s\n    # prefixes: k\nka = 3 * s": "units.txt:5: `ka` has another meaning already",
    "a = 2 * s\n    # refused: s = a": "units.txt:2: `s` has another meaning already",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_text_is_refused_with_file_and_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"^units\.txt:\d+: ") as caught:
        read_vocabulary({"units.txt": BASE + text})

    assert str(caught.value).startswith(BROKEN[text])


def test_texts_without_a_unit_are_refused() -> None:
    with pytest.raises(ValueError, match="no unit"):
        read_vocabulary({"units.txt": "# nothing here\n"})


def test_a_fact_before_any_unit_is_refused() -> None:
    with pytest.raises(ValueError, match=r"units\.txt:1"):
        read_vocabulary({"units.txt": "    # meaning: what?\n"})


def test_decimal_fractions_are_exact() -> None:
    vocabulary = read_vocabulary({"units.txt": BASE + "a = 0.1 * s\nb = a / 3\n"})

    assert vocabulary.units["a"].scale == Fraction(1, 10)
    assert vocabulary.units["b"].scale == Fraction(1, 30)


def test_a_unit_may_stand_before_what_it_is_made_of() -> None:
    vocabulary = read_vocabulary({"a.txt": "min = 60 * s\n", "b.txt": BASE})

    assert vocabulary.units["min"].scale == 60
