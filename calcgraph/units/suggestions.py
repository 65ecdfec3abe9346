"""The right spelling for a unit that is not accepted: words for the hint of an error."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from calcgraph.units.unit_parser import shown
from calcgraph.units.vocabulary import Vocabulary

# Patterns are compiled when first used, which is when something is wrong.
_QUOTED = r"`([^`]+)`"
_WORD = r"[^\s*/^()]+"
_POWER = r"(?P<word>[A-Za-z]+)(?P<power>[23²³])"
_POWERS = {"²": "2", "³": "3"}
_TIMES = r"[-·×⋅.]"  # noqa: RUF001 - signs that people write for `*`
_LONGEST = 40
_SHORTEST_GUESS = 4


def advise(word: str, vocabulary: Vocabulary, own: Collection[str] = ()) -> str:
    """Suggest what to write instead of ``word``; ``own`` are units the sheet declares."""
    hint = ""
    if len(word) <= _LONGEST:
        hint = _known_advice(word, vocabulary, own) or _composed_advice(word, vocabulary, own)
    return (
        hint
        or _likely_advice(word, vocabulary, own)
        or "a count of your own is declared in the sheet, as in `units: {rack: count}`; "
        "`calcgraph units` lists the others"
    )


def reserved(word: str, vocabulary: Vocabulary) -> str:
    """Suggest another name for a unit whose name no sheet may declare; empty if it may."""
    if word in vocabulary.refused:
        return vocabulary.refused[word]
    for prefix in vocabulary.prefixes:
        if word.startswith(prefix):
            hint = vocabulary.refused.get(word[len(prefix) :], "")
            moved = _with_prefix(hint, prefix, vocabulary)
            if moved:
                return moved
    return ""


def _known_advice(word: str, vocabulary: Vocabulary, own: Collection[str]) -> str:
    """Find it as written, then in the singular, then whatever the case of its letters."""
    forms = [word, *(word.removesuffix(end) for end in ("s", "es") if word.endswith(end))]
    for form in forms:
        if form != word and (form in own or vocabulary.split(form)):
            return f"write `{form}`"
        hint = vocabulary.refused.get(form) or vocabulary.unknown.get(form)
        hint = hint or _prefixed_advice(form, vocabulary)
        if hint:
            return hint
    for form in forms:
        found = {name: f"write `{name}`" for name in own if name.casefold() == form.casefold()}
        found.update(_by_folded(vocabulary).get(form.casefold(), {}))
        if found:  # the fewer letters change their case, the likelier
            changes = {right: _differences(form, right) for right in found}
            least = min(changes.values())
            hints = {found[right] for right, count in changes.items() if count == least}
            return "; or ".join(sorted(hints))
    return ""


def _prefixed_advice(form: str, vocabulary: Vocabulary) -> str:
    """Take a prefix off, a wrong one too (``Btoken``, ``gigabyte``), and look at the rest."""
    known = {prefix: prefix for prefix in vocabulary.prefixes} | dict(vocabulary.prefix_slips)
    for written, prefix in sorted(known.items(), key=lambda pair: -len(pair[0])):
        rest = form[len(written) :]
        if not rest or not form.startswith(written):
            continue
        unit = vocabulary.units.get(rest) or vocabulary.stems.get(rest)
        if unit is not None and prefix in unit.prefixes:
            return f"write `{unit.spelling(prefix)}`"
        moved = _with_prefix(vocabulary.refused.get(rest, ""), prefix, vocabulary)
        if moved:
            return moved
        if len(rest) > 1 and rest in vocabulary.unknown:  # ``GHz``
            return vocabulary.unknown[rest]
    return ""


def _with_prefix(hint: str, prefix: str, vocabulary: Vocabulary) -> str:
    """Turn "write `bit` or `byte`" into "write `Gbit` or `GB`"; empty where one takes no prefix.

    What follows a semicolon speaks of the bare word only.
    """
    sentence = hint.partition(";")[0]
    for quoted in dict.fromkeys(re.findall(_QUOTED, sentence)):
        first = re.match(_WORD, quoted)
        unit = vocabulary.units.get(first[0]) if first else None
        if unit is None or prefix not in unit.prefixes:
            return ""
        moved = unit.spelling(prefix) + quoted[len(unit.name) :]
        sentence = sentence.replace(f"`{quoted}`", f"`{moved}`")
    return sentence


@lru_cache(maxsize=4)
def _by_folded(vocabulary: Vocabulary) -> dict[str, dict[str, str]]:
    """Index all spellings, right or wrong, by their letters in lower case."""
    index: dict[str, dict[str, str]] = {}
    for spelling in vocabulary.spellings():
        index.setdefault(spelling.casefold(), {})[spelling] = f"write `{spelling}`"
    for wrong, hint in vocabulary.refused.items():
        index.setdefault(wrong.casefold(), {}).setdefault(wrong, hint)
        for prefix in vocabulary.prefixes:
            moved = _with_prefix(hint, prefix, vocabulary)
            if moved:
                index.setdefault(f"{prefix}{wrong}".casefold(), {}).setdefault(
                    f"{prefix}{wrong}", moved
                )
    return index


def _differences(form: str, right: str) -> int:
    return sum(a != b for a, b in zip(form, right, strict=False))


def _composed_advice(word: str, vocabulary: Vocabulary, own: Collection[str]) -> str:
    """Read ``m2`` as a power, ``GPU-h`` as a product, if their parts make sense."""
    power = re.fullmatch(_POWER, word)
    if power is not None:
        right = _righted(power["word"], vocabulary, own)
        exponent = _POWERS.get(power["power"], power["power"])
        return f"write `{right}^{exponent}`" if right else ""
    parts = re.split(_TIMES, word)
    rights = [_righted(part, vocabulary, own) for part in parts]
    return f"write `{'*'.join(rights)}`" if len(parts) > 1 and all(rights) else ""


def _righted(word: str, vocabulary: Vocabulary, own: Collection[str]) -> str:
    """Return the right spelling of a word if there is just one."""
    if word in own or vocabulary.split(word):
        return word
    quoted = re.findall(_QUOTED, _known_advice(word, vocabulary, own)) if word else []
    return quoted[0] if len(quoted) == 1 else ""


def _likely_advice(word: str, vocabulary: Vocabulary, own: Collection[str]) -> str:
    from calcgraph.core.diagnostics import did_you_mean  # it takes a while to load

    near = [known for known in (*own, *vocabulary.spellings()) if abs(len(known) - len(word)) <= 1]
    return did_you_mean(shown(word), near) if len(word) >= _SHORTEST_GUESS else ""
