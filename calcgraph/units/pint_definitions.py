"""Unit definition files to an exact vocabulary, resolved by pint."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from calcgraph.core import cache, resources
from calcgraph.core.units import Product
from calcgraph.units.vocabulary import Definition, Vocabulary, vocabulary_from_json

if TYPE_CHECKING:
    from pint import UnitRegistry

# Patterns are compiled when first used: with the cache at hand, none is.
_DEFINITION = (
    r"(?P<name>[A-Za-z]+)(?P<is_prefix>-?)\s*=\s*[^=;\s][^=;]*?(?:\s*=\s*(?P<stem>[A-Za-z]+))?"
)
_FACT = r"#\s*(?P<kind>[a-z]+):\s*(?P<text>\S.*)"
_ADVICE = r"(?P<words>.+?)\s+(?P<sign>=|--)\s+(?P<advice>.+)"
_KINDS = ("meaning", "prefixes", "refused", "hint")


@dataclass(frozen=True, slots=True)
class _DefinitionLine:
    """A definition as written, with the facts below it: kind, text and place of each."""

    place: str
    name: str
    is_prefix: bool
    stem: str
    text: str
    facts: list[tuple[str, str, str]] = field(default_factory=list)

    def fact(self, kind: str) -> str:
        return next((text for found, text, _ in self.facts if found == kind), "")


def read_vocabulary(texts: Mapping[str, str]) -> Vocabulary:
    """Read the texts, named by file; a broken one raises ``ValueError`` with file and line."""
    from pint import UnitRegistry  # a vocabulary that is kept needs no pint

    registry: UnitRegistry[Fraction] = UnitRegistry(
        None, non_int_type=Fraction, on_redefinition="raise"
    )
    lines = [line for file, text in texts.items() for line in _lines(file, text)]
    for line in lines:
        _define(registry, line)
    prefixes = _read_prefixes(registry, lines)
    units = _read_units(registry, lines, prefixes)
    refused: dict[str, str] = {}
    unknown: dict[str, str] = {}
    slips: dict[str, str] = {}
    for line in lines:
        for kind, text, place in line.facts:
            if kind in ("refused", "hint"):
                target = slips if line.is_prefix else refused if kind == "refused" else unknown
                _add_advice(target, text, place, bare=line.is_prefix)
    vocabulary = Vocabulary(units, prefixes, refused, unknown, slips)
    _demand_one_meaning_a_spelling(vocabulary, lines)
    return vocabulary


def _lines(file: str, text: str) -> Iterator[_DefinitionLine]:
    """Take a text apart; an indented line below a definition is a fact about it."""
    line: _DefinitionLine | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        place = f"{file}:{number}"
        written = raw.strip()
        if not written or raw.startswith("#"):
            continue
        if not raw[0].isspace():
            if line is not None:
                yield line
            line = _read_line(place, written)
            continue
        fact = re.fullmatch(_FACT, written)
        if fact is None or fact["kind"] not in _KINDS or line is None:
            raise ValueError(
                f"{place}: a line below a unit is one of: # {': … # '.join(_KINDS)}: …"
            )
        line.facts.append((fact["kind"], fact["text"], place))
    if line is not None:
        yield line


def _read_line(place: str, written: str) -> _DefinitionLine:
    found = re.fullmatch(_DEFINITION, written)
    if found is None:
        raise ValueError(f"{place}: `{written}` is no definition of a unit or prefix")
    name, is_prefix = found["name"], bool(found["is_prefix"])
    return _DefinitionLine(place, name, is_prefix, found["stem"] or name, written)


def _define(registry: UnitRegistry[Fraction], line: _DefinitionLine) -> None:
    try:
        registry.define(line.text)
    except Exception as error:  # pint fails with errors of many kinds
        raise ValueError(f"{line.place}: pint cannot read `{line.text}`: {error}") from error


def _read_prefixes(
    registry: UnitRegistry[Fraction], lines: list[_DefinitionLine]
) -> dict[str, Fraction]:
    """Ask pint for each prefix by its effect on the first unit there is."""
    first = next((line for line in lines if not line.is_prefix), None)
    if first is None:
        raise ValueError("the units texts define no unit")
    whole, _ = _measure(registry, first, first.name)
    return {
        line.name: _measure(registry, line, f"{line.name}{first.name}")[0] / whole
        for line in lines
        if line.is_prefix
    }


def _read_units(
    registry: UnitRegistry[Fraction], lines: list[_DefinitionLine], prefixes: Mapping[str, Fraction]
) -> dict[str, Definition]:
    units = {}
    for line in lines:
        if line.is_prefix:
            continue
        accepted = tuple(line.fact("prefixes").split())
        strange = [prefix for prefix in accepted if prefix not in prefixes]
        if strange:
            raise ValueError(f"{line.place}: there is no prefix `{strange[0]}`")
        scale, dimension = _measure(registry, line, line.name)
        units[line.name] = Definition(
            line.name, dimension, scale, accepted, line.stem, line.fact("meaning")
        )
    return units


def _measure(
    registry: UnitRegistry[Fraction], line: _DefinitionLine, name: str
) -> tuple[Fraction, Product]:
    """Ask pint how many base units one ``name`` is, exactly."""
    try:
        root = registry.Quantity(1, name).to_root_units()
        scale = _exact(root.magnitude)
        powers = [(base, _exact(power)) for base, power in root.unit_items()]
    except Exception as error:  # pint fails with errors of many kinds
        raise ValueError(f"{line.place}: pint cannot resolve `{line.text}`: {error}") from error
    return scale, Product.of(powers).sorted()


def _exact(number: object) -> Fraction:
    if not isinstance(number, int | Fraction):
        raise TypeError(f"{number} is no exact fraction")
    return Fraction(number)


def _add_advice(target: dict[str, str], text: str, place: str, *, bare: bool) -> None:
    """Read ``h hr = hour`` or ``b -- write `bit` or `byte```: wrong words and what to do."""
    found = re.fullmatch(_ADVICE, text)
    if found is None:
        raise ValueError(f"{place}: write `wrong words = right` or `wrong words -- advice`")
    advice = found["advice"] if bare or found["sign"] == "--" else f"write `{found['advice']}`"
    for word in found["words"].split():
        if word in target:
            raise ValueError(f"{place}: `{word}` has advice already")
        target[word] = advice


def _demand_one_meaning_a_spelling(vocabulary: Vocabulary, lines: list[_DefinitionLine]) -> None:
    seen = {**vocabulary.refused, **vocabulary.unknown}
    for line in lines:
        unit = vocabulary.units.get(line.name) if not line.is_prefix else None
        for spelling in [unit.spelling(prefix) for prefix in ("", *unit.prefixes)] if unit else []:
            if spelling in seen:
                raise ValueError(f"{line.place}: `{spelling}` has another meaning already")
            seen[spelling] = line.place


def load_vocabulary(*, use_cache: bool = True) -> Vocabulary:
    """Read ``units/*.txt``, without pint where the cache knows what pint says about them."""
    texts = resources.unit_texts()
    key = _key(texts) if use_cache else None
    kept = _kept(key) if key else None
    if kept is not None:
        return kept

    vocabulary = read_vocabulary(texts)
    if key:
        content = json.dumps(vocabulary.to_json(), separators=(",", ":"))
        cache.write(key, content.encode("utf-8"))
    return vocabulary


@lru_cache(maxsize=1)
def shipped_vocabulary() -> Vocabulary:
    """Return the same vocabulary each time, for what needs one beside a model's own book."""
    return load_vocabulary()


def _key(texts: dict[str, str]) -> str | None:
    """Name all the answer depends on: the texts, pint's release, and our own reading of them."""
    release = resources.installed_release("pint")
    sources = resources.own_sources("units")
    if release is None or sources is None:
        return None
    named = {**{name: text.encode("utf-8") for name, text in texts.items()}, **sources}
    parts = [part for name, content in named.items() for part in (name.encode("utf-8"), content)]
    return f"units-{cache.make_key(release.encode('utf-8'), *parts)}"


def _kept(key: str) -> Vocabulary | None:
    content = cache.read(key)
    if content is None:
        return None
    try:
        return vocabulary_from_json(json.loads(content))
    except (ValueError, RecursionError):
        return None
